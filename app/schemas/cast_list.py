"""Responses of the route of cast lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import PathFactOut

if TYPE_CHECKING:
    from filigraph.graph.analysis.cast_list import ListedPerson

CastOrder = Literal["passages", "appearance"]


class CastConnectionOut(Out):
    """Another person, and how often both are named together."""

    id: Annotated[str, Field(description="The other entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    passages: Annotated[int, Field(description="Number of passages that name both.")]
    facts: Annotated[int, Field(description="Number of facts about both.")]


class CastSentenceOut(Out):
    """A sentence and its place."""

    sentence: Annotated[str, Field(description="The sentence.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph, if the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    title: Annotated[str, Field(description="The document's title.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    chunk_id: Annotated[str, Field(description="The chunk with the sentence.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]


class CastMemberOut(Out):
    """A person of a text."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="The person's name.")]
    names: Annotated[list[str], Field(description="The other names, the most frequent first, at most 20.")]
    passages: Annotated[int, Field(description="Number of passages that name the person.")]
    first: Annotated[CastSentenceOut, Field(description="The first sentence that names the person.")]
    connections: Annotated[
        list[CastConnectionOut], Field(description="The persons with whom this one shares most, at most five.")
    ]
    description: Annotated[
        PathFactOut | None, Field(description="A fact that says who the person is; null if there is none.")
    ]

    @classmethod
    def of(cls, member: ListedPerson) -> CastMemberOut:
        described = member.description
        values = vars(member) | {"description": PathFactOut.of(described) if described else None}
        return cls.model_validate(values)


class CastOut(BaseModel):
    """The persons of a document or workspace."""

    total: Annotated[int, Field(description="Total number of persons.")]
    members: Annotated[list[CastMemberOut], Field(description="The requested persons.")]

    @classmethod
    def of(cls, members: Sequence[ListedPerson], total: int) -> CastOut:
        return cls(total=total, members=[CastMemberOut.of(member) for member in members])
