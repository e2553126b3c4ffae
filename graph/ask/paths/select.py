"""Select: the chains of facts that are shown.

A path is a chain as it was found: its facts are its hops. Its score is the probability that the path answers, learned
from question sets (`bench.training.narrative_ranker`). Below a threshold learned with it no path is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.answer_likelihood import answer_likelihood
from filigraph.graph.ask.paths.chains import FactChain, relative_to_best
from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.ask.paths.probability import (
    FURTHER_LEAD_MAX_PROBABILITY,
    HUB_MAX_RARITY,
    HUB_MIN_CHUNKS,
    LEAD_MAX_PROBABILITY,
    PathCurve,
    path_cosines,
)
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question
from filigraph.graph.tables.adjacency import Ints
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.question_words import (
    asks_for_a_reason,
    asks_for_somebody,
    asks_to_choose,
    asks_to_compare,
    is_factoid,
)
from filigraph.graph.text.verbs.relation_types import relation_type

MAX_CANDIDATE_CHAINS = 400  # chains looked at, the best
BEST_CHUNK_BONUS = 2.0  # added to a path that brings the best chunk; an average chunk adds nothing
PASSAGE_BONUS = 0.2  # added for each chunk: long paths contain more of the answer, and are not less exact
PLAIN_HOP_COST = 2.0  # cost of each hop if the question is one piece and looks something up: one fact answers it
NAMED_ENTITY_BONUS = 1.4  # added to a path with an entity that the question names
WHO_BONUS = 0.8  # added to a path that ends at another name, if the question asks for somebody
# Added to a path that ends with the fact likeliest to answer; with another fact, in proportion to its odds. Not if the
# question asks for a reason: a reason has no name.
ANSWER_TYPE_BONUS = 1.0
# If the question asks for a reason: added for each further hop of a path from subject to object that begins with a name
# of the question. The reason is at its end, far from the question's words: a hop that repeats one of them gets nothing.
WHY_BONUS = 2.0
PROPERTY_BONUS = 0.5  # added to such a path if its end says what somebody or something is, wants or thinks
COMMON_WORD_SHARE = (
    0.1  # share of the facts; a word of the question ("of", a hero's name) in more of them is not evidence
)
PROPERTY_RELATIONS = frozenset({"IS_A", "HAS_DESCRIPTION", "HAS_ROLE_IN", "IS_MEMBER_OF", "WANTS", "THINKS_OF"})


@dataclass(frozen=True, kw_only=True)
class ChosenPath:
    """A chain to show."""

    facts: tuple[int, ...]  # statements of the fact graph, in reading order
    probability: float
    reason: bool = False  # the question asks for one, and it leads from a name of the question to one
    lead: bool = False  # not likely to answer: shown only where asked


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What a question requires of a path."""

    reason: bool
    somebody: bool
    plain: bool  # it is one piece and looks something up


@dataclass(frozen=True, kw_only=True)
class PathCandidate:
    """A chain that may be shown."""

    facts: tuple[int, ...]  # in reading order
    said: frozenset[int]  # the same facts, whichever chunk says them
    chunks: frozenset[int]  # rows
    value: float  # score without its chunks and its likelihood
    likelihood: float  # of its last fact to answer: 1 for the likeliest of all, 0 where a reason is asked for
    reason: bool  # as in ChosenPath

    def score_alone(self, worth: Sequence[float]) -> float:
        """The score if no other path is shown, without its likelihood."""
        return self.value + self.worth_added(worth, frozenset())

    def worth_added(self, worth: Sequence[float], shown: frozenset[int]) -> float:
        """The worth of its chunks that are not `shown`."""
        return sum(worth[row] for row in sorted(self.chunks - shown))


class PathSelector:
    """Selects among the chains of one question."""

    def __init__(
        self,
        chains: Sequence[FactChain],
        graph: FactGraph,
        pool: Pool,
        question: Question,
        chunk_scores: Floats,
        curve: PathCurve,
        fact_weights: Mapping[str, float],
    ) -> None:
        self._graph, self._pool, self._question, self._curve = graph, pool, question, curve
        self._worth: list[float] = (BEST_CHUNK_BONUS * np.maximum(0.0, relative_to_best(chunk_scores))).tolist()
        self._asked = _Asked(
            reason=asks_for_a_reason(question.text),
            somebody=asks_for_somebody(question.text),
            plain=len(question.segments) == 1 and is_factoid(question.text),
        )
        tried = chains[:MAX_CANDIDATE_CHAINS]
        facts = np.unique([fact for chain in tried for fact in chain.facts]).astype(np.intp)
        likelihood = np.zeros(graph.size)
        likelihood[facts] = answer_likelihood(facts, graph, pool, question, chunk_scores, fact_weights)
        joined = FactProperties.of(facts, graph)
        self._candidates = [_candidate(chain, joined, graph, pool, likelihood, self._asked) for chain in tried]

    def to_show(self, limit: int) -> list[ChosenPath]:
        """The paths to show, at most `limit`, the most probable first; each brings a chunk. Empty if the best is below
        the threshold, unless one is about a name of the question. If the question offers two ("A or B") and the first
        path is about one, the next is about the other; if there is none, no path compares them."""
        paths = sorted(self._probable(self.select(limit)), key=lambda path: -path.probability)
        untold = [ids for ids in self._question.compared if paths and not self._is_about(paths[0], ids)]
        other = [path for path in paths[1:] if any(self._is_about(path, ids) for ids in untold)][:1]
        if len(untold) < len(self._question.compared):
            paths = [*paths[:1], *other, *(path for path in paths[1:] if path not in other)]
        return [
            replace(path, lead=self._is_one_sided(path, not untold or bool(other)) or self._is_lead(path, paths[0]))
            for path in paths
        ]

    def _is_one_sided(self, path: ChosenPath, chosen_between: bool) -> bool:
        """Whether a path is about fewer than two of the names that the question compares or connects. It helps to
        choose ("A or B?") beside a path about the other."""
        if any(not self._is_about(path, ids) for ids in self._question.connected):
            return True
        text, compared = self._question.text, self._question.compared
        if not compared or not asks_to_compare(text) or (chosen_between and asks_to_choose(text)):
            return False
        return sum(self._is_about(path, ids) for ids in compared) < 2

    def _is_lead(self, path: ChosenPath, first: ChosenPath) -> bool:
        """Whether a path is not likely to answer. A comparison needs a further path as much as the first one; beside a
        reason, what is none leads away."""
        if path is first and self._leads_over_a_hub(path):
            return True
        if path is first or self._question.compared:
            return path.probability < LEAD_MAX_PROBABILITY
        return path.probability < FURTHER_LEAD_MAX_PROBABILITY or (first.reason and not path.reason)

    def _leads_over_a_hub(self, path: ChosenPath) -> bool:
        is_small = self._question.chunks_in_workspace < HUB_MIN_CHUNKS
        return not is_small and rarity_on_the_way(path.facts, self._graph) < HUB_MAX_RARITY

    def _is_about(self, path: ChosenPath, entities: frozenset[str]) -> bool:
        facts = (self._pool.facts[fact] for fact in path.facts)
        return any(fact.subject_id in entities or fact.object_id in entities for fact in facts)

    def select(self, limit: int) -> list[PathCandidate]:
        """At most `limit` candidates, in the order in which they add to each other.

        Each is the chain that adds most to those chosen before: its own value, the likelihood of its end, and the worth
        of its new chunks. So a comparison gets two paths, and near copies add nothing. A path that continues an earlier
        one replaces it if one fact may not be enough, and so does a path that contains it and has a higher score by
        itself; paths that then repeat the new one are removed.
        """
        worth = self._worth
        left = list(self._candidates)
        chosen: list[PathCandidate] = []
        shown: frozenset[int] = frozenset()
        while len(chosen) < limit:
            stated = frozenset[int]().union(*(path.said for path in chosen))
            new = [candidate for candidate in left if _is_new(candidate, chosen, stated, worth, self._asked)]
            best = _adds_most(new, shown, worth)
            if best is None:
                break
            left.remove(best)
            remaining = [path for path in chosen if not path.said <= best.said]
            if len(remaining) < len(chosen):
                remaining = [path for path in remaining if _half_new(path, best.said)]
            chosen = [*remaining, best]
            shown = frozenset().union(*(path.chunks for path in chosen))
        return chosen

    def inputs(self, chosen: Sequence[PathCandidate]) -> list[tuple[float, float, float]]:
        """The inputs of each path's probability: value, together, meaning."""
        near = path_cosines([path.facts for path in chosen], self._graph, self._pool, self._question)
        return [(path.score_alone(self._worth), *near) for path in chosen]

    def _probable(self, chosen: Sequence[PathCandidate]) -> list[ChosenPath]:
        probable = [self._curve.probability(inputs) for inputs in self.inputs(chosen)]
        if max(probable, default=0.0) < self._curve.floor and not any(map(self._is_about_what_is_named, chosen)):
            return []
        return [
            ChosenPath(facts=path.facts, probability=p, reason=path.reason)
            for path, p in zip(chosen, probable, strict=True)
        ]

    def _is_about_what_is_named(self, path: PathCandidate) -> bool:
        """Whether it is about something that the question names by a proper name."""
        facts = [self._pool.facts[fact] for fact in path.facts]
        ends = {(f.subject_id, f.subject) for f in facts} | {(f.object_id, f.object) for f in facts}
        return any(id_ in self._question.entities and is_proper(name) for id_, name in ends)


def rarity_on_the_way(facts: Sequence[int], graph: FactGraph) -> float:
    """The rarity of the least rare name of a path that the question does not have; 1 if it has all."""
    ends = np.unique(graph.ends[list(facts)])
    return float(graph.rarity[ends[~graph.named[ends]]].min(initial=1.0))


@dataclass(frozen=True, kw_only=True)
class FactProperties:
    """The properties of facts that candidates need, by fact: for a few at a time Python's own numbers are faster than
    arrays."""

    ends: Mapping[int, tuple[int, int]]
    chunk: Mapping[int, int]
    fact: Mapping[int, int]
    named: frozenset[int]  # of these ends

    @staticmethod
    def of(facts: Ints, graph: FactGraph) -> FactProperties:
        ends, number = graph.ends[facts], facts.tolist()
        return FactProperties(
            ends={fact: (one, other) for fact, (one, other) in zip(number, ends.tolist(), strict=True)},
            chunk=dict(zip(number, graph.chunk[facts].tolist(), strict=True)),
            fact=dict(zip(number, graph.fact[facts].tolist(), strict=True)),
            named=frozenset(ends[graph.named[ends]].tolist()),
        )


def _candidate(
    chain: FactChain, joined: FactProperties, graph: FactGraph, pool: Pool, likelihood: Floats, question_kind: _Asked
) -> PathCandidate:
    """`likelihood` (m,) of each fact to answer."""
    facts = reading_order(chain.facts, joined)
    chunks = frozenset(joined.chunk[fact] for fact in facts)
    reason = _value_of_reason(facts, graph, pool) if question_kind.reason else 0.0
    value = (
        chain.score
        + (-PLAIN_HOP_COST * len(facts) if question_kind.plain else PASSAGE_BONUS * len(chunks))
        + NAMED_ENTITY_BONUS * any(end in joined.named for fact in facts for end in joined.ends[fact])
        + WHO_BONUS * (question_kind.somebody and any(map(_is_proper, _new_ends(facts, joined, pool))))
        + reason
    )
    return PathCandidate(
        facts=facts,
        said=frozenset(joined.fact[fact] for fact in facts),
        chunks=chunks,
        value=value,
        likelihood=0.0 if question_kind.reason else float(likelihood[facts[-1]]),
        reason=reason > 0,
    )


_is_proper = lru_cache(maxsize=10_000)(is_proper)  # the same names come with many paths


def _value_of_reason(facts: Sequence[int], graph: FactGraph, pool: Pool) -> float:
    """What a path gains by the reason at its end."""
    ends, further = graph.ends[list(facts)], list(facts[1:])
    if not further or not graph.named[ends[0, 0]] or (ends[:-1, 1] != ends[1:, 0]).any():
        return 0.0
    last = pool.facts[facts[-1]]
    type_ = relation_type(last.predicate, last.object, pool.chunks[graph.chunk[facts[-1]]].language)
    times = (graph.said > 0).sum(axis=0)
    telling = times <= max(1.0, COMMON_WORD_SHARE * graph.size)
    new = int((~graph.said[further][:, telling].any(axis=1)).sum())
    return WHY_BONUS * new + PROPERTY_BONUS * (
        type_ is not None and not type_.inverse and type_.name in PROPERTY_RELATIONS
    )


def _new_ends(facts: Sequence[int], joined: FactProperties, pool: Pool) -> list[str]:
    """The names at the two ends of a path, without those that the question names."""
    times = Counter(end for fact in facts for end in joined.ends[fact])
    named = [
        (end, name)
        for fact in (facts[0], facts[-1])
        for end, name in zip(joined.ends[fact], (pool.facts[fact].subject, pool.facts[fact].object), strict=True)
    ]
    return [name for end, name in named if times[end] == 1 and end not in joined.named]


def _is_new(
    candidate: PathCandidate,
    chosen: Sequence[PathCandidate],
    seen: frozenset[int],
    worth: Sequence[float],
    question_kind: _Asked,
) -> bool:
    """Whether half of its facts are new: in no chosen path (their facts are `seen`). If it contains a chosen path,
    whether it is to replace it."""
    held = [path for path in chosen if path.said < candidate.said]
    if held:
        goes_on = not question_kind.plain and any(candidate.facts[: len(path.facts)] == path.facts for path in held)
        return goes_on or any(path.score_alone(worth) < candidate.score_alone(worth) for path in held)
    return _half_new(candidate, seen)


def _half_new(path: PathCandidate, stated: frozenset[int]) -> bool:
    """Whether at least half of its facts are not in `stated`."""
    return 2 * len(path.said - stated) >= len(path.said)


def _adds_most(
    candidates: Sequence[PathCandidate], shown: frozenset[int], worth: Sequence[float]
) -> PathCandidate | None:
    """The first candidate that adds most to the shown chunks; None if none brings another chunk."""
    further = [candidate for candidate in candidates if not candidate.chunks <= shown]
    gain = [path.value + ANSWER_TYPE_BONUS * path.likelihood + path.worth_added(worth, shown) for path in further]
    return further[int(np.argmax(gain))] if further else None


def reading_order(facts: Sequence[int], joined: FactProperties) -> tuple[int, ...]:
    """The facts of a chain, ordered so that each shares an end with the one before. It begins with an entity of the
    question, if one is at an end."""
    ends_of, named = joined.ends, joined.named
    if len(facts) == 1:
        return tuple(facts)
    seen: set[int] = set()
    shared: set[int] = set()
    for fact in facts:
        own = set(ends_of[fact])
        shared |= seen & own
        seen |= own
    outer = [fact for fact in facts if not shared.issuperset(ends_of[fact])]
    alone = named - shared
    begins = [fact for fact in outer if not alone.isdisjoint(ends_of[fact])]
    order = [(begins or outer or list(facts))[0]]
    rest = [fact for fact in facts if fact != order[0]]
    while rest:
        last = ends_of[order[-1]]
        following = next((fact for fact in rest if ends_of[fact][0] in last or ends_of[fact][1] in last), rest[0])
        order.append(following)
        rest.remove(following)
    return tuple(order)
