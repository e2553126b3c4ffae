"""How two entities are connected: the best chains of facts from one to the other, each over other entities.

A chain costs 1 for each fact, less if many sentences say it, and more for each entity that it passes, the more facts
that entity has: everybody is connected by way of the town. A chain passes a hub (a place or a date with many facts)
only if there is no other way. Where facts lead nowhere, it may go from an end to what a text names near it
(`text_steps`). Denials connect nothing, but denials about both ends are shown. A chain may also go on
from one name to one that is alike ("account 2206", "compte 2206"), at a cost, and says so. Chains are found one after
the other by Dijkstra's algorithm with a limit of hops; entities that a chain passes cost more for later chains.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from filigraph.graph.analysis.text_steps import TextStep
from filigraph.graph.model.arrays import Floats
from filigraph.graph.tables.adjacency import Bools, Ints, Rows

MAX_SUPPORT_DISCOUNT = 0.3  # largest discount on a fact that many sentences say
ALIKE_STEP_COST = 1.0  # cost of a step from a name to one that is alike
NAMED_ENTITY_COST = 1.5  # cost of a fact by way of an entity that its sentence names, but that is not an end
TEXT_STEP_COST = 2.0  # cost of a step to what the same sentence names
SENTENCE_COST = 1.0  # extra cost of such a step for each sentence between the two
ELSEWHERE_COST = 0.25  # the same for each other chunk that names what it leads to
HUB_PASSING_COST = 3.0  # cost of passing an entity that nearly all facts are about
USED_ENTITY_COST = 1.0  # extra cost of an entity for each earlier chain that passed it
USED_STEP_COST = 1.0  # the same of a step between two entities: another chain may pass the same entities and more
MAX_TRIES = 4  # searches for one more chain, each after raising the cost of the last one's entities
HUB_MIN_FACTS = 8  # a place or date with more facts than this, and than HUB_MIN_FACT_SHARE of all, is a hub
HUB_MIN_FACT_SHARE = 0.02
MAX_ALIKE_STEPS = 2  # steps between names that are alike, beside the facts of a chain
MAX_NEAR_ENTITIES = 80  # entities beside the ends whose names are compared with all others
_NO_LONGER = re.compile(r"\b(?:no longer|no more|any ?more|plus|mehr|más|più)\b", re.IGNORECASE)
_NO_FACT = -1  # in a route: the step from a name to one that is alike


@dataclass(frozen=True, slots=True)
class FactEdge:
    """A fact as an edge between two entities."""

    fact_id: str
    subject_id: str
    object_id: str
    weight: int  # sentences that say it
    denied: bool

    @property
    def ends(self) -> frozenset[str]:
        return frozenset((self.subject_id, self.object_id))


def fact_edge(*, fact_id: str, subject_id: str, object_id: str, weight: int, denial: str) -> FactEdge:
    """The edge of a fact; `denial`: its predicate if that denies. A fact that is no longer so ("n'a plus") was so, and
    connects."""
    denied = bool(denial) and not _NO_LONGER.search(denial)
    return FactEdge(fact_id=fact_id, subject_id=subject_id, object_id=object_id, weight=weight, denied=denied)


@dataclass(frozen=True, slots=True)
class Link:
    """A step between two entities without a fact about both: `fact_id` is a fact about the second whose sentence names
    the first; "": their names are alike."""

    first_id: str
    other_id: str
    fact_id: str = ""


@dataclass(frozen=True, slots=True)
class AlikeEnds:
    """Two entities with names that are alike, after so many facts of a chain."""

    after: int
    first_id: str
    other_id: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Facts that lead from one entity to another, and the hubs that they pass."""

    fact_ids: tuple[str, ...]
    hubs: tuple[str, ...] = ()  # ids of entities; empty unless there is no other way
    alike: tuple[AlikeEnds, ...] = ()  # the gaps: no entity joins two facts, or an end and a fact
    named: tuple[
        tuple[int, str], ...
    ] = ()  # (number of a fact, from 0; entity that its sentence names beside its ends)


@dataclass(frozen=True, kw_only=True, eq=False)
class FactNetwork:
    """m facts between e entities, laid out for `find_chains`."""

    facts: Sequence[str]  # (m,) ids
    entities: Sequence[str]  # (e,) ids
    row: dict[str, int]  # entity id -> its place among them
    near: Rows  # entity -> entities beside it
    by: Ints  # the step that leads there, in the order of `near.values`; the first m steps are the facts
    cost: Floats  # of each step
    fact: Ints  # of each step its fact, _NO_FACT where names are alike
    named: Ints  # of each step the entity that the sentence names beside the ends of its fact; _NO_FACT for none
    count: Ints  # (e,) facts about it
    denied: Sequence[FactEdge]  # denials about two entities, which connect nothing

    @staticmethod
    def of(edges: Sequence[FactEdge]) -> FactNetwork:
        """Build it from the facts of a workspace; facts about a single entity join nothing."""
        edges = [edge for edge in edges if edge.subject_id != edge.object_id]
        stated = [edge for edge in edges if not edge.denied]
        row: dict[str, int] = {}
        for edge in edges:
            row.setdefault(edge.subject_id, len(row))
            row.setdefault(edge.object_id, len(row))
        subjects = np.array([row[edge.subject_id] for edge in stated], dtype=np.intp)
        objects = np.array([row[edge.object_id] for edge in stated], dtype=np.intp)
        weight = np.array([max(edge.weight, 1) for edge in stated], dtype=float)
        near, by = _incident_facts(subjects, objects, len(row))
        return FactNetwork(
            facts=[edge.fact_id for edge in stated],
            entities=list(row),
            row=row,
            near=near,
            by=by,
            cost=1 - MAX_SUPPORT_DISCOUNT * (1 - 1 / weight),
            fact=np.arange(len(stated), dtype=np.intp),
            named=np.full(len(stated), _NO_FACT, dtype=np.intp),
            count=np.bincount(np.concatenate([subjects, objects]), minlength=len(row)).astype(np.intp),
            denied=[edge for edge in edges if edge.denied],
        )

    def crowded(self) -> list[str]:
        """The entities with enough facts for a hub; they are hubs if they are places or dates."""
        most = max(HUB_MIN_FACTS, HUB_MIN_FACT_SHARE * len(self.facts))
        return [self.entities[row] for row in np.flatnonzero(self.count > most).tolist()]

    def neighbours_of(self, ids: Iterable[str]) -> set[str]:
        """The entities that a fact joins to one of these, and these."""
        rows = np.array([self.row[id_] for id_ in ids if id_ in self.row], dtype=np.intp)
        return {self.entities[row] for row in {*rows.tolist(), *self.near.pairs(rows)[1].tolist()}}

    def links_of_holding(self, holding: Mapping[str, Sequence[str]]) -> list[Link]:
        """The steps from entities to the ends of facts about what is named by them: from Tern Holdings to Edith Vane,
        if "The sole shareholder of Tern Holdings is Edith Vane"."""
        links = []
        for id_, holders in holding.items():
            for row in (self.row[holder] for holder in holders if holder in self.row):
                for at in range(self.near.starts[row], self.near.starts[row + 1]):
                    fact, end = int(self.fact[self.by[at]]), self.entities[self.near.values[at]]
                    if fact != _NO_FACT and end != id_:
                        links.append(Link(id_, end, self.facts[fact]))
        return links

    def with_links(self, links: Iterable[Link]) -> FactNetwork:
        """The same, with further steps."""
        number = {id_: n for n, id_ in enumerate(self.facts)}
        new = [link for link in dict.fromkeys(links) if not link.fact_id or link.fact_id in number]
        if not new:
            return self
        facts = np.array([number.get(link.fact_id, _NO_FACT) for link in new], dtype=np.intp)
        is_alike = facts == _NO_FACT
        pairs = [(link.first_id, link.other_id) for link in new]
        return self._with_steps(pairs, facts, np.where(is_alike, ALIKE_STEP_COST, NAMED_ENTITY_COST), ~is_alike)

    def with_text(self, steps: Iterable[TextStep]) -> FactNetwork:
        """The same, with steps between names that stand near each other, each as a fact with the id of the step."""
        denied = {edge.ends for edge in self.denied}
        new = [step for step in steps if frozenset((step.first_id, step.other_id)) not in denied]
        if not new:
            return self
        facts = np.arange(len(self.facts), len(self.facts) + len(new), dtype=np.intp)
        apart, elsewhere = np.array([(step.apart, step.elsewhere) for step in new], dtype=float).T
        cost = TEXT_STEP_COST + SENTENCE_COST * apart + ELSEWHERE_COST * elsewhere
        pairs = [(step.first_id, step.other_id) for step in new]
        network = replace(self, facts=[*self.facts, *(step.id for step in new)])
        return network._with_steps(pairs, facts, cost, np.zeros(len(new), dtype=bool))

    def _with_steps(
        self, pairs: Sequence[tuple[str, str]], facts: Ints, cost: Floats, names_first: Bools
    ) -> FactNetwork:
        """The same, with steps between pairs of entities. `names_first`: the sentence of the fact names the first."""
        row = dict(self.row)
        for id_ in itertools.chain.from_iterable(pairs):
            row.setdefault(id_, len(row))
        firsts = np.array([row[first] for first, _ in pairs], dtype=np.intp)
        others = np.array([row[other] for _, other in pairs], dtype=np.intp)
        owner, near = self.near.pairs(np.arange(len(self.entities)))
        owners, values = np.concatenate([owner, firsts, others]), np.concatenate([near, others, firsts])
        by = np.concatenate([self.by, np.tile(np.arange(len(self.cost), len(self.cost) + len(pairs)), 2)])
        return replace(
            self,
            entities=list(row),
            row=row,
            count=np.concatenate([self.count, np.zeros(len(row) - len(self.row), dtype=np.intp)]),
            near=Rows.of(owners, values, len(row)),
            by=by[np.argsort(owners, kind="stable")],
            cost=np.concatenate([self.cost, cost]),
            fact=np.concatenate([self.fact, facts]),
            named=np.concatenate([self.named, np.where(names_first, firsts, _NO_FACT)]),
        )


def _incident_facts(subjects: Ints, objects: Ints, count: int) -> tuple[Rows, Ints]:
    ends, others = np.concatenate([subjects, objects]), np.concatenate([objects, subjects])
    numbers = np.tile(np.arange(len(subjects)), 2)
    return Rows.of(ends, others, count), numbers[np.argsort(ends, kind="stable")]


def near_ends(network: FactNetwork, ids: Collection[str], hubs: Collection[str]) -> list[str]:
    """The entities to connect and their neighbours, at most MAX_NEAR_ENTITIES, those with the fewest facts. From
    these a chain may go on without a fact."""
    near = network.neighbours_of(ids) - set(hubs) | set(ids)
    return sorted(
        near, key=lambda id_: (id_ not in ids, network.count[network.row[id_]] if id_ in network.row else 0, id_)
    )[:MAX_NEAR_ENTITIES]


def find_chains(
    network: FactNetwork,
    firsts: Collection[str],
    others: Collection[str],
    *,
    hubs: Collection[str],
    hops: int,
    count: int,
) -> list[Chain]:
    """The best chains of at most `hops` facts from one of `firsts` to one of `others`: a fact about both, denials
    about both, and at most `count` chains, each through an entity that no earlier one passes. `hubs`: ids of
    entities that a chain passes only if there is no other way."""
    starts, ends = ([network.row[id_] for id_ in ids if id_ in network.row] for ids in (firsts, others))
    if not starts or not ends or set(starts) & set(ends):
        return []
    hub = np.zeros(len(network.entities), dtype=bool)
    hub[[network.row[id_] for id_ in hubs if id_ in network.row]] = True
    hub[[*starts, *ends]] = False
    toll = HUB_PASSING_COST * np.log1p(network.count) / max(np.log1p(len(network.facts)), 1.0)
    routes = _Search(network, starts, ends, ~hub, toll, hops).best(count)
    routes = routes or _Search(network, starts, ends, np.ones_like(hub), toll + hub * hops, hops).best(count)
    denied = [edge for edge in network.denied if edge.ends & set(firsts) and edge.ends & set(others)][:1]
    chains = [_chain(network, route, hub) for route in routes]
    direct = [chain for chain in chains if len(chain.fact_ids) + len(chain.alike) == 1]
    return [*direct, *(Chain((edge.fact_id,)) for edge in denied), *(one for one in chains if one not in direct)]


def join(network: FactNetwork, chains: Iterable[Chain]) -> bool:
    """Whether chains connect their ends: by no hub, and not only by a denial."""
    denials = {edge.fact_id for edge in network.denied}
    return any(not chain.hubs and denials.isdisjoint(chain.fact_ids) for chain in chains)


def with_weaker(chains: Sequence[Chain], over_text: Iterable[Chain]) -> list[Chain]:
    """Chains of facts that do not join their ends, and those `over_text`: after denials, before hubs."""
    weaker = (chain for chain in over_text if not chain.hubs and chain not in chains)
    return sorted([*chains, *weaker], key=lambda chain: bool(chain.hubs))


@dataclass(frozen=True, slots=True)
class _Walk:
    steps: tuple[int, ...]
    at: tuple[int, ...]  # the entities, from start to end: one more

    @property
    def passed(self) -> tuple[int, ...]:
        return self.at[1:-1]


def _chain(network: FactNetwork, route: _Walk, hub: Bools) -> Chain:
    facts: list[str] = []
    alike: list[AlikeEnds] = []
    named: list[tuple[int, str]] = []
    for step, (one, other) in zip(route.steps, pairwise(route.at), strict=True):
        fact, beside = int(network.fact[step]), int(network.named[step])
        if fact == _NO_FACT:
            alike.append(AlikeEnds(len(facts), network.entities[one], network.entities[other]))
            continue
        if beside != _NO_FACT:
            named.append((len(facts), network.entities[beside]))
        facts.append(network.facts[fact])
    hubs = tuple(network.entities[row] for row in route.passed if hub[row])
    return Chain(fact_ids=tuple(facts), hubs=hubs, alike=tuple(alike), named=tuple(named))


class _Search:
    """The search between two sets of entities. `toll`: (e,) what it costs to pass each."""

    def __init__(
        self,
        network: FactNetwork,
        starts: Sequence[int],
        ends: Sequence[int],
        allowed: Bools,
        toll: Floats,
        hops: int,
    ) -> None:
        self._network, self._hops = network, hops
        self._most = hops + MAX_ALIKE_STEPS * bool((network.fact == _NO_FACT).any())  # steps
        self._starts, self._ends = dict.fromkeys(starts), frozenset(ends)
        self._toll = toll.copy()
        self._away = self._steps_to_end(allowed)
        self._direct = True  # whether the search for a fact about both ends goes on
        self._used: Counter[frozenset[int]] = Counter()  # how many earlier chains stepped between two entities
        self._known: dict[int, dict[int, tuple[float, int]]] = {}  # results of `_steps`

    def best(self, count: int) -> list[_Walk]:
        """The best routes, found one after the other, and a fact about both ends beside them."""
        routes: list[_Walk] = []
        known: set[frozenset[int]] = set()
        for _ in range(count * MAX_TRIES + 1):
            route = self._cheapest()
            if route is None or len(known - {frozenset()}) == count:
                break
            passed = frozenset(route.passed)
            if passed not in known:
                known.add(passed)
                routes.append(route)
            self._direct &= bool(passed)
            self._toll[list(passed)] += USED_ENTITY_COST
            for pair in pairwise(route.at):
                self._used[frozenset(pair)] += 1
        return routes

    def _steps_to_end(self, allowed: Bools) -> Ints:
        """(e,) the fewest steps from each entity to an end; more than the limit if there is no way that short."""
        away = np.full(len(self._network.entities), self._most + 1, dtype=np.intp)
        frontier = np.array(sorted(self._ends), dtype=np.intp)
        away[frontier] = 0
        for step in range(1, self._most + 1):
            _, near = self._network.near.pairs(frontier)
            frontier = np.unique(near[(away[near] > self._most) & allowed[near]])
            away[frontier] = step
        return away

    def _cheapest(self) -> _Walk | None:
        """The cheapest route without a circle, by Dijkstra's algorithm over (entity, hops so far)."""
        tie = itertools.count()
        ahead = [(0.0, next(tie), _Walk((), (start,))) for start in self._starts if self._away[start] <= self._most]
        done: set[tuple[int, int, int, bool]] = set()
        while ahead:
            cost, _, route = heapq.heappop(ahead)
            entity = route.at[-1]
            if entity in self._ends:
                return route
            facts = self._network.fact[list(route.steps)].tolist()
            alike_before = facts[-1:] == [_NO_FACT]
            fact_count = len(facts) - facts.count(_NO_FACT)
            if (entity, len(facts), fact_count, alike_before) in done:
                continue
            done.add((entity, len(facts), fact_count, alike_before))
            for near, (price, step) in self._steps(entity).items():
                fact, is_end = int(self._network.fact[step]), near in self._ends
                if near in self._starts or near in route.at or len(facts) + 1 + self._away[near] > self._most:
                    continue
                if fact != _NO_FACT and fact_count == self._hops:
                    continue
                if (alike_before and fact == _NO_FACT) or (fact != _NO_FACT and fact in facts):
                    continue
                if is_end and not facts and (fact == _NO_FACT or not self._direct):
                    continue
                toll = 0.0 if is_end else float(self._toll[near])
                toll += USED_STEP_COST * self._used[frozenset((entity, near))]
                further = _Walk((*route.steps, step), (*route.at, near))
                heapq.heappush(ahead, (cost + price + toll, next(tie), further))
        return None

    def _steps(self, entity: int) -> dict[int, tuple[float, int]]:
        """The entities beside one, each with the cheapest step that leads there."""
        if entity in self._known:
            return self._known[entity]
        network, best = self._network, self._known.setdefault(entity, {})
        for place, near in enumerate(network.near.at(entity).tolist(), start=int(network.near.starts[entity])):
            step = int(network.by[place])
            price = float(network.cost[step])
            known = best.get(near)
            if known is None or (price, self._order(step)) < (known[0], self._order(known[1])):
                best[near] = price, step
        return best

    def _order(self, step: int) -> str:
        fact = int(self._network.fact[step])
        return "" if fact == _NO_FACT else self._network.facts[fact]
