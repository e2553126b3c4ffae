"""Write a PDF: headings, paragraphs, notes at its end, and columns of boxes with connecting text between them.

The letters are FiraGO's (Latin, Cyrillic, Greek, Arabic, Hebrew, Thai, Georgian, Devanagari). Others are replaced by a
box, and a line below the title says so.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

import pymupdf_fonts
from fpdf import FPDF
from fpdf.fonts import TTFFont

from filigraph.graph.transfer.document import TextRun, run

_FONT = "FiraGO"
_STYLES = {"": "figo", "B": "figbo", "I": "figit", "BI": "figbi"}
_SIZE, _SMALL, _TITLE = 10.5, 8.5, 18.0  # points
_HEADINGS = {1: 14.0, 2: 12.0}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # a footnote's number; [1] is a passage's
_LINE_HEIGHT = 1.4  # of a font's size
_MILLIMETRES = 0.3528  # of a point
_REPLACEMENT = "\u25af"  # ▯, which FiraGO has
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))  # variants of the letter before: nothing is lost without them
_LEFT_TO_RIGHT = "\u200e"  # a mark without width
_NEUTRAL = re.compile(r"[\W_]{200}")  # fpdf looks for the next letter by recursion, which Python ends at 1,000
_MAX_LETTERS_LISTED = 10  # letters that are replaced
_MARGIN, _BOX_WIDTH, _PADDING = 20.0, 99.0, 2  # millimetres


class Pdf:
    """A document that grows from top to bottom; `content` is its file."""

    def __init__(self, *, title: str, created: datetime, replaced: str) -> None:
        """`replaced`: the notice that the font lacks `{letters}`, with a box in their place."""
        self._title, self._made, self._replaced = title, created, replaced
        self._parts: list[Callable[[_Layout], None]] = []
        self._notes: list[str] = []

    def heading(self, text: str, level: int = 1) -> None:
        self._parts.append(lambda page: page.heading(text, _HEADINGS[level]))

    def paragraph(self, *runs: TextRun) -> None:
        self._parts.append(lambda page: page.write_lines(runs, _SIZE, 2))

    def footnote(self, text: str) -> TextRun:
        """Add a note to the end of the document; returns its mark."""
        self._notes.append(text)
        return TextRun(text=str(len(self._notes)).translate(_RAISED), note=len(self._notes))

    def boxes(self, rows: Sequence[tuple[str, bool]]) -> None:
        self._parts.append(lambda page: page.boxes(rows))

    def content(self) -> bytes:
        with tempfile.TemporaryDirectory() as fonts:  # they are read until the file is done
            content, unknown = self._laid_out(Path(fonts), "")
            if unknown:
                listed = ", ".join(f"U+{ord(letter):04X}" for letter in sorted(unknown)[:_MAX_LETTERS_LISTED])
                more = ", ..." * (len(unknown) > _MAX_LETTERS_LISTED)
                notice = self._replaced.format(letters=listed + more, box=_REPLACEMENT)
                content, _ = self._laid_out(Path(fonts), notice)
            return content

    def _laid_out(self, fonts: Path, notice: str) -> tuple[bytes, frozenset[str]]:
        """The file, and the letters that its font lacks."""
        page = _Layout(self._title, self._made, fonts)
        try:
            page.write_lines([run(self._title, bold=True)], _TITLE, 4)
            if notice:
                page.write_lines([run(notice, italic=True)], _SIZE, 4)
            for part in self._parts:
                part(page)
            page.notes(self._notes)
            return page.content(), frozenset(page.unknown)
        finally:
            page.close()


class _Layout:
    def __init__(self, title: str, created: datetime, fonts: Path) -> None:
        self._file = FPDF(format="A4")
        self._file.set_creation_date(created)
        self._file.set_title(title)
        self._file.set_margin(_MARGIN)
        self._file.set_auto_page_break(True, margin=_MARGIN)
        for style, name in _STYLES.items():
            path = fonts / f"{name}.ttf"
            path.write_bytes(pymupdf_fonts.myfont(name))
            self._file.add_font(_FONT, style, path)
        self._file.set_font(_FONT)
        self._file.set_text_shaping(use_shaping_engine=True)  # joins Arabic letters, and writes from the right
        font = self._file.fonts[_FONT.lower()]
        self._letters = frozenset(font.cmap) if isinstance(font, TTFFont) else frozenset()
        self.unknown: set[str] = set()
        self._file.add_page()

    def heading(self, text: str, size: float) -> None:
        """A heading, on the page of what follows it."""
        self._file.ln(3)
        if self._file.will_page_break(4 * _height(size)):
            self._file.add_page()
        self.write_lines([run(text, bold=True)], size, 1)

    def write_lines(self, runs: Sequence[TextRun], size: float, below: float) -> None:
        for styled in runs:
            self._font(styled, _SMALL if styled.small else size)
            self._file.write(_height(_SMALL if styled.small else size), self._with_known_glyphs(styled.text))
        self._file.ln(_height(size) + below)

    def boxes(self, rows: Sequence[tuple[str, bool]]) -> None:
        for text, framed in rows:
            self._box(text, framed)
        self._file.ln(3)

    def notes(self, texts: Sequence[str]) -> None:
        if texts:
            self._file.ln(4)
            self._file.line(_MARGIN, self._file.y, 3 * _MARGIN, self._file.y)
            self._file.ln(2)
        for number, text in enumerate(texts, start=1):
            self.write_lines([run(f"{str(number).translate(_RAISED)} {text}", small=True)], _SMALL, 1)

    def content(self) -> bytes:
        return bytes(self._file.output())

    def close(self) -> None:
        for font in self._file.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def _box(self, text: str, framed: bool) -> None:
        self._font(run(text, bold=framed, italic=not framed), _SIZE)
        cell = partial(
            self._file.multi_cell,
            _BOX_WIDTH,
            _height(_SIZE),
            self._with_known_glyphs(text) or " ",
            align="C",
            padding=_PADDING,
        )
        if self._file.will_page_break(cast(float, cell(dry_run=True, output="HEIGHT"))):
            self._file.add_page()
        self._file.set_x((self._file.w - _BOX_WIDTH) / 2)
        cell(border="TBLR" if framed else 0, new_x="LMARGIN", new_y="NEXT")

    def _font(self, styled: TextRun, size: float) -> None:
        self._file.set_font(_FONT, "B" * styled.bold + "I" * styled.italic, size)

    def _with_known_glyphs(self, text: str) -> str:
        """The text as it is written: a box replaces each letter that the font lacks."""
        return _NEUTRAL.sub(rf"\g<0>{_LEFT_TO_RIGHT}", "".join(map(self._printable, text.replace("\t", " "))))

    def _printable(self, letter: str) -> str:
        if letter == "\n" or (ord(letter) in self._letters and letter.isprintable()):
            return letter
        if not letter.isprintable() or letter in _SELECTORS:
            return ""
        self.unknown.add(letter)
        return _REPLACEMENT


def _height(size: float) -> float:
    """Millimetres of a line of letters of that many points."""
    return size * _LINE_HEIGHT * _MILLIMETRES
