"""The paths that are shown: which chains, how probable, in which order and in which words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.ask.explore.pool import Pool, build_pool
from filigraph.graph.ask.paths.answer_likelihood import learned_weights
from filigraph.graph.ask.paths.chains import FactChain, find_chains, find_reasons
from filigraph.graph.ask.paths.fact_graph import FactGraph, fact_graph
from filigraph.graph.ask.paths.probability import (
    FURTHER_LEAD_MAX_PROBABILITY,
    PathCurve,
    learned_curve,
    path_cosines,
)
from filigraph.graph.ask.paths.select import ChosenPath, FactProperties, PathSelector, reading_order
from filigraph.graph.ask.paths.verbalize import chunk_ids, to_path
from filigraph.graph.ask.ranking.narrative_ranker import learned_ranker, score_chunks
from filigraph.graph.model.retrieval import Passage, Path, PoolChunk, Question
from tests.unit.graph.making import (
    CASE,
    JULES,
    TEXTS,
    asking,
    chunk,
    near,
    passages,
    random_chunks,
    renamed,
    turned,
)

RANDOM = st.integers(0, 2**31)
FREE = PathCurve(value=1.0, together=0.5, meaning=0.5, bias=-2.0, floor=0.0)


def choose(
    chunks: Sequence[PoolChunk], question: Question, *, depth: int = 4, limit: int = 3, curve: PathCurve = FREE
) -> tuple[list[ChosenPath], FactGraph, Pool]:
    """The whole way from chunks to the paths that are shown."""
    pool = build_pool(chunks, question)
    graph = fact_graph(pool, question)
    found = score_chunks(pool, graph, question, learned_ranker(), depth=depth)
    paths = PathSelector(found.chains, graph, pool, question, found.score, curve, learned_weights()).to_show(limit)
    return paths, graph, pool


def told(
    chunks: Sequence[PoolChunk], question: Question, texts: Mapping[str, str] | None = None, limit: int = 3
) -> list[Path]:
    """The paths in words."""
    chosen, _, pool = choose(chunks, question, limit=limit)
    shown: dict[str, Passage] = passages(texts or {chunk.id: "It is said." for chunk in chunks})
    return [to_path(path, pool, shown) for path in chosen]


# --------------------------------------------------------------------------------------------------------------------
# Two things side by side


def test_what_is_compared_stands_side_by_side() -> None:
    """Two paths about Ann are more probable than the one about Paul, which is told of second all the same."""
    case = [
        chunk("a", vector=near(0.9), facts=[("Ann", "is aged", "forty", 0.9)]),
        chunk("b", vector=near(0.8), facts=[("Ann", "was born in", "Lyon", 0.8)]),
        chunk("c", vector=near(0.5), facts=[("Paul", "is aged", "thirty", 0.5)]),
    ]
    asked = asking("Who is older, Ann or Paul?", entities={"Ann": 2, "Paul": 1})
    alone = [path.text for path in told(case, asked)]
    assert [text.split()[0] for text in alone] == ["Ann", "Ann", "Paul"]
    beside = told(case, replace(asked, compared=(frozenset({"Ann"}), frozenset({"Paul"}))))
    assert [path.text for path in beside] == [alone[0], alone[2], alone[1]]
    assert not any(path.lead for path in beside)


def test_paths_about_one_alone_compare_nothing() -> None:
    case = [chunk("a", vector=near(0.9), facts=[("Ann", "is aged", "forty", 0.9)])]
    asked = replace(
        asking("Who is older, Ann or Paul?", entities={"Ann": 2}), compared=(frozenset({"Ann"}), frozenset({"Paul"}))
    )
    assert [path.lead for path in choose(case, asked)[0]] == [True]
    case += [chunk("b", vector=near(0.8), facts=[("Paul", "is aged", "thirty", 0.8)])]
    assert [path.lead for path in choose(case, replace(asked, text="Compare Ann and Paul."))[0]] == [True, True]
    assert [path.lead for path in choose(case, asked)[0]] == [False, False]
    together = replace(asked, text="Where do Ann and Paul live?")
    assert [path.lead for path in choose(case, together)[0]] == [False, False]


def test_a_path_about_one_alone_connects_nothing() -> None:
    case = [
        chunk("a", vector=near(0.9), facts=[("Ann", "is aged", "forty", 0.9)]),
        chunk("b", vector=near(0.8), facts=[("Ann", "met", "Paul", 0.8)]),
    ]
    asked = asking("How is Ann linked to Paul?", entities={"Ann": 2, "Paul": 1})
    connecting = replace(asked, connected=(frozenset({"Ann"}), frozenset({"Paul"})))
    assert {path.text: path.lead for path in told(case, connecting)} == {
        "Ann is aged forty": True,
        "Ann met Paul": False,
    }


# --------------------------------------------------------------------------------------------------------------------
# The way to the thieves


def test_three_hops_lead_from_jules_to_the_thieves() -> None:
    path = told(CASE, JULES, TEXTS)[0]
    assert path.text == (
        "Jules wears signet ring; signet ring is the emblem of The Claw; The Claw is society of thieves"
    )
    assert [hop.kind for hop in path.hops] == ["fact"] * 3
    assert [hop.sentence for hop in path.hops] == [TEXTS["letter"], TEXTS["inventory"], TEXTS["cutting"]]
    assert path.chunk_ids == ("letter", "inventory", "cutting")
    assert [hop.score for hop in path.hops] == pytest.approx([0.6, 0.3, 0.35])


def test_the_ranked_chain_is_the_path_that_is_shown() -> None:
    chosen, graph, pool = choose(CASE, JULES)
    path = to_path(chosen[0], pool, passages(TEXTS))
    assert path.score == chosen[0].probability
    assert [hop.fact_id for hop in path.hops] == [pool.facts[n].fact_id for n in chosen[0].facts]
    assert chunk_ids(chosen[0], pool) == [pool.chunks[graph.chunk[n]].id for n in chosen[0].facts]


def test_a_reason_is_what_somebody_is_and_not_the_question_said_again() -> None:
    """Where many facts are nearer to the question, and two chains go on from its name, one of which repeats it."""
    games = [chunk(f"c{n}", vector=near(0.5), facts=[("Jules", "plays with", f"Tom {n}", 0.45)]) for n in range(70)]
    gossip = [("Jules", "meets", "Aunt Ada", 0.5), ("Aunt Ada", "says be wary to", "Ann", 0.6)]
    port = [("The Claw", "comes to", "Dover", 0.4)]
    case = [*CASE, *games, chunk("gossip", vector=near(0.4), facts=gossip), chunk("port", vector=near(0.2), facts=port)]
    assert told(case, JULES)[0].text.endswith("The Claw is society of thieves")
    plain = told(case, replace(JULES, text="Who is wary of Jules?"))[0].text
    assert "thieves" not in plain


def test_reasons_follow_from_what_is_named_despite_nearer_chains() -> None:
    games = [chunk(f"c{n}", vector=near(0.9), facts=[("Jules", "plays with", f"Tom {n}", 0.9)]) for n in range(70)]
    pool = build_pool([*CASE, *games], JULES)
    graph = fact_graph(pool, JULES)

    def found(search: Callable[..., list[FactChain]]) -> list[list[str]]:
        chains = search(graph, JULES, pool.dense, depth=4)
        return [[pool.facts[fact].fact_id for fact in chain.facts] for chain in chains]

    (way,) = (chain for chain in found(find_reasons) if len(chain) == 3)
    assert way == ["Jules|wears|signet ring", "signet ring|is the emblem of|The Claw", "The Claw|is|society of thieves"]
    assert way not in found(find_chains)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_no_path_is_longer_than_the_depth(depth: int) -> None:
    line = [chunk(f"c{n}", vector=near(0.9 - n / 9), facts=[(f"e{n}", "leads to", f"e{n + 1}", 0.3)]) for n in range(6)]
    chosen, _, _ = choose(line, JULES, depth=depth, limit=9)
    assert chosen
    assert max(len(path.facts) for path in chosen) <= depth


def test_the_cypher_of_a_path_holds_only_ids() -> None:
    cypher = told(CASE, JULES, TEXTS)[0].cypher
    assert "'Jules|wears|signet ring'" in cypher  # in this world a fact's id is its words
    assert cypher.endswith("RETURN p")


def test_a_hop_tells_who_says_it_and_what_it_follows_from() -> None:
    letter = chunk("letter", facts=[("Jules", "is", "thief", 0.5)])
    (fact,) = letter.facts
    hearsay = fact._replace(origin="implied", premises=((0, 5),), start=6, end=12, according_to="Brun")
    (path,) = told([replace(letter, facts=(hearsay,))], JULES, {"letter": "Why? Ask Ada."})
    (hop,) = path.hops
    assert (hop.implied, hop.premises, hop.sentence, hop.according_to) == (True, ("Why? ",), "sk Ada", "Brun")
    assert path.text == "Jules is thief (according to Brun)"


# --------------------------------------------------------------------------------------------------------------------
# Which chains are shown


def test_a_comparison_has_two_paths() -> None:
    question = asking("Is the director of Dawn older than that of Dusk?", entities={"Dawn": 1, "Dusk": 1})
    films, born = [("Dawn", "Ferrand"), ("Dusk", "Moreau")], [("Ferrand", "1830"), ("Moreau", "1842")]
    chunks = [
        chunk(f"film {f}", vector=near(0.8, 1 + (f == "Dusk")), facts=[(f, "was directed by", d, 0.6)])
        for f, d in films
    ]
    chunks += [chunk(d, vector=near(0.4, 1 + (d == "Moreau")), facts=[(d, "was born in", y, 0.4)]) for d, y in born]
    assert {path.text for path in told(chunks, question)[:2]} == {
        "Dawn was directed by Ferrand; Ferrand was born in 1830",
        "Dusk was directed by Moreau; Moreau was born in 1842",
    }


def test_a_fact_that_says_what_was_asked_comes_before_a_longer_way() -> None:
    """Both facts of the letter are as near to the question; only one says where she works."""
    letter = chunk(
        "letter",
        "Sophie loves Jules. Sophie works at the library.",
        vector=near(0.6),
        facts=[("Sophie", "loves", "Jules", 0.6), ("Sophie", "works at", "library", 0.6)],
    )
    diary = chunk("diary", "Jules kissed Mathilde.", vector=near(0.5), facts=[("Jules", "kissed", "Mathilde", 0.6)])
    for asked, first in (
        ("At which place works Sophie?", "Sophie works at library"),
        ("Why be wary of Sophie?", "Sophie loves Jules; Jules kissed Mathilde"),
    ):
        assert told([letter, diary], asking(asked, entities={"Sophie": 2}))[0].text == first


def test_beside_a_reason_what_is_none_is_a_lead() -> None:
    """The diary loves Jules and the kiss is his, but neither says why to be wary of him."""
    case, texts = (
        [*CASE, chunk("kiss", vector=near(0.9, 3), facts=[("Jules", "kisses", "Mathilde", 0.7)])],
        {
            **TEXTS,
            "kiss": "Jules kisses Mathilde.",
        },
    )
    first, *others = told(case, JULES, texts)
    assert not first.lead
    assert others
    assert all(path.lead and path.score > FURTHER_LEAD_MAX_PROBABILITY for path in others)
    assert not any(path.lead for path in told(case, replace(JULES, text="Who is wary of Jules?"), texts))


@pytest.mark.parametrize(
    ("probability", "leads"),
    [(0.07, [True, True]), (0.11, [False, True]), (0.14, [False, False])],
)
def test_a_further_path_is_folded_sooner_than_the_first(probability: float, leads: list[bool]) -> None:
    """Unless the question compares: then each path may be about another name."""
    even = PathCurve(value=0.0, together=0.0, meaning=0.0, bias=float(np.log(probability / (1 - probability))), floor=0)
    case = [
        chunk("a", vector=near(0.9), facts=[("Ann", "is aged", "forty", 0.9)]),
        chunk("b", vector=near(0.5), facts=[("Paul", "is aged", "thirty", 0.5)]),
    ]
    question = asking("Who is older, Ann or Paul?", entities={"Ann": 1, "Paul": 1})
    assert [path.lead for path in choose(case, question, curve=even)[0]] == leads
    compared = replace(question, compared=(frozenset({"Ann"}), frozenset({"Paul"})))
    assert [path.lead for path in choose(case, compared, curve=even)[0]] == [leads[0]] * 2


@pytest.mark.parametrize(
    ("named", "wheels", "leads"), [("Ann", 12, True), ("Ann and the mill", 12, False), ("Ann", 6, False)]
)
def test_a_first_path_over_a_hub_that_the_question_does_not_name_is_a_lead(
    named: str, wheels: int, leads: bool
) -> None:
    case = [chunk("a", vector=near(0.9), facts=[("Ann", "owns", "mill", 0.9)])]
    case += [chunk(f"c{n}", vector=near(0.1), facts=[("mill", "has", f"wheel {n}", 0.1)]) for n in range(wheels)]
    named_entities = {"Ann": 1} | ({"mill": wheels + 1} if "mill" in named else {})
    question = replace(asking(f"What of {named}?", entities=named_entities), chunks_in_workspace=wheels + 1)
    likely = PathCurve(value=0.0, together=0.0, meaning=0.0, bias=2.0, floor=0.0)
    first = choose(case, question, curve=likely)[0][0]
    assert first.lead == leads


def test_names_that_share_a_sentence_are_no_path() -> None:
    (one,) = [chunk("one", facts=[("Jules", "mentioned with", "Brun", 0.9)])]
    beside = replace(one, facts=tuple(fact._replace(origin="cooccurrence") for fact in one.facts))
    assert told([beside], JULES) == []


def test_a_chunk_is_a_path_only_if_it_says_a_fact() -> None:
    paths = told([*CASE, chunk("bare", mentions=["Jules"], vector=near(0.99))], JULES, TEXTS, limit=9)
    assert paths
    assert all("bare" not in path.chunk_ids for path in paths)


def test_near_copies_of_a_path_are_not_shown_beside_it() -> None:
    copies = [
        replace(CASE[0], id=f"copy{n}", document_id=f"copy{n}", vectors=np.array([near(0.8 - n / 50)]))
        for n in range(3)
    ]
    texts = {**TEXTS, **{copy.id: TEXTS["letter"] for copy in copies}}
    said = [frozenset(hop.fact_id for hop in path.hops) for path in told([*CASE, *copies], JULES, texts, limit=9)]
    assert len(set(said)) == len(said)
    assert sum("Jules|wears|signet ring" in facts for facts in said) == 1


def test_nothing_is_shown_of_nothing() -> None:
    chosen, graph, pool = choose(CASE, JULES, limit=0)
    assert chosen == []
    assert PathSelector([], graph, pool, JULES, np.zeros(4), FREE, learned_weights()).to_show(3) == []
    assert path_cosines([], graph, pool, JULES) == (0.0, 0.0)


@settings(max_examples=40)
@given(RANDOM, st.integers(2, 4), st.integers(1, 5))
def test_shown_paths_are_connected_new_and_in_order(seed: int, depth: int, limit: int) -> None:
    question = asking("Why was ring thief left?", entities={"Name0": 2})
    chosen, graph, _ = choose(random_chunks(seed, facts=14, chunks=8), question, depth=depth, limit=limit)
    assert len(chosen) <= limit
    assert [path.probability for path in chosen] == sorted((path.probability for path in chosen), reverse=True)
    for path in chosen:
        assert 0 <= path.probability <= 1
        assert 1 <= len(path.facts) <= depth + 1
        assert len({int(graph.chunk[n]) for n in path.facts}) <= depth
        assert graph.states[list(path.facts)].all()
        assert len({int(graph.fact[n]) for n in path.facts}) == len(path.facts), "no fact twice"
        for one, other in itertools.pairwise(path.facts):
            assert set(graph.ends[one].tolist()) & set(graph.ends[other].tolist())
        times = [
            graph.ends[list(path.facts)].ravel().tolist().count(end) for end in graph.ends[list(path.facts)].ravel()
        ]
        assert len(path.facts) == 1 or max(times) <= 2, "no entity is passed twice"
    said = [frozenset(graph.fact[list(path.facts)].tolist()) for path in chosen]
    assert not any(one < other for one in said for other in said), "none says what another one says and more"


@settings(max_examples=40)
@given(RANDOM)
def test_no_two_paths_stand_in_the_same_chunks(seed: int) -> None:
    question = asking("Why was ring thief left?", entities={"Name0": 2})
    chosen, graph, _ = choose(random_chunks(seed, facts=14, chunks=8), question, limit=5)
    rows = [frozenset(graph.chunk[list(path.facts)].tolist()) for path in chosen]
    assert len(set(rows)) == len(rows)


@settings(max_examples=20)
@given(RANDOM)
def test_neither_the_order_of_the_chunks_nor_any_id_matters(seed: int) -> None:
    question = asking("Who left the ring, and why?", entities={"Name0": 2, "Name1": 2}, words={"c1": 2.0})
    chunks = random_chunks(seed, facts=12)
    first = [(path.text, path.score) for path in told(chunks, question)]
    moved, asked = renamed(chunks, question, str(seed))
    assert [(path.text, path.score) for path in told(moved, asked)] == first
    for other in turned(chunks):
        assert [(path.text, path.score) for path in told(other, question)] == first


# --------------------------------------------------------------------------------------------------------------------
# Probability and floor


@settings(max_examples=20)
@given(RANDOM)
def test_below_the_floor_nothing_is_shown(seed: int) -> None:
    question = asking("Why was ring thief left?")
    chunks = random_chunks(seed)
    free, _, _ = choose(chunks, question)
    best = max((path.probability for path in free), default=0.0)
    assert choose(chunks, question, curve=replace(FREE, floor=best + 1e-9))[0] == []
    assert choose(chunks, question, curve=replace(FREE, floor=best))[0] == free


def test_a_path_about_a_name_that_was_asked_is_shown_below_the_floor_too() -> None:
    strict = replace(FREE, floor=1.0)
    assert choose(CASE, asking("Why be wary?"), curve=strict)[0] == []
    assert choose(CASE, asking("Where is a signet ring?", entities={"signet ring": 2}), curve=strict)[0] == []
    assert choose(CASE, JULES, curve=strict)[0] == choose(CASE, JULES)[0]


def test_a_probability_is_that_of_the_curve() -> None:
    chosen, graph, pool = choose(CASE, JULES)
    near_to = path_cosines([path.facts for path in chosen], graph, pool, JULES)
    both = graph.vectors[list(chosen[0].facts)].sum(axis=0)
    alone = path_cosines([chosen[0].facts], graph, pool, JULES)
    assert alone[0] == pytest.approx(float(both @ JULES.vector / np.linalg.norm(both)))
    assert alone[1] == pytest.approx(max(float(pool.dense[graph.chunk[n]]) for n in chosen[0].facts))
    flat = PathCurve(value=0.0, together=2.0, meaning=1.0, bias=-1.0, floor=0.0)
    expected = 1 / (1 + np.exp(-(2 * near_to[0] + near_to[1] - 1)))
    assert [path.probability for path in choose(CASE, JULES, curve=flat)[0]] == pytest.approx([expected] * len(chosen))


def test_with_another_embedder_there_is_no_floor() -> None:
    """The curve's cosines are those of the embedder that it was learned with."""
    assert learned_curve("an embedder of somebody's own").floor == 0.0


# --------------------------------------------------------------------------------------------------------------------
# Reading order


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize(("named", "expected"), [("Jules", [0, 1, 2]), ("society of thieves", [2, 1, 0])])
def test_a_path_is_read_from_what_the_question_names(order: tuple[int, ...], named: str, expected: list[int]) -> None:
    question = asking("Why?", entities={named: 2})
    pool = build_pool(CASE[:3], question)
    graph = fact_graph(pool, question)
    number = [int(pool.layout.fact_starts[pool.row[id_]]) for id_ in ("letter", "inventory", "cutting")]
    facts = [number[n] for n in order]
    assert reading_order(facts, FactProperties.of(np.array(facts), graph)) == tuple(number[n] for n in expected)


@settings(max_examples=40)
@given(RANDOM)
def test_reading_order_keeps_every_fact_and_connects_them(seed: int) -> None:
    question = asking("ring", entities={"Name0": 2})
    pool = build_pool(random_chunks(seed, facts=12), question)
    graph = fact_graph(pool, question)
    chains: list[FactChain] = score_chunks(pool, graph, question, learned_ranker(), depth=4).chains
    for chain in chains:
        order = reading_order(chain.facts, FactProperties.of(np.array(chain.facts), graph))
        assert sorted(order) == sorted(chain.facts)
        for one, other in itertools.pairwise(order):
            assert set(graph.ends[one].tolist()) & set(graph.ends[other].tolist())
