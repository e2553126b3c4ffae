"""Responses of the route of families."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import PathFact
from filigraph.graph.analysis.family import FamilyMember

if TYPE_CHECKING:
    from filigraph.graph.analysis.family import Families


class FamilyTieOut(Out):
    """Two relatives. Of a parent and a child the first is the parent."""

    kind: Annotated[Literal["parent", "spouse", "sibling", "relative"], Field(description="The kind of tie.")]
    first_id: Annotated[str, Field(description="The id of one entity.")]
    first: Annotated[str, Field(description="Its name.")]
    other_id: Annotated[str, Field(description="The id of the other entity.")]
    other: Annotated[str, Field(description="Its name.")]
    open: Annotated[
        bool, Field(description="Another tie excludes it, for example a second father: it is open which one is true.")
    ]
    denied: Annotated[bool, Field(description="Another sentence denies it.")]
    facts: Annotated[list[PathFact], Field(description="The facts that state it, at most five, each with a sentence.")]


class FamilyOut(Out):
    """Persons who are joined by facts of kinship."""

    members: Annotated[
        list[FamilyMember],
        Field(description="By generation; within one, spouses and siblings are next to each other."),
    ]
    ties: Annotated[list[FamilyTieOut], Field(description="Parents, then spouses, siblings and other relatives.")]


class FamiliesOut(BaseModel):
    """Families, and the facts of kinship that are not shown as ties."""

    total: Annotated[int, Field(description="Total number of families.")]
    families: Annotated[list[FamilyOut], Field(description="The requested families, the largest first.")]
    alleged: Annotated[
        list[PathFact],
        Field(description="Facts of kinship that only somebody in the text asserts: they are not ties."),
    ]

    @classmethod
    def of(cls, result: Families, first: int, count: int) -> FamiliesOut:
        shown = {"families": result.families[first : first + count], "alleged": result.alleged}
        return cls.model_validate({"total": len(result.families), **shown})
