"""Persistent tables, and what they keep, equal those that are built from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.model.names import CorrectedName
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables import persistent_map as pages
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.persistent_map import PersistentMap, by_hash, by_prefix

IDS = st.text("ab1", max_size=4)
ROWS = st.tuples(st.integers(0, 3))  # equal ones are other objects
CHANGES = st.lists(st.tuples(st.sets(IDS, max_size=4), st.dictionaries(IDS, ROWS, max_size=4)), max_size=6)


@pytest.fixture(autouse=True, params=[0, 1, 3])
def _of_any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PREFIX_HEX_DIGITS", request.param)
    monkeypatch.setattr(pages, "HASHED_PAGES", 1 + request.param)


def after(rows: Mapping[str, tuple[int]], gone: set[str], new: Mapping[str, tuple[int]]) -> dict[str, tuple[int]]:
    return {id_: row for id_, row in rows.items() if id_ not in gone} | dict(new)


def total(rows: Mapping[str, tuple[int]]) -> int:
    return sum(number for (number,) in rows.values())


def unlike(rows: Mapping[str, tuple[int]], others: Mapping[str, tuple[int]]) -> list[str]:
    return [id_ for id_, row in rows.items() if others.get(id_) != row]


@settings(max_examples=200)
@given(CHANGES, st.sampled_from([by_prefix, by_hash]))
def test_a_table_after_changes_is_the_table_of_its_rows(changes: Sequence[tuple], page_of) -> None:  # type: ignore[type-arg, no-untyped-def]
    rows: dict[str, tuple[int]] = {}
    tables = [PersistentMap(rows, page_of)]
    for gone, new in changes:
        rows = after(rows, gone, new)
        tables.append(tables[-1].after(gone, new))
        table = tables[-1]
        assert (dict(table.items()), len(table), {*table}) == (rows, len(rows), {*rows})
        assert sorted(table.values()) == sorted(rows.values())
        assert page_of is by_hash or [*table] == sorted(rows)
        assert all(table[id_] == row for id_, row in rows.items()) and "no id" not in table
        assert sum(table.each(total)) == total(rows)
        for other in tables:
            ids_ = sorted({*table} | {*other})
            expected = [(id_, table.get(id_), other.get(id_)) for id_ in ids_ if table.get(id_) != other.get(id_)]
            assert sorted(table.differences(other), key=lambda row: row[0]) == expected
            found = [id_ for part in table.beside(other, unlike) for id_ in part]
            assert sorted(found) == sorted(unlike(dict(table), dict(other)))


def test_where_nothing_changes_a_table_and_its_pages_stay() -> None:
    table = PersistentMap({"aa": (1,), "ab": (2,), "ba": (3,)})
    assert table.after(["c"], {"aa": (1,)}) is table
    assert table.after(["aa"], {"aa": (1,)}) is table, "what is gone and new is there"
    counted = []

    def count(rows: Mapping[str, tuple[int]]) -> int:
        counted.append([*rows])
        return len(rows)

    other = table.after(["ba"], {})
    assert (sum(table.each(count)), sum(table.each(count)), sum(other.each(count))) == (3, 3, 2)
    assert len(counted) == (
        2 if pages.PREFIX_HEX_DIGITS == 0 else len({id_[: pages.PREFIX_HEX_DIGITS] for id_ in table})
    )


FORMS = ["jules", "paul", "the claw"]
MENTIONS = st.builds(
    lambda document, key, part, count, entity: MentionRow(
        id=ids.mention_id(document, key, part),
        document_id=document,
        key=key,
        form=key.title(),
        type="",
        language="en",
        scanned=False,
        looked_up="",
        count=count,
        entity_id=entity,
        part_of=part,
    ),
    st.sampled_from("de"), st.sampled_from(FORMS), st.sampled_from(["", "m"]), st.integers(0, 1), st.sampled_from("xy"),
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(st.tuples(st.lists(MENTIONS, max_size=3), st.lists(MENTIONS, max_size=3)), max_size=6))
def test_mentions_after_changes_are_those_made_from_nothing(steps: Sequence[tuple]) -> None:  # type: ignore[type-arg]
    rows: dict[str, MentionRow] = {}
    mentions = Mentions([])
    for left, came in steps:
        gone, new = {row.id for row in left}, {row.id: row for row in came}
        rows = {id_: row for id_, row in rows.items() if id_ not in gone} | new
        mentions = mentions.after(gone, new)
        anew = Mentions(rows.values())
        assert mentions == anew and [*mentions] == [*anew] == [rows[id_] for id_ in sorted(rows)]
        assert dict(mentions.by_key) == dict(anew.by_key)
        assert mentions.of_entity == anew.of_entity
        assert all(a.id < b.id for bearers in mentions.by_key.values() for a, b in pairwise(bearers))
        for document in "de":
            for key in FORMS:
                meant = CorrectedName(id="former", document_id=document, key=key, form="")
                bearers = [row.id for row in anew if (row.document_id, row.key, row.part_of) == (document, key, "")]
                assert mentions.there([meant, meant]) == bearers
