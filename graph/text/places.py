"""Places: the page, chapter and paragraph of any part of a document, the row of a table, the time of a statement.

A loader gives the starts of pages and chapters (`Place`). A chunk stores which of them, and which paragraphs, begin in
it, so the place of a quote follows from its own offset, not from the start of its chunk. Only `place_of` words places:
"page 3", "page 3-4" for a sentence that continues on the next page, "chapter II, paragraph 7".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filigraph.graph.model.documents import LoadedDocument, Place, PlaceMark

_BLANK = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n\s*")
_LONG_LINE_CHARS = 200  # characters: if lines are that long and none is blank, each line is a paragraph
_MAX_HEADING_CHARS = 120  # characters
_MAX_HEADING_LINES = 3  # lines of a heading, at most
_NUMBER = re.compile(r"(?P<kind>page|row|paragraph|time) (?P<label>[^,]+)")
_WORD = re.compile(r"\w+")


class DocumentPlaces:
    """The places of a document, by offset."""

    def __init__(self, document: LoadedDocument) -> None:
        self._text = document.text
        self._pages = [place for place in document.places if place.kind == "page"]
        self._lines = document.lines
        self._chapters = [place for place in document.places if place.kind != "page"]
        self._page_starts = [place.start for place in self._pages]
        self._line_starts = [line.start for line in self._lines]  # a table has a hundred thousand
        self._chapter_starts = [place.start for place in self._chapters]

    def section(self, offset: int) -> str:
        """The page and the chapter at an offset: "page 3", "page 3, chapter II", "" if the document has neither."""
        return _join_by_comma(_label_at(self._pages, offset), _label_at(self._chapters, offset))

    def marks(self, start: int, end: int) -> tuple[PlaceMark, ...]:
        """The places in `text[start:end]`, from its beginning on. () if there is only one, without a name."""
        edges = {start}
        for starts in (self._page_starts, self._chapter_starts, self._paragraphs, self._line_starts):
            edges.update(starts[bisect_right(starts, start) : bisect_right(starts, end - 1)])
        marks: list[PlaceMark] = []
        for edge in sorted(edges):
            name = _join_by_comma(self.section(edge), self._paragraph(edge))
            if not marks or marks[-1][1] != name:
                marks.append((edge - start, name))
        return tuple(marks) if any(name for _, name in marks) else ()

    def _paragraph(self, offset: int) -> str:
        """The number of the paragraph in its chapter, without headings; the row or time if the document has them. With
        pages, paragraphs have no numbers: a paragraph may continue on the next page.
        """
        if self._lines:
            return self._line_label(offset)
        at = bisect_right(self._paragraphs, offset) - 1
        if at < 0 or (number := self._paragraph_numbers[at]) == 0:
            return ""
        return f"paragraph {number}"

    def _line_label(self, offset: int) -> str:
        """The row or time at an offset; "" if a chapter (a sheet) has begun since."""
        at = bisect_right(self._line_starts, offset)
        chapter = bisect_right(self._chapter_starts, offset)
        if not at or (chapter and self._chapters[chapter - 1].start > self._lines[at - 1].start):
            return ""
        return f"{self._lines[at - 1].kind} {self._lines[at - 1].label}"

    @cached_property
    def _paragraphs(self) -> list[int]:
        """The starts of paragraphs."""
        if self._pages or self._lines or not self._text.strip():
            return []
        first = len(self._text) - len(self._text.lstrip())
        gap = _BLANK
        if not _BLANK.search(self._text.strip()):
            lines = [line for line in self._text.split("\n") if line.strip()]
            gap = _LINE if sum(map(len, lines)) >= _LONG_LINE_CHARS * len(lines) else _BLANK
        starts = [first, *(match.end() for match in gap.finditer(self._text, first) if match.end() < len(self._text))]
        return sorted({*starts, *(place.start for place in self._chapters)})

    @cached_property
    def _paragraph_numbers(self) -> list[int]:
        """The number of each paragraph; 0 for a heading."""
        numbers: list[int] = []
        number, heading, label, before = 0, 0, "", 0
        for start, end in zip(self._paragraphs, [*self._paragraphs[1:], len(self._text)], strict=True):
            here = bisect_right(self._chapter_starts, start)
            if here != before or not numbers:
                number, heading, before = 0, _MAX_HEADING_LINES if here else 0, here
                label = self._chapters[here - 1].label if here else ""
            heading = heading - 1 if heading and _is_heading(self._text[start:end], label) else 0
            number += 0 if heading else 1
            numbers.append(0 if heading else number)
        return numbers


def place_of(marks: Sequence[PlaceMark], start: int, end: int | None = None, *, otherwise: str = "") -> str:
    """The place of a chunk's `text[start:end]`, from its beginning to its end. `otherwise`: the place for a chunk
    without its own.
    """
    if not marks:
        return otherwise
    starts = [mark[0] for mark in marks]
    first = marks[max(0, bisect_right(starts, start) - 1)][1]
    last = marks[max(0, bisect_right(starts, max(start, (end or start) - 1)) - 1)][1]
    return first if first == last else _from_to(first, last)


def marks_text(marks: Iterable[PlaceMark]) -> list[str]:
    """The places of a chunk, in the form in which they are stored."""
    return [f"{start} {name}" for start, name in marks]


def marks_of(stored: Iterable[str]) -> tuple[PlaceMark, ...]:
    """The places from their stored form."""
    parts = (text.partition(" ") for text in stored)
    return tuple((int(start), name) for start, _, name in parts)


def _label_at(places: Sequence[Place], offset: int) -> str:
    at = bisect_right(places, offset, key=lambda place: place.start)
    if not at:
        return ""
    place = places[at - 1]
    return place.label if place.kind == "section" else f"{place.kind} {place.label}"


def _join_by_comma(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _from_to(first: str, last: str) -> str:
    """ "page 3-4" for "page 3" and "page 4"; if more than one number differs, both: "chapter I – chapter II"."""
    if not first or not last:
        return first or last
    first_parts, last_parts = first.split(", "), last.split(", ")
    if len(first_parts) == len(last_parts):
        different = [n for n, (a, b) in enumerate(zip(first_parts, last_parts, strict=True)) if a != b]
        a, b = _NUMBER.fullmatch(first_parts[different[0]]), _NUMBER.fullmatch(last_parts[different[0]])
        if len(different) == 1 and a and b and a["kind"] == b["kind"]:
            first_parts[different[0]] += f"-{b['label']}"
            return ", ".join(first_parts)
    return f"{first} – {last}"


def _is_heading(block: str, label: str) -> bool:
    """Whether the first lines of a chapter are its heading: the text of its label, or a line that is not a sentence."""
    line = " ".join(block.split())
    if not line or len(line) > _MAX_HEADING_CHARS:
        return False
    words = set(_WORD.findall(line.casefold()))
    if words <= {*_WORD.findall(label.casefold()), "chapter", "chapitre", "kapitel"}:
        return True
    return line.isupper() or (len(line) <= _MAX_HEADING_CHARS // 2 and line[-1].isalnum())
