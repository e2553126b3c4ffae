"""Contradictions of one matter are one entry."""

from __future__ import annotations

from dataclasses import replace

from filigraph.graph.analysis.contradictions import Contradiction
from filigraph.graph.analysis.matters import NamedMatter, ends_of, matters_of, sentence_of
from tests.unit.graph.analysis.statements import statement

MATE = statement("light | was | out", by="the mate", source="a.txt")
KEEPER = statement("light | was never | out", by="the keeper", source="b.txt", denied=True)
WIFE = statement("light | was seen by | wife", by="the wife", source="c.txt")
SON = statement("light | passed over | wall", by="the son", source="d.txt")
COOK = statement("soup | was | cold", by="the cook", source="e.txt")
GUEST = statement("soup | was | hot", by="the guest", source="f.txt")


def pair(first: object, other: object, score: float = 0.5, **given: object) -> Contradiction:
    values = {"verdict": "contradiction"} | given
    return Contradiction(kind="denial", first=first, other=other, score=score, **values)  # type: ignore[arg-type]


OUT, WALL, SOUP = pair(MATE, WIFE, 0.9), pair(MATE, SON, 0.8), pair(COOK, GUEST, 0.7)
DENIED = pair(MATE, KEEPER, 0.6)


def named(*pairs: Contradiction, about: str = "whether", reply: str = "r", checked: bool = False) -> NamedMatter:
    return NamedMatter(reply=reply, checked=checked, about=about, ends=tuple(map(ends_of, pairs)))


def test_pairs_that_share_a_sentence_are_one_matter_with_two_sides() -> None:
    light, soup = matters_of([OUT, WALL, SOUP, DENIED])
    assert light.pairs == (OUT, WALL, DENIED)
    said = [(one.statement.voice, one.side) for one in light.statements]
    assert said == [("the mate", 1), ("the wife", 2), ("the son", 2), ("the keeper", 2)]
    assert soup.pairs == (SOUP,)


def test_what_is_looked_for_comes_first_and_is_marked() -> None:
    light, soup = matters_of([OUT, WALL, SOUP, DENIED])
    found = light.focused_on(lambda pair: pair.other is SON)
    assert found and (found.pairs, found.further) == ((WALL, OUT, DENIED), 2)
    said = [(one.statement.voice, sentence_of(one.statement) in found.looked_for) for one in found.statements]
    assert said == [("the mate", True), ("the son", True), ("the wife", False), ("the keeper", False)]
    assert soup.focused_on(lambda pair: pair.is_about("light")) is None
    assert len(light.looked_for) == len(light.statements)


def test_pairs_that_no_llm_judged_stay_alone() -> None:
    found = [replace(one, verdict="") for one in (OUT, WALL)]
    assert [matter.pairs for matter in matters_of(found)] == [(found[0],), (found[1],)]


def test_a_sentence_is_not_against_itself() -> None:
    again = replace(MATE, according_to="the boy", start=90, end=99)
    assert matters_of([pair(MATE, again)]) == []


def test_who_contradicts_both_sides_is_a_third() -> None:
    (light,) = matters_of([DENIED, OUT, pair(KEEPER, WIFE, 0.2)])
    assert [one.side for one in light.statements] == [1, 2, 3]


def test_the_pair_that_an_llm_names_first_leads() -> None:
    (light,) = matters_of([OUT, WALL, DENIED], [named(DENIED, OUT, about="whether the light was out")])
    assert light.about == "whether the light was out"
    assert (light.lead, light.place_of(KEEPER), light.place_of(MATE)) == (DENIED, 1, 0)


def test_a_check_stands_above_what_calls_said() -> None:
    calls = [named(OUT, reply="one"), named(WALL, reply="two")]
    check = named(DENIED, OUT, WALL, about="whether the light failed", reply="check", checked=True)
    (light,) = matters_of([OUT, WALL, DENIED], [*calls, check])
    assert (light.lead, light.about) == (DENIED, "whether the light failed")


def test_what_a_reply_tells_apart_stays_apart() -> None:
    told = [named(OUT, about="whether it was out"), named(WALL, about="whether it passed over the wall")]
    assert [matter.about for matter in matters_of([OUT, WALL], told)] == [one.about for one in told]


def test_what_is_no_contradiction_joins_none() -> None:
    none = replace(WALL, verdict="not")
    assert len(matters_of([OUT, none])) == 2


def test_nothing_is_no_matter() -> None:
    assert matters_of([]) == []
    assert matters_of([], [named(OUT)]) == []
