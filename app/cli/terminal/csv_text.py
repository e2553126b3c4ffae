"""Rows as CSV that a spreadsheet can open safely."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from filigraph.graph.text.formats.cells import as_text


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with its heading. Text that a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows([as_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()
