"""The reach of a phrase: from the punctuation before it to the punctuation after it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from filigraph.graph.text.factuality.governors import Scope, Status


def scope(start: int, end: int, status: Status) -> Scope:
    return Scope(start=start, end=end, status=status)


def stop_after(sentence: str, at: int, marks: str) -> int:
    stops = _stops(sentence, marks)
    n = bisect_left(stops, at)
    return stops[n] if n < len(stops) else len(sentence)


def start_before(sentence: str, at: int, marks: str) -> int:
    """The place after the last mark that a space follows, before `at`."""
    starts = _starts(sentence, marks)
    n = bisect_right(starts, at - 1)
    return starts[n - 1] if n else 0


# A sentence may have thousands of phrases: each search would read all of it.
@lru_cache(maxsize=8)
def _stops(sentence: str, marks: str) -> Sequence[int]:
    return [match.start() for match in re.finditer(rf"[{re.escape(marks)}](?=\s|$|[\"”»])", sentence)]


@lru_cache(maxsize=8)
def _starts(sentence: str, marks: str) -> Sequence[int]:
    return [match.end() for match in re.finditer(rf"[{re.escape(marks)}](?=\s)", sentence)]
