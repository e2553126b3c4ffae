"""Scores that flow over the graph, against three nested loops and against a dense matrix."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.ask.explore.pool import Pool, build_pool
from filigraph.graph.ask.paths.fact_graph import FactGraph, fact_graph
from filigraph.graph.ask.ranking.graph_scores import (
    CHUNK_SEED_WEIGHT,
    HUB_MIN_CHUNKS,
    HUB_SHARE,
    PAGERANK_ROUNDS,
    RESTART_PROBABILITY,
    SEED_FACTS,
    complement_scores,
    pagerank_scores,
)
from tests.unit.graph.making import asking, chunk, near, random_chunks

RANDOM = st.integers(0, 2**31)
QUESTION = asking("ring thief left", entities={"Name0": 2})


def world(seed: int, chunks: int = 6, facts: int = 9) -> tuple[Pool, FactGraph]:
    pool = build_pool(random_chunks(seed, chunks=chunks, facts=facts), QUESTION)
    return pool, fact_graph(pool, QUESTION)


def slow_complement(pool: Pool, graph: FactGraph) -> list[float]:
    number = {}
    for n, fact in enumerate(pool.facts):
        number[fact.subject_id], number[fact.object_id] = graph.ends[n].tolist()
    most = max(HUB_MIN_CHUNKS, HUB_SHARE * len(pool.chunks))
    result = []
    for row, own in enumerate(pool.chunks):
        best = 0.0
        for id_ in own.entity:
            mentions = sum(id_ in other.entity for other in pool.chunks)
            if id_ in QUESTION.entities or not 2 <= mentions <= most:
                continue
            for n, fact in enumerate(pool.facts):
                if graph.chunk[n] == row or fact.origin == "cooccurrence" or not fact.touches(id_):
                    continue
                adds = sum(
                    weight
                    for term, weight in enumerate(graph.weight)
                    if graph.said[n, term] and not graph.held[row, term]
                )
                best = max(best, adds * graph.rarity[number[id_]])
        result.append(best)
    return result


@settings(max_examples=40)
@given(RANDOM, st.integers(2, 14))
def test_complement_is_the_most_that_another_chunk_s_fact_adds(seed: int, chunks: int) -> None:
    pool, graph = world(seed, chunks, 2 * chunks)
    assert complement_scores(graph, chunks).tolist() == pytest.approx(slow_complement(pool, graph))


def test_a_chunk_that_says_all_needs_no_complement() -> None:
    told = [chunk("a", "ring", vector=near(0.5), mentions=["Brun"])]
    told += [chunk("b", "thief", vector=near(0.4), facts=[("Brun", "is", "thief", 0.4)])]
    question = asking("ring thief")
    pool = build_pool(told, question)
    found = complement_scores(fact_graph(pool, question), 2)
    assert found[pool.row["a"]] > 0 == found[pool.row["b"]]
    whole = [chunk("a", "ring thief", vector=near(0.5), mentions=["Brun"]), told[1]]
    assert not complement_scores(fact_graph(build_pool(whole, question), question), 2).any()


def edges(pool: Pool, graph: FactGraph) -> npt.NDArray[np.floating]:
    """How often each of the chunks and entities is tied to each other one, as a matrix."""
    chunks, size = len(pool.chunks), len(pool.chunks) + len(graph.rarity)
    tied = np.zeros((size, size))
    for entity in range(len(graph.rarity)):
        for row in graph.chunks_of.at(entity).tolist():
            tied[row, chunks + entity] += 1
            tied[chunks + entity, row] += 1
    for one, other in graph.ends.tolist():
        if one != other:
            tied[chunks + one, chunks + other] += 1
            tied[chunks + other, chunks + one] += 1
    return tied


def seeds(pool: Pool, graph: FactGraph, scores: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    relative = ((scores - scores.min()) / (scores.max() - scores.min())) ** 2
    fits = graph.cosine + 0.5 * graph.share / (graph.share.max() or 1.0)
    entity = np.zeros(len(graph.rarity))
    for n in sorted(range(graph.size), key=lambda n: -fits[n])[:SEED_FACTS]:
        for end in set(graph.ends[n].tolist()):
            entity[end] += max(fits[n], 0.0) / len(graph.chunks_of.at(end))
    for end in np.flatnonzero(graph.named):
        entity[end] += 1 / len(graph.chunks_of.at(int(end)))
    entity /= entity.sum() or 1.0
    both = np.concatenate([CHUNK_SEED_WEIGHT * relative / relative.sum(), entity])
    return both / both.sum()


@settings(max_examples=40)
@given(RANDOM)
def test_flow_is_pagerank_from_the_best(seed: int) -> None:
    pool, graph = world(seed)
    scores = np.random.default_rng(seed).normal(size=len(pool.chunks))
    tied, start = edges(pool, graph), seeds(pool, graph, scores)
    sends = tied / np.maximum(tied.sum(axis=1, keepdims=True), 1)
    share = start
    for _ in range(PAGERANK_ROUNDS):
        share = (1 - RESTART_PROBABILITY) * start + RESTART_PROBABILITY * share @ sends
    found = pagerank_scores(graph, scores)
    assert found.tolist() == pytest.approx(share[: len(pool.chunks)].tolist())
    settled = (1 - RESTART_PROBABILITY) * start @ np.linalg.inv(np.eye(len(start)) - RESTART_PROBABILITY * sends)
    assert found == pytest.approx(settled[: len(pool.chunks)], abs=2 * RESTART_PROBABILITY**PAGERANK_ROUNDS)


def test_flow_goes_on_to_what_no_word_of_the_question_reaches() -> None:
    told = [
        chunk("letter", vector=near(0.9), facts=[("Jules", "wears", "ring", 0.9)]),
        chunk("inventory", vector=near(0.1), facts=[("ring", "marks", "Claw", 0.1)]),
        chunk("weather", vector=near(0.1, 2), facts=[("rain", "falls on", "Lyon", 0.1)]),
    ]
    pool = build_pool(told, QUESTION)
    found = pagerank_scores(fact_graph(pool, QUESTION), pool.dense)
    share = {id_: found[row] for id_, row in pool.row.items()}
    assert share["letter"] > share["inventory"] > share["weather"]


@pytest.mark.parametrize("scores", [np.zeros(3), np.array([1.0, 2.0, 3.0])], ids=["equal", "unequal"])
def test_where_nothing_is_said_chunks_keep_their_seeds(scores: npt.NDArray[np.floating]) -> None:
    pool = build_pool([chunk(f"c{n}", vector=near(n / 9)) for n in range(3)], asking())
    found = pagerank_scores(fact_graph(pool, asking()), scores)
    assert np.isfinite(found).all()
    assert (np.argsort(found, kind="stable") == np.argsort(scores, kind="stable")).all()
    assert not complement_scores(fact_graph(pool, asking()), 3).any()
