"""Rank: how well each chunk of the pool fits the question, alone (first hop) and as the end of a chain (`S`).

The weights are those of the untrained hop ranker, sized by hand on multi-hop question sets
(docs/decisions/0006-walk.md). Read S as: near a good first hop, reached by a rare entity, adds words of the question
that the first hop lacks, and fits one segment of the question.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from filigraph.graph.model import Chain, Floats, PoolChunk, Question, Signals
from filigraph.graph.text.words import fold

DAMPING = 0.5
SPREAD_ROUNDS = 12  # 0.5 ** 12 of the mass is still on its way: nothing that changes an order
PASSAGE_SEEDS = 30
PASSAGE_SHARE = 0.6  # passages get this share of the entities' mass, however many they are


def signals(question: Question, pool: Mapping[str, PoolChunk]) -> Signals:
    """All per-chunk signals, in the order of sorted chunk ids."""
    ids = tuple(sorted(pool))
    chunks = [pool[id_] for id_ in ids]
    dense = np.array([chunk.cosine for chunk in chunks])
    best_words = max(question.words.values(), default=0.0) or 1.0
    words = np.array([question.words.get(id_, 0.0) / best_words for id_ in ids])
    vectors = np.array([chunk.embedding for chunk in chunks])
    segment = (vectors @ question.segments.T).max(axis=1) if len(question.segments) else dense
    wanted = frozenset(question.terms)
    terms = tuple(wanted & frozenset(chunk.terms) for chunk in chunks)
    frequency = Counter(term for found in terms for term in found)
    spread = np.sqrt(_spread(question, chunks, dense))
    asked = f" {fold(question.text)} "
    title = np.array([float(bool(chunk.title) and f" {fold(chunk.title)} " in asked) for chunk in chunks])
    named = np.array(
        [
            min(sum(question.idf(question.entities[e]) for e in _entities(c) if e in question.entities) / 10, 3.0)
            for c in chunks
        ]
    )
    first = 2 * (dense - dense.max()) + 0.7 * words + 0.7 * spread + 0.5 * title
    return Signals(
        ids=ids,
        dense=dense,
        words=words,
        spread=spread,
        title=title,
        entities=named,
        segment=segment,
        first=first,
        terms=terms,
        term_weight={term: math.log(1 + len(ids) / (1 + frequency[term])) for term in sorted(wanted)},
    )


def _entities(chunk: PoolChunk) -> list[str]:
    return [entity.entity_id for entity in chunk.entities]


def _spread(question: Question, chunks: Sequence[PoolChunk], dense: Floats) -> Floats:
    """Personalised PageRank of the chunks on the graph of the pool, divided by its maximum.

    Nodes are the pool's chunks and their entities; edges join a chunk with its entities and the two ends of a fact.
    Seeds: the question's entities and those of its best facts, each divided by the number of chunks that mention it,
    and the best passages with a fixed share of the mass (a share that grew with the corpus would drown the entities).
    """
    entity_chunks = {entity.entity_id: entity.chunks for chunk in chunks for entity in chunk.entities}
    index = {id_: len(chunks) + n for n, id_ in enumerate(sorted(entity_chunks))}
    heads: list[int] = []
    tails: list[int] = []
    seeds = np.zeros(len(chunks) + len(index))
    for row, chunk in enumerate(chunks):
        for entity in chunk.entities:
            heads.append(row)
            tails.append(index[entity.entity_id])
        for fact in chunk.facts:
            subject, object_ = index.get(fact.subject_id), index.get(fact.object_id)
            if subject is not None and object_ is not None:
                heads.append(subject)
                tails.append(object_)
            for end in (fact.subject_id, fact.object_id):
                if fact.fact_id in question.facts and end in index:
                    seeds[index[end]] += max(question.facts[fact.fact_id], 0.0) / max(entity_chunks[end], 1)
    for id_, mentioned in question.entities.items():
        if id_ in index:
            seeds[index[id_]] += 1 / max(mentioned, 1)
    mass = seeds.sum() or 1.0
    best = np.argsort(-dense, kind="stable")[:PASSAGE_SEEDS]
    passages = np.clip(dense[best] - dense[best].min(), 0, None)
    if passages.sum() > 0:
        seeds[best] += PASSAGE_SHARE * mass * passages / passages.sum()
    if seeds.sum() == 0:
        return np.zeros(len(chunks))
    seeds /= seeds.sum()
    source = np.array(heads + tails, dtype=np.intp)
    target = np.array(tails + heads, dtype=np.intp)
    degree = np.maximum(np.bincount(source, minlength=len(seeds)), 1)
    mass_at = seeds.copy()
    for _ in range(SPREAD_ROUNDS):
        flow = np.bincount(target, weights=mass_at[source] / degree[source], minlength=len(seeds))
        mass_at = (1 - DAMPING) * seeds + DAMPING * flow
    reached: Floats = mass_at[: len(chunks)]
    return reached / (reached.max() or 1.0)


def score_pool(
    question: Question, pool: Mapping[str, PoolChunk], found: Signals, chains: Mapping[str, Chain]
) -> Floats:
    """S for every chunk of the pool, scaled to 0..1; `chains` holds the best chain that ends at a chunk.

    A chunk that no chain reached counts as reached from nowhere: it stands by what it says itself.
    """
    size = len(found.ids)
    entity, reached, gain = np.zeros(size), np.full(size, -2.0), np.zeros(size)
    row = {id_: n for n, id_ in enumerate(found.ids)}
    for n, id_ in enumerate(found.ids):
        chain = chains.get(id_)
        if chain is None or not chain.links:
            continue
        before = row[chain.chunk_ids[-2]]
        over = next(e for e in pool[id_].entities if e.entity_id == chain.links[-1])
        entity[n] = question.idf(over.chunks) / 10
        reached[n] = chain.start
        gain[n] = found.covered(found.terms[n] | found.terms[before]) - found.covered(found.terms[before])
    reached = np.maximum(reached, found.first - found.first.max())
    raw = (
        3.7 * found.spread
        + 0.5 * found.title
        + 0.2 * found.entities
        + 4.2 * found.segment
        + 0.4 * entity
        + 1.3 * np.maximum(reached, -2)
        + 2.2 * gain
    )
    low, high = raw.min(), raw.max()
    scaled: Floats = (raw - low) / (high - low) if high > low else np.ones_like(raw)
    return scaled


def reciprocal_rank_fusion(weighted: Sequence[tuple[float, Sequence[str]]], *, k: int = 60) -> list[tuple[str, float]]:
    """Join ranked lists of ids; best first, ties by id. k = 60 after Cormack, Clarke, Buettcher (SIGIR 2009)."""
    scores: dict[str, float] = defaultdict(float)
    for weight, ranked in weighted:
        for rank, id_ in enumerate(ranked, start=1):
            scores[id_] += weight / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
