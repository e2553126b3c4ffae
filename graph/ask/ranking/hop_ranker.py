"""Hop ranker: how well each chunk of the pool answers, by itself and as the end of the trail on which it was reached.

With trees that were learned for the embedder (`hop_ranker.onnx`, made by `bench/training/hop_ranker.py`), a chunk's
score is their sum plus a share of S, a sum with hand-set weights, and a curve turns it into a probability. The trees
also see how each chunk goes with the best ones by S: the hop that leads from them, and the words it adds. Without trees
the score is S alone, scaled to 0..1 over the pool. For measurements see docs/decisions/0007-hop-ranker.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from filigraph.graph.ask.explore.pool import HOP_FEATURES, Pool, Walked
from filigraph.graph.ask.explore.walk import MAX_FRONTIER_CHUNKS, extend, not_walked
from filigraph.graph.ask.ranking.trees import Trees
from filigraph.graph.ask.weights import read_model, read_weights
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question, Trail

CHUNK_FEATURES = (
    "meaning",  # cosine with the question
    "meaning - best",
    "words",  # BM25 / best BM25
    "own fact",  # best fact's cosine - the best of the pool
    "title named",
    "entities named",
    "first hop",  # first-hop score - the best
    "rank by first hop",  # 1 / rank
    "sentence",  # best sentence's cosine
    "terms",  # share of the question's terms
    "segment",  # best cosine with a segment of the question
)
FEATURES = (*CHUNK_FEATURES, *HOP_FEATURES)
# A rare shared entity or a named title is better evidence if the fact, the place or the trail there is good as well.
TOGETHER = tuple(
    (FEATURES.index(link), FEATURES.index(by)) for link in ("title link", "entity") for by in ("fact", "joint", "start")
)
BESIDE_BEST = (
    *(f"{name}: from the best" for name in HOP_FEATURES),  # the best hop from one of the best chunks by S
    "terms: added to the better",  # share of the question's terms that no chunk with a better S holds
)
INPUTS = (
    *FEATURES,
    *(f"{name}: to the best" for name in FEATURES),
    *(f"{name}: rank" for name in FEATURES),
    *(f"{FEATURES[a]} x {FEATURES[b]}" for a, b in TOGETHER),
    "S",  # the sum with hand-set weights
    *BESIDE_BEST,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class HopRanker:
    """Trees over INPUTS that learned to rank, and the curve that makes a probability of the score (Platt 1999)."""

    trees: Trees
    by_hand: float  # weight of S beside them: it is not fitted to any set
    slope: float
    offset: float


@cache
def learned_hop_ranker(fingerprint: str) -> HopRanker | None:
    """The ranker that comes with Filigraph for this embedder; None if there is none."""
    data = read_weights("hop_ranker")
    if fingerprint not in data["embedders"]:
        return None
    return HopRanker(
        trees=Trees(read_model("hop_ranker")), **{name: data[name] for name in ("by_hand", "slope", "offset")}
    )


def features(pool: Pool, walked: Walked) -> Floats:
    """(n, 23): FEATURES of each chunk."""
    own = np.column_stack(
        [
            pool.dense,
            pool.dense - pool.dense.max(),
            pool.words,
            pool.fact,
            pool.title,
            pool.entities,
            pool.first,
            _one_by_rank(pool.first[:, None])[:, 0],
            pool.sentence,
            pool.term_coverage,
            pool.segment,
        ]
    )
    return np.concatenate([own, walked.hops], axis=1)


def beside_best(pool: Pool, question: Question, by_hand: Floats) -> Floats:
    """(n, 13): BESIDE_BEST of each chunk; `by_hand` (n,) is S."""
    order = np.argsort(-by_hand, kind="stable")
    starts = by_hand - by_hand.max()
    frontier = [
        Trail(chunk_ids=(pool.chunks[row].id,), start=float(starts[row])) for row in order[:MAX_FRONTIER_CHUNKS]
    ]
    held = pool.terms[order]
    new = held.copy()
    new[1:] &= ~np.logical_or.accumulate(held)[:-1]
    added = np.empty(len(order))
    added[order] = new @ pool.term_weight
    return np.column_stack([extend(frontier, pool, question, not_walked(pool)).hops, added])


def inputs(raw: Floats, by_hand: Floats, beside: Floats) -> Floats:
    """(n, 89): INPUTS of each chunk, from its FEATURES, those of the others in the pool, S, and its BESIDE_BEST."""
    together = np.column_stack([*(raw[:, a] * raw[:, b] for a, b in TOGETHER), by_hand])
    return np.concatenate([raw, raw - raw.max(axis=0), _one_by_rank(raw), together, beside], axis=1)


def score(pool: Pool, walked: Walked, question: Question, learned: HopRanker | None) -> tuple[Floats, Floats]:
    """(n,) how well each chunk answers, and the same as 0..1: a probability, or scaled where nothing was learned."""
    chunk_features = features(pool, walked)
    if learned is not None:
        by_hand = hand_sized_score(chunk_features)
        columns = inputs(chunk_features, by_hand, beside_best(pool, question, by_hand))
        raw = learned.trees.score(columns) + learned.by_hand * by_hand
        return raw, 1 / (1 + np.exp(-(learned.slope * raw + learned.offset)))
    raw = hand_sized_score(chunk_features, pool.trust)
    low, high = raw.min(), raw.max()
    return raw, (raw - low) / (high - low) if high > low else np.ones_like(raw)


def hand_sized_score(raw: Floats, trust: float = 1.0) -> Floats:
    """S, from FEATURES: near a good first hop, reached by a title or a rare entity, adds words that the chunk before
    lacks, and fits one segment of the question. Where vectors are not to be trusted, words count for them."""
    column = dict(zip(FEATURES, raw.T, strict=True))
    near: Floats = np.maximum(np.maximum(column["start"], column["first hop"]), -2)
    further = np.maximum(column["hops"] - 1, 0)
    walked = (
        4.2 * column["segment"]
        + 0.5 * column["title named"]
        + 0.2 * column["entities named"]
        + 0.7 * column["title link"]
        + 0.4 * column["entity"]
        + 1.3 * near
        + 2.2 * column["new terms"]
        - 0.5 * further
    )
    result: Floats = trust * walked + 4 * (1 - trust) * column["words"]
    return result


def _one_by_rank(columns: Floats) -> Floats:
    """1 / rank within each column, the largest first; equal ones have the same rank."""
    ranks = np.empty_like(columns)
    for column, rank in zip(columns.T, ranks.T, strict=True):
        rank[:] = 1 + np.searchsorted(np.sort(-column), -column, side="left")
    result: Floats = 1.0 / ranks
    return result
