"""What differs between two views of a workspace: names joined, parted and called otherwise, facts come and gone.

Mentions have the same ids in all views of a workspace, and facts are said at the same places; ids of entities differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from filigraph.graph.records.facts import Comparison, DetailFact, Regrouped
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.views.derived import DerivedView, ViewFact
from filigraph.graph.views.reader import ViewGraph

Said = tuple[str, str, int, int]  # predicate, chunk, and where in it


def compare(first: ViewGraph, second: ViewGraph) -> Comparison:
    """What is otherwise in the second view."""
    before, after = first.derived, second.derived
    backward, forward = _others(after, before), _others(before, after)
    alone = {id_ for id_, others in backward.items() if len(others) == 1 and len(forward[next(iter(others))]) == 1}
    return Comparison(
        joined=_named(
            after, before, {id_: counterparts for id_, counterparts in backward.items() if len(counterparts) > 1}
        ),
        parted=_named(
            before, after, {id_: counterparts for id_, counterparts in forward.items() if len(counterparts) > 1}
        ),
        renamed=_named(after, before, {id_: backward[id_] for id_ in alone if _renamed(after, before, id_, backward)}),
        entities_came=tuple(
            sorted(after.entities[id_].name for id_, counterparts in backward.items() if not counterparts)
        ),
        entities_gone=tuple(
            sorted(before.entities[id_].name for id_, counterparts in forward.items() if not counterparts)
        ),
        facts_came=tuple(_only_in(second, first)),
        facts_gone=tuple(_only_in(first, second)),
    )


def all_new(view: ViewGraph) -> Comparison:
    """What is otherwise in a view than where nothing has been read."""
    names = sorted(entity.name for entity in view.derived.entities.values())
    facts = [row for row in view.derived.facts.values() if row.fact.predicate != TOGETHER]
    return Comparison(
        joined=(),
        parted=(),
        renamed=(),
        entities_came=tuple(names),
        entities_gone=(),
        facts_came=tuple(map(view.fact_in_full, sorted(facts, key=_best_first))),
        facts_gone=(),
    )


def _others(one: DerivedView, other: DerivedView) -> Mapping[str, set[str]]:
    """Entity id of one view -> the entities of the other that its names belong to there."""
    there, counterparts = other.names.derived.entity_of, defaultdict[str, set[str]](set)
    for id_, entity in one.entities.items():
        counterparts[id_] = {there[mention] for mention in entity.mention_ids if mention in there}
    return counterparts


def _renamed(after: DerivedView, before: DerivedView, id_: str, backward: Mapping[str, set[str]]) -> bool:
    (other,) = backward[id_]
    return after.entities[id_].name != before.entities[other].name


def _named(one: DerivedView, other: DerivedView, counterparts: Mapping[str, set[str]]) -> tuple[Regrouped, ...]:
    rows = [
        Regrouped(name=one.entities[id_].name, others=tuple(sorted(other.entities[two].name for two in others)))
        for id_, others in counterparts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.name, row.others)))


def _only_in(one: ViewGraph, other: ViewGraph) -> Iterator[DetailFact]:
    """The facts that only one view says: by the place and the predicate, for its entities may have other ids there."""
    there = {place for row in other.derived.facts.values() for place in _places(row)}
    mine = [row for row in one.derived.facts.values() if row.fact.predicate != TOGETHER]
    only = [row for row in mine if not there & set(_places(row))]
    return (one.fact_in_full(row) for row in sorted(only, key=_best_first))


def _best_first(row: ViewFact) -> tuple[int, str, str]:
    return -row.weight, row.fact.text, row.fact.id


def _places(row: ViewFact) -> Iterator[Said]:
    for support in row.fact.supports:
        yield row.fact.predicate, support.chunk_id, support.start, support.end
