"""Names that are updated after a change equal those that are computed from all mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.model.names import AliasGroup, Decision, Resolution
from filigraph.graph.names import candidates, index
from filigraph.graph.names.candidates import find_candidates, removed_and_added
from filigraph.graph.names.incremental import names_after
from filigraph.graph.names.index import Names
from filigraph.graph.names.propose import review_pairs
from filigraph.graph.names.propose.proposals import Proposals, propose
from filigraph.graph.names.resolve import resolve
from tests.unit.graph.names.making import Row, in_order, row, rows

PROPERTIES = (
    "by_key", "given", "of", "signatures", "keys_of", "common", "longer", "documents", "keys_in", "documents_of",
    "documents_with_short_forms", "things", "own_names", "full",
)  # fmt: skip
# Short forms, diminutives and nicknames of each other, names that teach a given name or a gender, other spellings and
# scripts, common nouns, companies.
FORMS = [
    "Delmas", "M. Delmas", "Mme Delmas", "J. Delmas", "Jules Delmas", "Jules Antoine Delmas", "Julles Delmas", "Jules",
    "Жюль Delmas", "JULES DELMAS", "Zebulonia Delmas", "Mme Zebulonia Delmas", "M. Zebulonia Vernet", "Zebulonia",
    "Zeb. Vernet", "Vernet", "Zebby", "Zebulon Vernet", "Evie", "Evelyn Hope", "Evelyn", "Hope", "Ted Hope",
    "Theodore Hope", "Edward Hope", "the ring", "the Judge", "Judge Hope", "Hope AG", "Hope Group", "Paris",
    "University of Paris", "Paris Hope", "Saint-Paris", "PolPot", "Pol Pot", "Delmas, Jules", "jules delmas", "...",
    "hope", "delmas", "Сергей Волков", "Sergey Volkov", "Zebulonnia Delmas",
    "Miss Hope", "Mrs. Hope", "Mr. Hope", "Lady Hope", "Miss Evelyn", "old Mr. Hope", "Colonel Hope",
]  # fmt: skip
COUNTS = st.sampled_from([1, 2, 12, 90])  # what rules by frequency tell apart
ROWS = st.builds(
    row, st.sampled_from("abcde"), st.sampled_from(FORMS), st.sampled_from(["", "person", "place"]), COUNTS
)
HISTORIES = st.lists(st.lists(ROWS, max_size=14), min_size=2, max_size=6)


@pytest.fixture(autouse=True)
def _whatever_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MAX_CHANGED_SHARE", float("inf"))
    monkeypatch.setattr(index, "ALONE", (1, 0.6))
    monkeypatch.setattr(index, "ALONE_SURNAME", (1, 0.6))


@settings(max_examples=300)
@given(HISTORIES)
def test_names_after_changes_are_those_of_all_mentions(history: Sequence[Sequence[Row]]) -> None:
    before = Names([])
    for step in history:
        mentions = toggled(before.mentions, [mention for mention in step if mention.key])
        names, _ = names_after(before, mentions, *removed_and_added(before.mentions, mentions))
        anew = Names(mentions)
        for name in PROPERTIES:
            assert getattr(names, name) == getattr(anew, name), name
        assert [*names.of] == [*anew.of]
        before = names


@settings(max_examples=300)
@given(HISTORIES)
def test_pairs_after_changes_are_those_of_all_names(history: Sequence[Sequence[Row]]) -> None:
    state = DerivationState()
    found = [(step, find_candidates(in_order(step), state).pairs) for step in history]
    for step, pairs in found:
        assert pairs == find_candidates(in_order(step)).pairs


# Names that a person is asked about: one holds the other's words, sounds alike, has its initials, is of another firm or
# script, was married, is torn between two.
ASKED = [
    "Umar Patek", "Umar Patek Abdullah Anshori", "Patek, Abdullah Umar", "Umar Hope Patek", "Al Qaeda", "Al-Qa'ida",
    "Al Qaida", "PLA", "P.L.A.", "People's Liberation Army", "Party of Labour Albania", "Peace Labour Action",
    "Miss Mary Morstan", "Mrs. Mary Morstan", "Mary Morstan", "Homs Refinery Company", "Homs Refinery Corporation",
    "Fernando Pérez", "Fernando Peres", "فرناندو بيريز", "Фернандо Перес", "George Bush", "George W. Bush",
    "George H. Bush", "George Walker Bush",
]  # fmt: skip
ASKED_ROWS = st.builds(row, st.sampled_from("abc"), st.sampled_from(ASKED), st.sampled_from(["", "person"]))
ALIKE, OTHER = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)
VECTORS = st.sampled_from([
    {}, dict.fromkeys((*FORMS, *ASKED), ALIKE), {form: (ALIKE, OTHER)[n % 2] for n, form in enumerate((*ASKED, *FORMS))}
])  # fmt: skip
NEAR = [
    [*FORMS, *ASKED][first : first + 10] for first in range(len(FORMS) + len(ASKED) - 5)
]  # most have words in common
FEW_FORMS = st.sampled_from(NEAR) | st.lists(st.sampled_from([*FORMS, *ASKED]), min_size=3, max_size=8)
LISTS = st.lists(
    st.builds(AliasGroup, names=st.permutations(FORMS).map(lambda forms: tuple(forms[:2])), document_id=st.just("")),
    max_size=1,
)


def histories_of(forms: Sequence[str]) -> st.SearchStrategy[Any]:
    """Few forms, so that much of what is said of one follows from others; and few mentions that come or go at once."""
    types = st.sampled_from(["", "person", "place"])
    mention = st.builds(row, st.sampled_from("abc"), st.sampled_from(forms), types, COUNTS)
    first, step = st.lists(mention, min_size=4, max_size=12), st.lists(mention, max_size=2)
    return st.tuples(first, st.lists(st.tuples(step, VECTORS, LISTS), min_size=2, max_size=6))


def toggled(there: Sequence[Row], step: Sequence[Row]) -> list[Row]:
    """One that is there goes, or is said otherwise."""
    now = {mention.id: mention for mention in there}
    for mention in step:
        if now.get(mention.id) == mention:
            del now[mention.id]
        else:
            now[mention.id] = mention
    return in_order([*now.values()])


def said(found: Proposals) -> Any:
    joined = {mention: sorted(map(repr, proposals)) for mention, proposals in found.joining.items()}
    return joined, found.near.pairs, [*found.short_forms()]


@settings(max_examples=500)
@given(FEW_FORMS.flatmap(histories_of), st.booleans())
def test_proposals_after_changes_are_those_of_all_names(history: Any, small: bool) -> None:
    mentions, steps = history
    with pytest.MonkeyPatch.context() as limits:
        if small:  # so that blocks are too big to compare all their names
            limits.setattr(review_pairs, "MAX_SMALL_BLOCK_NAMES", 2)
            limits.setattr(review_pairs, "WINDOW_NAMES", 1)
        found: list[tuple[Proposals, Any, Any]] = []
        state = DerivationState()
        for step, vectors, lists in steps:
            mentions = toggled(mentions, step)
            before = found[-1][0] if found else None
            found.append((propose(find_candidates(mentions, state), lists, {}, vectors, before), vectors, lists))
        for after, vectors, lists in found:
            anew = propose(find_candidates(after.candidates.mentions), lists, {}, vectors)
            assert said(after) == said(anew)


LONGER = row("a", "Jules Antoine Delmas"), row("c", "Jules Antoine Delmas")


@pytest.mark.parametrize(
    ("stays", "changes"),
    [
        ([*LONGER[:1], row("b", "Jules Delmas")], LONGER[1]),  # the first mention of a longer name
        ([*LONGER[1:], row("b", "Jules Delmas")], LONGER[0]),
        (rows(b=["M. Paris", "Hope Paris"]), row("a", "Hope Paris", "place")),  # a name that is a thing elsewhere
        (rows(b=["Zebby", "Zebadore Vernet"]), row("a", "M. Zebadore Hope")),  # a given name
    ],
)
def test_what_a_mention_changes_of_others(stays: Sequence[Row], changes: Row) -> None:
    for steps in ([stays, [*stays, changes]], [[*stays, changes], stays]):
        before, after = (in_order(step) for step in steps)
        state = DerivationState()
        known = propose(find_candidates(before, state), [], {}, {})
        refreshed = propose(find_candidates(after, state), [], {}, {}, known)
        assert said(known) != said(refreshed) == said(propose(find_candidates(after), [], {}, {}))


DECISIONS = st.lists(st.tuples(ROWS, ROWS, st.booleans()), max_size=2)
ALIASES = st.lists(st.tuples(st.sampled_from(FORMS), st.sampled_from(FORMS)), max_size=1)
STRANGERS = st.sampled_from([{}, {"b": {"delmas": 1, "hope": 1}}, {"a": {"jules delmas": 1}}, {"b": {"delmas\tf": 3}}])
STATED = st.tuples(DECISIONS, ALIASES, STRANGERS, VECTORS)
STEPS = st.lists(st.tuples(st.lists(ROWS, max_size=2), STATED), min_size=1, max_size=5)


@settings(max_examples=400)
@given(st.lists(ROWS | ASKED_ROWS, max_size=20), STATED, STEPS, st.booleans())
def test_entities_after_changes_are_those_of_all_mentions(
    first: Sequence[Row], said: Any, steps: Sequence[Any], said_once: bool
) -> None:
    def resolved(number: int, state: DerivationState | None = None) -> Resolution:
        there = toggled(first, [mention for rows_, _ in steps[:number] for mention in rows_])
        decided, aliases, strangers, vectors = said if said_once or not number else steps[number - 1][1]
        parts = [replace(m, id=ids.part_id(m.id, "d"), part_of=m.id) for m in there[:1]]
        persons = [
            Decision(first=min(a.id, b.id), second=max(a.id, b.id), same=same, rule="person", score=1.0, by="person")
            for a, b, same in decided
            if a.id != b.id
        ]
        return resolve(
            find_candidates(in_order([*there, *parts]), state),
            decisions=persons,
            document_aliases={"a": aliases} if aliases else {},
            strangers=strangers,
            vectors=vectors,
            state=state,
        )

    state = DerivationState()
    one_after_the_other = [resolved(number, state) for number in range(len(steps) + 1)]
    for number, found in enumerate(one_after_the_other):
        assert resolved(number) == found


def test_the_conflicts_of_names_that_changed_are_forgotten() -> None:
    mentions = in_order(rows(a=["Zebulonia Delmas", "Mme Delmas"], b=["Jules Delmas"]))
    before = Names(mentions)
    before.guards[("delmas", "zebulonia delmas")] = ""
    before.guards[("jules delmas", "zebulonia delmas")] = "first name"
    new = row("c", "M. Zebulonia Vernet")
    after, _ = names_after(before, in_order([*mentions, new]), [], [new])
    assert before.guards and not after.guards  # Zebulonia is a man


def test_a_name_that_learns_its_gender_elsewhere_is_paired_anew() -> None:
    mentions = rows(a=["Zebulonia Delmas"], b=["Zebulonnia Delmas"])
    state = DerivationState()
    (before,) = find_candidates(mentions, state).pairs.values()
    (after,) = find_candidates([*mentions, row("c", "M. Zebulonia Vernet")], state).pairs.values()
    assert (before.first.gender, after.first.gender) == ("", "m")


def test_where_most_mentions_changed_all_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MAX_CHANGED_SHARE", 0.5)
    state = DerivationState()
    find_candidates(rows(a=["Jules", "Paris"]), state)
    assert find_candidates(rows(a=["Jules", "Paris"], b=["Hope"]), state).change is not None
    assert find_candidates(rows(b=["Jules", "Paris"]), state).change is None
