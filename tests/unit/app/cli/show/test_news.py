"""News in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from filigraph.app.cli.show.news import show_asked_again, show_news

LISTS = ("joined", "parted", "renamed", "entities_came", "entities_gone", "facts_came", "facts_gone")
NOTHING: dict[str, Any] = {name: [] for name in LISTS}
COUNTS = dict.fromkeys(LISTS, 0) | {"entities_came": 1}
NEWS = {
    "since": "2026-11-28T10:00:00Z",
    "total": 2,
    "documents": [{"source": "a.txt", "came": "2026-11-29T10:00:00Z"}],
    "changes": NOTHING
    | {"entities_came": ["Inspector Brun"], "totals": dict.fromkeys(LISTS, 0) | {"entities_came": 1}},
    "contradictions": [],
    "contradictions_total": 0,
}


def test_what_came(capsys: pytest.CaptureFixture[str]) -> None:
    show_news(NEWS)
    told = capsys.readouterr().out
    assert "2 since 2026-11-28 10:00 UTC" in told and "a.txt  2026-11-29" in told and "and 1 more: --count" in told
    assert "Inspector Brun" in told
    show_news(NEWS | {"changes": None})
    assert "Nothing came since 2026-11-28 10:00 UTC." in capsys.readouterr().out


def test_which_answers_changed(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"question": "Who?", "changed": True, "path_before": "", "path_now": "Brun hunts The Claw"}
    same = row | {"question": "When?", "changed": False}
    show_asked_again({"asked": 2, "left": 1, "answers": [row, same]})
    told = capsys.readouterr().out
    assert "1 of 2 answers" in told and "before: no path" in told and "now:    Brun hunts The Claw" in told
    assert "When?" not in told and "1 older answer left: --budget" in told
    show_asked_again({"asked": 0, "left": 0, "answers": []})
    assert "No answer is older than a document." in capsys.readouterr().out
