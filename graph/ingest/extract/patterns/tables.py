"""What the rows of a table state, according to the heads of its columns.

Name            | Born | Place          Delmas, Jules  born   1871
Delmas, Jules   | 1871 | Vienne         Delmas, Jules  place  Vienne

Date     | From | To  | Amount          Ann  pays 40 EUR to  Ben   (3 May)
3 May    | Ann  | Ben | 40 EUR
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from filigraph.graph.ingest.extract.patterns.columns import Column, column_of, is_sum
from filigraph.graph.ingest.extract.patterns.phrases import MAX_NAME_CHARS
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Triplet
from filigraph.graph.text.names.given_names import ALL_GIVEN_NAMES
from filigraph.graph.text.names.inverted import is_inverted
from filigraph.graph.text.names.tables import ADDRESS, CONJUNCTIONS, LEGAL_FORMS, RANKS
from filigraph.graph.text.pronouns import PRONOUNS
from filigraph.graph.text.time.dates import column_dates
from filigraph.graph.text.words import tokens

FEWEST_CELLS = 3  # a line without bars at its ends
MOST_CELLS = 40
LONGEST_CELL = 5  # words: a longer cell is a description, and would hide the names in it
FACTS_A_ROW = 8
FEWEST_LETTERS = 3  # min. letters of a meaningful cell: not "A" or "in"
MIN_NAMED_SHARE = 0.5  # min. share of the rows with a name in a column, if the rows are about it

NO_HEAD = "rows of tables without a fact: no head says what their cells are"
NO_NAME = "rows of tables without a fact: no cell names whom or what they are of"
LONG_TEXTS = "rows of tables without a fact: their cells are empty, or long texts"
A_SUM = "rows of tables without a fact: sums and balances"

_PAYS = {"en": "pays {} to", "fr": "verse {} à", "de": "zahlt {} an", "es": "paga {} a", "it": "paga {} a"}
_RULE = re.compile(r"[\s|:+=-]*")
_NUMBER = re.compile(r"\d")
_YEAR = re.compile(r"\b1[4-9]\d\d\b|\b20\d\d\b")
_SUM_OF_MONEY = re.compile(
    r"[-+−(]?\s?[^\W\d]{0,3}[€$£]?\s?[-+−]?\d[\d\s.,'’\u202f]*\s?(?:[€$£]|[^\W\d]{1,8}\.?)?(?:\s?\d+)?\)?"
)
_ACCOUNT_OF = re.compile(
    r"^\W*(?i:account(?: holder| name| of)?|statement of account(?: of)?|holder|titulaire(?: du compte)?"
    r"|compte(?: de| du)?|kontoinhaber(?:in)?|konto|titular|intestatario)"
    r"\s*[:|–-]?\s+(?:(?:of|de|von)\s+)?(?P<who>[^\W\d_a-zà-ÿ][^|\n\d:]{2,60}?)\W*$"
)
# "The same as above" in a cell.
_DITTO = re.compile(r"[\"”“〃″„]|''|,,|-[\"”〃]-|(?:do|id)\.|ditto|idem|dito|dto\.", re.IGNORECASE)
# The head of a transcript in a table: its rows are what persons say.
_SPEAKERS = frozenset(
    ("speaker", "speaking", "intervenant", "intervenante", "locuteur", "locutrice", "sprecher", "sprecherin")
)
_PARTY = re.compile(
    r"\b(?:from|to|by|de la part de|de|à|en faveur de|pour|par|von|an|für|a|al|para|da|от|для"
    r"|[Cc]ard (?:payment|purchase)|[Pp]aiement (?:par )?carte|[Kk]artenzahlung|[Pp]ago con tarjeta)"
    r"\s+(?=[^\W\d_a-zà-ÿа-яё])(.+)$"
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of a table."""

    span: Span
    is_head: bool = False
    triplets: tuple[Triplet, ...] = ()
    unread: tuple[str, ...] = ()  # cells that no triplet has: a parser may find names in them
    silent: str = ""  # why it gives no triplet
    names: tuple[str, ...] = ()  # the persons of the entries of a register in plain text


@dataclass(frozen=True)
class _Line:
    span: Span
    cells: list[str]


@dataclass
class _Table:
    head: list[str]
    lines: list[_Line] = field(default_factory=list)
    holder: str = ""  # the owner of the account
    holder_line: Span | None = None  # the line that says so


def read_tables(text: str, offsets: Sequence[Span], language: str, head_before: str = "") -> Iterator[Row]:
    """Each line of the tables in a text. `head_before`: the head of a table that began earlier."""
    table: _Table | None = _Table(cells_of(head_before)) if cells_of(head_before) else None
    holder, holder_span = "", None
    for start, end in offsets:
        line = text[start:end]
        cells = cells_of(line)
        if not cells or _RULE.fullmatch(line):
            for match in map(_ACCOUNT_OF.match, line.split("\n") if not cells else ()):
                holder, holder_span = (match["who"].strip(), (start, end)) if match else (holder, holder_span)
            if table and not cells and not _RULE.fullmatch(line):
                yield from _rows(table, language)
                table = None
            continue
        if _is_head(cells, line) and (table is None or cells == table.head or not _fits(cells, table.head, line)):
            if table and cells != table.head:
                yield from _rows(table, language)
            if table is None or cells != table.head:
                table = _Table(cells, holder=holder, holder_line=holder_span)
            yield Row(span=(start, end), is_head=True)
        elif table and is_transcript(table.head):
            continue
        elif table and _fits(cells, table.head, line):
            table.lines.append(_Line((start, end), [*cells, *[""] * (len(table.head) - len(cells))]))
        elif _is_framed(line):
            yield Row(span=(start, end), silent=NO_HEAD)
        elif table:
            yield from _rows(table, language)
            table = None
    if table:
        yield from _rows(table, language)


def head_at_end(text: str, offsets: Sequence[Span]) -> str:
    """The head of the table that the end of a text breaks off; "" if it does not end with a table."""
    head = ""
    for start, end in offsets:
        line = text[start:end]
        cells = cells_of(line)
        if not cells:
            head = "" if not _RULE.fullmatch(line) else head
        elif not head and _is_head(cells, line):
            head = line
    return head


def cells_of(line: str) -> list[str]:
    """The cells of a row; [] if the line is not a row. Two are enough with bars at both ends."""
    mark = "|" if "|" in line else "\t"
    bare = line.strip(" \n") if mark == "\t" else line.strip()
    framed = _is_framed(line)
    cells = [_unquoted(cell.strip(" \t*_")) for cell in (bare[1:-1] if framed else bare.strip(mark)).split(mark)]
    return cells if (2 if framed else FEWEST_CELLS) <= len(cells) <= MOST_CELLS else []


def _unquoted(cell: str) -> str:
    """A cell without the quotation marks around all of it; a ditto mark is no quotation."""
    return cell[1:-1].strip() if len(cell) > 3 and cell[0] == cell[-1] == '"' and cell.count('"') == 2 else cell


def _is_framed(line: str) -> bool:
    bare = line.strip()
    return len(bare) > 2 and bare[0] == bare[-1] == "|"


def _fits(cells: Sequence[str], head: Sequence[str], line: str) -> bool:
    """Whether a line is a row below a head: empty cells at the end may be missing."""
    return len(cells) == len(head) or (_is_framed(line) and len(cells) < len(head))


def _is_head(cells: Sequence[str], line: str) -> bool:
    known = sum(bool(column_of(cell)) for cell in cells)
    if known < 2 and not all(cells):
        return False
    short = all(len(tokens(cell)) <= LONGEST_CELL for cell in cells if not column_of(cell))
    return short and not _NUMBER.search("".join(cell for cell in _without_years(cells) if not column_of(cell)))


def _without_years(cells: Sequence[str]) -> list[str]:
    """Heads without the years that tell them apart: "Director 2019", "Director 2020"."""
    firsts = Counter(cell.split()[0] for cell in cells if " " in cell)
    return [_YEAR.sub("", cell) if firsts[cell.partition(" ")[0]] > 1 else cell for cell in cells]


# --------------------------------------------------------------------------------------------------------------------
# The rows of one table


def _rows(table: _Table, language: str) -> Iterator[Row]:
    columns = _columns(table.head)
    sources = _without_dittos(table.lines)
    dates = _dates(table, columns, language)
    subject = _subject_column(table, columns)
    for n, line in enumerate(table.lines):
        cells = line.cells
        if _RULE.fullmatch("".join(cells)):
            continue
        if any(is_sum(cell) for cell in cells if not _NUMBER.search(cell)):
            yield Row(span=line.span, silent=A_SUM)
            continue
        when, day = dates[n]
        facts = list(_payment(table, columns, cells, language)) or list(
            _description(table.head, columns, cells, subject, dated=bool(day))
        )
        triplets = tuple(
            Triplet(
                subject=first,
                predicate=predicate,
                object=second,
                start=line.span[0],
                end=line.span[1],
                premises=(
                    *((table.holder_line,) if table.holder_line and table.holder in (first, second) else ()),
                    *sources[n].get(second, sources[n].get(first, ())),
                ),
                when=when if day and second != when else "",
                when_date=day if second != when else "",
            )
            for first, predicate, second, _ in facts[:FACTS_A_ROW]
        )
        used = {cell for *_, cells_used in facts[:FACTS_A_ROW] for cell in cells_used} | {when}
        unread = tuple(cell for cell in cells if cell and cell not in used)
        yield Row(span=line.span, triplets=triplets, unread=unread, silent=_reason_of_silence(triplets, cells, subject))


def _without_dittos(lines: Sequence[_Line]) -> list[Mapping[str, tuple[Span, ...]]]:
    """Replace "ditto" by the cell above; for each row, the rows that have what it repeats."""
    sources: list[Mapping[str, tuple[Span, ...]]] = []
    for n, line in enumerate(lines):
        repeated: dict[str, tuple[Span, ...]] = {}
        for at, cell in enumerate(line.cells):
            above = lines[n - 1].cells[at] if n and at < len(lines[n - 1].cells) else ""
            if above and _DITTO.fullmatch(cell):
                line.cells[at] = above
                repeated[above] = sources[n - 1].get(above, (lines[n - 1].span,))
        sources.append(repeated)
    return sources


def is_transcript(head: Sequence[str]) -> bool:
    """Whether the rows below a head are what persons say: "Time | Person speaking | Text", not "Speaker | Title |
    Room".
    """
    return len(head) in (2, 3) and any(word.folded in _SPEAKERS for word in tokens(head[-2]))


def _reason_of_silence(triplets: Sequence[Triplet], cells: Sequence[str], subject: int | None) -> str:
    if triplets:
        return ""
    return LONG_TEXTS if subject is not None and _bare_name(cells[subject]) else NO_NAME


def _columns(head: Sequence[str]) -> list[Column]:
    """What each column contains; beside given names, a "Nom" is the surname."""
    columns = [column_of(cell) for cell in head]
    if "given" in columns and "surname" not in columns and "name" in columns:
        columns[columns.index("name")] = "surname"
    return columns


_Said = tuple[str, str, str, tuple[str, ...]]  # subject, predicate, object, the cells of the triplet


def _dates(table: _Table, columns: Sequence[Column], language: str) -> list[tuple[str, str]]:
    """The day of each row as written, and as ISO 8601, if one column has it."""
    at = next((n for n, column in enumerate(columns) if column == "date"), None)
    if at is None:
        return [("", "")] * len(table.lines)
    written = [line.cells[at] for line in table.lines]
    return list(zip(written, column_dates(written, language), strict=True))


def _payment(table: _Table, columns: Sequence[Column], cells: Sequence[str], language: str) -> Iterator[_Said]:
    """Who pays whom how much, in the row of a ledger."""

    def cell(kind: Column) -> str:
        return next((one for one, column in zip(cells, columns, strict=True) if column == kind and one), "")

    amounts = {kind: cell(kind) for kind in ("amount", "debit", "credit") if _SUM_OF_MONEY.fullmatch(cell(kind))}
    if not amounts:
        return
    pays = _PAYS.get(language, _PAYS["en"])
    (kind, sum_) = next(iter(amounts.items()))
    amount = _with_currency(sum_, cell("currency"), table.head[columns.index(kind)])
    payer, payee = cell("from"), cell("to")
    account = table.holder or _account(cell("account"))
    if payer and payee:
        parties = (payer, payee)
    elif account and (party := payer or payee or _counterparty(cell("name"), account) or _party(cell("text"))):
        is_outgoing = kind == "debit" or bool(payee) or (kind == "amount" and sum_.lstrip("( ").startswith(("-", "−")))
        parties = (account, party) if is_outgoing else (party, account)
    else:
        return
    whole = amount.lstrip("-−+( ").rstrip(") ")
    used = tuple(
        one
        for one in (
            payer,
            payee,
            cell("account"),
            cell("text") if not (payer and payee) else "",
            sum_,
            cell("currency"),
        )
        if one
    )
    yield parties[0], pays.format(whole), parties[1], used
    if payer and payee:
        for n, one in enumerate(cells):
            if columns[n] in ("text", "other") and _is_readable(one):
                yield parties[0], table.head[n].lower(), one, (one,)


def _account(cell: str) -> str:
    """The account of a row: a number is no name of its own."""
    return f"Account {cell}" if cell and any(map(str.isdigit, cell)) else cell


def _party(text: str) -> str:
    """The person in a line of an account: "Transfer from Ann Lee" is Ann Lee."""
    match = _PARTY.search(text)
    name = match[1] if match else text
    return name if _names(name) else ""


def _with_currency(amount: str, currency: str, head: str) -> str:
    in_head = re.search(r"[(\[]\s*([^\W\d]{1,10}|[€$£])\s*[)\]]|\b([A-Z]{3})$", head)
    unit = currency or (in_head[1] or in_head[2] if in_head else "")
    return f"{amount} {unit}" if unit and not re.search(r"[^\W\d]|[€$£]", amount) else amount


def _subject_column(table: _Table, columns: Sequence[Column]) -> int | None:
    """The column that the rows are about: one with such a head, else the first with a name in most rows."""
    if "name" in columns:
        return columns.index("name")
    apart = {"date", "amount", "debit", "credit", "balance", "currency", "counter", "trait"}
    rows = [line.cells for line in table.lines if not _RULE.fullmatch("".join(line.cells))]
    first_words = Counter(head.partition(" ")[0] for head in table.head if " " in head)
    series = {n for n, head in enumerate(table.head) if first_words[head.partition(" ")[0]] > 1}
    for kinds, skipped in ((apart, series), (apart - {"trait"}, series), (apart - {"trait"}, set[int]())):
        for n, column in enumerate(columns):
            if (
                column not in kinds
                and n not in skipped
                and sum(_names(cells[n]) for cells in rows) > MIN_NAMED_SHARE * len(rows)
            ):
                return n
    return None


def _counterparty(name: str, account: str) -> str:
    """A name other than the owner of the account."""
    return name if name.casefold() != account.casefold() else ""


def _description(
    head: Sequence[str], columns: Sequence[Column], cells: Sequence[str], at: int | None, *, dated: bool
) -> Iterator[_Said]:
    """What the cells of a row state about its subject. `dated`: its date applies to the whole row."""
    own: set[int] = set()
    used: tuple[str, ...] = ()
    if {"surname", "given"} <= set(columns):
        own = {columns.index("surname"), columns.index("given")}
        used = tuple(cells[n] for n in sorted(own))
        subject = " ".join(cells[n] for n in (columns.index("given"), columns.index("surname")) if cells[n])
    elif (
        (at is None or columns[at] != "name")
        and columns[0] not in ("counter", "amount", "date", "trait", "account")
        and not _names(cells[0])
        and _is_code(cells[0])
    ):
        own, subject, used = {0}, f"{head[0]} {cells[0]}", (cells[0],)  # "Badge 0009"
    elif at is not None:
        subject = _party(cells[at]) if columns[at] == "text" else _bare_name(cells[at])
        own, used = {at}, (cells[at],)
    elif _is_code(cells[0]) and columns[0] == "counter":
        own, subject, used = {0}, f"{head[0]} {cells[0]}", (cells[0],)
    else:
        subject = ""
    if not subject:
        return
    for n, cell in enumerate(cells):
        of_row = dated and columns[n] == "date" and len(cells) - len(own) > 1
        if n in own or columns[n] in ("counter", "balance") or of_row:
            continue
        for one in _two_names(cell) or (cell,):
            if _is_readable(one):
                # names are compared without signs: the predicate says the direction
                negative = columns[n] == "amount" and re.match(r"[-−–]\s?\d|\(\d", one)
                yield subject, f"{head[n].lower()} (−)" if negative else head[n].lower(), one, (*used, cell)


def _bare_name(cell: str) -> str:
    """The name in a cell: all of it, or the part before a comma or bracket ("Ann Lee, widow"); "" if there is none."""
    if _names(cell):
        return cell
    first = re.split(r"\s*[,(;]", cell, maxsplit=1)[0].strip()
    return first if _names(first) else ""


def _names(cell: str) -> bool:
    """Whether a cell names something: it begins with a capital, or a letter without case, and is not a date."""
    words = tokens(cell)
    if not 0 < len(words) <= LONGEST_CELL or len(cell) < FEWEST_LETTERS or not cell[0].isalpha() or is_sum(cell):
        return False
    if is_inverted(cell):
        return True
    return "," not in cell and not cell[0].islower() and words[0].folded not in PRONOUNS


def _two_names(cell: str) -> tuple[str, ...]:
    """Two persons in one cell: "Jean Malgorn et Annick Lesquer". () if either is not a full name with a known given
    name or a title: "The Old Man and The Sea", "Rue Pierre et Marie Curie".
    """
    words = cell.split()
    joins = [n for n, word in enumerate(words) if word in CONJUNCTIONS]
    if len(joins) != 1:
        return ()
    sides = words[: joins[0]], words[joins[0] + 1 :]
    full = all(len(side) > 1 and _begins_person(side[0]) and side[-1][0].isupper() for side in sides)
    company = any(token.folded in LEGAL_FORMS for token in tokens(cell))
    return tuple(map(" ".join, sides)) if full and not company else ()


def _begins_person(word: str) -> bool:
    first = next((token.folded for token in tokens(word)), "")  # "Jean" of "Jean-Marie"
    return word[0].isupper() and any(first in known for known in (ALL_GIVEN_NAMES, ADDRESS, RANKS))


def _is_code(cell: str) -> bool:
    """ "0009", "n° 2", "C1": a number that identifies something, not a date or a sum."""
    return bool(re.fullmatch(r"(?:n[°ºo.]{1,2}\s?)?[A-Z]{0,3}[-\s]?\d{1,6}[A-Z]?", cell, re.I))


def _is_readable(cell: str) -> bool:
    words = tokens(cell)
    return (
        0 < len(words) <= LONGEST_CELL
        and len(cell) <= MAX_NAME_CHARS
        and (len(cell) >= FEWEST_LETTERS or bool(_NUMBER.search(cell)))
    )


def count_silent_rows(rows: Iterable[Row]) -> Mapping[str, int]:
    """How many rows gave nothing, by reason."""
    counts: dict[str, int] = {}
    for row in rows:
        if row.silent:
            counts[row.silent] = counts.get(row.silent, 0) + 1
    return counts
