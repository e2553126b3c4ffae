"""Two entities side by side: the facts of each by relation, their places, and what both share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph.analysis.passages import NamingPassages, PassageGraph, passages_naming
from filigraph.graph.records.entities import PlaceRow
from filigraph.graph.records.facts import DetailFact, EntityDetail, FactSentence, NearFact

FACTS = 1000  # of each entity, the best supported ones
FIRST = 3  # places where each comes first
BETWEEN = 20  # facts that join the two


class ComparedGraph(PassageGraph, Protocol):
    """The reads of a workspace or a view that a comparison of two entities needs."""

    def entity_detail(self, entity_id: str) -> EntityDetail: ...
    def entity_places(self, entity_id: str, *, first: int, count: int) -> tuple[Sequence[PlaceRow], int]: ...
    def neighbourhood(self, entity_id: str, *, hops: int, limit: int, together: bool = False) -> Sequence[NearFact]: ...
    def facts_between(self, first: str, second: str, *, count: int) -> Sequence[DetailFact]: ...


@dataclass(frozen=True, kw_only=True)
class ComparedEntity:
    """One of the two."""

    id: str
    name: str
    type: str
    aliases: Sequence[str]
    chunks: int  # passages that mention it
    facts: int  # that are compared
    places: int  # where its names occur
    first: Sequence[PlaceRow]  # the first of them, in the order of reading


@dataclass(frozen=True, kw_only=True)
class ComparedFact(NearFact):
    """A fact of one of the two."""

    said: FactSentence | None  # the first sentence of the fact; None if the fact is not among the best supported


@dataclass(frozen=True, kw_only=True)
class ComparedRelation:
    """The facts of both with one predicate."""

    predicate: str
    first: Sequence[ComparedFact]  # the best supported first
    other: Sequence[ComparedFact]


@dataclass(frozen=True, kw_only=True)
class SharedEntity:
    """A third entity with facts about each of the two."""

    id: str
    name: str
    first: Sequence[ComparedFact]
    other: Sequence[ComparedFact]


@dataclass(frozen=True, kw_only=True)
class EntityComparison:
    """Two entities side by side."""

    first: ComparedEntity
    other: ComparedEntity
    relations: Sequence[ComparedRelation]  # those of both first, then those with most sentences
    shared: Sequence[SharedEntity]  # most sentences first
    between: Sequence[DetailFact]  # facts about both
    together: NamingPassages  # the passages that name both


def compare_entities(first: str, other: str, graph: ComparedGraph, *, passages: int) -> EntityComparison:
    """Compare two entities by id, with at most `passages` passages that name both. Raises NotFound."""
    details = [graph.entity_detail(id_) for id_ in (first, other)]
    one, two = (_facts(detail, graph) for detail in details)
    apart = ([fact for fact in facts if {first, other} != {fact.subject_id, fact.object_id}] for facts in (one, two))
    mine, theirs = apart
    entities = [_entity(detail, facts, graph) for detail, facts in zip(details, (one, two), strict=True)]
    called = [entity.name for entity in entities]
    names = dict(zip(called if called[0] != called[1] else (first, other), ({first}, {other}), strict=True))
    return EntityComparison(
        first=entities[0],
        other=entities[1],
        relations=_relations(mine, theirs),
        shared=_shared(_by_third(mine, first), _by_third(theirs, other)),
        between=graph.facts_between(first, other, count=BETWEEN),
        together=passages_naming(names, graph, count=passages),
    )


def _facts(detail: EntityDetail, graph: ComparedGraph) -> list[ComparedFact]:
    said = {fact.fact_id: fact.sentences[0] for fact in detail.facts if fact.sentences}
    near = graph.neighbourhood(detail.id, hops=1, limit=FACTS)
    return [ComparedFact(**vars(fact), said=said.get(fact.fact_id)) for fact in near]


def _entity(detail: EntityDetail, facts: Sequence[ComparedFact], graph: ComparedGraph) -> ComparedEntity:
    places, total = graph.entity_places(detail.id, first=0, count=FIRST)
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


def _relations(mine: Sequence[ComparedFact], theirs: Sequence[ComparedFact]) -> list[ComparedRelation]:
    by_predicate: dict[str, tuple[list[ComparedFact], list[ComparedFact]]] = defaultdict(lambda: ([], []))
    for side, facts in enumerate((mine, theirs)):
        for fact in facts:
            by_predicate[fact.predicate][side].append(fact)

    def rank(relation: ComparedRelation) -> tuple[bool, int, str]:
        both = bool(relation.first and relation.other)
        return not both, -_weight([*relation.first, *relation.other]), relation.predicate

    rows = [ComparedRelation(predicate=name, first=one, other=two) for name, (one, two) in by_predicate.items()]
    return sorted(rows, key=rank)


Thirds = Mapping[str, tuple[str, list[ComparedFact]]]  # entity -> its name, the facts with it


def _by_third(facts: Sequence[ComparedFact], entity_id: str) -> Thirds:
    by_entity: dict[str, tuple[str, list[ComparedFact]]] = {}
    for fact in facts:
        is_subject = fact.subject_id == entity_id
        id_, name = (fact.object_id, fact.object) if is_subject else (fact.subject_id, fact.subject)
        if id_ != entity_id:
            by_entity.setdefault(id_, (name, []))[1].append(fact)
    return by_entity


def _shared(mine: Thirds, theirs: Thirds) -> list[SharedEntity]:
    rows = [
        SharedEntity(id=id_, name=name, first=facts, other=theirs[id_][1])
        for id_, (name, facts) in mine.items()
        if id_ in theirs
    ]
    return sorted(rows, key=lambda row: (-min(_weight(row.first), _weight(row.other)), row.name, row.id))


def _weight(facts: Sequence[ComparedFact]) -> int:
    return sum(fact.weight for fact in facts)
