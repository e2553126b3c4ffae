"""What a Word file of before 2007 (.doc) holds: its characters, what was taken out, headings, rows of tables, notes.

FIB (where all else is) -> pieces (the characters) -> runs of characters and of paragraphs, with their formats
"""

from __future__ import annotations

import codecs
import io
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load.content import check_length, clean
from filigraph.graph.ingest.load.office.word_parts import LEVELS

if TYPE_CHECKING:
    from olefile import OleMetadata  # type: ignore[import-untyped]

STREAM = "WordDocument"  # its name in the directory of the file
_CHARACTERS, _PARAGRAPHS, _PIECES = (0x9A + 8 * n for n in (12, 13, 33))  # where these are

_MAGIC, _OLDEST = 0xA5EC, 0x00C1  # Word 97
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200
_LENGTHS = 0x4C  # of the parts of the text, one after the other
_PARTS = ("text", "footnotes", "heads", "", "comments", "endnotes", "boxes")
_PAGE = 512
_DELETED = struct.pack("<HB", 0x0800, 1)  # sprmCFRMarkDel
_IN_TABLE = struct.pack("<HB", 0x2416, 1)  # sprmPFInTable
_ROW_END = struct.pack("<HB", 0x2417, 1)  # sprmPFTtp
_EIGHT_BITS = 1 << 30
_FIELD, _RESULT, _FIELD_END = "\x13\x14\x15"


@dataclass(frozen=True)
class _Piece:
    """Characters that stand side by side in the file."""

    start: int  # number of its first character
    end: int
    offset: int  # in the file
    width: Literal[1, 2]  # bytes of a character


@dataclass(frozen=True, kw_only=True)
class WordFile:
    word: bytes
    table: bytes

    @cached_property
    def pieces(self) -> Sequence[_Piece]:
        start, size = self._start_and_size(_PIECES)
        clx = self.table[start : start + size]
        at = 0
        while clx[at] == 1:  # formats that pieces share
            at += 3 + struct.unpack_from("<H", clx, at + 1)[0]
        (size,) = struct.unpack_from("<I", clx, at + 1)
        count = (size - 4) // 12
        bounds = struct.unpack_from(f"<{count + 1}I", clx, at + 5)
        if list(bounds) != sorted(bounds):
            raise ValueError("pieces of text overlap")
        check_length(bounds[-1])
        pieces = []
        for n in range(count):
            if bounds[n] == bounds[n + 1]:
                continue
            (where,) = struct.unpack_from("<I", clx, at + 5 + 4 * (count + 1) + 8 * n + 2)
            narrow = bool(where & _EIGHT_BITS)
            offset = (where & ~_EIGHT_BITS) // 2 if narrow else where
            pieces.append(_Piece(bounds[n], bounds[n + 1], offset, 1 if narrow else 2))
        return pieces

    @cached_property
    def text(self) -> str:
        """The characters as the file counts them: one beyond U+FFFF is two, which `joined` makes one."""
        parts = []
        for piece in self.pieces:
            count = piece.end - piece.start
            raw = self.word[piece.offset : piece.offset + count * piece.width]
            letters = raw.decode("cp1252", "replace") if piece.width == 1 else "".join(map(chr, _units(raw)))
            parts.append(letters.ljust(count, "\ufffd"))
        return "".join(parts)

    @cached_property
    def parts(self) -> dict[str, range]:
        lengths = struct.unpack_from(f"<{len(_PARTS)}I", self.word, _LENGTHS)
        ranges, start = {}, 0
        for name, length in zip(_PARTS, lengths, strict=True):
            ranges[name] = range(min(start, len(self.text)), min(start + length, len(self.text)))
            start += length
        return ranges

    @cached_property
    def deleted(self) -> bytearray:
        """1 for each character that a reviewer took out."""
        marks = bytearray(len(self.text))
        for start, end, formats in self._runs(_CHARACTERS):
            if _DELETED in formats:
                self._mark(marks, start, end, 1)
        return marks

    @cached_property
    def levels(self) -> bytearray:
        """The level of the heading that each character is of, from 1; 0 for none. A style below 10 is a heading."""
        marks = bytearray(len(self.text))
        for start, end, formats in self._runs(_PARAGRAPHS):
            if formats and 0 < (style := struct.unpack_from("<H", formats)[0]) <= LEVELS:
                self._mark(marks, start, end, style)
        return marks

    @cached_property
    def tables(self) -> bytearray:
        """1 for each character in a cell, 2 for the end of a row."""
        marks = bytearray(len(self.text))
        for start, end, formats in self._runs(_PARAGRAPHS):
            if _IN_TABLE in formats[2:]:
                self._mark(marks, start, end, 2 if _ROW_END in formats[2:] else 1)
        return marks

    def letters(self, part: str) -> Iterator[tuple[int, str]]:
        """The characters of a part with their numbers, but for what was taken out and the codes of fields."""
        codes = [False]  # of each field within others: whether its code is being read
        for at in self.parts[part]:
            letter = self.text[at]
            if letter == _FIELD:
                codes.append(True)
            elif letter == _RESULT and len(codes) > 1:
                codes[-1] = False
            elif letter == _FIELD_END and len(codes) > 1:
                codes.pop()
            elif not any(codes) and not self.deleted[at]:
                yield at, letter

    def part_text(self, part: str) -> str:
        return joined(letter for _, letter in self.letters(part))

    def _start_and_size(self, field: int) -> tuple[int, int]:
        start, size = struct.unpack_from("<2I", self.word, field)
        return start, size

    def _runs(self, table: int) -> Iterator[tuple[int, int, bytes]]:
        """Where runs begin and end in the file, one after the other, and their formats."""
        start, size = self._start_and_size(table)
        before = 0
        count = max(0, (size - 4) // 8)
        wide = table == _PARAGRAPHS
        for number in struct.unpack_from(f"<{count}I", self.table, start + 4 * (count + 1)):
            page = self.word[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
            if len(page) < _PAGE:
                continue
            runs = page[-1]
            offsets = struct.unpack_from(f"<{runs + 1}I", page)
            for n in range(runs):
                at = 2 * page[4 * (runs + 1) + n * (13 if wide else 1)]
                if before <= offsets[n] < offsets[n + 1]:
                    before = offsets[n + 1]
                    yield offsets[n], before, _formats(page, at, wide=wide) if at else b""

    @cached_property
    def _by_offset(self) -> Sequence[_Piece]:
        return sorted(self.pieces, key=lambda piece: piece.offset)

    def _mark(self, marks: bytearray, start: int, end: int, value: int) -> None:
        first = max(0, bisect_right(self._by_offset, start, key=lambda piece: piece.offset) - 1)
        for piece in self._by_offset[first:]:
            if piece.offset >= end:
                return
            a = piece.start + max(0, start - piece.offset) // piece.width
            b = min(piece.end, piece.start + -(-(end - piece.offset) // piece.width))
            if a < b:
                marks[a:b] = bytes([value]) * (b - a)


def joined(letters: Iterable[str]) -> str:
    """Letters as a text."""
    return "".join(letters).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _units(raw: bytes) -> tuple[int, ...]:
    return struct.unpack_from(f"<{len(raw) // 2}H", raw)


def _formats(page: bytes, at: int, *, wide: bool) -> bytes:
    if not wide:
        return page[at + 1 : at + 1 + page[at]]
    if page[at]:
        return page[at + 1 : at + 2 * page[at]]
    return page[at + 2 : at + 2 + 2 * page[at + 1]]


def open_word_97(content: bytes) -> tuple[WordFile, str]:
    """The file, and the title that it declares."""
    import olefile

    with olefile.OleFileIO(io.BytesIO(content)) as opened:
        word = opened.openstream("WordDocument").read()
        magic, version = struct.unpack_from("<2H", word)
        (flags,) = struct.unpack_from("<H", word, 0x0A)
        if magic != _MAGIC or version < _OLDEST:
            raise UnreadableDocument("The file is of Word 95 or before.", cure="Save it as .docx or as text.")
        if flags & _ENCRYPTED:
            raise UnreadableDocument("The Word file is encrypted.", cure="Save it without a password.")
        table = opened.openstream("1Table" if flags & _TABLE_1 else "0Table").read()
        return WordFile(word=word, table=table), declared_title(opened.get_metadata())


def declared_title(about: OleMetadata) -> str:
    title = about.title or b""
    title_text = title.decode(_charset(about.codepage), "replace") if isinstance(title, bytes) else str(title)
    return clean(title_text.rstrip("\0"))


def _charset(codepage: int | None) -> str:
    """The codec of the number of a code page, which is read as if it had a sign."""
    name = f"cp{(codepage or 65001) & 0xFFFF}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "utf-8"
