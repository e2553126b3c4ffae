"""Tables as lines of cells under their head, which is said again every few rows: a chunk holds a part of a table, and
the extractor reads a row by the head above it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import Content, check_length, clean
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode

ROWS = 10  # under each head
MOST_CELLS = 5_000_000  # of one file, empty ones included
DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 20  # lines in which the delimiter is looked for
_SPACES = re.compile(r"\s+")


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as lines; what comes above the first row with two cells is no part of the table."""
    above: list[str] = []
    head = ""
    lines: list[str] = []
    cells = length = below = 0
    for row in rows:
        cells += len(row)
        if cells > MOST_CELLS:
            cause = f"The table has more than {MOST_CELLS:,} cells."
            raise UnreadableDocument(cause, cure="Send it in several files.")
        cleaned = [_SPACES.sub(" ", clean(cell).replace("|", "/")).strip() for cell in row]
        while cleaned and not cleaned[-1]:
            cleaned.pop()
        if not cleaned:
            continue
        if not head and sum(map(bool, cleaned)) < 2:
            above.append(" ".join(filter(None, cleaned)))
            continue
        line = f"| {' | '.join(cleaned)} |"
        length += len(line)
        check_length(length)
        if not head:
            head = line
            lines.append(line)
        else:
            if below and below % ROWS == 0:
                lines += ["", head]
                length += len(head)
            lines.append(line)
            below += 1
    return "\n".join([*above, *([""] if above and lines else []), *lines])


def read_csv(content: bytes, declared: str = "") -> Content:
    """Comma, semicolon, tabulator or bar, whichever parts the first lines most evenly."""
    text, warnings = decode(content, declared)
    try:
        return Content(text=table_text(_rows(text)), warnings=warnings)
    except csv.Error as error:
        return Content(text=clean(text), warnings=(*warnings, f"no table: {error}; {AS_PLAIN_TEXT}"))


def _rows(text: str) -> Iterator[list[str]]:
    first = [line for line in text.splitlines()[: LOOKED_AT * 5] if line.strip()][:LOOKED_AT]
    counts = {mark: sorted(line.count(mark) for line in first) for mark in DELIMITERS}
    best = max(DELIMITERS, key=lambda mark: counts[mark][len(first) // 2] if first else 0)
    return csv.reader(io.StringIO(text.replace("\0", " "), newline=""), delimiter=best)
