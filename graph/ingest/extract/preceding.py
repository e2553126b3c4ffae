"""`Chunk.before`: what a reader knows by the time a chunk begins, as text, for a language model and for rules alike.

[I = Ann, Ben Roe] The last sentences of the chunk before.
[dated 1891-03-12]
| Name | Born |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_DATED = re.compile(r"^\[dated (\d{4}(?:-\d\d){0,2})\]$", re.MULTILINE)


def preceding(names: Sequence[str] = (), last: str = "", *, dated: str = "", table: str = "") -> str:
    """`names` and the `last` sentences, when the text or entry was written, and the head of a table that goes on. The
    first two are on one line, so that no text can pass for the rest."""
    first = " ".join(part for part in (f"[{', '.join(names)}]" if names else "", last) if part)
    lines = [" ".join(first.split()), f"[dated {dated}]" if dated else "", " ".join(table.split())]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def dated(before: str) -> str:
    """When the text of a chunk was written: ISO 8601, "" where nothing says it."""
    match = _DATED.fullmatch(_line(before, 1))
    return match[1] if match else ""


def table_head(before: str) -> str:
    """The head of the table whose rows open a chunk; "" for none."""
    return _line(before, 2)


def _line(before: str, number: int) -> str:
    lines = before.split("\n")
    return lines[number] if number < len(lines) else ""
