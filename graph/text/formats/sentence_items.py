"""Enumerations in running text: "He carried a captain's coat; a grey jersey; a rosary; three pounds in notes"."""

from __future__ import annotations

import re
from statistics import median

MIN_PARTS = 3
MAX_CHARS = 80  # of a part but the first, which has what leads to it
MAX_MEDIAN_CHARS = 45  # clauses are longer
_SEPARATOR = re.compile(r"\s*[;\uff1b]\s*")
_LEAD = re.compile(r"[:\uff1a]\s+")


def enumerated(sentence: str) -> list[tuple[int, int]]:
    """The places of the things that a sentence enumerates between semicolons; none if it enumerates nothing."""
    lead = _LEAD.search(sentence)
    start, end = lead.end() if lead else 0, len(sentence.rstrip(" .!?…"))
    parts = []
    for match in _SEPARATOR.finditer(sentence, start, end):
        parts.append((start, match.start()))
        start = match.end()
    parts.append((start, end))
    lengths = [stop - begin for begin, stop in parts[1:]]
    short = len(parts) >= MIN_PARTS and max(lengths) <= MAX_CHARS and median(lengths) <= MAX_MEDIAN_CHARS
    return parts if short and min(lengths) > 0 else []
