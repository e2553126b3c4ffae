"""The JSON that language models write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.text.formats.loose_json import cut_object, innermost_objects, whole_object

PLAIN = st.dictionaries(st.text(), st.text() | st.integers() | st.booleans(), max_size=4)


@given(st.dictionaries(st.text(), st.lists(PLAIN, max_size=4), max_size=4), st.text(alphabet="abc \n`"))
def test_a_whole_object_is_read_whatever_stands_around_it(value: dict[str, object], prose: str) -> None:
    assert whole_object(f"{prose}{json.dumps(value)}{prose}") == value


@given(st.lists(PLAIN, max_size=4), st.integers(0, 50))
def test_what_was_complete_is_saved_wherever_it_was_cut(values: list[dict[str, object]], more: int) -> None:
    text = '{"facts": [' + ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
    assert list(innermost_objects(text + ', {"s": "Ju{les'[:more])) == values


@pytest.mark.parametrize("text", ["", "{", "}", "{]", "[1]", "} {", "{" * 100_000])
def test_nothing_to_read_is_nothing(text: str) -> None:
    assert whole_object(text) is None
    assert list(innermost_objects(text)) == []


def test_trailing_commas_are_let_pass() -> None:
    assert whole_object('{"a": [1, 2,], "b": ", ]",}') == {"a": [1, 2], "b": ", ]"}


def test_a_long_reply_takes_no_longer_than_its_length() -> None:
    assert list(innermost_objects('{"a": "' * 50_000)) == []


def test_what_is_not_quite_json_is_mended() -> None:
    told = {"a": "Jules's ring", "b": [1, None, True]}
    assert whole_object(r"""{"a": "Jules\'s ring", "b": [1, null, true]}""") == told
    assert whole_object(r"""{'a': 'Jules\'s ring', 'b': [1, None, True,]}""") == told
    assert whole_object('Take {this}:\n```json\n{"a": 1,}\n```\nor {that}') == {"a": 1}
    assert cut_object('{"a": [[1, "x"], [2, "y') == {"a": [[1, "x"]]}


@pytest.mark.parametrize(
    "hostile",
    [
        '{"a": "' * 9_000,
        "{'a': 'x" * 7_000,
        '{"a":' * 12_000,
        "{" + "[" * 50_000 + "}",
        '{"' + '\\"' * 100_000 + "}",
    ],
)
def test_a_hostile_reply_is_over_soon(hostile: str) -> None:
    whole_object(hostile)
    cut_object(hostile)


def test_curly_quotation_marks_around_all_strings() -> None:
    assert whole_object("{“names”: {}, “facts”: [[1, “Ann”, “sold”, “boat”]]}") == {
        "names": {},
        "facts": [[1, "Ann", "sold", "boat"]],
    }


def test_full_width_signs_between_strings() -> None:
    assert whole_object('{"names"：{"Person"：["Ann，Bo"，"Cy"]}，"facts"：[]}') == {
        "names": {"Person": ["Ann，Bo", "Cy"]},
        "facts": [],
    }
