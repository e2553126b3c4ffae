"""The rule `reader`: what an LLM's reading of who is who joins and keeps apart, below persons and guards."""

from __future__ import annotations

import pytest

from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.llm_readings import CastMember, CastPair, CastReading
from filigraph.graph.model.names import Decision
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.cast import cast_of
from filigraph.graph.names.resolve import resolve
from filigraph.graph.text.names.parse import name_key
from tests.unit.graph.names.making import Row, row, rows

Pairs = tuple[tuple[str, str], ...]


def told(*members: tuple[str, ...], apart: Pairs = (), same: Pairs = ()) -> CastReading:
    return CastReading(
        key="k",
        members=tuple(CastMember(names=tuple(map(name_key, names))) for names in members),
        contrasts=tuple(CastPair(first=name_key(a), second=name_key(b)) for a, b in apart),
        identities=tuple(CastPair(first=name_key(a), second=name_key(b), reason="He is.") for a, b in same),
    )


def added(known: str, *forms: str) -> CastReading:
    """`known`, and further names of the same person that no chunk was read to have."""
    names = tuple(map(name_key, (known, *forms)))
    return CastReading(key="k", members=(CastMember(names=names, further=forms),))


def groups(mentions: list[Row], *readings: CastReading, decisions: tuple[Decision, ...] = ()) -> set[frozenset[str]]:
    casts = {"a": readings} if readings else None
    found = resolve(find_candidates(mentions), casts=casts, decisions=decisions)
    entities: dict[str, set[str]] = {}
    for mention in mentions:
        entities.setdefault(found.entity_of[mention.id], set()).add(f"{mention.document_id}:{mention.form}")
    return {frozenset(names) for names in entities.values() if len(names) > 1}


def test_names_without_a_common_word_are_joined_in_their_document_alone() -> None:
    mentions = rows(a=["Caroline", "la voisine"], b=["Caroline", "la voisine"])
    assert groups(mentions) == {frozenset(("a:Caroline", "b:Caroline"))}
    assert groups(mentions, told(("Caroline", "la voisine"))) == {
        frozenset(("a:Caroline", "b:Caroline", "a:la voisine"))
    }


def test_names_of_two_members_are_not_joined_by_rules() -> None:
    mentions = [row("a", "Delmas", count=9), row("a", "Jules Delmas", count=9)]
    assert len(groups(mentions)) == 1
    assert groups(mentions, told(("Delmas",), ("Jules Delmas",))) == set()
    assert groups(mentions, told(apart=(("Delmas", "Jules Delmas"),))) == set()
    assert len(groups(mentions, told(("Delmas", "Jules Delmas")))) == 1


def test_a_name_of_which_nothing_is_told_goes_where_rules_say() -> None:
    mentions = [row("a", "Delmas", count=9), row("a", "Jules Delmas", count=9), row("a", "Octave", count=9)]
    assert len(groups(mentions, told(("Octave",), ("Jules Delmas",)))) == 1


def test_a_guard_stands_above_the_reader_and_a_person_is_asked() -> None:
    mentions = rows(a=["Mme Delmas", "M. Delmas"])
    found = resolve(find_candidates(mentions), casts={"a": [told(("Mme Delmas", "M. Delmas"))]})
    assert found.entity_of[mentions[0].id] != found.entity_of[mentions[1].id]
    assert [near.rule for near in found.near_misses] == ["reader"]
    assert [decision.rule for decision in found.decisions] == ["guard:gender"]


def test_a_person_stands_above_the_reader() -> None:
    mentions = rows(a=["Caroline", "Miss Bingley"])
    first, second = sorted(mention.id for mention in mentions)
    apart = Decision(first=first, second=second, same=False, rule="person", score=1.0, by="person")
    same = Decision(first=first, second=second, same=True, rule="person", score=1.0, by="person")
    assert groups(mentions, told(("Caroline", "Miss Bingley")), decisions=(apart,)) == set()
    assert len(groups(mentions, told(("Caroline",), ("Miss Bingley",)), decisions=(same,))) == 1


def test_the_reader_is_named_as_the_reason() -> None:
    mentions = rows(a=["Caroline", "Miss Bingley"])
    found = resolve(find_candidates(mentions), casts={"a": [told(("Caroline", "Miss Bingley"))]})
    assert [(decision.rule, decision.same) for decision in found.decisions] == [("reader", True)]


def test_calls_are_brought_together_by_the_names_that_they_share() -> None:
    cast = cast_of([told(("Emma", "Miss Woodhouse")), told(("Emma", "Dear Emma"), ("Harriet",))])
    assert len({cast.member_of[name_key(name)] for name in ("Emma", "Miss Woodhouse", "Dear Emma")}) == 1
    assert cast.member_of["harriet"] != cast.member_of["emma"]


def test_a_name_that_two_calls_add_brings_nobody_together() -> None:
    one, other = added("Anna", "the Duchess"), added("Mrs. Grey", "the Duchess")
    for readings in ((one, other), (other, one)):
        cast = cast_of(readings)
        assert cast.member_of["anna"] != cast.member_of["mrs grey"]
        assert "duchess" not in cast.member_of
    cast = cast_of([one, told(("Anna", "Anna Grey"))])
    assert len({cast.member_of[key] for key in ("anna", "anna grey", "duchess")}) == 1


def test_a_name_that_another_call_keeps_apart_from_its_member_is_nobodys() -> None:
    one, other = added("Anna", "the Duchess"), told(("Mrs. Grey",), apart=(("Anna", "the Duchess"),))
    for readings in ((one, other), (other, one)):
        assert cast_of(readings).member_of.keys() == {"anna", "mrs grey"}
    assert "duchess" in cast_of([one, told(apart=(("Mrs. Grey", "the Duchess"),))]).member_of


BROWN = ("M. Rodolphe Brown", "sir Ralph Brown", "Ralph", "M. Rodolphe", "Edmond Brown")


def test_two_given_names_are_one_where_the_reader_shows_it() -> None:
    mentions = rows(a=[*BROWN])
    member = BROWN[:4]
    assert len(max(groups(mentions, told(member)), key=len)) < 4  # a guard stands above it
    shown = groups(mentions, told(member, same=(("M. Rodolphe Brown", "Ralph"),)))
    assert shown == {frozenset(f"a:{form}" for form in member)}


def test_no_reader_makes_one_of_a_man_and_a_woman() -> None:
    mentions = rows(a=[*BROWN, "Mme Ralph Brown"])
    wrong = told((*BROWN[:4], "Mme Ralph Brown"), same=(("Ralph", "M. Rodolphe"), ("Ralph", "Mme Ralph Brown")))
    assert not any({"a:M. Rodolphe Brown", "a:Mme Ralph Brown"} <= names for names in groups(mentions, wrong))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Captain John Grey Jr.", "Colonel John Grey Sr."),
        ("Captain George Grey I", "Colonel George Grey II"),
        ("old Captain Grey", "young Colonel Grey"),
    ],
)
def test_an_identity_of_two_titles_yields_to_every_other_guard(first: str, second: str) -> None:
    assert groups(rows(a=[first, second]), told((first, second), same=((first, second),))) == set()
    shown = ("Captain John Grey", "Colonel John Grey")
    assert len(groups(rows(a=[*shown]), told(shown, same=(shown,)))) == 1


def test_what_one_call_told_apart_no_other_brings_together() -> None:
    one, other = told(("Anna",), ("Mrs. Grey",)), told(("Anna", "Mrs. Grey"))
    for readings in ((one, other), (other, one)):
        cast = cast_of(readings)
        assert cast.member_of["anna"] != cast.member_of["mrs grey"]


def test_a_cast_that_comes_and_goes_leaves_what_was_before() -> None:
    mentions = [row("a", "Delmas", count=9), row("a", "Jules Delmas", count=9), row("a", "Octave", count=9)]
    before = groups(mentions)
    assert groups(mentions, told(("Delmas", "Octave"), ("Jules Delmas",))) == {frozenset(("a:Delmas", "a:Octave"))}
    assert groups(mentions) == before
    assert groups(mentions, told(apart=(("Delmas", "Jules Delmas"),))) == set()
    assert groups(mentions) == before


def test_an_identity_that_comes_and_goes_leaves_what_was_before() -> None:
    mentions, state = rows(a=[*BROWN]), DerivationState()
    said = ("M. Rodolphe Brown", "Ralph")

    def resolved(reading: CastReading) -> dict[str, str]:
        return dict(resolve(candidates, casts={"a": [reading]}, state=state).entity_of)

    candidates = find_candidates(mentions, state)
    before, joined = resolved(told(BROWN[:4])), resolved(told(BROWN[:4], same=(said,)))
    assert len({*before.values()}) > len({*joined.values()})
    assert resolved(told(BROWN[:4])) == before
