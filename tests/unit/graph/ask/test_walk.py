"""The walk, on the story the product is named for: Jules - signet ring - The Claw - thieves."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from filigraph.graph.ask.paths import WORTHLESS, choose_paths, to_path
from filigraph.graph.ask.pool import HOP_FEATURES, NOT_REACHED, TITLE, Pool, Walked, lay_out
from filigraph.graph.ask.rank import score
from filigraph.graph.ask.walk import FIRST_HOPS, HUB, LEADING, best_of, extend, first_hops, hubs_ahead, not_walked
from filigraph.graph.model import Chain, Path, PoolChunk, Question
from tests.unit.graph.making import asking, chunk, near, passages, turned, unit, walk, ways

JULES = asking("Why be wary of Jules?", entities={"Jules": 2})
TEXTS = {
    "letter": "Jules wears a signet ring.",
    "inventory": "Lot 3. The signet ring is the emblem of The Claw.",
    "cutting": "The Claw is a society of thieves.",
    "diary": "Sophie loves Jules.",
}
CASE = [
    chunk("letter", TEXTS["letter"], vector=unit(0.9, 0.4), facts=[("Jules", "wears", "signet ring", 0.6)]),
    chunk(
        "inventory",
        TEXTS["inventory"],
        vector=unit(0.3, 0.9),
        facts=[("signet ring", "is the emblem of", "The Claw", 0.3)],
    ),
    chunk(
        "cutting", TEXTS["cutting"], vector=unit(0.2, 0.3, 0.9), facts=[("The Claw", "is", "society of thieves", 0.35)]
    ),
    chunk("diary", TEXTS["diary"], vector=unit(0.95, 0.1, 0.1), facts=[("Sophie", "loves", "Jules", 0.7)]),
]
START = ["letter", "diary"]


def scored(pool: Pool, walked: Walked) -> dict[str, float]:
    return dict(zip((chunk.id for chunk in pool.chunks), score(pool, walked, None).tolist(), strict=True))


def chain_to(end: str, pool: Pool, walked: Walked) -> Chain:
    return walked.chains[pool.row[end]]


def say(
    chunks: list[PoolChunk],
    question: Question,
    start: Sequence[str],
    end: str,
    texts: Mapping[str, str],
    titles: Mapping[str, str] | None = None,
) -> Path:
    """The way to a chunk in words. Its chunks are the best, in walking order."""
    pool, walked = walk(chunks, question, start, 4)
    chain = chain_to(end, pool, walked)
    (way,) = choose_paths(walked, pool, question, ranked(*chain.chunk_ids, *pool.row), limit=1)
    assert way.chain.chunk_ids == chain.chunk_ids
    return to_path(way, ranked(*chain.chunk_ids), passages(texts, titles=titles))


def ranked(*ids: str) -> dict[str, float]:
    """Scores that put chunks into this order."""
    return {id_: 1 - n / 100 for n, id_ in enumerate(dict.fromkeys(ids))}


def path_to(end: str, chunks: list[PoolChunk], texts: Mapping[str, str]) -> Path:
    return say(chunks, JULES, START, end, texts)


# --------------------------------------------------------------------------------------------------------------------
# The way to the thieves


def test_three_hops_lead_from_jules_to_the_thieves() -> None:
    path = path_to("cutting", CASE, TEXTS)
    assert path.text == (
        "Jules wears signet ring; signet ring is the emblem of The Claw; The Claw is society of thieves"
    )
    assert [hop.kind for hop in path.hops] == ["fact"] * 3
    assert [hop.sentence for hop in path.hops] == [TEXTS["letter"], TEXTS["inventory"], TEXTS["cutting"]]


def test_the_chain_that_is_kept_is_the_path_that_is_shown() -> None:
    pool, walked = walk(CASE, JULES, START, 4)
    chain = chain_to("cutting", pool, walked)
    assert chain.chunk_ids == ("letter", "inventory", "cutting")
    assert chain.links == ("signet ring", "The Claw")
    path = path_to("cutting", CASE, TEXTS)
    assert path.chunk_ids == chain.chunk_ids
    assert path.score == pytest.approx(0.99), "the mean of 1, 0.99 and 0.98"


def test_the_way_to_the_thieves_is_among_the_paths_that_are_shown() -> None:
    pool, walked = walk(CASE, JULES, START, 4)
    scores = dict(sorted(scored(pool, walked).items(), key=lambda item: -item[1]))
    assert ("letter", "inventory", "cutting") in shown(pool, walked, scores)


def test_hops_connect() -> None:
    hops = path_to("cutting", CASE, TEXTS).hops
    for one, other in itertools.pairwise(hops):
        assert {one.subject_id, one.object_id} & {other.subject_id, other.object_id}


def test_every_chain_steps_only_where_two_chunks_share_its_link() -> None:
    pool, walked = walk(CASE, JULES, START, 4)
    assert len(walked.chains) == 4
    for chain in walked.chains.values():
        assert len(set(chain.chunk_ids)) == len(chain.chunk_ids), "no chunk twice"
        for (here, there), link in zip(itertools.pairwise(chain.chunk_ids), chain.links, strict=True):
            for id_ in (here, there):
                assert link in {entity.entity_id for entity in pool.chunks[pool.row[id_]].entities}


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_depth_is_the_number_of_hops(depth: int) -> None:
    line = [chunk(f"c{n}", facts=[(f"e{n}", "leads to", f"e{n + 1}", 0.3)]) for n in range(6)]
    pool, walked = walk(line, JULES, ["c0"], depth)
    assert max(len(chain.chunk_ids) for chain in walked.chains.values()) == depth
    assert set(ways(pool, walked)) == {f"c{n}" for n in range(1, depth)}
    hops = {pool.chunks[row].id: walked.hops[row, HOP_FEATURES.index("hops")] for row in walked.chains}
    assert hops == {f"c{n}": n for n in range(1, depth)}


def test_the_cypher_of_a_path_holds_only_ids() -> None:
    cypher = path_to("cutting", CASE, TEXTS).cypher
    assert "'Jules|wears|signet ring'" in cypher  # in this world a fact's id is its words
    assert cypher.endswith("RETURN p")


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
    assert later.chains[pool.row["end"]] == walked.chains[pool.row["end"]]
    assert (later.hops[pool.row["end"]] == walked.hops[pool.row["end"]]).all()


def test_what_was_walked_before_is_not_changed() -> None:
    pool, walked = walk(CASE, JULES, START, 2)
    hops, chains = walked.hops.copy(), dict(walked.chains)
    extend(list(walked.chains.values()), pool, JULES, walked)
    assert (walked.hops == hops).all()
    assert walked.chains == chains


def test_the_walk_goes_on_from_the_best_ends_alone() -> None:
    ends = [chunk(f"end{n:02}", vector=near(0.9 - n / 40), mentions=["signet ring"]) for n in range(FIRST_HOPS + 4)]
    pool, walked = walk([CASE[0], *ends], JULES, ["letter"], 2)
    assert len(walked.chains) == FIRST_HOPS + 4
    frontier = best_of(walked, pool)
    assert [chain.end for chain in frontier] == [f"end{n:02}" for n in range(FIRST_HOPS)]


def test_a_chunk_that_is_not_reached_says_so() -> None:
    pool, walked = walk([*CASE, chunk("alone", mentions=["Lyon"])], JULES, START, 4)
    assert len(NOT_REACHED) == len(HOP_FEATURES)
    assert walked.hops[pool.row["alone"]].tolist() == list(NOT_REACHED)
    assert "alone" not in ways(pool, walked)


def test_the_order_of_the_pool_does_not_matter() -> None:
    twins = [chunk(f"twin{n}", TEXTS["cutting"], vector=near(0.5), mentions=["signet ring"]) for n in range(20)]
    pool, walked = walk([*CASE, *twins], JULES, START, 4)
    scores = dict(sorted(scored(pool, walked).items(), key=lambda item: (-item[1], item[0])))
    for chunks in turned([*CASE, *twins]):
        other, again = walk(chunks, JULES, START[::-1], 4)
        assert [chunk.id for chunk in other.chunks] == [chunk.id for chunk in pool.chunks]
        assert again.chains == walked.chains
        assert (again.hops == walked.hops).all()
        assert (score(other, again, None) == score(pool, walked, None)).all()
        assert shown(other, again, scores) == shown(pool, walked, scores)


def test_a_start_that_is_not_in_the_pool_is_left_out() -> None:
    pool = lay_out(CASE, JULES)
    assert [chain.end for chain in first_hops(pool, ["gone", "letter"])] == ["letter"]
    assert extend([], pool, JULES, not_walked(pool)).chains == {}


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
        (HUB, False, False, True),
        (HUB + 1, False, False, False),
        (HUB + 1, True, False, False),
        (HUB + 1, False, True, False),
        (HUB + 1, True, True, True),
    ],
)
def test_a_hub_is_walked_only_with_a_fact_on_both_sides(common: int, here: bool, there: bool, walked: bool) -> None:
    pool, found = walk(paris(common, here=here, there=there), JULES, ["here"], 2)
    assert ("there" in ways(pool, found)) is walked


def test_a_hub_is_no_way_on_if_better_facts_say_nothing_of_it() -> None:
    facts = [("Jules", f"does {n}", f"thing {n}", 0.9) for n in range(LEADING)]
    here, there = paris(HUB + 1)
    busy = chunk("here", facts=[*facts, ("Jules", "lives in", "Paris", 0.5)], common={"Paris": HUB + 1})
    pool, walked = walk([busy, there], JULES, ["here"], 2)
    assert ways(pool, walked) == {}
    asked = asking("What of Paris?", entities={"Paris": HUB + 1})  # then a fact of it leads, be it the last
    pool, walked = walk([busy, there], asked, ["here"], 2)
    assert ways(pool, walked) == {"there": ("here", "there")}
    assert here.entities != busy.entities


def test_hubs_whose_facts_lead_on_are_named() -> None:
    pool = lay_out(paris(HUB + 1), JULES)
    assert hubs_ahead(first_hops(pool, ["here"]), pool, JULES) == ["Paris"]
    for chunks in (paris(HUB), paris(HUB + 1, here=False)):
        pool = lay_out(chunks, JULES)
        assert hubs_ahead(first_hops(pool, ["here"]), pool, JULES) == []


# --------------------------------------------------------------------------------------------------------------------
# Titles and mentions


def test_a_text_that_names_a_title_leads_to_its_document() -> None:
    chunks = [
        chunk("letter", facts=[("Jules", "has seen", "opera", 0.5)], names=["venice"]),
        chunk("venice", title="Death in Venice"),
    ]
    pool, walked = walk(chunks, JULES, ["letter"], 2)
    chain = chain_to("venice", pool, walked)
    assert (chain.chunk_ids, chain.links) == (("letter", "venice"), (TITLE,))
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


def test_a_title_hop_says_that_the_text_names_the_title() -> None:
    texts = {"letter": "He said so. Jules gave her Death in Venice.", "venice": "A novella."}
    novella = chunk("venice", facts=[("Mann", "wrote", "it", 0.3)])
    chunks = [chunk("letter", mentions=["Jules"], names=["venice"]), novella]
    path = say(chunks, JULES, ["letter"], "venice", texts, {"venice": "Death in Venice"})
    first, second = path.hops
    assert (first.kind, first.subject, first.object) == ("title", "Jules", "Death in Venice")
    assert first.sentence == "Jules gave her Death in Venice."
    assert second.kind == "fact"
    assert path.text == "Jules named in the text that names Death in Venice; Mann wrote it"


def test_a_title_hop_back_says_which_text_names_which_title() -> None:
    texts = {"venice": "A novella.", "letter": "Jules gave her Death in Venice."}
    letter = chunk("letter", facts=[("Jules", "gave her", "a book", 0.3)], names=["venice"])
    chunks = [letter, chunk("venice", mentions=["Mann"], title="Death in Venice")]
    titles = {"venice": "Death in Venice", "letter": "A letter"}
    assert "named in the text that names A letter" not in say(chunks, JULES, ["venice"], "letter", texts, titles).text


def test_a_path_that_ends_at_a_title_does_not_say_that_it_names_itself() -> None:
    texts = {"letter": "Jules gave her Death in Venice.", "venice": "A novella."}
    letter = chunk("letter", names=["venice"])
    chunks = [letter, chunk("venice", title="Death in Venice")]
    titles = {"venice": "Death in Venice", "letter": "A letter"}
    last = say(chunks, JULES, ["letter"], "venice", texts, titles).hops[-1]
    assert last.subject != last.object


def test_a_shared_name_without_a_fact_is_shown_as_a_mention() -> None:
    texts = {**TEXTS, "inventory": "Lot 3. A signet ring, the mark of The Claw."}
    bare = chunk("inventory", texts["inventory"], vector=unit(0.3, 0.9), mentions=["signet ring", "The Claw"])
    path = path_to("cutting", [bare if chunk.id == "inventory" else chunk for chunk in CASE], texts)
    assert [hop.kind for hop in path.hops] == ["fact", "mention", "fact"]
    assert path.hops[1].predicate == "named together with"
    assert path.hops[1].sentence == "A signet ring, the mark of The Claw."


def test_a_path_goes_over_the_shared_entity_that_facts_join() -> None:
    """The walk scores a hop by the fact that leads out; the words follow a fact on both sides where there is one."""
    chunks = [
        chunk("one", facts=[("Jules", "visits", "Lyon", 0.8), ("Jules", "wears", "ring", 0.4)]),
        chunk("two", facts=[("ring", "marks", "thieves", 0.3)], mentions=["Lyon"]),
    ]
    path = say(chunks, JULES, ["one"], "two", {"one": "x", "two": "y"})
    assert path.text == "Jules wears ring; ring marks thieves"


def test_a_single_chunk_is_a_path_only_if_it_says_a_fact() -> None:
    pool = lay_out([*CASE, chunk("bare", mentions=["Jules"])], JULES)
    assert shown(pool, not_walked(pool), ranked("bare", "letter", "diary"), 9) == [("letter",), ("diary",)]


# --------------------------------------------------------------------------------------------------------------------
# Which chains are shown


def shown(pool: Pool, walked: Walked, scores: Mapping[str, float], limit: int = 3) -> list[tuple[str, ...]]:
    return [way.chain.chunk_ids for way in choose_paths(walked, pool, JULES, scores, limit=limit)]


def test_a_comparison_has_two_paths() -> None:
    question = asking("Is the director of Dawn older than that of Dusk?", entities={"Dawn": 1, "Dusk": 1})
    films = [("Dawn", "Ferrand"), ("Dusk", "Moreau")]
    born = [("Ferrand", "1830"), ("Moreau", "1842")]
    chunks = [chunk(f"film {f}", vector=near(0.8), facts=[(f, "was directed by", d, 0.6)]) for f, d in films]
    chunks += [chunk(director, facts=[(director, "was born in", year, 0.4)]) for director, year in born]
    pool, walked = walk(chunks, question, ["film Dawn", "film Dusk"], 4)
    scores = ranked("film Dawn", "film Dusk", "Ferrand", "Moreau")
    said = choose_paths(walked, pool, question, scores, limit=3)
    assert [to_path(way, scores, passages(dict.fromkeys(scores, "x"))).text for way in said] == [
        "Dawn was directed by Ferrand; Ferrand was born in 1830",
        "Dusk was directed by Moreau; Moreau was born in 1842",
    ]


def test_a_fact_that_says_what_was_asked_comes_before_a_longer_way() -> None:
    """Both facts of the letter are as near to the question; only one says where she works."""
    letter = chunk("letter", facts=[("Sophie", "loves", "Jules", 0.6), ("Sophie", "works at", "library", 0.6)])
    diary = chunk("diary", facts=[("Jules", "kissed", "Mathilde", 0.6)])
    for asked, first in (
        ("Where works Sophie?", "Sophie works at library"),
        ("Why be wary of Sophie?", "Sophie loves Jules; Jules kissed Mathilde"),
    ):
        question = asking(asked, entities={"Sophie": 2})
        pool, walked = walk([letter, diary], question, ["letter"], 4)
        way = choose_paths(walked, pool, question, ranked("letter", "diary"), limit=3)[0]
        assert to_path(way, ranked("letter", "diary"), passages({"letter": "x", "diary": "x"})).text == first


def test_a_path_makes_no_detour_to_come_back_to_the_same_entity() -> None:
    """Inventory and cutting share The Claw: a third chunk that only mentions it adds nothing between them."""
    chunks = [*CASE[:3], chunk("report", "Nobody saw The Claw.", vector=near(0.8), mentions=["The Claw"])]
    pool, walked = walk(chunks, JULES, ["letter"], 4)
    best = shown(pool, walked, ranked("letter", "report", "inventory", "cutting"))[0]
    assert best == ("letter", "inventory", "cutting")


LINE = [
    chunk("a", facts=[("v", "leads to", "x", 0.3)]),
    chunk("b", facts=[("x", "leads to", "y", 0.3)]),
    chunk("c", facts=[("y", "leads to", "z", 0.3)]),
]
NOTES = [f"note{n:02}" for n in range(WORTHLESS + 5)]  # they say nothing


def shown_of_line(*best: str, limit: int = 1) -> list[tuple[str, ...]]:
    """What is shown of a - b - c if the chunks come in this order."""
    pool, walked = walk([*LINE, *map(chunk, NOTES)], JULES, ["a"], 4)
    return shown(pool, walked, ranked(*best), limit)


def test_a_path_goes_on_while_the_next_chunk_is_among_the_best() -> None:
    assert shown_of_line("a", "b", "c") == [("a", "b", "c")]
    assert shown_of_line("a", "b", *NOTES, "c") == [("a", "b")]
    assert shown_of_line("a", "c", *NOTES[:WORTHLESS], "b") == [("a", "b", "c")], "a poor step on the way to a good one"


def test_a_path_begins_where_its_chunks_are_among_the_best() -> None:
    assert shown_of_line("b", "c", *NOTES, "a") == [("b", "c")]


def test_what_is_shown_once_is_not_shown_again() -> None:
    assert shown_of_line("a", "b", "c", limit=3) == [("a", "b", "c")]
    assert shown_of_line("a", "b", *NOTES, "c", limit=3)[0] == ("a", "b")


def test_a_chunk_through_which_no_fact_leads_is_worth_less() -> None:
    bare = chunk("b", mentions=["x"])
    other = chunk("d", facts=[("x", "is", "w", 0.1)])
    pool, walked = walk([LINE[0], bare, other], JULES, ["a"], 2)
    assert shown(pool, walked, ranked("a", "b", "d"), 1) == [("a", "d")]


def only_together(it: PoolChunk) -> PoolChunk:
    """The same chunk, of whose names no more is known than that they share a sentence."""
    return replace(it, facts=tuple(fact._replace(origin="cooccurrence") for fact in it.facts))


def test_names_that_share_a_sentence_carry_no_more_than_a_mention() -> None:
    beside = only_together(chunk("b", facts=[("x", "mentioned with", "y", 0.9)]))
    other = chunk("d", facts=[("x", "is", "w", 0.1)])
    pool, walked = walk([LINE[0], beside, other], JULES, ["a"], 2)
    assert shown(pool, walked, ranked("a", "b", "d"), 1) == [("a", "d")]
    hop = say([LINE[0], beside], JULES, ["a"], "b", {"a": "x.", "b": "y."}).hops[-1]
    assert (hop.kind, hop.predicate) == ("mention", "named together with")


def test_names_that_share_a_sentence_are_no_path_by_themselves() -> None:
    pool = lay_out([only_together(chunk("one", facts=[("Jules", "mentioned with", "y", 0.9)]))], JULES)
    assert shown(pool, not_walked(pool), ranked("one"), 9) == []


def test_an_entity_of_the_question_is_no_way_on() -> None:
    """What mentions it is a beginning already."""
    pool, walked = walk(CASE, JULES, START, 2)
    assert ways(pool, walked)["letter"] == ("diary", "letter")
    assert ("diary", "letter") not in shown(pool, walked, ranked("diary", "letter", *pool.row), 9)


def test_of_two_paths_worth_the_same_the_shorter_is_shown() -> None:
    assert shown_of_line("a", "b", *NOTES[: WORTHLESS - 2], "c") == [("a", "b")]


def test_nothing_is_shown_of_nothing() -> None:
    pool = lay_out(LINE, JULES)
    assert shown(pool, not_walked(pool), {}) == []
