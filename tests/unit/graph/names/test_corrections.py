"""Decisions of persons: what they mean for the existing mentions, in any order, and when they contradict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph.errors import AlreadyDecided
from filigraph.graph.model.names import AliasGroup, Occurrence, StoredCorrection
from filigraph.graph.names.candidates import find_candidates
from filigraph.graph.names.corrections import check_correction, decisions_of, stored_correction, values_given
from filigraph.graph.names.resolve import resolve
from filigraph.graph.tables.mention_table import Mentions
from tests.unit.graph.names.making import Row, row

A, B, C, D = (row("a", "Jules"), row("b", "The Claw"), row("c", "La Griffe"), row("d", "Lyon"))
ALL = Mentions([A, B, C, D])


def same(first: Row, second: Row) -> StoredCorrection:
    return stored_correction("w", "same", [first], [second])


def apart(first: Row, second: Row) -> StoredCorrection:
    return stored_correction("w", "distinct", [first], [second])


def test_a_decision_is_known_by_what_it_says() -> None:
    assert same(A, B).id == same(B, A).id == replace(same(A, B), note="Why").id
    assert same(A, B).id != apart(A, B).id
    assert stored_correction("other", "same", [A], [B]).id != same(A, B).id


def test_it_holds_for_the_name_where_another_reading_gave_it_a_type() -> None:
    typed = Mentions([row("a", "Jules", "Person"), B])
    (pair,) = decisions_of([same(A, B)], typed)
    assert {pair.first, pair.second} == {row("a", "Jules", "Person").id, B.id}
    assert decisions_of([same(A, B)], Mentions([B])) == []


def test_a_part_is_no_other_name_of_the_document() -> None:
    part = replace(A, id="part", part_of=A.id)
    said = stored_correction("w", "same", [part], [B])
    assert decisions_of([said], Mentions([A, B])) == []
    assert len(decisions_of([said], Mentions([A, B, part]))) == 1


def test_what_goes_apart_is_one_and_apart_from_all_the_rest() -> None:
    said = decisions_of([stored_correction("w", "distinct", [A, B], [C, D])], ALL)
    assert sum(pair.same for pair in said) == 1 and sum(not pair.same for pair in said) == 4
    assert not said[0].same


@pytest.mark.parametrize(
    ("before", "now", "named"),
    [
        ([same(A, B)], apart(A, B), same(A, B)),
        ([apart(A, B)], same(A, B), apart(A, B)),
        ([same(A, B), same(B, C)], apart(A, C), same(B, C)),
        ([apart(A, C), same(A, B)], same(B, C), apart(A, C)),
        (
            [stored_correction("w", "distinct", [A, B], [C])],
            same(B, C),
            stored_correction("w", "distinct", [A, B], [C]),
        ),
        (
            [stored_correction("w", "distinct", [A, B], [C])],
            apart(A, B),
            stored_correction("w", "distinct", [A, B], [C]),
        ),
        (
            [stored_correction("w", "name", [A], name="X")],
            stored_correction("w", "name", [A], name="Y"),
            stored_correction("w", "name", [A], name="X"),
        ),
    ],
)
def test_a_contradiction_names_an_earlier_decision(
    before: list[StoredCorrection], now: StoredCorrection, named: StoredCorrection
) -> None:
    with pytest.raises(AlreadyDecided) as raised:
        check_correction(now, before, ALL)
    assert any(decision.id in raised.value.cause and decision.id in raised.value.cure for decision in before)
    check_correction(now, [decision for decision in before if decision.id != named.id], ALL)


def test_a_split_of_what_an_earlier_split_left_together_says_so() -> None:
    with pytest.raises(AlreadyDecided, match="stayed together when others were split off before"):
        check_correction(apart(A, B), [stored_correction("w", "distinct", [A, B], [C])], ALL)


def test_no_contradiction_where_names_are_gone_or_said_twice() -> None:
    check_correction(apart(A, B), [same(A, B)], Mentions([A]))
    check_correction(same(A, B), [same(A, B)], ALL)
    check_correction(same(A, B), [apart(C, D)], ALL)


def test_an_alias_group_is_named_as_well() -> None:
    with pytest.raises(AlreadyDecided, match="by correction group"):
        check_correction(apart(B, C), [], ALL, [AliasGroup(names=("The Claw", "La Griffe"), id="group")])


def test_of_two_names_given_after_a_merge_one_holds_in_any_order() -> None:
    said = [stored_correction("w", "name", [A], name="X"), stored_correction("w", "name", [B], name="Y")]
    one = dict.fromkeys((A.id, B.id), "e")
    assert values_given("name", said, ALL, one) == values_given("name", said[::-1], ALL, one)
    assert set(values_given("name", said, ALL, one)) == {"e"}


FORMS = ["Jules Delmas", "Delmas", "The Claw", "La Griffe", "Paul Delmas"]


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Row], list[StoredCorrection]]:
    """Mentions, and decisions that were taken one after the other, those refused that contradict."""
    places = st.tuples(st.sampled_from("abc"), st.sampled_from(FORMS))
    mentions = list({(m := row(*place)).id: m for place in draw(st.lists(places, min_size=2, max_size=10))}.values())
    taken: list[StoredCorrection] = []
    for kind, first, second in draw(
        st.lists(
            st.tuples(st.sampled_from(["same", "distinct"]), st.sampled_from(mentions), st.sampled_from(mentions)),
            max_size=6,
        )
    ):
        if first.id != second.id:
            made = stored_correction("w", kind, [first], [second])
            now = resolve(find_candidates(mentions), decisions=decisions_of(taken, Mentions(mentions))).entity_of
            there = Mentions([replace(m, entity_id=now[m.id]) for m in mentions])
            try:
                check_correction(made, taken, there)
            except AlreadyDecided:
                continue
            taken.append(made)
    return mentions, taken


@settings(max_examples=150)
@given(histories(), st.randoms(use_true_random=False))
def test_what_was_taken_holds_in_any_order(history: tuple[list[Row], list[StoredCorrection]], random: object) -> None:
    mentions, taken = history
    candidates = find_candidates(mentions)
    result = resolve(candidates, decisions=decisions_of(taken, Mentions(mentions)))
    for decision in taken:
        of = [result.entity_of[side[0].id] for side in (decision.names, decision.others)]
        assert (of[0] == of[1]) == (decision.kind == "same")
    shuffled = list(taken)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(candidates, decisions=decisions_of(shuffled, Mentions(mentions[::-1]))) == result


def test_places_are_part_of_what_is_said() -> None:
    here, there = (Occurrence(chunk_id="c", start=start, end=start + 5) for start in (0, 9))
    one, two = (stored_correction("w", "split_off", [A], places=[place]) for place in (here, there))
    assert one.id != two.id and stored_correction("w", "split_off", [A], places=[there, here]).places == (here, there)
