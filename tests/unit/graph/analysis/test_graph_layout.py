"""The picture of a whole graph: the same graph gives the same picture, with communities together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from filigraph.graph.analysis.graph_layout import Picture, lay_out
from filigraph.graph.records.facts import WholeEntity, WholeFact


def entity(number: int) -> WholeEntity:
    return WholeEntity(id=f"e{number}", name=f"Name {number}", type="", chunks=40 - number, facts=1)


def fact(first: int, second: int, predicate: str = "knows") -> WholeFact:
    ids = {"subject_id": f"e{first}", "object_id": f"e{second}"}
    return WholeFact(id=f"{first} {predicate} {second}", **ids, predicate=predicate, relation="KNOWS", weight=1)


def two_circles() -> Picture:
    facts = [fact(*pair) for circle in (range(6), range(6, 10)) for pair in combinations(circle, 2)]
    return lay_out([entity(number) for number in range(10)], [*facts, fact(5, 6), fact(6, 5, "hates")])


def test_who_hangs_together_is_one_community_and_stands_together() -> None:
    drawn = two_circles()
    assert [one.community for one in drawn.placed] == [0] * 6 + [1] * 4, "the largest is the first"
    assert all(max(abs(one.x), abs(one.y)) <= 1 for one in drawn.placed)
    spots = [complex(one.x, one.y) for one in drawn.placed]
    within = [abs(a - b) for circle in (spots[:6], spots[6:]) for a, b in combinations(circle, 2)]
    across = [abs(a - b) for a in spots[:6] for b in spots[6:]]
    assert sum(within) / len(within) < sum(across) / len(across)


def test_the_same_graph_gives_the_same_picture() -> None:
    assert two_circles() == two_circles()


def test_facts_of_two_are_one_line_whichever_way_they_go() -> None:
    link = two_circles().links[0]
    assert ({link.first, link.second}, link.weight) == ({"e5", "e6"}, 2)
    assert [row.predicate for row in link.facts] == ["knows", "hates"]


def test_nothing_is_drawn_of_nothing_and_one_stands_alone() -> None:
    assert lay_out([], []) == Picture(placed=(), links=())
    assert [one.community for one in lay_out([entity(0)], []).placed] == [0]


def test_facts_without_support_join_nothing() -> None:
    gone = replace(fact(0, 1), weight=0)  # as a reader sees it while its document is being deleted
    assert {one.community for one in lay_out([entity(0), entity(1)], [gone]).placed} == {0, 1}
