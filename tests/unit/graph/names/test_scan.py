"""A scan looks at everything that may have changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filigraph.graph import ids
from filigraph.graph.names import scan as scanning
from filigraph.graph.names.mentions import is_made_of, scannable, words_of
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables import persistent_map as pages
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.text.names.parse import name_key

FORMS = [
    "Jules Delmas",
    "jules delmas",
    "Tours",
    "tours",
    "The Claw",
    "the ring",
    "Émile",
    "Дом Jules",
    "Сергей Волков",
    "3",
    "Delmas, Jules",
]


def mention(document: str, form: str, type_: str, looked_up: str, *, scanned: bool, count: int) -> MentionRow:
    key = name_key(form)
    return MentionRow(
        id=ids.mention_id(document, key, type_),
        document_id=document,
        key=key,
        form=form,
        type=type_,
        language="en",
        scanned=scanned,
        looked_up={"": "", "same": form}.get(looked_up, looked_up),
        count=count,
        entity_id="",
    )


MENTIONS = st.builds(
    mention,
    st.sampled_from("abc"),
    st.sampled_from(FORMS),
    st.sampled_from(["", "place"]),
    st.sampled_from(["", "same", "same", "Jules Delmas", "tours"]),
    scanned=st.booleans(),
    count=st.integers(0, 1),
)  # fmt: skip
TABLES = st.lists(MENTIONS, max_size=8).map(Mentions)


@pytest.fixture(autouse=True, params=[1, 4096])
def _of_any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "HASHED_PAGES", request.param)


def read(rows: Sequence[MentionRow], key: str) -> list[MentionRow]:
    return [row for row in rows if row.key == key and row.count and not row.scanned]


@settings(max_examples=300)
@given(TABLES)
def test_names_found_otherwise_exclude_those_looked_up_as_read(mentions: Mentions) -> None:
    other = {*chain.from_iterable(mentions.by_key.each(scanning.keys_found_otherwise))}
    for row in mentions:
        if row.key not in other:
            assert row.looked_up == (row.form if row in read(mentions, row.key) else "")
            assert not row.scanned or any(scannable(one.form) for one in read(mentions, row.key))
    as_read = [row for row in mentions if row.looked_up == row.form and row in read(mentions, row.key)]
    assert other.isdisjoint(
        row.key for row in Mentions(as_read) if all(one in as_read for one in mentions.by_key[row.key])
    )


@settings(max_examples=300)
@given(TABLES, st.lists(st.sampled_from([*FORMS, "rain", "дом"]), max_size=4))
def test_names_in_texts_are_those_of_all_names_that_their_words_make(mentions: Mentions, texts: Sequence[str]) -> None:
    expected = {}
    for key in {row.key for row in mentions}:
        forms = [row.form for row in read(mentions, key) if scannable(row.form)]
        if forms and is_made_of(key, words_of(texts)):
            expected[key] = min(forms)
    assert scanning.names_in(texts, mentions) == expected
