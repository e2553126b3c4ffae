"""The parts of a document to write; docx.py and pdf.py lay it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class TextRun:
    """A piece of a paragraph. Line ends are line breaks."""

    text: str
    bold: bool = False
    italic: bool = False
    small: bool = False
    note: int = 0  # the number of its footnote if it is a footnote mark, else 0


def run(text: str, *, bold: bool = False, italic: bool = False, small: bool = False) -> TextRun:
    return TextRun(text=text, bold=bold, italic=italic, small=small)


class Document(Protocol):
    """A document that grows from top to bottom; `content` is its file."""

    def heading(self, text: str, level: int = 1) -> None: ...

    def paragraph(self, *runs: TextRun) -> None: ...

    def footnote(self, text: str) -> TextRun:
        """Add a note; returns its mark."""

    def boxes(self, rows: Sequence[tuple[str, bool]]) -> None:
        """Draw rows below each other, centred: (text, whether it has a frame)."""

    def content(self) -> bytes: ...
