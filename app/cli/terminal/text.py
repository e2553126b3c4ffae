"""Sanitize untrusted text for the terminal: no escape sequences, no bidi overrides."""

from __future__ import annotations

import unicodedata

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


def duration(seconds: float) -> str:
    """A duration in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"
