"""The differences between two graphs of the same texts: names that were joined, split or renamed, facts added and
removed.

Mentions have the same ids in both graphs, and facts are said at the same places; ids of entities differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from filigraph.graph.records.facts import Comparison, DetailFact, Regrouped

Said = tuple[str, str, int, int]  # predicate, chunk, and the place in it
Counterparts = Mapping[str, set[str]]  # entity of one graph -> the entities of the other that its names belong to there


@dataclass(frozen=True, kw_only=True)
class ComparedGraph:
    """One of two graphs that are compared."""

    names: Mapping[str, str]  # entity -> its name
    mentions: Mapping[str, Collection[str]]  # entity -> its mentions
    facts: Mapping[str, Collection[Said]]  # fact -> its places; the best supported first
    in_full: Callable[[str], DetailFact]


def differences(before: ComparedGraph, after: ComparedGraph) -> Comparison:
    """How the second graph differs from the first."""
    backward, forward = _counterparts(after, before), _counterparts(before, after)
    alone = {id_: next(iter(others)) for id_, others in backward.items() if len(others) == 1}
    renamed = {
        id_: {other}
        for id_, other in alone.items()
        if len(forward[other]) == 1 and after.names[id_] != before.names[other]
    }
    return Comparison(
        joined=_regrouped(after, before, {id_: others for id_, others in backward.items() if len(others) > 1}),
        parted=_regrouped(before, after, {id_: others for id_, others in forward.items() if len(others) > 1}),
        renamed=_regrouped(after, before, renamed),
        entities_came=_by_name(after.names[id_] for id_, others in backward.items() if not others),
        entities_gone=_by_name(before.names[id_] for id_, others in forward.items() if not others),
        facts_came=tuple(_only_in(after, before)),
        facts_gone=tuple(_only_in(before, after)),
    )


def _by_name(names: Iterable[str]) -> tuple[str, ...]:
    """Names in their order; those that begin with no letter (hours, amounts) come last."""
    return tuple(sorted(names, key=lambda name: (not name[:1].isalpha(), name)))


def _counterparts(one: ComparedGraph, other: ComparedGraph) -> Counterparts:
    there = {mention: id_ for id_, mentions in other.mentions.items() for mention in mentions}
    counterparts = defaultdict[str, set[str]](set)
    for id_ in one.names:
        counterparts[id_] = {there[mention] for mention in one.mentions[id_] if mention in there}
    return counterparts


def _regrouped(one: ComparedGraph, other: ComparedGraph, counterparts: Counterparts) -> tuple[Regrouped, ...]:
    rows = [
        Regrouped(name=one.names[id_], others=tuple(sorted(other.names[two] for two in others)))
        for id_, others in counterparts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (row.name, row.others)))


def _only_in(one: ComparedGraph, other: ComparedGraph) -> Iterator[DetailFact]:
    """The facts that only one graph says: by the place and the predicate, for its entities may have other ids there."""
    there = {place for places in other.facts.values() for place in places}
    return (one.in_full(id_) for id_, places in one.facts.items() if there.isdisjoint(places))
