"""Responses of the route of passages that name several entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.connections import EndEntityOut

if TYPE_CHECKING:
    from filigraph.graph.analysis.passages import NamingPassages
    from filigraph.graph.ask.evidence.between import EndEntity


class AskedNameOut(BaseModel):
    """A name, and the entities that it means."""

    name: Annotated[str, Field(description="As in the request.")]
    entities: Annotated[list[EndEntityOut], Field(description="The entities that it may mean.")]


class NamedSentenceOut(Out):
    """A sentence of a passage."""

    text: Annotated[str, Field(description="The sentence, in the source's own words.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, if the document has them.")]
    names: Annotated[list[str], Field(description="The requested names in it.")]


class NamingPassageOut(Out):
    """A passage that names the requested entities."""

    chunk_id: Annotated[str, Field(description="The chunk's id.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which that was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    date: Annotated[str, Field(description="Its date, from its metadata.")]
    sentences: Annotated[
        list[NamedSentenceOut], Field(description="The sentences with the names; a single one if it has all of them.")
    ]


class NamingPassagesOut(BaseModel):
    """The passages that name several entities."""

    total: Annotated[int, Field(description="Number of passages.")]
    documents: Annotated[int, Field(description="Number of documents.")]
    names: Annotated[list[AskedNameOut], Field(description="What each name may mean.")]
    passages: Annotated[list[NamingPassageOut], Field(description="The requested passages, in reading order.")]

    @classmethod
    def of(cls, resolved: Sequence[tuple[str, Sequence[EndEntity]]], result: NamingPassages) -> NamingPassagesOut:
        return cls(
            total=result.total,
            documents=result.documents,
            names=[
                AskedNameOut(name=name, entities=[EndEntityOut.model_validate(entity) for entity in entities])
                for name, entities in resolved
            ],
            passages=[NamingPassageOut.model_validate(row) for row in result.passages],
        )
