"""What the route that compares two entities gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.corrections import PlaceOut
from filigraph.app.schemas.entities import PathFactOut
from filigraph.app.schemas.passages import NamingPassageOut
from filigraph.graph.records.facts import NearFact

if TYPE_CHECKING:
    from filigraph.graph.analysis.entity_comparison import (
        ComparedFact,
        ComparedRelation,
        EntityComparison,
        SharedEntity,
    )


class ComparedEntityOut(Out):
    """One of two entities that are compared."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty if unknown.")]
    aliases: Annotated[list[str], Field(description="Every form of its name.")]
    chunks: Annotated[int, Field(description="How many passages mention it.")]
    facts: Annotated[int, Field(description="How many facts it has, at most 1,000.")]
    places: Annotated[int, Field(description="How often it is named.")]
    first: Annotated[list[PlaceOut], Field(description="Where it is named first, in the order of reading.")]


class FactSentenceOut(Out):
    """A sentence and its place."""

    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, where the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    document_id: Annotated[str, Field(description="That document.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]


@dataclass(frozen=True, kw_only=True)
class ComparedFactOut(NearFact):
    """A fact of one of two entities that are compared."""

    said: Annotated[FactSentenceOut | None, Field(description="Its sentence; null beyond 500 facts.")]

    @classmethod
    def of(cls, fact: ComparedFact) -> ComparedFactOut:
        said = FactSentenceOut.model_validate(fact.said) if fact.said else None
        return cls(**(vars(fact) | {"said": said}))


class ComparedRelationOut(Out):
    """What is said of both by one predicate."""

    predicate: Annotated[str, Field(description="The predicate.")]
    first: Annotated[list[ComparedFactOut], Field(description="Of the first entity, the best supported first.")]
    other: Annotated[list[ComparedFactOut], Field(description="Of the other one.")]

    @classmethod
    def of(cls, row: ComparedRelation) -> ComparedRelationOut:
        first, other = (list(map(ComparedFactOut.of, facts)) for facts in (row.first, row.other))
        return cls(predicate=row.predicate, first=first, other=other)


class SharedEntityOut(Out):
    """A third entity that something is said of with both."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    first: Annotated[list[ComparedFactOut], Field(description="What is said of it with the first entity.")]
    other: Annotated[list[ComparedFactOut], Field(description="What is said of it with the other one.")]

    @classmethod
    def of(cls, row: SharedEntity) -> SharedEntityOut:
        first, other = (list(map(ComparedFactOut.of, facts)) for facts in (row.first, row.other))
        return cls(id=row.id, name=row.name, first=first, other=other)


class EntityComparisonOut(BaseModel):
    """Two entities side by side."""

    first: Annotated[ComparedEntityOut, Field(description="The one.")]
    other: Annotated[ComparedEntityOut, Field(description="The other.")]
    relations: Annotated[
        list[ComparedRelationOut], Field(description="Facts by predicate: what both have first, then what most say.")
    ]
    shared: Annotated[list[SharedEntityOut], Field(description="Third entities of both, the best supported first.")]
    between: Annotated[list[PathFactOut], Field(description="What is said of the one with the other.")]
    passages: Annotated[int, Field(description="How many passages name both.")]
    together: Annotated[list[NamingPassageOut], Field(description="The first of them, in the order of reading.")]

    @classmethod
    def of(cls, comparison: EntityComparison) -> EntityComparisonOut:
        return cls(
            first=ComparedEntityOut.model_validate(comparison.first),
            other=ComparedEntityOut.model_validate(comparison.other),
            relations=[ComparedRelationOut.of(row) for row in comparison.relations],
            shared=[SharedEntityOut.of(row) for row in comparison.shared],
            between=[PathFactOut.of(fact) for fact in comparison.between],
            passages=comparison.together.total,
            together=[NamingPassageOut.model_validate(row) for row in comparison.together.passages],
        )
