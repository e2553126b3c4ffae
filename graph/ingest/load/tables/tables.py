"""Tables as lines of cells below their head, which is repeated every few rows: a chunk contains a part of a table, and
the extractor reads a row by the head above it.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.chats.chat_tables import read_chat_table
from filigraph.graph.ingest.load.content import Content, check_length, clean
from filigraph.graph.ingest.load.encoding import AS_PLAIN_TEXT, decode
from filigraph.graph.model.documents import LinePlace

ROWS = 10  # rows below each head
MOST_CELLS = 5_000_000  # in one file, including empty ones
DELIMITERS = (",", ";", "\t", "|")
LOOKED_AT = 20  # lines that show the delimiter
_BLANK_ROWS = 2  # between two tables of a sheet: a single one may part the rows of one
_BETWEEN = (0, "")  # a blank line, which is not a row
_SPACES = re.compile(r"\s+")
_SEPARATOR = re.compile(r"\ufeff?\"?sep=([,;\t|])\"?\r?\n")  # Excel's first line
_LONE_RETURN = re.compile(r"\r(?!\n)")  # part of a cell, where rows end otherwise


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as lines; text above the first row with two cells is not part of the table."""
    return numbered_table(enumerate(rows, start=1))[0]


def numbered_table(rows: Iterable[tuple[int, Sequence[str]]]) -> tuple[str, tuple[LinePlace, ...]]:
    """The same for rows with numbers, and the start of each row."""
    above: list[tuple[int, str]] = []
    head: tuple[int, str] | None = None
    lines: list[tuple[int, str]] = []
    cells = length = below = 0
    for (number, row), (_, next_row) in pairwise(chain(rows, [(0, ())])):
        cells += len(row)
        if cells > MOST_CELLS:
            cause = f"The table has more than {MOST_CELLS:,} cells."
            raise UnreadableDocument(cause, cure="Send it in several files.")
        cleaned = [_SPACES.sub(" ", clean(cell).replace("|", "/")).strip() for cell in row]
        while cleaned and not cleaned[-1]:
            cleaned.pop()
        if not cleaned:
            continue
        if head is None and sum(map(bool, cleaned)) < 2:
            above.append((number, " ".join(filter(None, cleaned))))
            continue
        line = (number, f"| {' | '.join(cleaned)} |")
        length += len(line[1])
        check_length(length)
        if head is None or (number > lines[-1][0] + _BLANK_ROWS and _is_head(cleaned, next_row, head[1])):
            lines += [_BETWEEN] if head else []
            head, below = line, 0
            lines.append(line)
        else:
            if below and below % ROWS == 0:
                lines += [_BETWEEN, head]
                length += len(head[1])
            lines.append(line)
            below += 1
    return _join_lines([*above, *([_BETWEEN] if above and lines else []), *lines])


def _is_head(row: Sequence[str], next_row: Sequence[str], head: str) -> bool:
    """Whether a row below blank ones begins another table: it has other columns, as the next row, and only words."""
    filled = [bool(cell) for cell in row]
    return (
        sum(filled) > 1
        and filled == [bool(cell.strip()) for cell in next_row][: len(filled)]
        and not any(map(str.strip, next_row[len(filled) :]))
        and filled != [bool(cell.strip()) for cell in head.strip("| ").split(" | ")]
        and not any(letter.isdigit() for cell in row for letter in cell)
    )


def _join_lines(lines: Sequence[tuple[int, str]]) -> tuple[str, tuple[LinePlace, ...]]:
    places: list[LinePlace] = []
    at = 0
    for number, words in lines:
        if number:
            places.append(LinePlace(kind="row", label=str(number), start=at))
        at += len(words) + 1
    return "\n".join(words for _, words in lines), tuple(places)


def read_csv(content: bytes, declared: str = "") -> Content:
    """A CSV file: the delimiter is a comma, semicolon, tab or bar, whichever divides the first lines most evenly."""
    text, warnings = decode(content, declared)
    try:
        if chat := read_chat_table(_read_rows(text)):
            return replace(chat, warnings=(*warnings, *chat.warnings))
        table, lines = numbered_table(enumerate(_read_rows(text), start=1))
        return Content(text=table, lines=lines, warnings=warnings)
    except csv.Error as error:
        return Content(text=clean(text), warnings=(*warnings, f"no table: {error}; {AS_PLAIN_TEXT}"))


def _read_rows(text: str) -> Iterator[list[str]]:
    text = text.replace("\0", " ")
    text = _LONE_RETURN.sub(" ", text) if "\n" in text else text
    if declared := _SEPARATOR.match(text):
        return csv.reader(io.StringIO(text[declared.end() :], newline=""), delimiter=declared[1])
    first = "\n".join([line for line in text.splitlines()[: LOOKED_AT * 5] if line.strip()][:LOOKED_AT])
    best = max(DELIMITERS, key=lambda mark: _evenness(first, mark))
    return csv.reader(io.StringIO(text, newline=""), delimiter=best)


def _evenness(lines: str, mark: str) -> tuple[float, int]:
    """The share of the rows with the most frequent number of cells (above one), and this number; else (0, 0)."""
    try:
        widths = Counter(len(row) for row in csv.reader(io.StringIO(lines, newline=""), delimiter=mark))
    except csv.Error:
        return 0.0, 0
    width, rows = max(((width, rows) for width, rows in widths.items() if width > 1), key=_by_rows, default=(0, 0))
    return rows / max(1, widths.total()), width


def _by_rows(size: tuple[int, int]) -> tuple[int, int]:
    return size[1], size[0]
