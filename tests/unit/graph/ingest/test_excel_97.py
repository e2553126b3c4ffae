"""Spreadsheets of Excel before 2007 (.xls)."""

from __future__ import annotations

import io
import random
import struct
from contextlib import suppress

import olefile  # type: ignore[import-untyped]
import pytest

from filigraph.graph.errors import UnreadableDocument
from tests.unit.graph.ingest.loading import compound_file, read

_TEXT, _NUMBER, _DATE_STYLE = 0x0204, 0x0203, 1  # records (MS-XLS); the second style of `_STYLES`
_VISIBLE, _HIDDEN = 0, 1


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<2H", kind, len(data)) + data


def _letters(text: str, width: str) -> bytes:
    return struct.pack(f"<{width}B", len(text), 1) + text.encode("utf-16-le")


_STYLES = b"".join(_record(0xE0, struct.pack("<2H", 0, number).ljust(20, b"\0")) for number in (0, 14))


def _cell(row: int, column: int, value: str | float, style: int = 0) -> bytes:
    at = struct.pack("<3H", row, column, style)
    if isinstance(value, str):
        return _record(_TEXT, at + _letters(value, "H"))
    return _record(_NUMBER, at + struct.pack("<d", value))


def _book(*sheets: tuple[str, int, bytes]) -> bytes:
    """A file with sheets: name, whether it is hidden, cells."""
    starts, end = _record(0x809, struct.pack("<4H2I", 0x600, 5, 0, 1997, 0, 0)), _record(0x0A, b"")
    bodies = [_record(0x809, struct.pack("<4H2I", 0x600, 16, 0, 1997, 0, 0)) + cells + end for _, _, cells in sheets]
    size = len(starts + _STYLES + end) + sum(12 + 2 * len(name) for name, *_ in sheets)
    names = b""
    for (name, state, _), body in zip(sheets, bodies, strict=True):
        names += _record(0x85, struct.pack("<I2B", size, state, 0) + _letters(name, "B"))
        size += len(body)
    whole = starts + _STYLES + names + end + b"".join(bodies)
    return compound_file([("Workbook", whole)], "Other", [("x", b"x")])


BOOK = _book(
    ("Baptêmes", _VISIBLE, _cell(0, 0, "Date") + _cell(0, 1, "Child") + _cell(0, 2, "Paid")
     + _cell(1, 0, 26_001.0, _DATE_STYLE) + _cell(1, 1, "Delmas, Jules") + _cell(1, 2, 12.5) + _cell(4, 2, 7.0)),
    ("Draft", _HIDDEN, _cell(0, 0, "Not said.")),
    ("Notes", _VISIBLE, _cell(0, 0, "Agnès Roth bought the mill.")),
)  # fmt: skip


def test_sheets_are_tables_below_their_names() -> None:
    document = read(BOOK, "register.xls")
    assert document.text == (
        "Baptêmes\n\n| Date | Child | Paid |\n| 1971-03-09 | Delmas, Jules | 12.5 |\n|  |  | 7 |\n\n"
        "Notes\n\nAgnès Roth bought the mill."
    )
    assert [(place.kind, place.label) for place in document.places] == [("chapter", "Baptêmes"), ("chapter", "Notes")]
    assert [line.label for line in document.lines] == ["1", "2", "5", "1"]
    assert "Draft" in document.warnings[0]
    assert document.media_type == "application/vnd.ms-excel"


def test_the_content_decides_not_the_name() -> None:
    assert "Delmas, Jules" in read(BOOK, "register.doc").text
    assert read("Date\tChild\n1971\tJules\n", "register.xls").text.startswith("Date")


def test_damaged_files_are_refused_or_read() -> None:
    dice = random.Random(4)
    for cut in range(600, len(BOOK), 97):
        changed = bytearray(BOOK[:cut] if cut % 2 else BOOK)
        for _ in range(20):
            changed[dice.randrange(8, len(changed))] = dice.randrange(256)
        with suppress(UnreadableDocument):
            read(bytes(changed), "register.xls")
    with pytest.raises(UnreadableDocument, match="Excel file is damaged"):
        read(compound_file([("Workbook", b"x" * 600)], "folder", []), "a.xls")


def test_formulas_of_names_are_not_worked_out_and_a_short_stream_is_read() -> None:
    formulas = [b"\x17\xc8\0" + b"a" * 200]  # then each name joins the one before to itself
    formulas += [struct.pack("<BHHBHH", 0x23, n, 0, 0x23, n, 0) + b"\x08" for n in range(1, 60)]
    head = _record(0x809, struct.pack("<4H2I", 0x600, 5, 0, 1997, 0, 0))
    names = b"".join(
        _record(0x18, struct.pack("<H2B3H4B", 0, 0, 1, len(text), 0, 0, 0, 0, 0, 0) + b"\0n" + text)
        for text in formulas
    )
    end = _record(0x0A, b"")
    sheet = _record(0x809, struct.pack("<4H2I", 0x600, 16, 0, 1997, 0, 0)) + _cell(0, 0, "Ann met Bo.") + end
    for named in (b"", names):
        at = len(head) + len(named) + 14 + len(end)
        listed = _record(0x85, struct.pack("<I2B", at, 0, 0) + _letters("A", "B"))
        assert read(head + named + listed + end + sheet, "a.xls").text == "A\n\nAnn met Bo."


def test_an_encrypted_file_says_so() -> None:
    locked = BOOK.replace(_STYLES, _record(0x2F, struct.pack("<H", 1)) + _STYLES[4:][: len(_STYLES) - 6], 1)
    with pytest.raises(UnreadableDocument, match="Excel file is encrypted"):
        read(locked, "register.xls")


def test_a_word_file_within_a_spreadsheet_does_not_make_it_one() -> None:
    within = compound_file([("Workbook", _stream(BOOK))], "MBD001", [("WordDocument", b"x")])
    assert "Delmas, Jules" in read(within, "register.xls").text
    assert "Delmas, Jules" in read(compound_file([("WORKBOOK", _stream(BOOK))], "a", [("b", b"x")]), "a.xls").text


def _stream(book: bytes) -> bytes:
    with olefile.OleFileIO(io.BytesIO(book)) as opened:
        return bytes(opened.openstream("Workbook").read())
