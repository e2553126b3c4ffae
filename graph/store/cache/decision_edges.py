"""The relationships between mentions in Neo4j: one for each decision (see `derivation_cache.py`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from filigraph.graph.model.names import Decision
from filigraph.graph.tables.persistent_map import PersistentMap

SAME, NOT_SAME = "SAME_AS", "NOT_SAME_AS"


class DecisionEdge(NamedTuple):
    """A relationship between two mentions, as stored."""

    first: str  # mention ids
    second: str
    type: str
    rule: str
    score: float
    decision: str  # the decision of a person, "" for a rule


def edge_of(decision: Decision) -> DecisionEdge:
    type_ = SAME if decision.same else NOT_SAME
    return DecisionEdge(decision.first, decision.second, type_, decision.rule, float(decision.score), decision.id)


@dataclass(frozen=True)
class DecisionEdges:
    """The relationships of all decisions. Immutable."""

    decisions: Sequence[Decision]  # one for each relationship
    by_mention: PersistentMap[tuple[DecisionEdge, ...]]  # those at either end, sorted

    def __len__(self) -> int:
        return len(self.decisions)

    def __contains__(self, edge: object) -> bool:
        return isinstance(edge, DecisionEdge) and edge in self.by_mention.get(edge.first, ())

    def __iter__(self) -> Iterator[DecisionEdge]:
        return map(edge_of, self.decisions)

    def of(self, mentions: Iterable[str]) -> set[DecisionEdge]:
        """The relationships that begin or end at one of these mentions."""
        return {edge for mention in mentions for edge in self.by_mention.get(mention, ())}

    def after(self, decisions: Sequence[Decision]) -> tuple[DecisionEdges, set[DecisionEdge]]:
        """The relationships after a change of decisions, and those that are only in the old or only in the new set."""
        here, there = ({*map(edge_of, others)} for others in _differing_decisions(self.decisions, decisions))
        gone, new = here - there, {edge for edge in there - here if edge not in self}
        if len(decisions) != len(self.decisions) + len(new) - len(gone):  # some decisions have the same relationship
            decisions = [*{edge_of(decision): decision for decision in decisions}.values()]
        ends = _by_mention(new)
        ends |= {end: set() for edge in gone for end in (edge.first, edge.second) if end not in ends}
        edges_of = {end: tuple(sorted({*self.by_mention.get(end, ()), *edges} - gone)) for end, edges in ends.items()}
        by_mention = self.by_mention.after(
            [end for end, edges in edges_of.items() if not edges],
            {end: edges for end, edges in edges_of.items() if edges},
        )
        return DecisionEdges(tuple(decisions), by_mention), new | gone


NO_EDGES = DecisionEdges((), PersistentMap({}))


def _differing_decisions(here: Sequence[Decision], there: Sequence[Decision]) -> tuple[list[Decision], list[Decision]]:
    """The decisions that only one of the two has. Both are usually in the order of their mentions; if not, the result
    may contain some that both have. After a change most are the same objects, which are compared fast.
    """
    gone: list[Decision] = []
    new: list[Decision] = []
    first, second = iter(here), iter(there)
    one, other = next(first, None), next(second, None)
    while one is not None and other is not None:
        if one is other or one == other:
            one, other = next(first, None), next(second, None)
        elif (one.first, one.second, one.rule) < (other.first, other.second, other.rule):
            gone.append(one)
            one = next(first, None)
        else:
            new.append(other)
            other = next(second, None)
    gone += [decision for decision in (one, *first) if decision is not None]
    new += [decision for decision in (other, *second) if decision is not None]
    return gone, new


def _by_mention(edges: Iterable[DecisionEdge]) -> dict[str, set[DecisionEdge]]:
    edges_of: dict[str, set[DecisionEdge]] = defaultdict(set)
    for edge in edges:
        edges_of[edge.first].add(edge)
        edges_of[edge.second].add(edge)
    return edges_of
