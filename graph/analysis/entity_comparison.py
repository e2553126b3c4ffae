"""Entities side by side: the facts about each by relation, their first places, and what they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Protocol

from pydantic import Field

from filigraph.graph.analysis.passages import NamingPassages, PassageGraph, passages_naming
from filigraph.graph.records.entities import PlaceRow
from filigraph.graph.records.facts import DetailFact, EntityDetail, FactSentence, NearFact

MAX_FACTS_PER_ENTITY = 1000  # of each entity, the best supported ones
MAX_FIRST_PLACES = 3  # first places of each
MAX_FACTS_BETWEEN = 20  # facts that join two


class ComparedGraph(PassageGraph, Protocol):
    """The reads of a workspace or a view that a comparison needs."""

    def entity_detail(self, entity_id: str) -> EntityDetail: ...
    def entity_places(self, entity_id: str, *, first: int, count: int) -> tuple[Sequence[PlaceRow], int]: ...
    def neighbourhood(self, entity_id: str, *, hops: int, limit: int, together: bool = False) -> Sequence[NearFact]: ...
    def facts_between(self, first: str, second: str, *, count: int) -> Sequence[DetailFact]: ...


@dataclass(frozen=True, kw_only=True)
class ComparedEntity:
    """One of the compared entities."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty if unknown.")]
    aliases: Annotated[Sequence[str], Field(description="All its names.")]
    chunks: Annotated[int, Field(description="Number of passages that mention it.")]
    facts: Annotated[int, Field(description="Number of facts, at most 1,000.")]
    places: Annotated[int, Field(description="Number of places of its names.")]
    first: Annotated[Sequence[PlaceRow], Field(description="Its first places, in reading order.")]


@dataclass(frozen=True, kw_only=True)
class ComparedFact(NearFact):
    """A fact about one of them."""

    said: FactSentence | None  # the first sentence that states it; None if the fact is not among the best supported


Sides = Sequence[Sequence[ComparedFact]]  # facts of each entity, the best supported first


@dataclass(frozen=True, kw_only=True)
class ComparedRelation:
    """The facts of all entities with one predicate."""

    predicate: str
    facts: Sides


@dataclass(frozen=True, kw_only=True)
class SharedEntity:
    """Another entity, which facts join to two of them or more."""

    id: str
    name: str
    facts: Sides


@dataclass(frozen=True, kw_only=True)
class ComparedPair:
    """The facts and passages that connect two of them."""

    first: int  # index in `entities`
    other: int
    between: Sequence[DetailFact]  # facts about both
    together: NamingPassages  # the passages that name both


@dataclass(frozen=True, kw_only=True)
class EntityComparison:
    """Entities side by side."""

    entities: Sequence[ComparedEntity]
    relations: Sequence[ComparedRelation]  # those of most entities first, then those with most sentences
    shared: Sequence[SharedEntity]  # those of most entities first, then by the sentences of the side with the fewest
    pairs: Sequence[ComparedPair]


def compare_entities(ids: Sequence[str], graph: ComparedGraph, *, passages: int) -> EntityComparison:
    """Compare entities by id; for each pair at most `passages` of the passages that name both. Raises NotFound."""
    details = [graph.entity_detail(id_) for id_ in ids]
    facts = [_facts(detail, graph) for detail in details]
    apart = [[fact for fact in side if not {fact.subject_id, fact.object_id} <= set(ids)] for side in facts]
    return EntityComparison(
        entities=[_entity(detail, side, graph) for detail, side in zip(details, facts, strict=True)],
        relations=_relations(apart),
        shared=_shared_entities(apart, ids),
        pairs=[
            _compare_pair(first, other, details, graph, passages) for first, other in combinations(range(len(ids)), 2)
        ],
    )


def _facts(detail: EntityDetail, graph: ComparedGraph) -> list[ComparedFact]:
    first_sentence = {fact.fact_id: fact.sentences[0] for fact in detail.facts if fact.sentences}
    near = graph.neighbourhood(detail.id, hops=1, limit=MAX_FACTS_PER_ENTITY)
    return [ComparedFact(**vars(fact), said=first_sentence.get(fact.fact_id)) for fact in near]


def _entity(detail: EntityDetail, facts: Sequence[ComparedFact], graph: ComparedGraph) -> ComparedEntity:
    places, total = graph.entity_places(detail.id, first=0, count=MAX_FIRST_PLACES)
    return ComparedEntity(
        id=detail.id,
        name=detail.name,
        type=detail.type,
        aliases=detail.aliases,
        chunks=detail.chunks,
        facts=len(facts),
        places=total,
        first=places,
    )


def _compare_pair(
    first: int, other: int, details: Sequence[EntityDetail], graph: ComparedGraph, passages: int
) -> ComparedPair:
    one, two = details[first], details[other]
    called = (one.name, two.name) if one.name != two.name else (one.id, two.id)
    names = dict(zip(called, ({one.id}, {two.id}), strict=True))
    return ComparedPair(
        first=first,
        other=other,
        between=graph.facts_between(one.id, two.id, count=MAX_FACTS_BETWEEN),
        together=passages_naming(names, graph, count=passages),
    )


def _relations(sides: Sides) -> list[ComparedRelation]:
    by_predicate: dict[str, list[list[ComparedFact]]] = defaultdict(lambda: [[] for _ in sides])
    for side, facts in enumerate(sides):
        for fact in facts:
            by_predicate[fact.predicate][side].append(fact)
    rows = [ComparedRelation(predicate=predicate, facts=facts) for predicate, facts in by_predicate.items()]
    return sorted(rows, key=lambda row: (-_count_with_facts(row.facts), -sum(map(_weight, row.facts)), row.predicate))


def _shared_entities(sides: Sides, ids: Sequence[str]) -> list[SharedEntity]:
    by_entity: dict[str, list[list[ComparedFact]]] = defaultdict(lambda: [[] for _ in sides])
    called = dict[str, str]()
    for side, facts in enumerate(sides):
        for fact in facts:
            id_, name = (
                (fact.object_id, fact.object) if fact.subject_id == ids[side] else (fact.subject_id, fact.subject)
            )
            called.setdefault(id_, name)
            by_entity[id_][side].append(fact)
    rows = [
        SharedEntity(id=id_, name=called[id_], facts=facts)
        for id_, facts in by_entity.items()
        if _count_with_facts(facts) > 1
    ]
    return sorted(rows, key=lambda row: (-_count_with_facts(row.facts), -_least_weight(row.facts), row.name, row.id))


def _count_with_facts(sides: Sides) -> int:
    """How many of the entities have such facts."""
    return sum(map(bool, sides))


def _least_weight(sides: Sides) -> int:
    return min(_weight(facts) for facts in sides if facts)


def _weight(facts: Sequence[ComparedFact]) -> int:
    return sum(fact.weight for fact in facts)
