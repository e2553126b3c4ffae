"""The walk, on the story that gave the product its name: Jules - signet ring - The Claw - thieves."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import cast

import pytest

from filigraph.graph.ask.explore import search as explore
from filigraph.graph.ask.explore.pool import HOP_FEATURES, NOT_REACHED, TITLE, Pool, Walked, build_pool
from filigraph.graph.ask.explore.walk import (
    HUB_MIN_CHUNKS,
    LEADING_FACTS_PER_CHUNK,
    MAX_FRONTIER_CHUNKS,
    best_trails,
    extend,
    first_hops,
    hubs_ahead,
    not_walked,
)
from filigraph.graph.ask.ranking.hop_ranker import score
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import PoolChunk, Trail
from tests.unit.graph.making import CASE, JULES, TEXTS, Shelf, asking, chunk, found, near, turned, walk, ways

START = ["letter", "diary"]


def chain_to(end: str, pool: Pool, walked: Walked) -> Trail:
    return walked.trails[pool.row[end]]


# --------------------------------------------------------------------------------------------------------------------
# The way to the thieves


def test_three_hops_lead_from_jules_to_the_thieves() -> None:
    pool, walked = walk(CASE, JULES, START, 4)
    trail = chain_to("cutting", pool, walked)
    assert trail.chunk_ids == ("letter", "inventory", "cutting")
    assert trail.links == ("signet ring", "The Claw")


def test_every_chain_steps_only_where_two_chunks_share_its_link() -> None:
    pool, walked = walk(CASE, JULES, START, 4)
    assert len(walked.trails) == 4
    for trail in walked.trails.values():
        assert len(set(trail.chunk_ids)) == len(trail.chunk_ids), "no chunk twice"
        for (here, there), link in zip(itertools.pairwise(trail.chunk_ids), trail.links, strict=True):
            for id_ in (here, there):
                assert link in {entity.entity_id for entity in pool.chunks[pool.row[id_]].entities}


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_depth_is_the_number_of_hops(depth: int) -> None:
    line = [chunk(f"c{n}", facts=[(f"e{n}", "leads to", f"e{n + 1}", 0.3)]) for n in range(6)]
    pool, walked = walk(line, JULES, ["c0"], depth)
    assert max(len(trail.chunk_ids) for trail in walked.trails.values()) == depth
    assert set(ways(pool, walked)) == {f"c{n}" for n in range(1, depth)}
    hops = {pool.chunks[row].id: walked.hops[row, HOP_FEATURES.index("hops")] for row in walked.trails}
    assert hops == {f"c{n}": n for n in range(1, depth)}


# --------------------------------------------------------------------------------------------------------------------
# Which way is kept


def test_of_several_ways_to_a_chunk_the_best_is_kept() -> None:
    chunks = [
        chunk("far", vector=near(0.5), facts=[("Jules", "met", "Brun", 0.1)]),
        chunk("near", vector=near(0.5), facts=[("Jules", "fears", "Brun", 0.8)]),
        chunk("end", facts=[("Brun", "hunts", "The Claw", 0.2)]),
    ]
    for start in (["far", "near"], ["near", "far"]):
        pool, walked = walk(chunks, JULES, start, 2)
        assert ways(pool, walked)["end"] == ("near", "end")


def test_an_earlier_way_is_not_replaced_by_a_later_and_longer_one() -> None:
    chunks = [
        chunk("start", vector=near(0.9), facts=[("Jules", "wears", "ring", 0.1)], mentions=["Lyon"]),
        chunk("end", mentions=["Lyon", "The Claw"]),  # reached at once, by a poor hop
        chunk("middle", vector=near(0.8), facts=[("ring", "is the emblem of", "The Claw", 0.9)]),
    ]
    pool, walked = walk(chunks, JULES, ["start"], 2)
    later = walk(chunks, JULES, ["start"], 4)[1]
    assert ways(pool, walked)["end"] == ("start", "end")
    assert later.trails[pool.row["end"]] == walked.trails[pool.row["end"]]
    assert (later.hops[pool.row["end"]] == walked.hops[pool.row["end"]]).all()


def test_what_was_walked_before_is_not_changed() -> None:
    pool, walked = walk(CASE, JULES, START, 2)
    hops, trails = walked.hops.copy(), dict(walked.trails)
    extend(list(walked.trails.values()), pool, JULES, walked)
    assert (walked.hops == hops).all()
    assert walked.trails == trails


def test_the_walk_goes_on_from_the_best_ends_alone() -> None:
    ends = [
        chunk(f"end{n:02}", vector=near(0.9 - n / 40), mentions=["signet ring"]) for n in range(MAX_FRONTIER_CHUNKS + 4)
    ]
    pool, walked = walk([CASE[0], *ends], JULES, ["letter"], 2)
    assert len(walked.trails) == MAX_FRONTIER_CHUNKS + 4
    frontier = best_trails(walked, pool)
    assert [trail.end for trail in frontier] == [f"end{n:02}" for n in range(MAX_FRONTIER_CHUNKS)]


def test_a_chunk_that_is_not_reached_says_so() -> None:
    pool, walked = walk([*CASE, chunk("alone", mentions=["Lyon"])], JULES, START, 4)
    assert len(NOT_REACHED) == len(HOP_FEATURES)
    assert walked.hops[pool.row["alone"]].tolist() == list(NOT_REACHED)
    assert "alone" not in ways(pool, walked)


def test_the_order_of_the_pool_does_not_matter() -> None:
    twins = [chunk(f"twin{n}", TEXTS["cutting"], vector=near(0.5), mentions=["signet ring"]) for n in range(20)]
    pool, walked = walk([*CASE, *twins], JULES, START, 4)
    for chunks in turned([*CASE, *twins]):
        other, again = walk(chunks, JULES, START[::-1], 4)
        assert [chunk.id for chunk in other.chunks] == [chunk.id for chunk in pool.chunks]
        assert again.trails == walked.trails
        assert (again.hops == walked.hops).all()
        for one, same in zip(score(other, again, JULES, None), score(pool, walked, JULES, None), strict=True):
            assert (one == same).all()


def test_a_start_that_is_not_in_the_pool_is_left_out() -> None:
    pool = build_pool(CASE, JULES)
    assert [trail.end for trail in first_hops(pool, ["gone", "letter"])] == ["letter"]
    assert extend([], pool, JULES, not_walked(pool)).trails == {}


# --------------------------------------------------------------------------------------------------------------------
# Hubs


def paris(common: int, *, here: bool = True, there: bool = True) -> list[PoolChunk]:
    """Two chunks that know Paris, with a fact of it or without."""
    known = {"Paris": common}
    return [
        chunk("here", facts=[("Jules", "lives in", "Paris", 0.5)] if here else [], mentions=["Paris"], common=known),
        chunk("there", facts=[("Paris", "is", "capital", 0.2)] if there else [], mentions=["Paris"], common=known),
    ]


@pytest.mark.parametrize(
    ("common", "here", "there", "walked"),
    [
        (HUB_MIN_CHUNKS, False, False, True),
        (HUB_MIN_CHUNKS + 1, False, False, False),
        (HUB_MIN_CHUNKS + 1, True, False, False),
        (HUB_MIN_CHUNKS + 1, False, True, False),
        (HUB_MIN_CHUNKS + 1, True, True, True),
    ],
)
def test_a_hub_is_walked_only_with_a_fact_on_both_sides(common: int, here: bool, there: bool, walked: bool) -> None:
    pool, found = walk(paris(common, here=here, there=there), JULES, ["here"], 2)
    assert ("there" in ways(pool, found)) is walked


def test_a_hub_is_no_way_on_if_better_facts_say_nothing_of_it() -> None:
    facts = [("Jules", f"does {n}", f"thing {n}", 0.9) for n in range(LEADING_FACTS_PER_CHUNK)]
    here, there = paris(HUB_MIN_CHUNKS + 1)
    busy = chunk("here", facts=[*facts, ("Jules", "lives in", "Paris", 0.5)], common={"Paris": HUB_MIN_CHUNKS + 1})
    pool, walked = walk([busy, there], JULES, ["here"], 2)
    assert ways(pool, walked) == {}
    asked = asking("What of Paris?", entities={"Paris": HUB_MIN_CHUNKS + 1})  # then a fact of it leads, be it the last
    pool, walked = walk([busy, there], asked, ["here"], 2)
    assert ways(pool, walked) == {"there": ("here", "there")}
    assert here.entities != busy.entities


def test_hubs_whose_facts_lead_on_are_named() -> None:
    pool = build_pool(paris(HUB_MIN_CHUNKS + 1), JULES)
    assert hubs_ahead(first_hops(pool, ["here"]), pool, JULES) == ["Paris"]
    for chunks in (paris(HUB_MIN_CHUNKS), paris(HUB_MIN_CHUNKS + 1, here=False)):
        pool = build_pool(chunks, JULES)
        assert hubs_ahead(first_hops(pool, ["here"]), pool, JULES) == []


# --------------------------------------------------------------------------------------------------------------------
# Titles


def test_a_text_that_names_a_title_leads_to_its_document() -> None:
    chunks = [
        chunk("letter", facts=[("Jules", "has seen", "opera", 0.5)], names=["venice"]),
        chunk("venice", title="Death in Venice"),
    ]
    pool, walked = walk(chunks, JULES, ["letter"], 2)
    trail = chain_to("venice", pool, walked)
    assert (trail.chunk_ids, trail.links) == (("letter", "venice"), (TITLE,))
    found = dict(zip(HOP_FEATURES, walked.hops[pool.row["venice"]], strict=True))
    assert (found["title link"], found["title link back"], found["entity"]) == (1, 0, 0)


def test_a_title_hop_goes_back_as_well() -> None:
    chunks = [chunk("letter", names=["venice"]), chunk("venice", title="Death in Venice")]
    pool, walked = walk(chunks, JULES, ["venice"], 2)
    found = dict(zip(HOP_FEATURES, walked.hops[pool.row["letter"]], strict=True))
    assert (found["title link"], found["title link back"]) == (0, 1)


def test_a_title_leads_to_the_first_chunk_of_its_document_alone() -> None:
    pool, walked = walk([chunk("letter", names=["venice"]), chunk("venice", index=1)], JULES, ["letter"], 2)
    assert ways(pool, walked) == {}


def test_a_fact_of_what_the_next_document_is_titled_after_leads_there() -> None:
    facts = [("Jules", "fears", "Brun", 0.9), ("Jules", "has seen", "Death in Venice", 0.1)]
    chunks = [
        chunk("letter", facts=facts, names=["venice"]),
        chunk("venice", mentions=["Brun", "Death in Venice"], title="Death in Venice"),
    ]
    pool, walked = walk(chunks, JULES, ["letter"], 2)
    assert chain_to("venice", pool, walked).links == ("Death in Venice",)


# --------------------------------------------------------------------------------------------------------------------
# Which chunks a question is asked of


def small(chunks: list[PoolChunk], start: list[str]) -> tuple[set[str], set[str]]:
    """The pool of a workspace of few chunks, and what of it was walked to."""
    question = replace(JULES, chunks_in_workspace=len(chunks))
    pool, walked = explore.gather_pool(question, found(start), cast(GraphReader, Shelf(chunks)), 4)
    assert pool is not None
    assert walked is not None
    return set(pool.row), set(ways(pool, walked))


def test_a_small_workspace_is_its_own_pool() -> None:
    alone = chunk("alone", "It rains.")
    assert small([*CASE, alone], ["letter"])[0] == {*TEXTS, "alone"}, "whatever the searches bring"


def test_without_named_titles_facts_join_and_nothing_is_walked() -> None:
    assert small(CASE, START)[1] == set()


def test_where_titles_are_named_the_walk_leads_over_them() -> None:
    chunks = [
        chunk("letter", names=["venice"]),
        chunk("venice", title="Death in Venice", names=["mann"]),
        chunk("mann", title="Thomas Mann"),
    ]
    assert small(chunks, ["letter"]) == ({"letter", "venice", "mann"}, {"venice", "mann"})


def test_a_title_that_is_the_document_s_own_names_no_other() -> None:
    assert small([chunk("a", names=["a"], mentions=["x"]), chunk("b", mentions=["x"])], ["a"])[1] == set()


def test_no_chunks_are_no_pool() -> None:
    for asked in (JULES, replace(JULES, chunks_in_workspace=0)):
        assert explore.gather_pool(asked, found([]), cast(GraphReader, Shelf([])), 4) == (None, None)
