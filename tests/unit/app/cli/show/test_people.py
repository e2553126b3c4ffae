"""Families in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from filigraph.app.cli.people import FAMILY_COLUMNS, tie_row
from filigraph.app.cli.show.people import show_cast, show_families, show_timeline

SAID: dict[str, Any] = {"sentence": "Ann sees Bob.", "source": "a.txt", "place": "page 2"}
ENDS: dict[str, Any] = {"subject": "Ann", "predicate": "is the sister of", "object": "Bob"}


def marks(out: str, words: str) -> list[bool]:
    """Of each line with these words, whether it is marked."""
    return [row.endswith("(stated by a person)") for row in out.splitlines() if words in row]


def test_a_tie_that_a_person_states_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    tie = {"kind": "sibling", "first": "Ann", "other": "Bob", "open": False, "denied": False}
    ties = [tie | {"facts": [SAID | {"own": own}]} for own in (True, False)]
    show_families({"total": 1, "families": [{"members": [], "ties": ties}], "alleged": []}, 0)
    assert marks(capsys.readouterr().out, "Ann – sibling of – Bob") == [True, False]


def test_alleged_kin_that_a_person_states_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    show_families({"total": 0, "families": [], "alleged": [SAID | ENDS | {"own": own} for own in (True, False)]}, 0)
    assert marks(capsys.readouterr().out, "is the sister of") == [True, False]


def test_who_somebody_is_by_a_person_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    rest = {"name": "Ann", "names": [], "passages": 1, "connections": [], "first": SAID}
    members = [rest | {"description": ENDS | {"own": own}} for own in (True, False)]
    show_cast({"total": 2, "members": members}, 0)
    assert marks(capsys.readouterr().out, "is the sister of Bob") == [True, False]


def test_a_dated_fact_that_a_person_states_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    facts = [SAID | ENDS | {"fact_id": "f", "date": "1904", "own": own} for own in (True, False)]
    show_timeline({"total": 2, "facts": facts, "documents": [], "undated": 0, "left_out": 0}, 0)
    assert marks(capsys.readouterr().out, "is the sister of") == [True, False]


def test_the_table_of_families_says_who_states_a_tie() -> None:
    ids = {"first_id": "1", "other_id": "2"}
    tie = {"kind": "sibling", "first": "Ann", "other": "Bob", "open": False, "denied": False} | ids
    row = tie_row(tie | {"facts": [SAID | {"predicate": "is the sister of", "own": True}]})
    assert dict(zip(FAMILY_COLUMNS, row, strict=True))["own"] is True
