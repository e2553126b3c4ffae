"""Rank: the order of a pool's chunks and the paths that are shown.

If the pool has no facts and no title links, hybrid search is the order. Else the chunks are scored by the facts
(`narrative_ranker.py`) or, where documents are known by their titles, by titles and hops (`hop_ranker.py`). Paths are
the chains of facts that are most probable to answer (`paths/select.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.explore.search import WalkedPool
from filigraph.graph.ask.paths.answer_likelihood import learned_weights
from filigraph.graph.ask.paths.chains import find_chains, find_reasons
from filigraph.graph.ask.paths.fact_graph import fact_graph
from filigraph.graph.ask.paths.path_filter import PathFilter, allowed_chains
from filigraph.graph.ask.paths.probability import learned_curve
from filigraph.graph.ask.paths.select import ChosenPath, PathSelector
from filigraph.graph.ask.paths.verbalize import chunk_ids, to_path
from filigraph.graph.ask.ranking.hop_ranker import learned_hop_ranker, score
from filigraph.graph.ask.ranking.narrative_ranker import learned_ranker, score_chunks
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Passage, Path, Question
from filigraph.graph.text.question_words import asks_for_a_reason

MAX_REASON_CHAINS = (
    100  # chains from subject to object that are candidates where a question asks why, beside the best of all
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranked:
    """The order of the chunks, and the paths that are shown."""

    scores: Mapping[str, float]  # chunk id -> 0..1, best first
    by: str  # what made the order
    pool: Pool | None = None
    paths: Sequence[ChosenPath] = ()
    chain_count: int = 0  # chains from which the paths were chosen
    path_filter: PathFilter | None = None  # the filter of the paths

    def summary(self) -> dict[str, Any]:
        best = top_scores(self.scores, 10)
        only = self.path_filter.summary() if self.path_filter else {}
        return {"by": self.by, "chains": self.chain_count, "best": best, **only}

    def path_chunk_ids(self) -> list[str]:
        return [id_ for path in self.paths if self.pool for id_ in chunk_ids(path, self.pool)]

    def is_single_fact_about(self, entity_id: str) -> bool:
        """Whether the best path is a single fact about this entity."""
        if self.pool is None or not self.paths:
            return False
        facts = self.paths[0].facts
        return len(facts) == 1 and self.pool.facts[facts[0]].touches(entity_id)

    def in_words(self, passages: Mapping[str, Passage]) -> list[Path]:
        """The paths, except those with chunks that were deleted meanwhile."""
        if self.pool is None:
            return []
        whole = [path for path in self.paths if all(id_ in passages for id_ in chunk_ids(path, self.pool))]
        return [to_path(path, self.pool, passages) for path in whole]


def top_scores(scores: Mapping[str, float], count: int) -> list[list[Any]]:
    """The first `count` scores, for the trace."""
    return [[id_, round(score, 4)] for id_, score in islice(scores.items(), count)]


def rank_pool(
    gathered: WalkedPool,
    question: Question,
    hybrid: Sequence[tuple[str, float]],
    fingerprint: str,
    reader: GraphReader,
    *,
    path_filter: PathFilter,
    comparable: bool,
    depth: int,
    limit: int,
    without_own: bool,
) -> Ranked:
    """Score the pool and choose the paths, among those that pass `path_filter`. Without facts and title
    links: hybrid search."""
    pool, walked = gathered
    if pool is None or walked is None:
        by = "hybrid search: there is nothing to walk"
        return Ranked(scores=_scaled_to_best(hybrid), by=by, path_filter=path_filter)
    facts = fact_graph(pool, question)
    if walked.trails:
        ranker = learned_hop_ranker(fingerprint) if comparable else None
        raw, probability = score(pool, walked, question, ranker)
        chains = find_chains(facts, question, raw, depth=depth)
        by = "titles and hops, " + ("learned weights" if ranker else "weights sized by hand: none were learned")
    elif facts.states.any():
        ranking = score_chunks(pool, facts, question, learned_ranker(), depth=depth)
        raw, probability, chains = ranking.score, ranking.probability, ranking.chains
        by = "facts: learned weights"
    else:
        return Ranked(
            scores=_scaled_to_best(hybrid), by="hybrid search: no fact says anything", path_filter=path_filter
        )
    if asks_for_a_reason(question.text):
        reasons = find_reasons(facts, question, raw, depth=depth)[:MAX_REASON_CHAINS]
        among = {frozenset(chain.facts) for chain in reasons}
        chains = [*reasons, *(chain for chain in chains if frozenset(chain.facts) not in among)]
    if path_filter:
        chains = allowed_chains(path_filter, pool, facts, question, raw, reader, depth=depth)
    if without_own:
        chains = [chain for chain in chains if all(pool.facts[fact].origin != "own" for fact in chain.facts)]
    curve = learned_curve(fingerprint if comparable else "")
    order = np.argsort(-raw, kind="stable")
    selector = PathSelector(chains, facts, pool, question, raw, curve, learned_weights())
    return Ranked(
        scores=dict(zip([pool.chunks[row].id for row in order.tolist()], probability[order].tolist(), strict=True)),
        by=by,
        pool=pool,
        paths=selector.to_show(limit),
        chain_count=len(chains),
        path_filter=path_filter,
    )


def _scaled_to_best(hybrid: Sequence[tuple[str, float]]) -> dict[str, float]:
    best = hybrid[0][1] if hybrid else 1.0
    return {id_: score / best for id_, score in hybrid}
