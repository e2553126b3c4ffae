"""Graph scores: scores of a chunk that come from the graph, not from its own text.

`complement_scores`: an entity of the chunk has, in another chunk, a fact with terms of the question that this chunk
lacks. `pagerank_scores`: personalized PageRank (Haveliwala, WWW 2002) from the entities of the best facts and the best
chunks, as
HippoRAG 2 walks it (Gutierrez et al., 2025). What each is worth is in docs/decisions/0015-chains-of-facts.md.
"""

from __future__ import annotations

import numpy as np

from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.model.arrays import Floats

MAX_COMPLEMENT_FACTS = 300  # facts that say most of the question
HUB_SHARE = 0.2  # of all chunks: an entity that more of them mention connects nothing
HUB_MIN_CHUNKS = 8  # chunks that an entity may occur in however small the pool is

SEED_FACTS = 5  # facts from whose ends the flow starts
RESTART_PROBABILITY = 0.5
PAGERANK_ROUNDS = 12
CHUNK_SEED_WEIGHT = 0.5  # of the chunks among the seeds, beside 1 of the entities


def complement_scores(graph: FactGraph, chunks: int) -> Floats:
    """(chunks,) for each chunk the most that a fact of another chunk about one of its entities adds to its terms of the
    question.

    An entity counts by its rarity; one that the question names, or that many chunks mention, does not count.
    """
    result = np.zeros(chunks)
    mentions = np.diff(graph.chunks_of.starts)
    joins = ~graph.named & (mentions >= 2) & (mentions <= max(HUB_MIN_CHUNKS, HUB_SHARE * chunks))
    saying = np.flatnonzero(graph.states & (graph.share > 0))
    saying = saying[np.argsort(-graph.share[saying], kind="stable")[:MAX_COMPLEMENT_FACTS]]
    for side in (0, 1):
        over = graph.ends[saying, side]
        facts = saying[joins[over]]
        owner, row = graph.chunks_of.pairs(graph.ends[facts, side])
        fact = facts[owner]
        other = row != graph.chunk[fact]
        fact, row = fact[other], row[other]
        adds = np.maximum(graph.said[fact] - graph.held[row], 0.0) @ graph.weight
        np.maximum.at(result, row, adds * graph.rarity[graph.ends[fact, side]])
    return result


def pagerank_scores(graph: FactGraph, chunk_scores: Floats) -> Floats:
    """(n,) the share of the flow that each chunk holds; `chunk_scores` (n,) make the seeds among them."""
    chunks, entities = len(chunk_scores), len(graph.rarity)
    seeds = np.concatenate([CHUNK_SEED_WEIGHT * _squared(chunk_scores), _entity_seeds(graph)])
    seeds /= seeds.sum() or 1.0
    size = chunks + entities
    mentions = np.diff(graph.chunks_of.starts)
    entity = np.repeat(np.arange(entities), mentions) + chunks
    joining = graph.ends[graph.ends[:, 0] != graph.ends[:, 1]] + chunks
    source = np.concatenate([entity, graph.chunks_of.values, joining[:, 0], joining[:, 1]])
    target = np.concatenate([graph.chunks_of.values, entity, joining[:, 1], joining[:, 0]])
    degree = np.maximum(np.bincount(source, minlength=size), 1)
    share = seeds
    for _ in range(PAGERANK_ROUNDS):
        sent = (share / degree)[source]
        share = (1 - RESTART_PROBABILITY) * seeds + RESTART_PROBABILITY * np.bincount(
            target, weights=sent, minlength=size
        )
    return share[:chunks]


def _entity_seeds(graph: FactGraph) -> Floats:
    """(e,) the ends of the best facts and what the question names; an entity of many chunks counts less in each."""
    seeds = np.zeros(len(graph.rarity))
    mentions = np.maximum(np.diff(graph.chunks_of.starts), 1)
    best = float(graph.share.max(initial=0.0)) or 1.0
    fits = graph.cosine + 0.5 * graph.share / best
    for fact in np.argsort(-fits, kind="stable")[:SEED_FACTS]:
        ends = np.unique(graph.ends[fact])
        seeds[ends] += max(float(fits[fact]), 0.0) / mentions[ends]
    seeds += graph.named / mentions
    total = seeds.sum()
    result: Floats = seeds / total if total > 0 else seeds
    return result


def _squared(scores: Floats) -> Floats:
    """The scores from 0 to 1, squared, so that the best weigh most; their sum is 1."""
    low, high = float(scores.min()), float(scores.max())
    scaled = ((scores - low) / (high - low)) ** 2 if high > low else np.ones_like(scores)
    result: Floats = scaled / scaled.sum()
    return result
