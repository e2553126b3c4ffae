"""An answer in the terminal: what the evidence does not hold is marked where it stands, and named below."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from filigraph.app.cli.show_answer import answer


def test_what_is_not_in_the_evidence_is_said() -> None:
    text = "Jules\u202e paid 9 million euros [99]."
    unsupported = [
        {"kind": kind, "text": words, "start": text.index(words), "end": text.index(words) + len(words)}
        for kind, words in (("number", "9 million euros"), ("citation", "[99]"))
    ]
    found = {"generated": True, "model": "scripted", "text": text, "unsupported": unsupported, "cut_short": ""}
    out = Console(file=StringIO(), width=100, force_terminal=True, color_system="standard", highlight=False)
    with out.capture() as told:
        answer(out, {**found, "missing": "", "citations": [], "vector_only": None})
    marked = "\x1b[4;33m9 million euros\x1b[0m"
    assert marked in told.get() and "\x1b[4;33m[99]\x1b[0m" in told.get()
    assert "Not in the evidence: 9 million euros, [99]" in told.get()
    assert "\u202e" not in told.get()
