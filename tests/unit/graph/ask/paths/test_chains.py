"""Chains: the beam, if wide enough, finds the best of all chains."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.ask.explore.pool import Pool, build_pool
from filigraph.graph.ask.paths import chains
from filigraph.graph.ask.paths.chains import FactChain, best_chain_of_chunks, find_chains, relative_to_best
from filigraph.graph.ask.paths.fact_graph import FactGraph, fact_graph
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question
from tests.unit.graph.making import asking, chunk, near, random_chunks, unit

SEEDS = st.integers(0, 2**31)
QUESTION = asking("ring thief left", entities={"Name0": 2}, segments=np.array([unit(1, 1), unit(0.2, 0, 1)]))


def world(seed: int, facts: int = 7) -> tuple[Pool, FactGraph, Floats]:
    pool = build_pool(random_chunks(seed, facts=facts), QUESTION)
    return pool, fact_graph(pool, QUESTION), np.random.default_rng(seed).normal(size=len(pool.chunks))


def all_chains(graph: FactGraph, depth: int) -> set[tuple[int, ...]]:
    """Every chain that there is, by trying every fact at every step."""
    found = {(n,) for n in range(graph.size) if graph.states[n]}
    last = found
    for _ in range(depth):
        last = {
            (*own, n)
            for own in last
            for n in range(graph.size)
            if graph.states[n] and may_follow(own, n, graph) and may_stand(own, n, graph, depth)
        }
        found = found | last
    return found


def may_follow(own: tuple[int, ...], fact: int, graph: FactGraph) -> bool:
    times = Counter(end for n in own for end in graph.ends[n].tolist())
    ends = set(graph.ends[fact].tolist())
    shared = ends & times.keys()
    return (
        len(shared) == 1 < len(ends)  # over one end, to an entity that is new
        and times[next(iter(shared))] == 1  # that the chain does not pass through already
        and not is_named_hub(next(iter(shared)), graph)
        and graph.fact[fact] not in graph.fact[list(own)]
    )


def may_stand(own: tuple[int, ...], fact: int, graph: FactGraph, depth: int) -> bool:
    """In another chunk, of at most `depth`; or a second one in one of its own."""
    chunks = graph.chunk[list(own)].tolist()
    return chunks.count(graph.chunk[fact]) == 1 or (graph.chunk[fact] not in chunks and len(set(chunks)) < depth)


def is_named_hub(entity: int, graph: FactGraph) -> bool:
    return bool(graph.named[entity] and graph.rarity[entity] < chains.NAMED_HUB_MAX_RARITY)


def by_definition(facts: tuple[int, ...], graph: FactGraph, question: Question, chunk_scores: Floats) -> float:
    """A chain's score, fact by fact."""
    many = len(facts)
    covered = 0.0
    for term, weight in enumerate(graph.weight):
        covered += weight * max(
            max(graph.said[n, term], chains.CHUNK_TERM_WEIGHT * graph.held[graph.chunk[n], term]) for n in facts
        )
    both = np.sum([graph.vectors[n] for n in facts], axis=0)
    together = float(both @ question.vector) / max(float(np.linalg.norm(both)), 1e-6)
    pieces = [max(float(graph.vectors[n] @ piece) for n in facts) for piece in question.segments]
    ends = Counter(end for n in facts for end in graph.ends[n].tolist())
    links = sum(graph.rarity[end] for end, times in ends.items() if times == 2) if many > 1 else 0.0
    worth = [(chunk_scores[graph.chunk[n]] - chunk_scores.mean()) for n in facts]
    best = max(float((chunk_scores - chunk_scores.mean()).max()), 1e-9)
    return float(
        chains.TERM_COVERAGE_WEIGHT * covered
        + chains.CHAIN_COSINE_WEIGHT * together
        + chains.FACT_COSINE_WEIGHT * sum(graph.cosine[n] for n in facts) / many
        + chains.SEGMENT_COSINE_WEIGHT * sum(pieces) / len(pieces)
        + chains.LINK_RARITY_WEIGHT * links / max(many - 1, 1)
        + chains.CHUNK_SCORE_WEIGHT * sum(worth) / best / many
        - chains.EXTRA_HOP_COST * (many - 1)
    )


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 4))
def test_a_wide_beam_finds_every_chain_with_its_score(seed: int, depth: int) -> None:
    _, graph, scores = world(seed)
    found = find_chains(graph, QUESTION, scores, depth=depth)
    assert len({frozenset(chain.facts) for chain in found}) == len(found), "each once, whichever way it was joined"
    assert {frozenset(chain.facts) for chain in found} == {frozenset(own) for own in all_chains(graph, depth)}
    for chain in found:
        assert chain.score == pytest.approx(by_definition(chain.facts, graph, QUESTION, scores), abs=1e-4)


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 4), st.integers(5, 60))
def test_every_chain_is_one(seed: int, depth: int, facts: int) -> None:
    """Also where there are more than the beam holds."""
    _, graph, scores = world(seed, facts)
    found = find_chains(graph, QUESTION, scores, depth=depth)
    assert [chain.score for chain in found] == sorted((chain.score for chain in found), reverse=True)
    for chain in found:
        assert 1 <= len(chain.facts) <= depth + 1
        assert len({int(graph.fact[n]) for n in chain.facts}) == len(chain.facts), "no fact twice"
        passed = Counter(graph.chunk[list(chain.facts)].tolist())
        assert len(passed) <= depth
        assert max(passed.values()) <= chains.MAX_FACTS_PER_CHUNK
        assert graph.states[list(chain.facts)].all()
        for n in range(1, len(chain.facts)):
            before = {end for fact in chain.facts[:n] for end in graph.ends[fact].tolist()}
            assert len(before & set(graph.ends[chain.facts[n]].tolist())) == 1, "joined at one end, and no detour"


def test_a_narrow_beam_goes_on_from_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best facts are where chains start, and the best chains are what is extended."""
    _, graph, scores = world(3)
    whole = find_chains(graph, QUESTION, scores, depth=3)
    monkeypatch.setattr(chains, "MAX_START_FACTS", 1)
    narrow = find_chains(graph, QUESTION, scores, depth=1)
    assert len(narrow) == 1
    assert narrow[0].facts in {chain.facts for chain in whole}
    monkeypatch.setattr(chains, "MAX_START_FACTS", 40)
    monkeypatch.setattr(chains, "BEAM_WIDTH", 1)
    for length, many in Counter(len(c.facts) for c in find_chains(graph, QUESTION, scores, depth=3)).items():
        assert length == 1 or many == 1


def test_what_names_nothing_but_names_is_no_chain() -> None:
    pool = build_pool([chunk("a", facts=[("x", "is", "y", 0.5)])], QUESTION)
    beside = tuple(fact._replace(origin="cooccurrence") for fact in pool.chunks[0].facts)
    bare = build_pool([replace(pool.chunks[0], facts=beside)], QUESTION)
    assert find_chains(fact_graph(bare, QUESTION), QUESTION, np.zeros(1), depth=4) == []
    none = build_pool([chunk("a")], QUESTION)
    assert find_chains(fact_graph(none, QUESTION), QUESTION, np.zeros(1), depth=4) == []


@pytest.mark.parametrize(("common", "joined"), [(2, True), (3000, False)])
def test_a_hub_that_the_question_names_is_no_way_on(common: int, joined: bool) -> None:
    """Whatever mentions it is a beginning already."""
    known = {"Jules": common}
    told = [("Sophie", "loves", "Jules", 0.5)], [("Jules", "wears", "ring", 0.5)]
    chunks = [chunk(f"c{n}", vector=near(0.5 - n / 10), facts=facts, common=known) for n, facts in enumerate(told)]
    for asked, expected in (({"Jules": common}, joined), ({}, True)):
        question = asking("Why?", entities=asked)
        found = find_chains(fact_graph(build_pool(chunks, question), question), question, np.zeros(2), depth=2)
        assert any(len(chain.facts) == 2 for chain in found) is expected


def test_where_all_names_are_hubs_of_the_question_chains_end() -> None:
    common = {"Jules": 1000, "Sophie": 1000}
    question = asking("Does Sophie love Jules?", entities=common)
    pool = build_pool([chunk("c0", facts=[("Sophie", "loves", "Jules", 0.5)], common=common)], question)
    assert [one.facts for one in find_chains(fact_graph(pool, question), question, np.zeros(1), depth=2)] == [(0,)]


def test_the_best_chain_through_a_chunk() -> None:
    told = [chunk(f"c{n}", facts=[(f"x{n}", "is", f"y{n}", 0.5)], vector=near(0.9 - n / 9)) for n in range(4)]
    pool = build_pool(told, QUESTION)
    graph = fact_graph(pool, QUESTION)
    found = [FactChain(facts=(0, 1), score=2.0), FactChain(facts=(1, 2), score=3.0), FactChain(facts=(0,), score=1.0)]
    assert best_chain_of_chunks(found, graph, 4).tolist() == [2.0, 3.0, 3.0, pytest.approx(1.7)]
    assert len(set(best_chain_of_chunks([], graph, 4))) == 1


@settings(max_examples=40)
@given(st.lists(st.floats(-5, 5), min_size=1, max_size=9))
def test_an_average_chunk_is_worth_nothing_and_the_best_one(values: list[float]) -> None:
    scores = np.array(values)
    worth = relative_to_best(scores)
    assert np.isfinite(worth).all()
    if scores.max() - scores.min() > 1e-3:
        assert worth.max() == pytest.approx(1.0)
        assert worth.mean() == pytest.approx(0.0, abs=1e-6)
    for one, other in itertools.combinations(range(len(values)), 2):
        assert (scores[one] <= scores[other]) == (worth[one] <= worth[other]) or worth[one] == worth[other]
