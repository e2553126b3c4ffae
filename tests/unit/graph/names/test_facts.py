"""Entities that are updated after a change equal those that are derived from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.derivation_state import DerivationState
from filigraph.graph.names.facts import derive_entities
from filigraph.graph.tables.persistent_map import PersistentMap
from tests.unit.graph.names.making import Row, row

FORMS = ["DELMAS", "Delmas", "M. Zebulonia Vernet", "Zebulonia Hope", "Paris", "Mme Zebulonia Vernet"]
ROWS = st.builds(
    row, st.sampled_from("abc"), st.sampled_from(FORMS), st.sampled_from(["", "person", "place"]), st.integers(1, 2)
)
GIVEN = st.dictionaries(st.integers(0, 5), st.sampled_from(["A Name", "Other"]), max_size=2)
# What comes, goes or is said otherwise; pairs that are one entity; names and types that persons give.
STEPS = st.lists(
    st.tuples(
        st.lists(ROWS, max_size=4),
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3),
        GIVEN,
        GIVEN,
    ),
    max_size=6,
)


@settings(max_examples=300)
@given(STEPS)
def test_entities_after_changes_are_those_derived_from_nothing(steps: Sequence[Any]) -> None:
    there: dict[str, Row] = {}
    mentions: PersistentMap[Row] = PersistentMap({})
    arguments = []
    for changed, joined, names, types in steps:
        gone = [one.id for one in changed if there.get(one.id) == one]
        new = {one.id: one for one in changed if one.id not in gone}
        there = {id_: one for id_, one in there.items() if id_ not in gone} | new
        mentions = mentions.after(gone, new)
        ordered = sorted(there)
        group = {id_: id_ for id_ in ordered}
        for first, second in joined if ordered else ():
            low, high = sorted((group[ordered[first % len(ordered)]], group[ordered[second % len(ordered)]]))
            group = {id_: low if of == high else of for id_, of in group.items()}
        entity_of = {id_: ids.entity_id(of) for id_, of in group.items()}
        entities = sorted(set(entity_of.values()))
        given_of = [
            {entities[n % len(entities)]: to for n, to in of.items()} if entities else {} for of in (names, types)
        ]
        arguments.append((mentions, entity_of, *given_of))
    state = DerivationState()
    found = [derive_entities(*argument, state) for argument in arguments]  # type: ignore[call-arg]
    for argument, derived in zip(arguments, found, strict=True):
        anew = derive_entities(PersistentMap(dict(argument[0])), *argument[1:])
        assert dict(derived.entities) == dict(anew.entities)
        assert dict(derived.entity_of) == argument[1]


def test_a_learned_given_name_sets_the_type_of_unchanged_names() -> None:
    state = DerivationState()
    hope, teacher = row("a", "Zebulonia Hope"), row("b", "M. Zebulonia Vernet")
    for mentions, type_ in (([hope], ""), ([hope, teacher], "Person"), ([hope], "")):
        entity_of = {mention.id: ids.entity_id(mention.id) for mention in mentions}
        found = derive_entities(PersistentMap({mention.id: mention for mention in mentions}), entity_of, {}, {}, state)
        assert found.entities[entity_of[hope.id]].type == type_
