"""The walk, on the story the product is named for: Jules - signet ring - The Claw - thieves."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from filigraph.graph.model import Chain, PoolChunk
from filigraph.graph.rank import score_pool, signals
from filigraph.graph.walk import Terrain, choose_paths, extend, first_hops, to_path
from tests.unit.graph.making import asking, chunk, unit

Q = unit(1, 0, 0)
JULES = asking("Why be wary of Jules?", Q, entities={"Jules": 3}, terms=["wary", "jules"])


def the_case() -> dict[str, PoolChunk]:
    chunks = [
        chunk(
            "letter",
            "Jules wears a signet ring.",
            vector=unit(0.9, 0.4, 0),
            question=Q,
            facts=[("Jules", "wears", "signet ring", 0.6)],
        ),
        chunk(
            "inventory",
            "The signet ring is the emblem of The Claw.",
            vector=unit(0.3, 0.9, 0),
            question=Q,
            facts=[("signet ring", "is the emblem of", "The Claw", 0.3)],
        ),
        chunk(
            "cutting",
            "The Claw is a society of thieves.",
            vector=unit(0.2, 0.3, 0.9),
            question=Q,
            facts=[("The Claw", "is", "society of thieves", 0.35)],
        ),
        chunk(
            "diary",
            "Sophie loves Jules.",
            vector=unit(0.95, 0.1, 0.1),
            question=Q,
            facts=[("Sophie", "loves", "Jules", 0.7)],
        ),
    ]
    return {c.id: c for c in chunks}


def walk(pool: dict[str, PoolChunk], depth: int) -> dict[str, Chain]:
    """Every hop sets out from all chains: the pool is small."""
    terrain = Terrain(pool=pool)
    frontier = [c for c in first_hops(signals(JULES, pool)) if c.end in ("letter", "diary")]
    chains: dict[str, Chain] = {}
    for _ in range(depth - 1):
        chains = extend([*frontier, *chains.values()], terrain, JULES, chains)
    return chains


def path_to(end: str, depth: int = 4):  # type: ignore[no-untyped-def]
    pool = the_case()
    chains = walk(pool, depth)
    found = signals(JULES, pool)
    scores = dict(zip(found.ids, score_pool(JULES, pool, found, chains), strict=True))
    return to_path(chains[end], Terrain(pool=pool), JULES, scores)


def test_three_hops_lead_from_jules_to_the_thieves() -> None:
    path = path_to("cutting")
    assert path.text == (
        "Jules wears signet ring; signet ring is the emblem of The Claw; The Claw is society of thieves"
    )
    assert [hop.kind for hop in path.hops] == ["fact"] * 3
    assert [hop.sentence for hop in path.hops] == [
        "Jules wears a signet ring.",
        "The signet ring is the emblem of The Claw.",
        "The Claw is a society of thieves.",
    ]
    assert path.chunk_ids == ("letter", "inventory", "cutting")


@pytest.mark.parametrize(("depth", "reached"), [(1, False), (2, False), (3, True)])
def test_depth_is_the_number_of_hops(depth: int, reached: bool) -> None:
    assert ("cutting" in walk(the_case(), depth)) is reached


def test_hops_connect() -> None:
    hops = path_to("cutting").hops
    for one, other in itertools.pairwise(hops):
        assert {one.subject_id, one.object_id} & {other.subject_id, other.object_id}


def test_the_question_s_own_entity_is_no_way_forward() -> None:
    # Letter and diary both mention Jules: that joins nothing the question did not say.
    assert "diary" not in walk(the_case(), 4)


def test_a_shared_name_without_a_fact_is_shown_as_a_mention() -> None:
    pool = the_case()
    pool["inventory"] = chunk(
        "inventory",
        "Lot 3. A signet ring, the mark of The Claw.",
        vector=unit(0.3, 0.9, 0),
        question=Q,
        mentions=["signet ring", "The Claw"],
    )
    chains = walk(pool, 4)
    found = signals(JULES, pool)
    scores = dict(zip(found.ids, score_pool(JULES, pool, found, chains), strict=True))
    path = to_path(chains["cutting"], Terrain(pool=pool), JULES, scores)
    assert path is not None
    assert [hop.kind for hop in path.hops] == ["fact", "mention", "fact"]
    assert path.hops[1].predicate == "named together with"
    assert path.hops[1].sentence == "A signet ring, the mark of The Claw."


def test_walking_in_another_order_keeps_the_same_chains() -> None:
    pool = the_case()
    turned = dict(reversed(pool.items()))
    assert walk(pool, 4) == walk(turned, 4)


def test_a_path_inside_another_is_left_out() -> None:
    long, short = path_to("cutting"), path_to("inventory")
    assert choose_paths([short, long], limit=3) == [long]
    assert choose_paths([long, long], limit=3) == [long]


def test_a_much_better_path_is_shown_beside_the_one_that_goes_on_from_it() -> None:
    long, short = path_to("cutting"), path_to("inventory")
    better = dataclasses.replace(short, score=long.score + 0.5)
    assert choose_paths([long, better], limit=3) == [better, long]


def test_the_cypher_of_a_path_holds_only_ids() -> None:
    assert "Jules|wears|signet ring" in path_to("cutting").cypher  # in this world a fact's id is its words
    assert path_to("cutting").cypher.endswith("RETURN p")
