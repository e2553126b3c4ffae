"""Families in the terminal."""

from __future__ import annotations

import pytest

from filigraph.app.cli.show.people import show_families


def test_a_tie_that_a_person_states_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    said = {"sentence": "Ann sees Bob.", "source": "a.txt", "place": "page 2"}
    tie = {"kind": "sibling", "first": "Ann", "other": "Bob", "open": False, "denied": False}
    ties = [tie | {"facts": [said | {"own": own}]} for own in (True, False)]
    show_families({"total": 1, "families": [{"members": [], "ties": ties}], "alleged": []}, 0)
    marked, plain = (row for row in capsys.readouterr().out.splitlines() if "Ann – sibling of – Bob" in row)
    assert marked.endswith("(stated by a person)") and "stated" not in plain
