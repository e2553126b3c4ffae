"""Responses of the route of passages that name several entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from filigraph.graph.analysis.passages import NamingPassage
from filigraph.graph.records.entities import EndEntity

if TYPE_CHECKING:
    from filigraph.graph.analysis.passages import NamingPassages


class AskedNameOut(BaseModel):
    """A name, and the entities that it means."""

    name: Annotated[str, Field(description="As in the request.")]
    entities: Annotated[list[EndEntity], Field(description="The entities that it may mean.")]


class NamingPassagesOut(BaseModel):
    """The passages that name several entities."""

    total: Annotated[int, Field(description="Number of passages.")]
    documents: Annotated[int, Field(description="Number of documents.")]
    names: Annotated[list[AskedNameOut], Field(description="What each name may mean.")]
    passages: Annotated[list[NamingPassage], Field(description="The requested passages, in reading order.")]

    @classmethod
    def of(cls, resolved: Sequence[tuple[str, Sequence[EndEntity]]], result: NamingPassages) -> NamingPassagesOut:
        return cls(
            total=result.total,
            documents=result.documents,
            names=[AskedNameOut(name=name, entities=list(entities)) for name, entities in resolved],
            passages=list(result.passages),
        )
