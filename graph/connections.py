"""How two entities are connected: the best chains of facts from one to the other, each over other entities.

A chain costs 1 for each fact, less where many sentences say it, and more for each entity that it passes the more facts
that entity has: everybody is connected by way of the town. A hub (a place or a date with many facts) is passed only
where there is no other way. Chains are found one after the other by Dijkstra's algorithm with a limit of hops; what a
chain passes costs more for those after it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from filigraph.graph.adjacency import Bools, Ints, Rows
from filigraph.graph.model import Floats

SUPPORT = 0.3  # what many sentences take off the cost of a fact, at most
DENIED = 1.0  # what a fact costs more whose predicate denies
PASSED = 3.0  # what it costs to pass an entity that nearly all facts are about
USED = 1.0  # what it costs to pass an entity again, for each chain that passed it
TRIES = 4  # searches for one more chain, each after what the last one passed became dearer
HUB_FACTS = 8  # a place or date with more facts than this, and than HUB_SHARE of all, is a hub
HUB_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class FactEdge:
    """A fact as an edge between two entities."""

    fact_id: str
    subject_id: str
    object_id: str
    weight: int  # sentences that say it
    denied: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Facts that lead from one entity to another, and the hubs that they pass."""

    fact_ids: tuple[str, ...]
    hubs: tuple[str, ...]  # ids of entities; empty unless there is no other way


@dataclass(frozen=True, kw_only=True, eq=False)
class FactNetwork:
    """m facts between e entities, laid out for `connections`."""

    facts: Sequence[str]  # (m,) ids
    entities: Sequence[str]  # (e,) ids
    row: dict[str, int]  # entity id -> its place among them
    near: Rows  # entity -> 2 m entities beside it
    by: Ints  # (2 m,) the fact that joins them, in the order of `near.values`
    cost: Floats  # (m,)
    count: Ints  # (e,) facts about it

    @staticmethod
    def of(edges: Sequence[FactEdge]) -> FactNetwork:
        """Of the facts of a workspace; what says something of one entity alone joins nothing."""
        edges = [edge for edge in edges if edge.subject_id != edge.object_id]
        row: dict[str, int] = {}
        for edge in edges:
            row.setdefault(edge.subject_id, len(row))
            row.setdefault(edge.object_id, len(row))
        subjects = np.array([row[edge.subject_id] for edge in edges], dtype=np.intp)
        objects = np.array([row[edge.object_id] for edge in edges], dtype=np.intp)
        weight = np.array([max(edge.weight, 1) for edge in edges], dtype=float)
        denied = np.array([edge.denied for edge in edges], dtype=float)
        ends, others = np.concatenate([subjects, objects]), np.concatenate([objects, subjects])
        order = np.argsort(ends, kind="stable")
        numbers = np.tile(np.arange(len(edges)), 2)
        return FactNetwork(
            facts=[edge.fact_id for edge in edges],
            entities=list(row),
            row=row,
            near=Rows.of(ends, others, len(row)),
            by=numbers[order],
            cost=1 - SUPPORT * (1 - 1 / weight) + DENIED * denied,
            count=np.bincount(ends, minlength=len(row)).astype(np.intp),
        )

    def crowded(self) -> list[str]:
        """The entities with so many facts that they are hubs if they are places or dates."""
        most = max(HUB_FACTS, HUB_SHARE * len(self.facts))
        return [self.entities[row] for row in np.flatnonzero(self.count > most).tolist()]


def connections(
    network: FactNetwork, first: str, other: str, *, hubs: Collection[str], hops: int, count: int
) -> list[Chain]:
    """The best chains of at most `hops` facts from one entity to another, at most `count`, each by way of something
    that no earlier one passes. `hubs`: ids of entities that are passed only where there is no other way."""
    if first not in network.row or other not in network.row or first == other:
        return []
    start, end = network.row[first], network.row[other]
    hub = np.zeros(len(network.entities), dtype=bool)
    hub[[network.row[id_] for id_ in hubs if id_ in network.row]] = True
    hub[[start, end]] = False
    toll = PASSED * np.log1p(network.count) / np.log1p(len(network.facts))
    found = _Search(network, start, end, ~hub, toll, hops).best(count)
    found = found or _Search(network, start, end, np.ones_like(hub), toll + hub * hops, hops).best(count)
    return [
        Chain(
            fact_ids=tuple(network.facts[fact] for fact in facts),
            hubs=tuple(network.entities[row] for row in passed if hub[row]),
        )
        for facts, passed in found
    ]


_Way = tuple[tuple[int, ...], tuple[int, ...]]  # its facts; the entities that it passes


class _Search:
    """The search between two entities. `toll`: (e,) what it costs to pass each."""

    def __init__(self, network: FactNetwork, start: int, end: int, allowed: Bools, toll: Floats, hops: int) -> None:
        self._network, self._start, self._end, self._hops = network, start, end, hops
        self._toll = toll.copy()
        self._away = self._hops_to_end(allowed)
        self._direct = True  # whether a fact about both ends is still to be found
        self._known: dict[int, dict[int, tuple[float, int]]] = {}  # what `_steps` has told

    def best(self, count: int) -> list[_Way]:
        """The best ways, found one after the other."""
        ways: list[_Way] = []
        known: set[frozenset[int]] = set()
        for _ in range(count * TRIES):
            way = self._cheapest()
            if way is None or len(ways) == count:
                break
            passed = frozenset(way[1])
            if passed not in known:
                known.add(passed)
                ways.append(way)
            self._direct &= bool(passed)
            self._toll[list(passed)] += USED
        return ways

    def _hops_to_end(self, allowed: Bools) -> Ints:
        """(e,) the fewest hops from each entity to the end; more than the limit where there is no way that short."""
        away = np.full(len(self._network.entities), self._hops + 1, dtype=np.intp)
        away[self._end] = 0
        frontier = np.array([self._end], dtype=np.intp)
        for step in range(1, self._hops + 1):
            _, near = self._network.near.pairs(frontier)
            frontier = np.unique(near[(away[near] > self._hops) & allowed[near]])
            away[frontier] = step
        return away

    def _cheapest(self) -> _Way | None:
        """The cheapest way without a circle, by Dijkstra's algorithm over (entity, hops so far)."""
        if self._away[self._start] > self._hops:
            return None
        tie = itertools.count()
        ahead: list[tuple[float, int, int, tuple[int, ...], tuple[int, ...]]] = [(0.0, next(tie), self._start, (), ())]
        done: set[tuple[int, int]] = set()
        while ahead:
            cost, _, at, facts, passed = heapq.heappop(ahead)
            if at == self._end:
                return facts, passed[:-1]
            if (at, len(facts)) in done:
                continue
            done.add((at, len(facts)))
            for near, (price, fact) in self._steps(at).items():
                if near == self._start or near in passed or len(facts) + 1 + self._away[near] > self._hops:
                    continue
                if at == self._start and near == self._end and not self._direct:
                    continue
                toll = 0.0 if near == self._end else float(self._toll[near])
                heapq.heappush(ahead, (cost + price + toll, next(tie), near, (*facts, fact), (*passed, near)))
        return None

    def _steps(self, at: int) -> dict[int, tuple[float, int]]:
        """The entities beside one, each with the best supported fact that leads there."""
        if at in self._known:
            return self._known[at]
        network, best = self._network, self._known.setdefault(at, {})
        for place, near in enumerate(network.near.at(at).tolist(), start=int(network.near.starts[at])):
            fact = int(network.by[place])
            price = float(network.cost[fact])
            known = best.get(near)
            if known is None or (price, network.facts[fact]) < (known[0], network.facts[known[1]]):
                best[near] = price, fact
        return best
