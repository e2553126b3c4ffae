"""Enumerations in running text: "He carried a captain's coat; a grey jersey; a rosary; three pounds in notes"."""

from __future__ import annotations

import re
from statistics import median

MIN_PARTS = 3
MAX_CHARS = 80  # of a part but the first, which has what leads to it
MAX_MEDIAN_CHARS = 45  # clauses are longer
_SEPARATOR = re.compile(r"[;\uff1b]")
_LEAD = re.compile(r":\s+|\uff1a\s*")  # unspaced scripts have no blank after theirs
_STOPS = " .!?…\u3002\uff01\uff1f;\uff1b"


def enumerated(sentence: str) -> list[tuple[int, int]]:
    """The places of the things that a sentence enumerates between semicolons; none if it enumerates nothing."""
    lead = _LEAD.search(sentence)
    start, end = lead.end() if lead else 0, len(sentence.rstrip(_STOPS))
    marks = [match.start() for match in _SEPARATOR.finditer(sentence, start, end)]
    parts = [_trimmed(sentence, *part) for part in zip([start, *(at + 1 for at in marks)], [*marks, end], strict=True)]
    lengths = [stop - begin for begin, stop in parts[1:]]
    short = len(parts) >= MIN_PARTS and max(lengths) <= MAX_CHARS and median(lengths) <= MAX_MEDIAN_CHARS
    return parts if short and min(lengths) > 0 else []


def _trimmed(sentence: str, start: int, end: int) -> tuple[int, int]:
    """A part of a sentence without the blanks around it."""
    part = sentence[start:end]
    return end - len(part.lstrip()), start + len(part.rstrip())
