"""Spreadsheets of Excel before 2007 (.xls), read as .xlsx is: each sheet as a table below its name, with comments."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.archives import PARSER_ERRORS, RESAVE
from filigraph.graph.ingest.load.content import Content, one_line
from filigraph.graph.ingest.load.office.office import (
    EPOCHS,
    Part,
    content_of_parts,
    hidden_sheet,
    sheet_part,
    shown_date,
)
from filigraph.graph.ingest.load.office.office_extras import comment_words
from filigraph.graph.ingest.load.office.word_97_file import declared_title

if TYPE_CHECKING:
    from xlrd.book import Book
    from xlrd.sheet import Cell, Sheet

NEWER, OLDER = "Workbook", "Book"  # the stream of Excel 97 and that of Excel 5 and 95
# Files of Excel 2 to 4 are such a stream alone: the beginning of each version, and that of the streams above.
BARE = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00", b"\x09\x08\x08\x00", b"\x09\x08\x10\x00")
_END, _NAMES, _SKIPPED = 0x0A, (0x18, 0x218), 0xFF  # kinds of records
_LONGEST_COMMENT = 5_000  # characters
_DAMAGE = (*PARSER_ERRORS, NotImplementedError)


def read_xls(content: bytes) -> Content:
    """Raises UnreadableDocument for what is encrypted or damaged."""
    import xlrd

    left_out: list[str] = []
    try:
        stream, title = _stream_and_title(content)
        stream = _without_names(stream)
        with xlrd.open_workbook(file_contents=stream, logfile=io.StringIO(), on_demand=True, ragged_rows=True) as book:
            return content_of_parts(_sheets(book, left_out), title, left_out)
    except (xlrd.XLRDError, *_DAMAGE) as error:
        if "encrypted" in str(error):
            raise UnreadableDocument("The Excel file is encrypted.", cure="Save it without a password.") from error
        raise UnreadableDocument(f"The Excel file is damaged: {error!r}.", cure=RESAVE) from error


def _stream_and_title(content: bytes) -> tuple[bytes, str]:
    """xlrd's own reader of containers refuses what olefile reads."""
    import olefile  # type: ignore[import-untyped]

    if not content.startswith(olefile.MAGIC):  # isOleFile takes few bytes for a path
        return content, ""
    with olefile.OleFileIO(io.BytesIO(content)) as opened:
        name = next((name for name in (NEWER, OLDER) if opened.exists(name)), NEWER)
        return opened.openstream(name).read(), declared_title(opened.get_metadata())


def _without_names(stream: bytes) -> bytes:
    """The stream without the formulas of names: no cell needs them, and xlrd works them out, which doubles a text with
    each name of a hostile file and refuses the whole file if it cannot.
    """
    records = bytearray(stream)
    at = 0
    while at + 4 <= len(records):
        kind, length = struct.unpack_from("<HH", records, at)
        if kind == _END:
            break
        if kind in _NAMES:
            struct.pack_into("<H", records, at, _SKIPPED)
        at += 4 + length
    return bytes(records)


def _sheets(book: Book, left_out: list[str]) -> Iterator[Part]:
    for number in range(book.nsheets):
        sheet = book.sheet_by_index(number)
        if sheet.visibility:
            left_out.append(hidden_sheet(sheet.name))
        else:
            yield sheet_part(sheet.name.strip() or "-", _rows(book, sheet), list(_comments(sheet)))
        book.unload_sheet(number)


def _rows(book: Book, sheet: Sheet) -> Iterator[tuple[int, list[str]]]:
    for number in range(sheet.nrows):
        yield number + 1, [_shown(book, cell) for cell in sheet.row(number)]


def _shown(book: Book, cell: Cell) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return shown_date(cell.value, EPOCHS[bool(book.datemode)])
        except (ValueError, OverflowError):  # not an existing day: the number itself
            return f"{cell.value:.15g}"
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return f"{cell.value:.15g}"
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "true" if cell.value else "false"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, ""))
    return str(cell.value)


def _comments(sheet: Sheet) -> Iterator[tuple[int, str]]:
    import xlrd

    for (row, column), note in sorted(sheet.cell_note_map.items()):
        if words := comment_words(one_line(note.text, _LONGEST_COMMENT), note.author, xlrd.cellname(row, column)):
            yield row + 1, words
