"""Responses of the route that compares entities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, BeforeValidator, Field

from filigraph.app.schemas.common import Out
from filigraph.app.schemas.graph.entities import PathFact
from filigraph.graph.analysis.entity_comparison import ComparedEntity, ComparedFact
from filigraph.graph.analysis.passages import NamingPassage
from filigraph.graph.records.facts import NearFact

if TYPE_CHECKING:
    from filigraph.graph.analysis.entity_comparison import ComparedPair, EntityComparison


class FactSentenceOut(Out):
    """A sentence and its place."""

    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of it, if the document has them.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    chunk_id: Annotated[str, Field(description="The chunk with the sentence.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]


@dataclass(frozen=True, kw_only=True)
class ComparedFactOut(NearFact):
    """A fact of one of the entities that are compared."""

    said: Annotated[
        FactSentenceOut | None, Field(description="The first sentence that states it; null beyond 500 facts.")
    ]

    @classmethod
    def of(cls, fact: object) -> object:
        """The response for a ComparedFact; any other value as it is."""
        if not isinstance(fact, ComparedFact):
            return fact
        sentence = FactSentenceOut.model_validate(fact.said) if fact.said else None
        return cls(**(vars(fact) | {"said": sentence}))


Facts = Annotated[
    list[list[Annotated[ComparedFactOut, BeforeValidator(ComparedFactOut.of)]]],
    Field(description="For each entity, in order, its facts: the best supported first."),
]


class ComparedRelationOut(Out):
    """The facts of each entity with one predicate."""

    predicate: Annotated[str, Field(description="The predicate.")]
    facts: Facts


class SharedEntityOut(Out):
    """Another entity that shares facts with two or more of them."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    facts: Facts


class ComparedPairOut(BaseModel):
    """The facts and passages that two of them share."""

    first: Annotated[int, Field(description="Index of one in `entities`, from 0.")]
    other: Annotated[int, Field(description="Index of the other.")]
    between: Annotated[list[PathFact], Field(description="Facts about both.")]
    passages: Annotated[int, Field(description="Number of passages that name both.")]
    together: Annotated[list[NamingPassage], Field(description="The first of these passages, in reading order.")]

    @classmethod
    def of(cls, pair: ComparedPair) -> ComparedPairOut:
        return cls.model_validate(vars(pair) | {"passages": pair.together.total, "together": pair.together.passages})


class EntityComparisonOut(BaseModel):
    """Entities side by side."""

    entities: Annotated[list[ComparedEntity], Field(description="In the order of the request.")]
    relations: Annotated[
        list[ComparedRelationOut],
        Field(description="Facts by predicate: predicates of most entities first, then those of most sentences."),
    ]
    shared: Annotated[
        list[SharedEntityOut],
        Field(description="Other entities that facts join to several of them; those of most entities first."),
    ]
    pairs: Annotated[list[ComparedPairOut], Field(description="Each pair of them.")]

    @classmethod
    def of(cls, comparison: EntityComparison) -> EntityComparisonOut:
        return cls.model_validate(vars(comparison) | {"pairs": [ComparedPairOut.of(pair) for pair in comparison.pairs]})
