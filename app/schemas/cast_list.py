"""Responses of the route of cast lists."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import PathFact
from filigraph.graph.analysis.cast_list import CastConnection
from filigraph.graph.records.documents import PlacedSentence

CastOrder = Literal["passages", "appearance"]


class CastMemberOut(Out):
    """A person of a text."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="The person's name.")]
    names: Annotated[list[str], Field(description="The other names, the most frequent first, at most 20.")]
    passages: Annotated[int, Field(description="Number of passages that name the person.")]
    first: Annotated[PlacedSentence, Field(description="The first sentence that names the person.")]
    connections: Annotated[
        list[CastConnection], Field(description="The persons with whom this one shares most, at most five.")
    ]
    description: Annotated[
        PathFact | None, Field(description="A fact that says who the person is; null if there is none.")
    ]


class CastOut(BaseModel):
    """The persons of a document or workspace."""

    total: Annotated[int, Field(description="Total number of persons.")]
    members: Annotated[list[CastMemberOut], Field(description="The requested persons.")]
