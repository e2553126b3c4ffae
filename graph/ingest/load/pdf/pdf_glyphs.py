"""A PDF page from pdfium: runs of letters on one line, with their positions and sizes."""

from __future__ import annotations

import ctypes
import math
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

_GAP = 0.75  # multiple of a letter's height: a wider gap ends a run, it may be between two columns
_WORD_GAP = 0.13  # a gap that separates two words if no space is drawn
_FEWEST_SPACED = 5  # letters of a run that may have spaces inside words
_SPACED = 0.35  # min. share of its letters that a space follows
_ALPHABETIC = 0.5  # min. share of letters in it: figures are cells
_WIDER = 1.4  # multiple of the usual gap between its letters: a wider one separates words
_RAISED = 0.12  # share of a line's height: a small letter that is this much higher is raised
_NO_GAP = 0.05  # share of a line's height: the distance of letters without a space
_SMALL = 0.82  # share of a line's height: a letter up to this size may be raised or lowered
_LONGEST_STAMP = 250  # characters
_FILLED = 0.5  # min. share of a scanned page that its picture covers
_HYPHENS = frozenset("\u00ad\ufffe\x02")  # pdfium's forms of a hyphen at the end of a line
_LAST_OF_BYTE = "\xff"
_QUARTER = math.pi / 2


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter, in coordinates in which its text reads from left to right; y grows downwards."""

    text: str
    x0: float
    x1: float
    y: float  # of its baseline
    height: float


@dataclass(frozen=True)
class Run:
    """Consecutive letters on one line."""

    glyphs: tuple[Glyph, ...]

    @cached_property
    def x0(self) -> float:
        return min(glyph.x0 for glyph in self.glyphs)

    @cached_property
    def x1(self) -> float:
        return max(glyph.x1 for glyph in self.glyphs)

    @cached_property
    def height(self) -> float:
        """The height of most of its letters."""
        return Counter(round(glyph.height, 1) for glyph in self.glyphs).most_common(1)[0][0]

    @cached_property
    def y(self) -> float:
        """The baseline of most of its letters."""
        same = [glyph.y for glyph in self.glyphs if round(glyph.height, 1) == self.height]
        return Counter(round(y, 1) for y in same).most_common(1)[0][0]


@dataclass(frozen=True, kw_only=True)
class PageGlyphs:
    """The runs of a page by reading direction, the direction with most letters first."""

    runs: tuple[tuple[Run, ...], ...]
    unknown: int  # letters without Unicode in the file
    is_scan: bool  # a picture fills it, with a line of text at most: the stamp of a court or an archive


def page_glyphs(page: Any) -> PageGlyphs:
    """The runs of a page of pypdfium2. Raises PdfiumError."""
    import pypdfium2.raw as pdfium

    text_page = page.get_textpage()
    try:
        by_turn: dict[int, list[Glyph | None]] = {}
        unknown = 0
        for turn, glyph, mapped in _glyphs(text_page, pdfium):
            unknown += not mapped
            by_turn.setdefault(turn, []).append(glyph)
    finally:
        text_page.close()
    letters = sum(map(len, by_turn.values()))
    is_scan = 0 < letters <= _LONGEST_STAMP and _picture_share(page, pdfium) >= _FILLED
    ordered = sorted(by_turn.values(), key=lambda glyphs: -sum(glyph is not None for glyph in glyphs))
    return PageGlyphs(runs=tuple(tuple(_runs(glyphs)) for glyphs in ordered), unknown=unknown, is_scan=is_scan)


def _picture_share(page: Any, pdfium: Any) -> float:
    """The share of the page that its largest picture covers."""
    width, height = page.get_size()
    areas = (
        (right - left) * (top - bottom)
        for picture in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
        for left, bottom, right, top in [picture.get_bounds()]
    )
    return float(max(areas, default=0.0) / max(width * height, 1.0))


def _glyphs(text_page: Any, pdfium: Any) -> Iterator[tuple[int, Glyph | None, bool]]:
    """(quarter turns, letter, whether the file gives its Unicode); None: a space, or the end of a line."""
    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    half = ""
    turn = 0
    for n in range(text_page.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text_page, n))
        if "\ud800" <= letter <= "\udbff":
            half = letter
            continue
        letter, half = half + letter, ""
        if len(letter) == 2:
            letter = letter.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if letter in _HYPHENS:
            letter = "-" if letter != "\u00ad" else letter
        elif letter.isspace() or pdfium.FPDFText_IsGenerated(text_page, n) == 1:
            yield turn, None, True
            continue
        pdfium.FPDFText_GetLooseCharBox(text_page, n, box)
        pdfium.FPDFText_GetCharOrigin(text_page, n, x, y)
        angle = pdfium.FPDFText_GetCharAngle(text_page, n)
        turn = round(angle / _QUARTER) % 4 if angle >= 0 else 0
        known = bool(letter.strip("\0")) and not (
            pdfium.FPDFText_HasUnicodeMapError(text_page, n) == 1
            and (letter > _LAST_OF_BYTE or unicodedata.category(letter) in ("Co", "Cn", "Cc"))  # a number of the font
        )
        yield turn, _turned_glyph(turn, letter if known else "\ufffd", box, x.value, y.value), known


def _turned_glyph(turn: int, letter: str, box: Any, x: float, y: float) -> Glyph:
    """A letter in the coordinates of a turned page."""
    if turn == 0:
        return Glyph(letter, box.left, box.right, -y, max(box.top - box.bottom, 0.1))
    if turn == 2:
        return Glyph(letter, -box.right, -box.left, y, max(box.top - box.bottom, 0.1))
    height = max(box.right - box.left, 0.1)
    return (
        Glyph(letter, box.bottom, box.top, x, height) if turn == 3 else Glyph(letter, -box.top, -box.bottom, -x, height)
    )


def _runs(glyphs: Sequence[Glyph | None]) -> Iterator[Run]:
    run: list[Glyph] = []
    spaced = False
    for glyph in glyphs:
        if glyph is None:
            spaced = True
            continue
        if run:
            gap = _separator(run[-1], glyph)
            if gap is None:
                yield Run(_closed_up(run))
                run = []
            elif gap > _WORD_GAP or (spaced and gap > (_NO_GAP if _is_beside(run[-1], glyph) else -_WORD_GAP)):
                last = run[-1]
                large = max(last, glyph, key=lambda one: one.height)  # a space is not raised
                run.append(Glyph(" ", last.x1, max(last.x1, glyph.x0), large.y, large.height))
        run.append(glyph)
        spaced = False
    if run:
        yield Run(_closed_up(run))


def _closed_up(run: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """A run without the spaces inside words that are set with wide letters: "M A I N   D I S H E S"."""
    letters = [glyph for glyph in run if glyph.text != " "]
    spaces = len(run) - len(letters)
    if len(letters) < _FEWEST_SPACED or spaces < _SPACED * len(letters):
        return tuple(run)
    if sum(glyph.text.isalpha() and glyph.x1 > glyph.x0 for glyph in letters) < _ALPHABETIC * len(letters):
        return tuple(run)
    gaps = [(b.x0 - a.x1) / max(a.height, b.height) for a, b in pairwise(letters)]
    if min(gaps) < -_WORD_GAP:  # from right to left
        return tuple(run)
    wide = _WIDER * statistics.median(gaps)
    closed = letters[:1]
    for gap, glyph in zip(gaps, letters[1:], strict=True):
        if gap > wide:
            closed.append(Glyph(" ", closed[-1].x1, glyph.x0, glyph.y, glyph.height))
        closed.append(glyph)
    return tuple(closed)


def _separator(last: Glyph, glyph: Glyph) -> float | None:
    """The separator of two letters, by their distance in heights; None if the second begins a new run."""
    height = max(last.height, glyph.height)
    rise = last.y - glyph.y
    if abs(rise) > (0.75 if min(last.height, glyph.height) <= _SMALL * height else 0.3) * height:
        return None
    left_to_right = unicodedata.bidirectional(glyph.text[0]) not in ("R", "AL")
    gap = (glyph.x0 - last.x1 if left_to_right else last.x0 - glyph.x1) / height
    return gap if -0.6 < gap <= _GAP else None


def _is_beside(last: Glyph, glyph: Glyph) -> bool:
    """Whether one of two letters is small and higher or lower: "H2O". PDFium sees a space between them."""
    height = max(last.height, glyph.height)
    return min(last.height, glyph.height) <= _SMALL * height and abs(last.y - glyph.y) >= _RAISED * height


def is_raised(glyph: Glyph, y: float, height: float) -> bool:
    """Whether a letter is small and higher than its line: the mark of a note, an exponent, the e in 1er."""
    return glyph.height <= _SMALL * height and y - glyph.y >= _RAISED * height
