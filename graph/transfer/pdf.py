"""Write a PDF: headings, paragraphs, notes at its end, and columns of boxes with what joins them between.

The letters are FiraGO's (Latin, Cyrillic, Greek, Arabic, Hebrew, Thai, Georgian, Devanagari). A text that needs others
is refused, since it would have gaps.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

import pymupdf_fonts
from fpdf import FPDF
from fpdf.fonts import TTFFont

from filigraph.graph.errors import InputError
from filigraph.graph.transfer.document import Run, run

_FONT = "FiraGO"
_STYLES = {"": "figo", "B": "figbo", "I": "figit", "BI": "figbi"}
_SIZE, _SMALL, _TITLE = 10.5, 8.5, 18.0  # points
_HEADINGS = {1: 14.0, 2: 12.0}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # a footnote's number; [1] is a passage's
_LINE = 1.4  # of a font's size
_MILLIMETRES = 0.3528  # of a point
_MARGIN, _BOX_WIDTH, _PADDING = 20.0, 99.0, 2  # millimetres


class Pdf:
    """A document that grows from top to bottom; `content` is its file."""

    def __init__(self, *, title: str, made: datetime) -> None:
        self._title, self._made = title, made
        self._parts: list[Callable[[_Layout], None]] = [lambda page: page.lines([run(title, bold=True)], _TITLE, 4)]
        self._notes: list[str] = []

    def heading(self, text: str, level: int = 1) -> None:
        self._parts.append(lambda page: page.heading(text, _HEADINGS[level]))

    def paragraph(self, *runs: Run) -> None:
        self._parts.append(lambda page: page.lines(runs, _SIZE, 2))

    def footnote(self, text: str) -> Run:
        """Add a note to the end of the document; returns its mark."""
        self._notes.append(text)
        return Run(text=str(len(self._notes)).translate(_RAISED), note=len(self._notes))

    def boxes(self, rows: Sequence[tuple[str, bool]]) -> None:
        self._parts.append(lambda page: page.boxes(rows))

    def content(self) -> bytes:
        """The file. Raises InputError where its font lacks letters of a text."""
        with tempfile.TemporaryDirectory() as fonts:  # they are read until the file is done
            page = _Layout(self._title, self._made, Path(fonts))
            try:
                for part in self._parts:
                    part(page)
                page.notes(self._notes)
                return page.content()
            finally:
                page.close()


class _Layout:
    """The pages."""

    def __init__(self, title: str, made: datetime, fonts: Path) -> None:
        self._file = FPDF(format="A4")
        self._file.set_creation_date(made)
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
        self._file.add_page()

    def heading(self, text: str, size: float) -> None:
        """A heading, on the page of what follows it."""
        self._file.ln(3)
        if self._file.will_page_break(4 * _height(size)):
            self._file.add_page()
        self.lines([run(text, bold=True)], size, 1)

    def lines(self, runs: Sequence[Run], size: float, below: float) -> None:
        for one in runs:
            self._font(one, _SMALL if one.small else size)
            self._file.write(_height(_SMALL if one.small else size), self._known(one.text))
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
            self.lines([run(f"{str(number).translate(_RAISED)} {text}", small=True)], _SMALL, 1)

    def content(self) -> bytes:
        return bytes(self._file.output())

    def close(self) -> None:
        for font in self._file.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def _box(self, text: str, framed: bool) -> None:
        self._font(run(text, bold=framed, italic=not framed), _SIZE)
        cell = partial(
            self._file.multi_cell, _BOX_WIDTH, _height(_SIZE), self._known(text) or " ", align="C", padding=_PADDING
        )
        if self._file.will_page_break(cast(float, cell(dry_run=True, output="HEIGHT"))):
            self._file.add_page()
        self._file.set_x((self._file.w - _BOX_WIDTH) / 2)
        cell(border="TBLR" if framed else 0, new_x="LMARGIN", new_y="NEXT")

    def _font(self, one: Run, size: float) -> None:
        self._file.set_font(_FONT, "B" * one.bold + "I" * one.italic, size)

    def _known(self, text: str) -> str:
        """The text as it is written. Raises InputError where it has letters that the font lacks."""
        text = "".join(letter for letter in text.replace("\t", " ") if letter.isprintable() or letter == "\n")
        unknown = sorted({letter for letter in text if ord(letter) not in self._letters} - {"\n"})
        if unknown:
            cause = f"A PDF cannot show these letters: {' '.join(unknown[:10])}"
            raise InputError(cause, cure="Write a Word file (.docx): it is shown with the fonts of its reader.")
        return text


def _height(size: float) -> float:
    """Millimetres of a line of letters of that many points."""
    return size * _LINE * _MILLIMETRES
