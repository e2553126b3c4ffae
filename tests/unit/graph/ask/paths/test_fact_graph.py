"""The fact graph: each array against its definition, or a slow and simple version of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.ask.explore.pool import build_pool
from filigraph.graph.ask.paths.fact_graph import K1, B, fact_graph
from filigraph.graph.model.retrieval import PoolChunk, Question
from filigraph.graph.tables.adjacency import Rows
from filigraph.graph.text.words import terms
from tests.unit.graph.making import asking, chunk, random_chunks, turned

SEEDS = st.integers(0, 2**31)
QUESTION = asking("ring thief left unheard", entities={"Name0": 2})
JULES = [
    chunk("a", "Jules wears a ring.", facts=[("Jules", "wears", "ring", 0.6)], mentions=["Lyon"]),
    chunk("b", "The ring marks the thief.", facts=[("ring", "marks", "thief", 0.2), ("Jules", "wears", "ring", 0.6)]),
    chunk("c", "It rains.", mentions=["Lyon"]),
]


def stating(chunk: PoolChunk) -> list[str]:
    """What its facts say, one after the other, without those that say only that two names share a sentence."""
    return [f"{f.subject} {f.predicate} {f.object}" for f in chunk.facts if f.origin != "cooccurrence"]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=20))
def test_rows_are_the_values_of_each_key(pairs: list[tuple[int, int]]) -> None:
    array = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    rows = Rows.of(array[:, 0], array[:, 1], 5)
    for key in range(5):
        assert rows.at(key).tolist() == [value for own, value in pairs if own == key], "in the order given"
    keys = np.array([3, 0, 3], dtype=np.intp)
    owner, value = rows.pairs(keys)
    expected = [(place, v) for place, key in enumerate(keys) for own, v in pairs if own == key]
    assert list(zip(owner.tolist(), value.tolist(), strict=True)) == expected


def test_a_fact_of_two_chunks_is_two_statements_of_one_fact() -> None:
    pool = build_pool(JULES, QUESTION)
    graph = fact_graph(pool, QUESTION)
    assert graph.size == 3
    said = [(pool.chunks[graph.chunk[n]].id, pool.facts[n].fact_id) for n in range(graph.size)]
    assert sorted(said) == [("a", "Jules|wears|ring"), ("b", "Jules|wears|ring"), ("b", "ring|marks|thief")]
    for one in range(graph.size):
        for other in range(graph.size):
            same = pool.facts[one].fact_id == pool.facts[other].fact_id
            assert (graph.fact[one] == graph.fact[other]) == same


@settings(max_examples=40)
@given(SEEDS)
def test_every_array_tells_what_the_chunks_tell(seed: int) -> None:
    pool = build_pool(random_chunks(seed), QUESTION)
    graph = fact_graph(pool, QUESTION)
    name: dict[int, str] = {}
    for n, fact in enumerate(pool.facts):
        for number, id_ in zip(graph.ends[n].tolist(), (fact.subject_id, fact.object_id), strict=True):
            assert name.setdefault(number, id_) == id_
        assert fact in pool.chunks[graph.chunk[n]].facts
        assert graph.states[n] == (fact.origin != "cooccurrence")
        assert graph.cosine[n] == pytest.approx(float(graph.vectors[n] @ QUESTION.vector))
    for number, id_ in name.items():
        mentioned = [row for row, chunk in enumerate(pool.chunks) if id_ in chunk.entity]
        assert graph.chunks_of.at(number).tolist() == mentioned
        led = [n for n, fact in enumerate(pool.facts) if fact.touches(id_) and fact.origin != "cooccurrence"]
        assert sorted(graph.facts_of.at(number).tolist()) == led, "each once, be it both ends"
        assert graph.named[number] == (id_ in QUESTION.entities)
        mentions, everywhere = max(len(mentioned), 2), QUESTION.chunks_in_workspace
        expected = math.log((everywhere + 1) / mentions) / math.log(everywhere + 1)
        assert graph.rarity[number] == pytest.approx(expected)


@settings(max_examples=40)
@given(SEEDS)
def test_words_are_bm25_over_what_the_facts_of_a_chunk_say(seed: int) -> None:
    pool = build_pool(random_chunks(seed), QUESTION)
    graph = fact_graph(pool, QUESTION)
    said = [[term for fact in stating(chunk) for term in terms(fact, chunk.language)] for chunk in pool.chunks]
    average = max(sum(map(len, said)) / len(said), 1.0)
    for row, own in enumerate(said):
        score = 0.0
        for term in set(QUESTION.terms):
            holding = sum(term in other for other in said)
            idf = math.log(1 + (len(said) - holding + 0.5) / (holding + 0.5))
            times = own.count(term)
            score += idf * times / (times + K1 * (1 - B + B * len(own) / average))
        assert graph.words[row] == pytest.approx(score)


@settings(max_examples=40)
@given(SEEDS)
def test_terms_count_by_how_rare_they_are_in_the_texts(seed: int) -> None:
    pool = build_pool(random_chunks(seed), QUESTION)
    graph = fact_graph(pool, QUESTION)
    order = sorted(set(QUESTION.terms))
    idf = {}
    for term in order:
        holding = sum(term in chunk.terms for chunk in pool.chunks)
        idf[term] = math.log(1 + (len(pool.chunks) - holding + 0.5) / (holding + 0.5)) if holding else 0.0
    total = sum(idf.values()) or 1.0
    assert graph.weight.tolist() == pytest.approx([idf[term] / total for term in order])
    for n, fact in enumerate(pool.facts):
        says = terms(f"{fact.subject} {fact.predicate} {fact.object}", "en")
        assert graph.said[n].tolist() == [float(term in says) for term in order]
        assert graph.share[n] == pytest.approx(sum(idf[term] for term in order if term in says) / total)
    for row, own in enumerate(pool.chunks):
        assert graph.held[row].tolist() == [float(term in own.terms) for term in order]


def test_an_entity_of_the_whole_workspace_is_as_common_as_it_is_there() -> None:
    common = {"Jules": QUESTION.chunks_in_workspace, "ring": 1}
    pool = build_pool([chunk("a", facts=[("Jules", "wears", "ring", 0.6)], common=common)], QUESTION)
    graph = fact_graph(pool, QUESTION)
    assert graph.rarity[graph.ends[0]].tolist() == pytest.approx([0.0, 1.0], abs=1e-4)


def test_the_order_of_the_chunks_changes_nothing() -> None:
    first = fact_graph(build_pool(JULES, QUESTION), QUESTION)
    for chunks in turned(JULES):
        again = fact_graph(build_pool(chunks, QUESTION), QUESTION)
        for name in ("chunk", "fact", "ends", "states", "cosine", "said", "share", "rarity", "named", "held", "words"):
            assert (getattr(again, name) == getattr(first, name)).all(), name


@pytest.mark.parametrize(
    "question", [asking(), asking("unheard"), QUESTION, replace(QUESTION, chunks_in_workspace=0)], ids=range(4)
)
@pytest.mark.parametrize("chunks", [[chunk("a")], [chunk("a", "ring", mentions=["x"])], JULES], ids=range(3))
def test_any_pool_has_a_fact_graph(chunks: list[PoolChunk], question: Question) -> None:
    graph = fact_graph(build_pool(chunks, question), question)
    for array in (graph.share, graph.words, graph.rarity, graph.weight):
        assert np.isfinite(array).all()
    assert graph.weight.sum() == pytest.approx(1.0) or not graph.weight.any()
