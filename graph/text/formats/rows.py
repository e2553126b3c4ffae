"""The rows of tables and lists in a text: consecutive sentences of one form, and the captions above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile

from filigraph.graph.text.numbers.quantities import Quantity, quantities
from filigraph.graph.text.words import tokens

MIN_ROWS = 2  # rows of a table; entries of a list: one more
MAX_CAPTION_CHARS = 90  # characters of a line that may be a caption
_CELL = re.compile(r"\s*(?:\||\t)\s*")
_PARTS_OF_POUND = re.compile(r"(\d+)\.(\d{1,2})\.(\d{1,2})")
_RULER = re.compile(r"[\s|:+=-]*")
# an hour in a log: "22.50, the kiosk at Rope Cove"
_HOUR = re.compile(r"\d{1,2} ?(?:[.:]|[Hh](?:eures?)? ?)\d\d\b(?! ?\d)")
_BEGINS = (
    re.compile(r"[-*•–—]\s"),
    re.compile(r"(?:[Nn][º°o]s?\.? ?)?\d+[.)º°]?\s"),
    re.compile(r"[A-Z]\d+\b"),
    re.compile(r"[^\W\d_]{2,10}\.? \d{1,2}\b"),
    re.compile(r"[^\W\d_][^!?:\n]{0,60}?, [^!?\n]*,"),
    re.compile(r"[^.!?:\n]{1,40}:\s"),
)


@dataclass(frozen=True, slots=True)
class TextRow:
    """A sentence, with its table or list."""

    start: int
    end: int
    text: str
    block: int = -1  # number of the table or list; -1: none
    header: tuple[str, ...] = ()  # of the table's columns
    caption: str = ""  # the text above the table or list


def text_rows(text: str, spans: Sequence[tuple[int, int]]) -> list[TextRow]:
    """The sentences of a text, each with the table or list that it belongs to, if any; headers and rulers are left
    out.
    """
    lines = [text[start:end].strip() for start, end in spans]
    forms = [_line_form(text, span, line) for span, line in zip(spans, lines, strict=True)]
    rows, at, block = list[TextRow](), 0, 0
    while at < len(spans):
        end = at
        while forms[at] and end < len(spans) and forms[end] == forms[at]:
            end += 1
        if end - at < (MIN_ROWS if forms[at] == _TABLE else MIN_ROWS + 1):
            rows.append(TextRow(*spans[at], lines[at]))
            at += 1
            continue
        rows += _block(lines[at:end], spans[at:end], block, _caption(text, lines, spans, at))
        at, block = end, block + 1
    return rows


_TABLE = "table"


def _line_form(text: str, span: tuple[int, int], line: str) -> str:
    """The form of a sentence that fills a line; "" for running text."""
    if "\n" in line:
        return ""
    if " | " in line or "\t" in line or line.startswith("|"):
        return _TABLE
    before, after = text[: span[0]].rstrip(" ")[-1:], text[span[1] :].lstrip(" ")[:1]
    if before not in ("", "\n"):
        return ""
    if _HOUR.match(line):
        return "hour"  # other text may follow on the line
    if after not in ("", "\n"):
        return ""
    return next((str(n) for n, pattern in enumerate(_BEGINS) if pattern.match(line)), "")


def _block(lines: Sequence[str], spans: Sequence[tuple[int, int]], block: int, caption: str) -> Iterator[TextRow]:
    content = [(span, line) for span, line in zip(spans, lines, strict=True) if not _RULER.fullmatch(line)]
    header: tuple[str, ...] = ()
    if _CELL.search(lines[0]) and len(content) > 1 and not re.search(r"\d", content[0][1]):
        header, content = tuple(cells(content[0][1])), content[1:]
    for span, line in content:
        yield TextRow(*span, line, block, header, caption)


def _caption(text: str, lines: Sequence[str], spans: Sequence[tuple[int, int]], at: int) -> str:
    """The heading, or the sentence with a colon, above a table or list, and the one above that."""
    above = list[str]()
    for place in range(at - 1, max(-1, at - 3), -1):
        line = lines[place]
        is_line = text[: spans[place][0]].rstrip(" ")[-1:] in ("", "\n")
        if (
            line.endswith(":")
            or (is_line and len(line) <= MAX_CAPTION_CHARS)
            or (place == at - 1 and len(line) <= 3 * MAX_CAPTION_CHARS)
        ):
            above.append(line)
        else:
            break
    return " ".join(reversed(above))


def cells(row: str) -> list[str]:
    """The cells of a row of a table."""
    return _CELL.split(row.strip().strip("|").strip())


def is_heading(text: str, row: TextRow) -> bool:
    """Whether a sentence is a heading, a salutation or a signature: a short line of its own without an end."""
    alone = text[: row.start].rstrip(" ")[-1:] in ("", "\n") and text[row.end :].lstrip(" ")[:1] in ("", "\n")
    return alone and (
        row.text.endswith((":", ","))
        or (row.block < 0 and len(row.text) <= MAX_CAPTION_CHARS and row.text[-1:] not in ".!?…»”")
    )


def headings(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The headings at the beginning of a text."""
    first = (TextRow(start, end, text[start:end].strip()) for start, end in spans[:3])
    return [row.text for row in takewhile(lambda row: is_heading(text, row), first)]


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_MAX_HEADING_CHARS = 200  # characters that may be a heading


def heading_years(text: str) -> list[str]:
    """The years in the head of a text."""
    return _YEAR.findall(text[:_MAX_HEADING_CHARS])


def quantities_of(row: TextRow, language: str, money: str = "") -> list[Quantity]:
    """The quantities in a row; a bare number has the unit in the header of its column, if there is one, or the currency
    that is a cell of the row ("2500.00 | EUR"). `money`: the unit of a column of amounts ("Debit") if neither is
    there."""
    amounts = quantities(row.text, language)
    row_cells = cells(row.text)
    if not row.header or len(row_cells) != len(row.header):
        return amounts
    columns = _currency_columns(row_cells, row.header, language)
    if len({row_cells[at] for at in columns}) == 1:
        money = row_cells[columns[0]]
    units = [_unit_of(head, cell, language) for cell, head in zip(row_cells, row.header, strict=True)]
    of_amounts = [any(_AMOUNTS.fullmatch(token.folded) for token in tokens(head)) for head in row.header]
    if columns and not any(of_amounts):
        of_amounts = [any(abs(at - column) == 1 for column in columns) for at in range(len(row_cells))]
    for cell, own_unit, of_amount in zip(row_cells, units, of_amounts, strict=True):
        unit = own_unit or (money if of_amount else "")
        if unit and re.fullmatch(r"[\d\s\u00a0\u202f.,'’]*\d", cell):
            amounts += quantities(f"{_decimal(cell)} {unit}", language)
    return amounts


def _currency_columns(row_cells: Sequence[str], header: Sequence[str], language: str) -> list[int]:
    """The cells of a row that are a currency: "EUR", "£", « francs ». "Mark" is one only below "Currency"."""
    return [
        at
        for at, (cell, head) in enumerate(zip(row_cells, header, strict=True))
        if _CURRENCY.fullmatch(cell)
        and _is_money(cell, language)
        and (cell.casefold() not in _ALSO_NO_MONEY or _CURRENCY_HEADER.fullmatch(head.strip().casefold()))
    ]


_CURRENCY = re.compile(r"[^\d\s]{1,10}")
_CURRENCY_HEADER = re.compile(r"currency|ccy|curr\.?|devise|monnaie")


def _is_money(unit: str, language: str) -> bool:
    return any(one.kind == "money" for one in quantities(f"1 {unit}", language))


_AMOUNTS = re.compile(
    r"debits?|credits?|amounts?|sum|total|balance|paid|received|price|cost|montants?|somme|prix|solde|verse|recu|paye|"
    r"recettes?|depenses?"
)
_ALSO_NO_MONEY = frozenset(("livre", "livres", "mark", "marks", "crown", "crowns", "louis"))  # books, grades, a name


def _unit_of(head: str, cell: str, language: str) -> str:
    """The unit that the header of a column has beside its name ("Paid (£)"), or is ("Francs"); "" for none. A header
    of another sense ("Livres") is one only above pounds, shillings and pence.
    """
    beside = re.search(r"[(\[]([^)\]]{1,12})[)\]]|([£€$%])", head)
    if beside:
        return beside[1] or beside[2]
    if not _PARTS_OF_POUND.fullmatch(cell) and any(token.folded in _ALSO_NO_MONEY for token in tokens(head)):
        return ""
    return head if _is_money(head, language) else ""


def _decimal(cell: str) -> str:
    """Pounds, shillings and pence ("9.12.6") as a decimal number."""
    parts = _PARTS_OF_POUND.fullmatch(cell)
    if not parts:
        return cell
    pounds, shillings, pence = map(Decimal, parts.groups())
    return f"{pounds + shillings / 20 + pence / 240:.4f}"
