"""Consoles that are not UTF-8 show all text, and JSON does not change."""

from __future__ import annotations

import io
import json
import sys

import pytest

from filigraph.app.cli.terminal.encodings import adapt_output, is_utf8
from filigraph.app.cli.terminal.session import print_json

SAID = "Théo ── porte ─→ “l’œuvre”… │ █ ⠋ Зоя 指輪 ć"


def printed(monkeypatch: pytest.MonkeyPatch, encoding: str, text: str) -> str:
    """What a console in this encoding shows of a text."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")
    monkeypatch.setattr(sys, "stdout", stream)
    adapt_output()
    stream.write(text)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", SAID),
        ("cp1252", "Théo -- porte -> “l’œuvre”… | # * \\u0417\\u043e\\u044f \\u6307\\u8f2a c"),
        ("cp1251", "Theo -- porte -> “l’oeuvre”… | # * Зоя \\u6307\\u8f2a c"),
        ("cp437", 'Théo ── porte ─> "l\'oeuvre"... │ █ * \\u0417\\u043e\\u044f \\u6307\\u8f2a c'),
        ("ascii", 'Theo -- porte -> "l\'oeuvre"... | # * \\u0417\\u043e\\u044f \\u6307\\u8f2a c'),
        ("cp932", "Theo ── porte ─→ “l’oeuvre”… │ # * Зоя 指輪 c"),
    ],
)
def test_what_a_console_cannot_show_is_shown_otherwise(
    monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str
) -> None:
    assert printed(monkeypatch, encoding, SAID) == shown


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp1251", "ascii"])
def test_json_is_whole_in_every_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    adapt_output()
    print_json({"text": SAID})
    stream.flush()
    written = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert json.loads(written) == {"text": SAID} and ("Théo" in written) == (encoding == "utf-8")


def test_a_stream_in_memory_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    adapt_output()
    assert is_utf8(sys.stdout)
