"""How two entities are connected: chains of facts, best first, each through different entities."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.analysis.connections import AlikeEnds, Chain, FactEdge, FactNetwork, Link, find_chains


def edge(text: str, *, weight: int = 1, denied: bool = False) -> FactEdge:
    """A fact between two entities, named by both."""
    subject, object_ = text.split("-")
    return FactEdge(fact_id=text, subject_id=subject, object_id=object_, weight=weight, denied=denied)


def network(*edges: str | FactEdge) -> FactNetwork:
    return FactNetwork.of([edge(one) if isinstance(one, str) else one for one in edges])


def facts(found: list[Chain]) -> list[tuple[str, ...]]:
    return [chain.fact_ids for chain in found]


def test_each_chain_passes_something_that_no_other_does() -> None:
    ways = network("jules-ring", "ring-claw", "jules-inn", "inn-claw", "jules-ann", "ann-bert", "bert-claw")
    found = find_chains(ways, ["jules"], ["claw"], hubs=(), hops=6, count=5)
    assert sorted(facts(found)) == [
        ("jules-ann", "ann-bert", "bert-claw"),
        ("jules-inn", "inn-claw"),
        ("jules-ring", "ring-claw"),
    ]
    assert find_chains(ways, ["jules"], ["claw"], hubs=(), hops=6, count=2) == found[:2]


def test_a_chain_that_passes_more_comes_after_one_that_passes_less() -> None:
    ways = network("a-x", "x-b", "x-y", "y-b")
    found = find_chains(ways, ["a"], ["b"], hubs=(), hops=6, count=3)
    assert facts(found) == [("a-x", "x-b"), ("a-x", "x-y", "y-b")]


def test_a_fact_about_both_comes_first_and_once() -> None:
    ways = network("jules-claw", "claw-jules", "jules-ring", "ring-claw")
    found = find_chains(ways, ["jules"], ["claw"], hubs=(), hops=6, count=3)
    assert len(found) == 2 and len(found[0].fact_ids) == 1
    assert found[1].fact_ids == ("jules-ring", "ring-claw")


def test_what_many_sentences_say_is_first_and_what_is_denied_joins_nothing() -> None:
    ways = network(
        edge("a-x", denied=True), "x-b", "a-y", "y-b", edge("a-z", weight=9), edge("z-b", weight=9), "c-x", "c-y", "c-z"
    )
    found = find_chains(ways, ["a"], ["b"], hubs=(), hops=2, count=3)
    assert facts(found) == [("a-z", "z-b"), ("a-y", "y-b")]


def test_what_is_denied_of_both_is_told() -> None:
    ways = network(edge("a-b", denied=True), edge("a-x", denied=True), "a-y", "y-b")
    assert facts(find_chains(ways, ["a"], ["b"], hubs=(), hops=3, count=3)) == [("a-b",), ("a-y", "y-b")]
    alone = network(edge("b-a", denied=True))
    assert facts(find_chains(alone, ["a"], ["b"], hubs=(), hops=3, count=3)) == [("b-a",)]


def test_a_chain_goes_on_between_names_that_are_alike_and_says_where() -> None:
    ways = network("voss-account", "compte-pell", "x-y").with_links([Link("account", "compte"), Link("x", "nobody")])
    (chain,) = find_chains(ways, ["voss"], ["pell"], hubs=(), hops=3, count=3)
    assert chain.fact_ids == ("voss-account", "compte-pell")
    assert chain.alike == (AlikeEnds(1, "account", "compte"),)
    (chain,) = find_chains(ways, ["account"], ["pell"], hubs=(), hops=3, count=3)
    assert (chain.fact_ids, chain.alike) == (("compte-pell",), (AlikeEnds(0, "account", "compte"),))
    assert (
        find_chains(ways, ["account"], ["compte"], hubs=(), hops=3, count=3) == []
    )  # a name says no more than it does
    twice = network("a-x", "z-b", "y-c").with_links([Link("x", "y"), Link("y", "z")])
    assert find_chains(twice, ["a"], ["b"], hubs=(), hops=6, count=3) == []


def test_a_chain_goes_over_what_a_sentence_names_beside_its_fact() -> None:
    ways = network("orme-flasks", "flasks-lamp")
    assert ways.with_links([Link("voss", "x", "no-fact")]) is ways
    links = [Link("voss", "orme", "orme-flasks"), Link("voss", "flasks", "orme-flasks")]
    (chain,) = find_chains(ways.with_links(links), ["voss"], ["lamp"], hubs=(), hops=3, count=3)
    assert (chain.fact_ids, chain.named) == (("orme-flasks", "flasks-lamp"), ((0, "voss"),))


def test_a_chain_goes_over_what_is_named_by_an_entity() -> None:
    ways = network("shareholder-vane", "tern-boathouse")
    assert not find_chains(ways, ["vane"], ["boathouse"], hubs=(), hops=3, count=3)
    linked = ways.with_links(ways.links_of_holding({"tern": ["shareholder", "nobody"]}))
    (chain,) = find_chains(linked, ["vane"], ["boathouse"], hubs=(), hops=3, count=3)
    assert (chain.fact_ids, chain.named) == (("shareholder-vane", "tern-boathouse"), ((0, "tern"),))


def test_one_of_several_of_a_name_is_enough() -> None:
    ways = network("old-x", "x-b", "young-y", "y-z", "z-c")
    assert facts(find_chains(ways, ["old", "young"], ["b"], hubs=(), hops=3, count=3)) == [("old-x", "x-b")]
    assert facts(find_chains(ways, ["old", "young"], ["c", "d"], hubs=(), hops=3, count=3)) == [
        ("young-y", "y-z", "z-c")
    ]
    assert find_chains(ways, ["old", "young"], ["young"], hubs=(), hops=3, count=3) == []


def test_a_hub_is_passed_only_where_there_is_no_other_way() -> None:
    town = network("a-town", "town-b", "a-c", "c-d", "d-e", "e-b")
    (way,) = find_chains(town, ["a"], ["b"], hubs=("town",), hops=6, count=3)
    assert (way.fact_ids, way.hubs) == (("a-c", "c-d", "d-e", "e-b"), ())
    (way,) = find_chains(town, ["a"], ["b"], hubs=("town",), hops=3, count=3)
    assert (way.fact_ids, way.hubs) == (("a-town", "town-b"), ("town",))
    (way,) = find_chains(town, ["a"], ["town"], hubs=("town",), hops=1, count=3)
    assert (way.fact_ids, way.hubs) == (("a-town",), ())  # asked about it


def test_an_entity_that_everything_has_to_do_with_is_passed_last() -> None:
    crowd = [f"squire-{n}" for n in range(30)]
    ways = network("a-squire", "squire-b", "a-maid", "maid-b", *crowd)
    assert facts(find_chains(ways, ["a"], ["b"], hubs=(), hops=4, count=2)) == [
        ("a-maid", "maid-b"),
        ("a-squire", "squire-b"),
    ]


def test_nothing_connects_what_is_not_there_or_too_far() -> None:
    ways = network("a-c", "c-d", "d-b", "e-f", "g-g")
    assert facts(find_chains(ways, ["a"], ["b"], hubs=(), hops=3, count=3)) == [("a-c", "c-d", "d-b")]
    for first, other, hops in (("a", "b", 2), ("a", "e", 6), ("a", "nobody", 6), ("a", "a", 6), ("g", "a", 6)):
        assert find_chains(ways, [first], [other], hubs=(), hops=hops, count=3) == []
    assert find_chains(network(), ["a"], ["b"], hubs=(), hops=6, count=3) == []


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30),
    st.sets(st.integers(2, 9)),
    st.integers(1, 6),
)
def test_a_chain_is_found_wherever_there_is_one(pairs: list[tuple[int, int]], hubs: set[int], hops: int) -> None:
    edges = [FactEdge(f"f{n}", str(one), str(other), 1, denied=False) for n, (one, other) in enumerate(pairs)]
    ends = {one.fact_id: {one.subject_id, one.object_id} for one in edges}
    found = find_chains(FactNetwork.of(edges), ["0"], ["1"], hubs={str(hub) for hub in hubs}, hops=hops, count=3)
    assert bool(found) == (distance(pairs, 0, 1) <= hops)
    for chain in found:
        assert len(chain.fact_ids) <= hops
        at, seen = "0", {"0"}
        for fact in chain.fact_ids:
            (at,) = ends[fact] - {at}
            assert at not in seen  # no circle
            seen.add(at)
        assert at == "1" and set(chain.hubs) == seen & {str(hub) for hub in hubs}
    assert len({chain.fact_ids for chain in found}) == len(found)


def distance(pairs: list[tuple[int, int]], start: int, end: int) -> float:
    """Facts between two entities, by a search in breadth."""
    away, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        for one, other in pairs:
            for near in ({one, other} - {at}) if at in (one, other) else ():
                if near not in away:
                    away[near] = away[at] + 1
                    queue.append(near)
    return away.get(end, float("inf"))
