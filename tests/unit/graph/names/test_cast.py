"""The rule `reader`: what an LLM's reading of who is who joins and keeps apart, below persons and guards."""

from __future__ import annotations

import pytest

from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.llm_readings import CastLink, CastMember, CastPair, CastReading, LinkKind, NamePlace
from filigraph.graph.model.names import Decision
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.cast import cast_of
from filigraph.graph.names.resolve import resolve
from filigraph.graph.text.names.parse import name_key
from tests.unit.graph.names.making import Row, row, rows

Pairs = tuple[tuple[str, str], ...]
KINDS: tuple[LinkKind, LinkKind] = ("one", "alias")


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


# Across documents


def link(kind: LinkKind, *names: str, others: tuple[str, ...] = ()) -> CastLink:
    """Names as "document:form"; `others` are somebody else's."""
    places = [
        NamePlace(document_id=document, key=name_key(form), chunk_id=f"{document}0", side=side)
        for side, forms in enumerate((names, others))
        for document, form in (name.split(":") for name in forms)
    ]
    return CastLink(key=" ".join((*names, *others)), call="c", kind=kind, names=tuple(sorted(places)), reads=("a0",))


def linked(mentions: list[Row], *links: CastLink, decisions: tuple[Decision, ...] = ()) -> set[frozenset[str]]:
    found = resolve(find_candidates(mentions), links=links, decisions=decisions)
    entities: dict[str, set[str]] = {}
    for mention in mentions:
        entities.setdefault(found.entity_of[mention.id], set()).add(f"{mention.document_id}:{mention.form}")
    return {frozenset(names) for names in entities.values() if len(names) > 1}


def test_names_of_several_documents_are_joined_and_others_stay() -> None:
    mentions = rows(a=["the keeper"], b=["Yann Kermeur"], c=["the keeper"])
    joined = link("one", "a:the keeper", "b:Yann Kermeur")
    assert linked(mentions, joined) == {frozenset(("a:the keeper", "b:Yann Kermeur"))}
    assert linked(mentions) == set()


def test_a_name_is_kept_apart_from_its_namesake_elsewhere() -> None:
    mentions = rows(a=["Jules Delmas"], b=["Jules Delmas"], c=["Jules Delmas"])
    apart = link("two", "a:Jules Delmas", others=("b:Jules Delmas",))
    assert all(not {"a:Jules Delmas", "b:Jules Delmas"} <= names for names in linked(mentions, apart))


def test_what_one_call_keeps_apart_another_does_not_join_and_the_review_asks_nobody() -> None:
    mentions = rows(a=["Delmas"], b=["la veuve Roux"])
    both = link("one", "a:Delmas", "b:la veuve Roux"), link("two", "a:Delmas", others=("b:la veuve Roux",))
    assert linked(mentions, *both) == set()
    assert not [near for near in resolve(find_candidates(mentions), links=both).near_misses if near.rule == "reader"]


def test_a_guard_vetoes_it_and_the_review_asks_but_an_alias_overrules_guards_of_form() -> None:
    mentions = rows(a=["Jules Delmas"], b=["Pierre Delmas"])
    one, alias = (link(kind, "a:Jules Delmas", "b:Pierre Delmas") for kind in KINDS)
    assert linked(mentions, one) == set()
    (near,) = resolve(find_candidates(mentions), links=[one]).near_misses
    assert near.rule == "reader"
    assert len(linked(mentions, alias)) == 1
    women = rows(a=["Mme Jules Delmas"], b=["Pierre Delmas"])
    assert linked(women, link("alias", "a:Mme Jules Delmas", "b:Pierre Delmas")) == set()


def test_a_persons_decision_overrules_it() -> None:
    mentions = rows(a=["the keeper"], b=["Yann Kermeur"])
    joined = link("one", "a:the keeper", "b:Yann Kermeur")
    first, second = sorted(mention.id for mention in mentions)
    apart = Decision(first=first, second=second, same=False, rule="person", score=1.0, by="person")
    assert linked(mentions, joined, decisions=(apart,)) == set()


def test_links_that_come_and_go_leave_what_a_fresh_resolution_gives() -> None:
    mentions = rows(a=["the keeper", "Ada Pell"], b=["Yann Kermeur"], c=["Pell", "Ann Pell"])
    first, second = link("one", "a:the keeper", "b:Yann Kermeur"), link("alias", "a:Ada Pell", "c:Ann Pell")
    apart = link("two", "a:Ada Pell", others=("c:Pell",))
    state, candidates = DerivationState(), find_candidates(mentions)
    for links in ([first], [first, second], [second, apart], [], [apart, first]):
        assert resolve(candidates, links=links, state=state) == resolve(find_candidates(mentions), links=links)
