"""The reach of a phrase: from the punctuation before it to the punctuation after it."""

from __future__ import annotations

import re

from filigraph.graph.text.factuality.scopes import Scope, Status


def scope(start: int, end: int, status: Status) -> Scope:
    return Scope(start=start, end=end, status=status)


def stop_after(sentence: str, at: int, marks: str) -> int:
    match = re.compile(rf"[{re.escape(marks)}](?=\s|$|[\"”»])").search(sentence, at)
    return match.start() if match else len(sentence)


def start_before(sentence: str, at: int, marks: str) -> int:
    return max((match.end() for match in re.finditer(rf"[{re.escape(marks)}](?=\s)", sentence[:at])), default=0)
