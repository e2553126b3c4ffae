"""`Chunk.before`: what a reader knows when a chunk begins, as text, for language models and for rules.

[I = Ann, Ben Roe] The last sentences of the chunk before.
[dated 1891-03-12]
| Name | Born |
[persons Freitag]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_DATED = re.compile(r"^\[dated (\d{4}(?:-\d\d){0,2})\]$", re.MULTILINE)


_PERSONS = re.compile(r"^\[persons((?: \w+)*)\]$")


def preceding_text(
    names: Sequence[str] = (),
    last: str = "",
    *,
    dated: str = "",
    table: str = "",
    weekdays: Collection[str] | None = None,
) -> str:
    """The text with `names`, the `last` sentences, the date of writing, the head of a table that continues, and the
    `weekdays` that are persons in the document. The first two are on one line, so that no text can imitate the rest.
    """
    first = " ".join(part for part in (f"[{', '.join(names)}]" if names else "", last) if part)
    persons = "" if weekdays is None else f"[persons{''.join(f' {day}' for day in sorted(weekdays))}]"
    lines = [" ".join(first.split()), f"[dated {dated}]" if dated else "", " ".join(table.split()), persons]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def preceding_date(before: str) -> str:
    """When the text of a chunk was written: ISO 8601, "" if unknown."""
    match = _DATED.fullmatch(_line(before, 1))
    return match[1] if match else ""


def table_head(before: str) -> str:
    """The head of the table that the chunk continues; "" if there is none."""
    return _line(before, 2)


def weekdays_of(before: str) -> frozenset[str] | None:
    """The weekdays that are persons in the document, folded; None if its chunks show it by themselves."""
    match = _PERSONS.fullmatch(_line(before, 3))
    return frozenset(match[1].split()) if match else None


def _line(before: str, number: int) -> str:
    lines = before.split("\n")
    return lines[number] if number < len(lines) else ""
