"""Comparisons in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from filigraph.app.cli.show.comparison import show_comparison

SAID: dict[str, Any] = {"sentence": "Ann sees Bob.", "source": "a.txt", "place": "page 2"}
FACT: dict[str, Any] = {"subject": "Ann", "predicate": "sees", "object": "Bob", **SAID}
PLAIN: dict[str, Any] = {"denied": False, "according_to": "", "own": False}


def compared(*between: dict[str, Any], relations: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    entity = {"places": 1, "chunks": 1, "aliases": [], "type": "Person", "first": []}
    entities = [entity | {"id": name, "name": name} for name in ("Ann", "Bob")]
    pair = {"first": 0, "other": 1, "between": between, "passages": 0, "together": []}
    return {"entities": entities, "relations": relations, "shared": [], "pairs": [pair]}


def test_who_states_a_fact_about_both_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    marked = ({}, {"own": True}, {"denied": True, "according_to": "Eve"})
    show_comparison(compared(*(FACT | PLAIN | one for one in marked)))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if "Ann – sees – Bob" in line]
    words = "Ann – sees – Bob"
    assert lines == [words, f"{words}  (stated by a person)", f"{words}  (denied)  (according to Eve)"]


def test_a_denied_fact_of_one_side_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    side = {"subject_id": "Ann", "weight": 1, "own": False, **FACT}
    facts = [[side | {"object": "Eve", "denied": True}, side | {"object": "Tom", "denied": False}], []]
    show_comparison(compared(relations=[{"predicate": "sees", "facts": facts}]))
    assert "Eve (denied), Tom" in capsys.readouterr().out
