"""Ranking: each part against its definition, or a slow and simple version of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.training.trees import to_onnx
from filigraph.graph.ask import weights as weights_module
from filigraph.graph.ask.explore.pool import HOP_FEATURES, NO_FACT_PENALTY, NOT_REACHED, Pool, Walked, build_pool
from filigraph.graph.ask.explore.walk import not_walked
from filigraph.graph.ask.ranking.hop_ranker import (
    BESIDE_BEST,
    CHUNK_FEATURES,
    FEATURES,
    INPUTS,
    HopRanker,
    beside_best,
    features,
    hand_sized_score,
    inputs,
    learned_hop_ranker,
    score,
)
from filigraph.graph.ask.ranking.trees import Trees
from filigraph.graph.ask.weights import read_weights
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import PoolChunk
from tests.unit.graph.making import LARGE, Q, asking, chunk, near, turned, unit, walk

QUESTION = asking("ring thief", entities={"Jules": 3}, titles=["b"], words={"a": 4.0, "c": 1.0})
CHUNKS = [
    chunk("a", "ring", vector=near(0.8), sentences=[near(0.2), near(0.9, 2)], facts=[("Jules", "wears", "ring", 0.6)]),
    chunk("b", "thief", vector=near(0.5), mentions=["ring"]),
    chunk("c", "ring thief", vector=near(0.1), sentences=[near(0.3, 2)], facts=[("ring", "marks", "thief", 0.2)]),
]


def in_order(pool: Pool, found: Floats) -> Floats:
    """The rows by the ids of their chunks; a pool has them by what they say."""
    return found[[pool.row[id_] for id_ in sorted(pool.row)]]


def column(found: Floats, name: str, names: tuple[str, ...] = FEATURES) -> list[float]:
    return [float(number) for number in found[:, names.index(name)]]


# --------------------------------------------------------------------------------------------------------------------
# What is known of a chunk


def test_what_a_chunk_says_by_itself() -> None:
    pool = build_pool(CHUNKS, QUESTION)
    found = in_order(pool, features(pool, not_walked(pool)))
    assert found.shape == (3, len(FEATURES))
    first = [2 * 0.8 + 0.7, 2 * 0.5 + 0.5, 2 * 0.1 + 0.7 / 4]
    weight = math.log(1 + 3 / 3)  # both terms stand in two of three chunks, so each has half of the weight
    assert weight > 0
    expected = {
        "meaning": [0.8, 0.5, 0.1],
        "meaning - best": [0.0, -0.3, -0.7],
        "words": [1.0, 0.0, 0.25],
        "own fact": [0.0, -NO_FACT_PENALTY, 0.2 - 0.6],
        "title named": [0.0, 1.0, 0.0],
        "entities named": [math.log(1 + LARGE / 2) / 10, 0.0, 0.0],
        "first hop": [0.0, first[1] - first[0], first[2] - first[0]],
        "rank by first hop": [1.0, 1 / 2, 1 / 3],
        "sentence": [0.9, 0.5, 0.3],  # a chunk without sentences has its own vector
        "terms": [0.5, 0.5, 1.0],
        "segment": [0.8, 0.5, 0.1],
    }
    assert tuple(expected) == CHUNK_FEATURES
    for name, values in expected.items():
        assert column(found, name) == pytest.approx(values, abs=1e-6), name
    assert (found[:, len(CHUNK_FEATURES) :] == NOT_REACHED).all()


def test_a_segment_counts_as_much_as_the_whole_question() -> None:
    two = asking("ring thief", segments=np.array([near(0.5, 2), near(0.5, 3)]))
    pool = build_pool([chunk("a", vector=near(0.5, 2)), chunk("b", vector=Q)], two)
    assert column(in_order(pool, features(pool, not_walked(pool))), "segment") == pytest.approx([1.0, 0.5])


def test_what_a_hop_says() -> None:
    """Each HOP_FEATURE by its definition, for a hop from `a` to `c`, led by the fact of Jules's ring."""
    start, end = CHUNKS[0], CHUNKS[2]
    pool, walked = walk([start, end], QUESTION, ["a"], 2)
    found = dict(zip(HOP_FEATURES, walked.hops[pool.row["c"]], strict=True))
    leading = near(0.6)
    asked = Q + 0.7 * leading
    asked /= np.linalg.norm(asked)
    both = near(0.6) + near(0.2)
    joint_fact = float(Q @ both / np.linalg.norm(both)) - 0.6
    idf = math.log(1 + LARGE / 2) / 10
    expected = {
        "fact": 0.0,
        "title link": 0.0,
        "title link back": 0.0,
        "entity": idf,
        "start": 0.0,
        "terms of both": 1.0,
        "new terms": 1.0 - pool.term_coverage[pool.row["a"]],
        "joint": float(asked @ near(0.1)),
        "joint sentence": float(asked @ near(0.3, 2)),
        "joint fact": joint_fact,
        "hops": 1.0,
        "hop": float(asked @ near(0.1)) + 0.1 * idf + 0.3 * joint_fact,
    }
    assert tuple(expected) == HOP_FEATURES
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-6), name


def test_inputs_are_the_features_beside_the_others_of_the_pool() -> None:
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    found = features(pool, walked)
    by_hand = hand_sized_score(found)
    beside = beside_best(pool, QUESTION, by_hand)
    told = inputs(found, by_hand, beside)
    assert told.shape == (3, len(INPUTS)) == (3, 89)
    assert (told[:, -len(BESIDE_BEST) :] == beside).all()
    for n, name in enumerate(FEATURES):
        values = found[:, n]
        assert column(told, name, INPUTS) == values.tolist()
        assert column(told, f"{name}: to the best", INPUTS) == (values - values.max()).tolist()
        better = [sum(other > value for other in values) for value in values]
        assert column(told, f"{name}: rank", INPUTS) == [1 / (1 + many) for many in better], "equal ones rank alike"
    assert column(told, "entity x joint", INPUTS) == [
        a * b for a, b in zip(column(found, "entity"), column(found, "joint"), strict=True)
    ]


def test_a_hop_from_the_best_by_hand_and_the_words_it_adds() -> None:
    """Whatever the walk reached: the best by S are set as starts here, `b` first."""
    pool, _ = walk(CHUNKS, QUESTION, ["a"], 2)
    by_hand = np.array([{"a": 1.0, "b": 3.0, "c": 0.5}[chunk.id] for chunk in pool.chunks])
    found = dict(zip(BESIDE_BEST, beside_best(pool, QUESTION, by_hand).T, strict=True))
    assert found["terms: added to the better"][pool.row["b"]] == pytest.approx(0.5), "thief"
    assert found["terms: added to the better"][pool.row["a"]] == pytest.approx(0.5), "ring"
    assert found["terms: added to the better"][pool.row["c"]] == 0, "the better two hold both"
    start = {chunk.id: value for chunk, value in zip(pool.chunks, found["start: from the best"], strict=True)}
    assert start == {"a": 0.0, "b": -2.0, "c": -2.0}, "S of where the hop begins, against the best"
    assert (found["hop: from the best"] > NOT_REACHED[-1]).all()


def test_beside_the_best_does_not_depend_on_the_order_of_the_pool() -> None:
    pool, walked = walk(the_film(), QUESTION, ["film"], 4)
    found = beside_best(pool, QUESTION, hand_sized_score(features(pool, walked)))
    for chunks in turned(the_film()):
        other, again = walk(chunks, QUESTION, ["film"], 4)
        assert (beside_best(other, QUESTION, hand_sized_score(features(other, again))) == found).all()


# --------------------------------------------------------------------------------------------------------------------
# S, sized by hand


def the_film() -> list[PoolChunk]:
    """Who directed it stands in the article on the film, where he was born in one that the question does not name."""
    return [
        chunk(
            "film",
            "Dawn is a film directed by Octave Ferrand.",
            vector=near(0.8),
            facts=[("Dawn", "was directed by", "Octave Ferrand", 0.6)],
            names=["gold"],
        ),
        chunk(
            "gold",
            "Octave Ferrand was born in Lyon.",
            vector=near(0.4, 2),
            facts=[("Octave Ferrand", "was born in", "Lyon", 0.5)],
            title="Octave Ferrand",
        ),
        *(chunk(f"note{n}", "Somebody else was born in Paris.", vector=near(0.4, 2)) for n in range(5)),
    ]


def test_s_ranks_what_the_walk_reached_before_what_is_merely_alike() -> None:
    question = asking("Where was the director of Dawn born?", entities={"Dawn": 1})
    pool, walked = walk(the_film(), question, ["film"], 4)
    scores = dict(zip(pool.row, shown(pool, walked, None).tolist(), strict=True))
    assert sorted(scores, key=lambda id_: -scores[id_])[:2] == ["film", "gold"]
    alone = dict(zip(pool.row, shown(pool, not_walked(pool), None).tolist(), strict=True))
    assert alone["gold"] <= alone["note0"]


def test_scores_are_from_0_to_1_whatever_the_order_of_the_pool() -> None:
    pool, walked = walk(the_film(), QUESTION, ["film"], 4)
    scores = shown(pool, walked, None)
    assert (scores.min(), scores.max()) == (0, 1)
    for chunks in turned(the_film()):
        other, again = walk(chunks, QUESTION, ["film"], 4)
        assert list(other.row) == list(pool.row)
        assert (shown(other, again, None) == scores).all()


def test_s_is_a_sum_of_features() -> None:
    pool, walked = walk(the_film(), asking("Where was it born?"), ["film"], 4)
    found = features(pool, walked)
    more = found.copy()
    more[:, FEATURES.index("segment")] += 0.1
    assert hand_sized_score(more) - hand_sized_score(found) == pytest.approx(0.42)
    far = found.copy()
    far[:, [FEATURES.index("start"), FEATURES.index("first hop")]] = -9
    farther = far - 1
    assert len(hand_sized_score(far)) == len(found), "however far a first hop was, it costs no more than -2"
    assert (hand_sized_score(far)[0] > hand_sized_score(farther)[0]).all()


# --------------------------------------------------------------------------------------------------------------------
# What was learned


def split(name: str, at: float, below: Any, above: Any) -> dict[str, Any]:
    """A node of a tree, as LightGBM says it; a side is a node or a number."""
    sides = [side if isinstance(side, dict) else {"leaf_value": side} for side in (below, above)]
    return {
        "split_feature": INPUTS.index(name),
        "threshold": at,
        "left_child": sides[0],
        "right_child": sides[1],
    }


def trees(*roots: dict[str, Any], by_hand: float = 0.0, slope: float = 1.0, offset: float = 0.0) -> HopRanker:
    dumped = {"tree_info": [{"tree_structure": root} for root in roots]}
    return HopRanker(trees=Trees(to_onnx(dumped, len(INPUTS))), by_hand=by_hand, slope=slope, offset=offset)


def shown(pool: Pool, walked: Walked, by: HopRanker | None) -> Floats:
    """The scores from 0 to 1."""
    return score(pool, walked, QUESTION, by)[1]


def test_a_learned_score_is_the_sum_of_the_trees_and_a_probability() -> None:
    """By meaning a, b and c are .8, .5 and .1; by words 1, 0 and .25."""
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    learned = trees(
        split("meaning", 0.3, -1.0, split("meaning", 0.6, 0.25, 2.0)), split("words", 0.5, 0.5, 1.0), slope=2, offset=-1
    )
    raw, found = score(pool, walked, QUESTION, learned)
    sums = [2.0 + 1.0, 0.25 + 0.5, -1.0 + 0.5]
    assert in_order(pool, raw) == pytest.approx(sums)
    assert in_order(pool, found) == pytest.approx([1 / (1 + math.exp(1 - 2 * total)) for total in sums])


def test_s_counts_beside_the_trees() -> None:
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    tree = split("meaning", 0.3, 0.0, 1.0)
    raw, alone = (score(pool, walked, QUESTION, trees(tree, by_hand=share))[0] for share in (0.25, 0.0))
    assert raw - alone == pytest.approx(0.25 * hand_sized_score(features(pool, walked)))


def test_what_equals_the_threshold_goes_to_the_lower_side() -> None:
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    assert in_order(pool, score(pool, walked, QUESTION, trees(split("title named", 0.0, 5.0, 7.0)))[0]).tolist() == [
        5,
        7,
        5,
    ]


def test_trees_can_turn_the_order() -> None:
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    assert shown(pool, walked, trees(split("terms", 0.7, 0.0, 1.0))).argmax() == pool.row["c"]
    assert shown(pool, walked, trees(split("words", 0.7, 0.0, 1.0))).argmax() == pool.row["a"]
    assert shown(pool, walked, trees(split("hops", 0.5, 0.0, 1.0))).argmin() == pool.row["a"], "it was not reached"


def test_a_sure_score_does_not_overflow() -> None:
    pool, walked = walk(CHUNKS, QUESTION, ["a"], 3)
    for sure in (-300.0, 300.0):
        scores = shown(pool, walked, trees(split("meaning", 0.5, sure, sure)))
        assert np.isfinite(scores).all()
        assert ((scores >= 0) & (scores <= 1)).all()


def test_trees_are_for_the_embedder_they_were_learned_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"embedders": ["mine", "alike"], "by_hand": 0.25, "slope": 2.0, "offset": -0.5}
    (tmp_path / "hop_ranker.json").write_text(json.dumps(kept), "utf-8")
    dumped = {"tree_info": [{"tree_structure": split("meaning", 0.5, 0.0, 1.0)}]}
    (tmp_path / "hop_ranker.onnx").write_bytes(to_onnx(dumped, len(INPUTS)))
    monkeypatch.setattr(weights_module.resources, "files", lambda _: tmp_path)  # type: ignore[attr-defined]
    assert learned_hop_ranker.__wrapped__("another") is None
    assert learned_hop_ranker.__wrapped__("alike") is not None
    mine = learned_hop_ranker.__wrapped__("mine")
    assert mine is not None
    assert (mine.by_hand, mine.slope, mine.offset) == (0.25, 2.0, -0.5)
    matrix = np.zeros((2, len(INPUTS)))
    matrix[1, INPUTS.index("meaning")] = 0.6
    assert mine.trees.score(matrix).tolist() == [0, 1]


def test_the_trees_that_come_with_filigraph_are_whole() -> None:
    told = read_weights("hop_ranker")
    assert told["inputs"] == list(INPUTS), "columns have no names in the trees"
    pool, walked = walk(the_film(), asking("Where was the director of Dawn born?", entities={"Dawn": 1}), ["film"], 4)
    for embedder in told["embedders"]:
        learned = learned_hop_ranker(embedder)
        assert learned is not None
        scores = shown(pool, walked, learned)
        assert np.isfinite(scores).all()
        assert scores.argmax() in (pool.row["film"], pool.row["gold"])


# --------------------------------------------------------------------------------------------------------------------
# Odd pools


@pytest.mark.parametrize("by", [None, trees(split("meaning", 0.5, 0.0, 1.0))], ids=["by hand", "learned"])
@pytest.mark.parametrize(
    "chunks",
    [
        [chunk("a")],
        [chunk("a", "ring", facts=[("Jules", "wears", "ring", 0.6)])],
        [chunk("a"), chunk("b")],
        [chunk("a", mentions=["x"]), chunk("b", mentions=["x"])],
        [chunk("a", names=["b"]), chunk("b")],
        [chunk("a", facts=[("x", "is", "y", 0.5)]), chunk("b", mentions=["y"])],
        [chunk("a", vector=unit(-1)), chunk("b", vector=unit(0, 1))],
        [chunk(f"c{n}", facts=[("x", "is", "x", 1.0), ("x", "is not", "x", -1.0)]) for n in range(3)],
    ],
    ids=["one", "one with a fact", "no links", "no facts", "titles alone", "a fact on one side", "opposite", "itself"],
)
@pytest.mark.parametrize("question", ["", "ring thief"])
def test_any_pool_is_ranked(chunks: list[PoolChunk], question: str, by: HopRanker | None) -> None:
    pool, walked = walk(chunks, asking(question), ["a", "c0"], 4)
    scores = shown(pool, walked, by)
    assert scores.shape == (len(chunks),)
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 1)).all()


def test_one_chunk_is_the_best() -> None:
    pool = build_pool([chunk("a", "ring", vector=unit(0, 1))], asking("thief"))
    assert shown(pool, not_walked(pool), None).tolist() == [1.0]
