"""Tables whose columns are made of spaces, in plain text: rows between bars, as the other readers write them.

No.  Name           Age          | No. | Name | Age |
1    Quill, Martha   32          | 1 | Quill, Martha | 32 |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_RULE = re.compile(r"[\s=+_-]+")
_APART = re.compile(r"\S+(?: \S+)*")  # what stands between two spaces or more
_FEWEST_COLUMNS = 3
_FEWEST_ROWS = 2
_LONGEST_HEAD = 4  # words


def with_bars(text: str) -> str:
    """A text whose tables have bars; everything else is as it was."""
    if "   " not in text:
        return text
    lines = text.split("\n")
    found: list[str] = []
    at = 0
    while at < len(lines):
        rows = _table(lines, at)
        found += rows or lines[at : at + 1]
        at += _length(lines, at) if rows else 1
    return "\n".join(found)


def _length(lines: Sequence[str], at: int) -> int:
    """How many lines stand together from one on."""
    return next((n for n, line in enumerate(lines[at:]) if not line.strip()), len(lines) - at)


def _table(lines: Sequence[str], at: int) -> list[str]:
    """The rows of the table that begins at a line; [] where none does."""
    head = [(part.start(), part.end()) for part in _APART.finditer(lines[at])]
    titles = [lines[at][start:end] for start, end in head]
    if len(head) < _FEWEST_COLUMNS or any(len(title.split()) > _LONGEST_HEAD for title in titles):
        return []
    if any(re.search(r"\d|[.!?,;]$", title) and title not in ("No.", "Nr.", "N.") for title in titles):
        return []
    block = [line for line in lines[at + 1 : at + _length(lines, at)] if not _RULE.fullmatch(line)]
    if len(block) < _FEWEST_ROWS:
        return []
    edges = _edges([lines[at], *block])
    if len(edges) != len(head):
        return []
    rows = [[line[start:end].strip().replace("|", "/") for start, end in edges] for line in (lines[at], *block)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _edges(block: Sequence[str]) -> list[tuple[int, int]]:
    """From where to where each column goes: between them two spaces or more stand in every line, or one that all have
    and that some line widens."""
    width = max(map(len, block))
    padded = [line.expandtabs().ljust(width) for line in block]
    blank = [all(line[n] == " " for line in padded) for n in range(width)]
    found: list[tuple[int, int]] = []
    start = None
    for n in range(width + 1):
        between = n == width or (blank[n] and (n + 1 >= width or blank[n + 1] or (n > 0 and blank[n - 1])))
        if not between and start is None:
            start = n
        elif between and start is not None:
            found.append((start, n))
            start = None
    return found
