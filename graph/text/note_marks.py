"""Marks of notes: raised numbers and signs that are not part of a word ("Varenne¹"), unlike those in "m²", "1er",
"M^me".
"""

from __future__ import annotations

import re

_MARK = re.compile(r"[\[(]?(?:\d{1,3}(?:[,;–-]\s?\d{1,3})*|[*†‡§]{1,3})[\])]?")
_WORD_BEFORE = re.compile(r"\w*$")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_IN_BRACKETS = re.compile(r"(?<=[^\W\d_]|[.,;:!?»”\"'’)])\[(\d{1,3}|[A-Z]|[*†‡])\]")
_NOTE_LINE = re.compile(r"^[^\S\n]*\[(?:(?:foot)?note\s*)?(\d{1,3}|[A-Z]|[*†‡])\s*[\]:]", re.MULTILINE | re.IGNORECASE)


def is_mark(raised: str) -> bool:
    """Whether raised letters can be the mark of a note."""
    return bool(_MARK.fullmatch(raised.strip()))


def takes_mark(before: str) -> bool:
    """Whether a raised number after this text is the mark of a note: not after a number or a unit ("10²", "m²")."""
    word = _WORD_BEFORE.search(before.rstrip())
    return bool(before.strip()) and (not word or not word[0] or (len(word[0]) > 2 and not word[0][-1].isdigit()))


def raise_digits(text: str) -> str:
    """Raised digits as Unicode characters: "²"."""
    return text.translate(_RAISED)


def marks_in_brackets(text: str) -> list[tuple[int, int]]:
    """Places where "word[3]" has the mark of a note that the text contains: "[3] He was deaf.", "[Footnote 3: …]"."""
    notes = set(_NOTE_LINE.findall(text))
    if not notes:
        return []
    starts = {match.start() for match in _NOTE_LINE.finditer(text)}
    return [match.span() for match in _IN_BRACKETS.finditer(text) if match[1] in notes and match.start() not in starts]
