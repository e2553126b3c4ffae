"""Consoles that are not UTF-8: what they cannot show is shown otherwise, never a crash."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from typing import TextIO

_HANDLER = "filigraph"
_STAND_INS = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "‐": "-",
    "‑": "-", "…": "...", "•": "*", "·": "-", "→": ">", "←": "<", "⇒": "=>", "×": "x", "≥": ">=", "≤": "<=", "✓": "+",
    "✔": "+", "✗": "x", "Œ": "OE", "œ": "oe", "Æ": "AE", "æ": "ae", "ß": "ss", "€": "EUR", "Σ": "S",
}  # fmt: skip
_DRAWN = (  # first, last, instead
    ("\u2500", "\u2501", "-"),
    ("\u2502", "\u2503", "|"),
    ("\u2504", "\u257f", "+"),
    ("\u2580", "\u259f", "#"),
    ("\u25a0", "\u25ff", "*"),
    ("\u2800", "\u28ff", "*"),
)


def adapt_output() -> None:
    """Let standard output and errors show all text, whatever their encoding."""
    codecs.register_error(_HANDLER, _stand_ins)
    for stream in (sys.stdout, sys.stderr):
        if not is_utf8(stream) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


def is_utf8(stream: TextIO) -> bool:
    """Whether a stream takes all characters; one in memory does."""
    try:
        return codecs.lookup(stream.encoding or "utf-8").name == "utf-8"
    except (AttributeError, LookupError):
        return True


def _stand_ins(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(_substitute(letter, error.encoding) for letter in wrong), error.end


def _substitute(letter: str, encoding: str) -> str:
    """A sign of the same sense, the letter without its accent, or its number as Python writes it."""
    if letter in _STAND_INS:
        return _STAND_INS[letter]
    drawn = next((instead for first, last, instead in _DRAWN if first <= letter <= last), "")
    bare = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    try:
        bare.encode(encoding)
    except UnicodeEncodeError:
        bare = ""
    return drawn or bare or letter.encode("ascii", "backslashreplace").decode()
