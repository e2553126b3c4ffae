"""Ranking: fusion against its definition, spreading against a slow and obvious version."""

from __future__ import annotations

import numpy as np
import pytest

from filigraph.graph.rank import DAMPING, SPREAD_ROUNDS, reciprocal_rank_fusion, score_pool, signals
from tests.unit.graph.making import asking, chunk, unit

Q = unit(1, 0)


def test_fusion_is_the_weighted_sum_of_reciprocal_ranks() -> None:
    fused = dict(reciprocal_rank_fusion([(0.7, ["a", "b"]), (0.3, ["b", "c"])]))
    assert fused == pytest.approx({"a": 0.7 / 61, "b": 0.7 / 62 + 0.3 / 61, "c": 0.3 / 62})


def test_two_second_places_beat_one_first_place() -> None:
    assert next(id_ for id_, _ in reciprocal_rank_fusion([(1, ["a", "b"]), (1, ["c", "b"])])) == "b"


def test_fusion_breaks_ties_by_id() -> None:
    assert reciprocal_rank_fusion([(1, ["b"]), (1, ["a"])])[0][0] == "a"


def test_spreading_equals_the_slow_version() -> None:
    pool = {
        "one": chunk("one", "x", vector=unit(1, 0.2), question=Q, facts=[("A", "r", "B", 0.5)]),
        "two": chunk("two", "x", vector=unit(0.5, 1), question=Q, facts=[("B", "r", "C", 0.2)]),
        "six": chunk("six", "x", vector=unit(0.1, 1), question=Q, mentions=["C"]),
    }
    question = asking("A?", Q, entities={"A": 2})
    nodes = ["one", "six", "two", "A", "B", "C"]
    edges = [("one", "A"), ("one", "B"), ("six", "C"), ("two", "B"), ("two", "C"), ("A", "B"), ("B", "C")]
    step = np.zeros((6, 6))
    for one, other in edges:
        step[nodes.index(other), nodes.index(one)] += 1
        step[nodes.index(one), nodes.index(other)] += 1
    step /= step.sum(axis=0)
    seeds = np.zeros(6)
    seeds[nodes.index("A")] = 1 / 2
    dense = np.array([pool[id_].cosine for id_ in nodes[:3]])
    passages = dense - dense.min()
    seeds[:3] = 0.6 * 0.5 * passages / passages.sum()
    seeds /= seeds.sum()
    mass = seeds
    for _ in range(SPREAD_ROUNDS):
        mass = (1 - DAMPING) * seeds + DAMPING * step @ mass
    assert signals(question, pool).spread == pytest.approx(np.sqrt(mass[:3] / mass[:3].max()))


def test_scores_are_between_0_and_1_and_do_not_depend_on_the_order_of_the_pool() -> None:
    pool = {
        id_: chunk(id_, text, vector=unit(*v), question=Q)
        for id_, text, v in [("a", "ring", (1, 0)), ("b", "thief", (0, 1)), ("c", "ring thief", (1, 1))]
    }
    question = asking("ring thief", Q, terms=["ring", "thief"])
    scores = score_pool(question, pool, signals(question, pool), {})
    turned = dict(reversed(pool.items()))
    assert scores.min() == 0
    assert scores.max() == 1
    assert (score_pool(question, turned, signals(question, turned), {}) == scores).all()


def test_one_chunk_is_a_pool() -> None:
    pool = {"a": chunk("a", "ring", vector=unit(0, 1), question=Q)}
    question = asking("thief", Q, terms=["thief"])
    assert score_pool(question, pool, signals(question, pool), {}).tolist() == [1.0]
