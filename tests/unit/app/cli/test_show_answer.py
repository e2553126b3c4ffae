"""An answer in the terminal: what the evidence does not hold is marked where it stands, and named below."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console

from filigraph.app.cli.show_answer import answer


def shown(**found: Any) -> str:
    out = Console(file=StringIO(), width=100, force_terminal=True, color_system="standard", highlight=False)
    usual = {"generated": True, "model": "scripted", "answered": True, "unsupported": [], "cut_short": ""}
    with out.capture() as told:
        answer(out, {**usual, "missing": "", "citations": [], "vector_only": None, **found})
    return told.get()


def test_what_is_not_in_the_evidence_is_said() -> None:
    text = "Jules\u202e paid 9 million euros [99]."
    unsupported = [
        {"kind": kind, "text": words, "start": text.index(words), "end": text.index(words) + len(words)}
        for kind, words in (("number", "9 million euros"), ("citation", "[99]"))
    ]
    told = shown(text=text, unsupported=unsupported)
    marked = "\x1b[4;33m9 million euros\x1b[0m"
    assert marked in told and "\x1b[4;33m[99]\x1b[0m" in told
    assert "Not in the evidence: 9 million euros, [99]" in told
    assert "\u202e" not in told


def test_that_no_path_answers_is_said() -> None:
    assert "No path answers this" in shown(text="They do not say.", answered=False)
    assert "No path answers this" not in shown(text="He is a thief.")
