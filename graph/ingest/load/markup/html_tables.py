"""Tables of HTML: find those with data, as opposed to page layout, and read their rows as lines of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree  # type: ignore[import-untyped]

LONGEST_CELL = 400  # characters; a longer cell is a column of a page
FEWEST_ALIKE = 0.6  # min. share of the rows with the most frequent number of cells
MOST_SPANNED = 50
_NO_DATA = frozenset("table h1 h2 h3 h4 h5 h6 form input button nav article section".split())  # noqa: SIM905


def span_of(attributes: Mapping[str, str], name: str) -> int:
    """The number of columns ("colspan") or rows ("rowspan") of a cell."""
    value = attributes.get(name, "").strip()
    return max(1, min(int(value), MOST_SPANNED)) if value.isdecimal() and len(value) < 4 else 1


# --------------------------------------------------------------------------------------------------------------------
# Which tables hold data


@dataclass
class _Table:
    """A table that is being read."""

    number: int
    rows: list[int] = field(default_factory=list)  # cells of each
    reaching: list[int] = field(default_factory=list)  # further rows that each cell from above spans
    longest: int = 0
    cell: int = 0  # characters
    laid_out: bool = False

    def begin_row(self) -> None:
        self.rows.append(len(self.reaching))
        self.reaching = [rows - 1 for rows in self.reaching if rows > 1]

    def holds_data(self) -> bool:
        rows = [cells for cells in self.rows if cells]
        if self.laid_out or len(rows) < 2 or max(self.longest, self.cell) > LONGEST_CELL:
            return False
        usual, count = Counter(rows).most_common(1)[0]
        return usual >= 2 and count >= FEWEST_ALIKE * len(rows)


class _TableReader:
    """Target of lxml's events."""

    def __init__(self) -> None:
        self.found: set[int] = set()
        self._count = 0
        self._open: list[_Table] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        table = self._open[-1] if self._open else None
        if table and tag in _NO_DATA:
            table.laid_out = True
        if tag == "table":
            self._open.append(_Table(self._count))
            self._count += 1
        elif table and tag == "tr":
            table.begin_row()
        elif table and tag in ("td", "th"):
            table.rows = table.rows or [0]
            columns, below = span_of(attributes, "colspan"), span_of(attributes, "rowspan") - 1
            table.rows[-1] += columns
            table.reaching += [below] * (columns if below else 0)
            table.longest, table.cell = max(table.longest, table.cell), 0

    def end(self, tag: str) -> None:
        if tag == "table" and self._open:
            table = self._open.pop()
            if table.holds_data():
                self.found.add(table.number)

    def data(self, data: str) -> None:
        if self._open:
            self._open[-1].cell += len(" ".join(data.split()))

    def close(self) -> None:
        """lxml requires it."""


def data_tables(markup: bytes) -> frozenset[int]:
    """The numbers of the tables with data, from 0, in the order of their beginnings."""
    if b"<table" not in markup.lower():
        return frozenset()
    looking = _TableReader()
    parser = etree.HTMLParser(target=looking, encoding="utf-8", no_network=True)
    try:
        parser.feed(markup)
        parser.close()
    except etree.LxmlError:  # not a single element
        pass
    return frozenset(looking.found)


# --------------------------------------------------------------------------------------------------------------------
# Their rows


class Grid:
    """The rows of one table, in order: a cell that spans rows is in each of them, one that spans columns only in the
    first. Several rows of heads become one.
    """

    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._heads: list[bool] = []  # whether all cells of the row are heads
        self._below: dict[
            tuple[int, int], str
        ] = {}  # row and column that a head reaches by spanning columns -> its text
        self._reaching: dict[int, tuple[int, str]] = {}  # column -> (further rows that its cell spans, its text)

    def begin_row(self) -> None:
        self._rows.append([])
        self._heads.append(True)
        self._add_spanning_cells()

    def add(self, text: str, attributes: Mapping[str, str], *, is_head: bool = False) -> None:
        if not self._rows:
            self.begin_row()
        row, below = self._rows[-1], span_of(attributes, "rowspan")
        self._heads[-1] = self._heads[-1] and is_head
        for n in range(span_of(attributes, "colspan")):
            if below > 1:
                self._reaching[len(row)] = (below, "" if n else text)
            if n:
                self._below[len(self._rows) - 1, len(row)] = text
            row.append("" if n else text)
        self._add_spanning_cells()

    def rows(self) -> list[list[str]]:
        """All rows; of several rows of heads, each column has the words of all: "Director", "2019"."""
        first = next((n for n, row in enumerate(self._rows) if sum(map(bool, row)) > 1), 0)  # below a title
        last = first
        while last < len(self._rows) and self._heads[last] and self._rows[last]:
            last += 1
        if last - first < 2 or last == len(self._rows):
            return self._rows
        width = max(map(len, self._rows[first:last]))
        head = [" ".join(dict.fromkeys(filter(None, self._words(first, last, column)))) for column in range(width)]
        return [*self._rows[:first], head, *self._rows[last:]]

    def _words(self, first: int, last: int, column: int) -> Iterator[str]:
        for n in range(first, last):
            row = self._rows[n]
            yield self._below.get((n, column), "") or (row[column] if column < len(row) else "")

    def _add_spanning_cells(self) -> None:
        """Add the cells that span down from above, if the row has reached their columns."""
        row = self._rows[-1]
        while (at := len(row)) in self._reaching:
            left, text = self._reaching[at]
            row.append(text)
            if left > 2:
                self._reaching[at] = (left - 1, text)
            else:
                del self._reaching[at]
