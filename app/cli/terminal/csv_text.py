"""Rows as CSV that a spreadsheet can open safely."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t")  # a spreadsheet would run a cell that begins so


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with its heading. Text that a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
