"""Tables in plain text with spaces between columns: the rows get bars, like those of the other readers.

No.  Name           Age          | No. | Name | Age |
1    Quill, Martha   32          | 1 | Quill, Martha | 32 |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

_RULE = re.compile(r"[\s=+_-]+")
_APART = re.compile(r"\S+(?: \S+)*")  # texts separated by at least two spaces
_FEWEST_COLUMNS = 3
_FEWEST_ROWS = 2
_MAX_HEAD_WORDS = 4  # words


def with_bars(text: str) -> str:
    """A text with bars in its tables; everything else is unchanged."""
    if "   " not in text:
        return text
    blocks = groupby(text.split("\n"), key=lambda line: bool(line.strip()))
    return "\n".join(line for is_aligned, lines in blocks for line in (_block([*lines]) if is_aligned else lines))


def _block(lines: Sequence[str]) -> Sequence[str]:
    """Consecutive lines; the table in them, if any, has bars."""
    heads = [n for n, line in enumerate(lines[:-_FEWEST_ROWS]) if _column_titles(line)]
    below = _columns_below(lines) if heads else []
    for at in heads:
        columns = _Columns.of(lines[at]).with_row_below(below[at + 1])
        edges = columns.edges()
        if below[at + 1].rows >= _FEWEST_ROWS and len(edges) == len(_column_titles(lines[at])):
            rows = [lines[at], *(line for line in lines[at + 1 :] if not _RULE.fullmatch(line))]
            cells = [[row[start:end].strip().replace("|", "/") for start, end in edges] for row in rows]
            return [*lines[:at], *(f"| {' | '.join(row)} |" for row in cells)]
    return lines


def _column_titles(line: str) -> list[str]:
    """The titles of the columns, if a line may be the head of a table."""
    titles = _APART.findall(line)
    if len(titles) < _FEWEST_COLUMNS or any(len(title.split()) > _MAX_HEAD_WORDS for title in titles):
        return []
    if any(re.search(r"\d|[.!?,;]$", title) and title not in ("No.", "Nr.", "N.") for title in titles):
        return []
    return titles


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """The columns in which some rows have letters."""

    rows: int
    width: int
    used: int  # one bit per column of characters, the first one the lowest

    @classmethod
    def of(cls, row: str) -> _Columns:
        used = "".join("0" if letter == " " else "1" for letter in row.expandtabs())
        return cls(rows=1, width=len(row), used=int(used[::-1] or "0", 2))

    def with_row_below(self, below: _Columns) -> _Columns:
        return _Columns(rows=self.rows + below.rows, width=max(self.width, below.width), used=self.used | below.used)

    def edges(self) -> list[tuple[int, int]]:
        """Start and end of each column: between columns, every row has two spaces or more, or all rows have one and
        some row has more.
        """
        blank = [bit == "0" for bit in f"{self.used:b}"[::-1].ljust(self.width, "0")]
        edges: list[tuple[int, int]] = []
        start = None
        for n in range(self.width + 1):
            between = n == self.width or (
                blank[n] and (n + 1 >= self.width or blank[n + 1] or (n > 0 and blank[n - 1]))
            )
            if not between and start is None:
                start = n
            elif between and start is not None:
                edges.append((start, n))
                start = None
        return edges


def _columns_below(lines: Sequence[str]) -> list[_Columns]:
    """For each line, the characters used by it and the rows below, without rulers; at the end, none."""
    columns = [_Columns(rows=0, width=0, used=0)]
    for line in reversed(lines):
        columns.append(columns[-1] if _RULE.fullmatch(line) else _Columns.of(line).with_row_below(columns[-1]))
    return columns[::-1]
