"""Sanitize untrusted text for the terminal: no escape sequences, no bidi overrides."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

SOURCE = 48  # characters of a document's source; half a line of a terminal
TITLE = 60
WORD = 20  # letters; a script without spaces is cut anywhere
_KEPT = "\n\t"
_TURNING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: object) -> str:
    """Text without control characters, bidi controls and lone surrogates."""
    return "".join(
        character
        for character in str(text)
        if character in _KEPT or (unicodedata.category(character) not in ("Cc", "Cs") and character not in _TURNING)
    )


def one_line(text: object, limit: int = 0) -> str:
    """Clean text on one line, truncated to `limit` characters between words, a longer word than WORD within; 0: no
    limit."""
    line = " ".join(clean(text).split())
    if not limit or len(line) <= limit:
        return line
    shortened = line[: limit - 1]
    if not line[limit - 1].isspace():
        whole, _, begun = shortened.rpartition(" ")
        shortened = whole if whole and len(begun) <= WORD else shortened
    return shortened.rstrip() + "…"


def source_name(source: object) -> str:
    """A document's source on one line; of one longer than SOURCE the first folders are left out, never the file."""
    whole = shown = one_line(source)
    while len(shown) > SOURCE and "/" in shown[:-1]:
        shown = shown.partition("/")[2]
    return shown if shown == whole else f"…/{shown}"


def where_said(row: Mapping[str, Any], *notes: str) -> str:
    """The document of a sentence, by its title if the row has one, its place in it, and what else is to be said."""
    document = one_line(row.get("title"), TITLE) if row.get("title") else source_name(row["source"])
    return ", ".join(filter(None, (document, row.get("place"), *notes)))


def duration(seconds: float) -> str:
    """A duration in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"
