"""How well a chunk answers: the six numbers by their definitions, and their sum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.ask.explore.pool import Pool, build_pool
from filigraph.graph.ask.paths.chains import best_chain_of_chunks, find_chains
from filigraph.graph.ask.paths.fact_graph import fact_graph
from filigraph.graph.ask.ranking.graph_scores import complement_scores, pagerank_scores
from filigraph.graph.ask.ranking.narrative_ranker import (
    DENSE_FACTS_PER_CHUNK,
    FEW_CHUNKS,
    FEW_CHUNKS_MEANING_BONUS,
    GRAPH,
    INPUTS,
    NarrativeRanker,
    graph_trust,
    inputs,
    learned_ranker,
    own_inputs,
    score_chunks,
    standardized,
)
from filigraph.graph.ask.weights import read_weights
from filigraph.graph.model.retrieval import PoolChunk, Question
from tests.unit.graph.making import asking, chunk, near, random_chunks, renamed, turned, unit

RANDOM = st.integers(0, 2**31)
QUESTION = asking("ring thief left", entities={"Name0": 2}, words={"c0": 4.0, "c2": 1.0})


def weights(**named: float) -> NarrativeRanker:
    return NarrativeRanker(weights={name: named.get(name, 0.0) for name in INPUTS}, slope=1.0, offset=0.0)


def scores(chunks: list[PoolChunk], question: Question, learned: NarrativeRanker) -> dict[str, float]:
    pool = build_pool(chunks, question)
    found = score_chunks(pool, fact_graph(pool, question), question, learned, depth=4).score
    return {id_: float(found[row]) for id_, row in pool.row.items()}


@settings(max_examples=25)
@given(RANDOM)
def test_the_six_numbers_of_a_chunk(seed: int) -> None:
    pool = build_pool(random_chunks(seed), QUESTION)
    graph, learned = fact_graph(pool, QUESTION), learned_ranker()
    trust = graph_trust(graph, len(pool.chunks))
    languages = [chunk.language for chunk in pool.chunks]
    own = own_inputs(pool, graph, QUESTION, trust)
    assert own["words"] == pytest.approx(
        [QUESTION.words.get(chunk.id, 0.0) + trust * graph.words[row] for row, chunk in enumerate(pool.chunks)]
    )
    assert own["meaning"] == pytest.approx([float(chunk.vectors[0] @ QUESTION.vector) for chunk in pool.chunks])
    assert (own["complement"] == complement_scores(graph, len(pool.chunks))).all()
    found, chains = inputs(pool, graph, QUESTION, learned, depth=3)
    assert tuple(found) == INPUTS
    weight = {name: learned.weights[name] * (trust if name in GRAPH else 1.0) for name in INPUTS}
    weight["meaning"] += FEW_CHUNKS_MEANING_BONUS * min(1.0, FEW_CHUNKS / len(pool.chunks)) ** 2
    known = sum(weight[name] * standardized(column, languages) for name, column in own.items())
    assert found["flow"] == pytest.approx(np.log(pagerank_scores(graph, known) + 1e-9))
    known = known + weight["flow"] * standardized(found["flow"], languages)
    assert chains == find_chains(graph, QUESTION, known, depth=3)
    assert (found["chain"] == best_chain_of_chunks(chains, graph, len(pool.chunks))).all()
    whole = score_chunks(pool, graph, QUESTION, learned, depth=3)
    assert whole.score == pytest.approx(known + weight["chain"] * standardized(found["chain"], languages))
    assert whole.chains == chains
    expected = 1 / (1 + np.exp(-(learned.slope * whole.score + learned.offset)))
    assert whole.probability == pytest.approx(expected)


@pytest.mark.parametrize(("count", "expected"), [(FEW_CHUNKS, "near"), (4 * FEW_CHUNKS, "said")])
def test_meaning_counts_more_among_few_chunks(count: int, expected: str) -> None:
    others = [chunk(f"c{n}", vector=near(0.1)) for n in range(count - 2)]
    told = [chunk("near", vector=near(0.9)), chunk("said", vector=near(0.1)), *others]
    found = scores(
        told, asking("ring", words={"said": 1.0}), weights(words=1.0 + FEW_CHUNKS_MEANING_BONUS / 2, meaning=1.0)
    )
    assert max(found, key=found.__getitem__) == expected


def test_a_graph_of_few_facts_counts_little() -> None:
    said = [("Name0", "knows", "Name1", 0.5), ("Name0", "left", "Name2", 0.5)]
    pool = build_pool([chunk("a", facts=said)], QUESTION)
    graph = fact_graph(pool, QUESTION)
    assert [graph_trust(graph, chunks) for chunks in (1, 10)] == pytest.approx(
        [(2 / DENSE_FACTS_PER_CHUNK) ** 4, (0.2 / DENSE_FACTS_PER_CHUNK) ** 4]
    )
    silent = build_pool([chunk("a")], QUESTION)
    assert graph_trust(fact_graph(silent, QUESTION), 1) == 0.0


def test_a_segment_is_met_by_the_best_sentence() -> None:
    pieces = np.array([unit(0, 1), unit(0, 0, 1)])
    told = [
        chunk("a", vector=near(0.5), sentences=[unit(0.2, 0.9), unit(0.5, 0.1, 0.6)]),
        chunk("b", vector=unit(0.3, 0.1, 0.8)),  # without sentences its own vector counts
    ]
    question = asking(segments=pieces)
    pool = build_pool(told, question)
    found = own_inputs(pool, fact_graph(pool, question), question, 1.0)["segment"]
    for id_, sentences in {"a": told[0].vectors[1:], "b": told[1].vectors}.items():
        assert found[pool.row[id_]] == pytest.approx(float((sentences @ pieces.T).max()))


@pytest.mark.parametrize("name", ["words", "meaning"])
def test_each_number_can_turn_the_order(name: str) -> None:
    told = [chunk("words", "ring", vector=near(0.1)), chunk("meaning", "lamp", vector=near(0.9))]
    found = scores(told, asking("ring", words={"words": 2.0}), weights(**{name: 1.0}))
    assert max(found, key=lambda id_: found[id_]) == name


def test_vectors_count_as_far_as_the_embedder_knows_the_language() -> None:
    told = [chunk("words", "ring", vector=near(0.1)), chunk("meaning", "lamp", vector=near(0.9))]
    question, learned = asking("ring", words={"words": 2.0}), weights(words=1.0, meaning=1.5, segment=1.5)
    known, unknown = scores(told, question, learned), scores(told, replace(question, trust=0.1), learned)
    assert known["meaning"] > known["words"]
    assert unknown["words"] > unknown["meaning"]


@settings(max_examples=25)
@given(RANDOM)
def test_neither_the_order_of_the_chunks_nor_any_id_matters(seed: int) -> None:
    chunks = random_chunks(seed)
    moved, asked = renamed(chunks, QUESTION, str(seed))
    first = scores(chunks, QUESTION, learned_ranker())
    again = scores(moved, asked, learned_ranker())
    assert [again[chunk.id] for chunk in moved] == [first[chunk.id] for chunk in chunks]
    for other in turned(chunks):
        assert scores(other, QUESTION, learned_ranker()) == first


@pytest.mark.parametrize(
    "chunks",
    [[chunk("a")], [chunk("a"), chunk("b")], [chunk("a", facts=[("x", "is", "x", 1.0), ("x", "is not", "x", -1.0)])]],
    ids=["one", "alike", "itself"],
)
@pytest.mark.parametrize("question", [asking(), asking("ring", words={"a": 1.0})], ids=["of nothing", "of a ring"])
def test_any_pool_is_scored(chunks: list[PoolChunk], question: Question) -> None:
    pool: Pool = build_pool(chunks, question)
    found = score_chunks(pool, fact_graph(pool, question), question, learned_ranker(), depth=4)
    assert np.isfinite(found.score).all()
    assert ((found.probability >= 0) & (found.probability <= 1)).all()


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=9))
def test_a_number_is_brought_to_mean_0_and_deviation_1(values: list[float]) -> None:
    column = np.array(values)
    found = standardized(column, ["en"] * len(values))
    assert found.mean() == pytest.approx(0.0, abs=1e-3)
    assert found.std() == pytest.approx(1.0, abs=1e-3) or column.std() < 1e-5
    assert not standardized(np.full(4, 0.5), ["en"] * 4).any()


def test_a_chunk_is_compared_with_those_of_its_language() -> None:
    english, french = np.arange(79.0, 39.0, -1.0), np.arange(39.0, -1.0, -1.0)
    found = standardized(np.concatenate([english, french]), ["en"] * 40 + ["fr"] * 40)
    assert found[0] > found[40] > found[4]  # the best French one is before the fifth English one


def test_a_lone_chunk_of_a_language_is_not_its_own_measure() -> None:
    found = standardized(np.array([1.0, 0.0, 0.0, 9.0]), ["en", "en", "en", "fr"])
    assert found.argmax() == 3


def test_the_weights_that_come_with_filigraph_are_whole() -> None:
    assert set(learned_ranker().weights) == set(INPUTS)
    told = read_weights("narrative_ranker")
    assert told["provenance"]["questions"] > 0
    assert np.isfinite([*learned_ranker().weights.values(), learned_ranker().slope, learned_ranker().offset]).all()
    assert learned_ranker().slope > 0, "more is more probable"
