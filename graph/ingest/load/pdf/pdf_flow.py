"""The lines of a PDF's pages as running text: without repeated heads and feet, with sentences joined across columns and
pages, and with notes after their paragraph and their marks removed from the words.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from filigraph.graph.ingest.load.content import LEFT_OUT, clean
from filigraph.graph.ingest.load.pdf.pdf_glyphs import Glyph, Run, is_raised
from filigraph.graph.ingest.load.pdf.pdf_layout import Line, is_under, rows_of
from filigraph.graph.text.hyphens import join_divided_word, without_divided_words
from filigraph.graph.text.note_marks import is_mark, raise_digits, takes_mark

_MAX_NAMED_HEADS = 6  # heads in a warning
_FEW = 4  # with fewer gaps between lines, there is no usual gap
_MARGINAL = 3  # lines at the head and the foot of a page that may recur
_MAX_HEAD_CHARS = 120  # characters
_SHARE = 0.3  # min. share of the pages that have it
_SAME_PLACE = 6.0  # points by which a recurring line may move
_SMALL = 0.94  # share of the body's height: notes are smaller
_FULL = 0.85  # share of a column's width: a line that long continues in the next
_SHORT = 0.8
_LEADING = 1.35  # multiple of the usual distance between lines: a wider one separates paragraphs
_INDENT = 0.6  # multiple of a line's height
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"^\W*(?:(?:page|seite|p\.|s\.)\s*)?(\d{1,4})(?:\s*(?:/|of|de|von|sur)\s*\d{1,4})?\W*$", re.I)
_NUMBER_AT_EDGE = re.compile(r"^\W*(\d{1,4})\b|\b(\d{1,4})\W*$")
# In a stamp of a court or an archive: "Case 17-3510, Document 1-1, Page 1 of 2, filed 10/31/2017".
_PAGE_WITHIN = re.compile(
    r"\b(?:page|pg|seite|página|стр)[.:]?\s{0,3}(\d{1,4})\b(?:\s+(?:of|de|von|sur|из)\s+\d{1,4}\b)?", re.I
)
_ROMAN_NUMBER = re.compile(r"^\W*[ivxlc]{1,7}\W*$", re.IGNORECASE)
_SECTION = re.compile(r"\d{1,3}[.)] +[^\W\d]")  # "2. The cause"
_NOTE = re.compile(r"\[?(\d{1,3}|[*†‡§]{1,3})[\].)]{0,2}\s*(?=\S)")
_ENDS = re.compile(r"[.!?…:。！？]['’\"”»)\]]*$")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page with its layout, or with the text from OCR."""

    number: int
    lines: tuple[Line, ...] = ()
    text: str = ""


@dataclass(kw_only=True)
class Paragraph:
    """A paragraph, in the parts that are on different pages."""

    parts: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.parts)

    def cut(self, characters: int) -> None:
        """Remove the last characters."""
        page, text = self.parts[-1]
        self.parts[-1] = (page, text[: len(text) - characters])

    def add(self, page: int, text: str) -> None:
        if self.parts and self.parts[-1][0] == page:
            self.parts[-1] = (page, self.parts[-1][1] + text)
        else:
            self.parts.append((page, text))


def line_text(line: Line) -> str:
    """A line as it is drawn."""
    cells = [" ".join(clean("".join(glyph.text for glyph in part)).split()) for part in line.parts]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |" if len(cells) > 1 else cells[0]


# --------------------------------------------------------------------------------------------------------------------
# Head and foot


def recurring(pages: Sequence[Sequence[Run]]) -> list[list[list[Run]]]:
    """For each page, the rows at its head or foot that recur on other pages at the same height, or count the pages."""
    rows = [rows_of(runs) for runs in pages]
    margins: list[list[list[Run]]] = [[] for _ in pages]
    offsets = _offsets(rows)
    tables: set[str] = set()  # the heads of tables: each is text where it stands first
    for foot in (False, True):
        ordered = [page[::-1] if foot else page for page in rows]
        taken = [0] * len(pages)
        for depth in range(_MARGINAL):
            rows_at_depth = [
                (n, page[depth]) for n, page in enumerate(ordered) if taken[n] == depth and len(page) > depth + 1
            ]
            least = _SHARE * len(rows) if depth else 0
            for n, _ in [*_alike(rows_at_depth, least), *_counting(rows_at_depth, foot, offsets)]:
                taken[n] = depth + 1
        for n, page in enumerate(ordered):
            apart = next((rows for rows in range(taken[n], 0, -1) if _is_apart(page, rows)), 0)
            if apart and not foot and _heads_table(page, apart) and (head := _row_text(page[apart - 1])) not in tables:
                tables.add(head)
                apart -= 1
            margins[n] += page[:apart]  # two pages may begin with the same words
    return margins


def _is_apart(page: Sequence[Sequence[Run]], taken: int) -> bool:
    """Whether the first rows are separate from the text: by a gap, by their size, or as a single number."""
    if not taken or _PAGE_NUMBER.match(_row_text(page[taken - 1])):
        return taken > 0
    last, first = page[taken - 1][0], page[taken][0]
    gaps = sorted(abs(b[0].y - a[0].y) for a, b in pairwise(page[taken:]))
    usual = gaps[len(gaps) // 2] if len(gaps) > _FEW else 1.4 * first.height
    return abs(last.height - first.height) > 0.05 * first.height or abs(first.y - last.y) > 1.15 * usual


def _heads_table(page: Sequence[Sequence[Run]], taken: int) -> bool:
    """Whether the last of the first rows is the head of a table: each of its cells is above one of the next rows."""
    head, below = page[taken - 1], [run for row in page[taken : taken + _MARGINAL] for run in row]
    return len(head) > 1 and all(any(is_under(run, cell) for run in below) for cell in head)


def _alike(rows: Sequence[tuple[int, list[Run]]], least: float) -> list[tuple[int, list[Run]]]:
    """Rows with the same text at the same height on at `least` this many consecutive pages (or on every second one:
    left and right pages differ). The headings of chapters recur, too, but far apart.
    """
    by_text: dict[str, list[tuple[int, list[Run]]]] = defaultdict(list)
    for n, row in rows:
        text = _row_text(row)
        bare = _without_number(text)
        if bare and len(text) <= _MAX_HEAD_CHARS:
            by_text[bare.casefold()].append((n, row))
    return [
        one
        for same in by_text.values()
        if len(same) >= least
        for one in same
        if any(0 < abs(other[0] - one[0]) <= 2 and abs(other[1][0].y - one[1][0].y) <= _SAME_PLACE for other in same)
    ]


def _offsets(rows: Sequence[list[list[Run]]]) -> dict[int, set[int]]:
    """The differences between page numbers and counted pages, where two consecutive pages agree; with the pages that
    have such a number alone on a line."""
    edges = [(n, row) for n, page in enumerate(rows) for row in (page[:1] + page[-1:])]
    seen = {(int(match[1]) - n, n) for n, row in edges if (match := _PAGE_NUMBER.match(_row_text(row)))}
    agreed = {offset for offset, n in seen if (offset, n + 1) in seen}
    return {offset: {n for other, n in seen if other == offset} for offset in agreed}


def _counting(
    rows: Sequence[tuple[int, list[Run]]], foot: bool, offsets: Mapping[int, Collection[int]]
) -> list[tuple[int, list[Run]]]:
    """Rows with a number that grows with the pages: a page number, with or without a title. At the `foot`, a number
    before words belongs to a note. `offsets`: those of the page numbers, which may be at the other end of the page,
    each with the pages that have one alone: there "2. The cause" is the heading of a section.
    """
    numbered: dict[int, list[tuple[int, list[Run]]]] = defaultdict(list)
    romans = []
    for n, row in rows:
        text = _row_text(row)
        if alone := _PAGE_NUMBER.match(text):
            numbered[int(alone[1]) - n].append((n, row))
        elif len(text) <= _MAX_HEAD_CHARS and (within := _PAGE_WITHIN.search(text)):
            numbered[int(within[1]) - n].append((n, row))
        elif len(text) <= _MAX_HEAD_CHARS and (edge := _NUMBER_AT_EDGE.search(text)) and not _ENDS.search(text):
            offset = int(edge[1] or edge[2]) - n
            is_section = n in offsets.get(offset, ()) and _SECTION.match(text)
            if (edge[2] or not foot) and not is_section:
                numbered[offset].append((n, row))
        elif _ROMAN_NUMBER.match(text):
            romans.append((n, row))
    counted = [
        one
        for offset, same in numbered.items()
        for one in same
        if offset in offsets or any(0 < abs(other[0] - one[0]) <= 2 for other in same)
    ]
    return counted + (romans if len(romans) > 1 else [])


def margin_warnings(left_out: Sequence[Sequence[list[Run]]]) -> list[str]:
    """A remark about the heads and feet that are left out, so that nobody misses them silently."""
    row_counts = Counter(_row_text(row) for rows in left_out for row in rows)
    titles = Counter(bare for text, n in row_counts.items() if (bare := _without_number(text)) for _ in range(n))
    if not row_counts:
        return []
    named = [
        f"“{title[:60]}” ({count} times)" if count > 1 else f"“{title[:60]}”"
        for title, count in titles.most_common(_MAX_NAMED_HEADS)
    ]
    more = [f"{len(titles) - _MAX_NAMED_HEADS} more"] if len(titles) > _MAX_NAMED_HEADS else []
    numbers = ["page numbers"] if any(not _without_number(text) for text in row_counts) else []
    return [f"{LEFT_OUT} the head or foot of pages: {', '.join([*named, *more, *numbers])}"]


def _without_number(text: str) -> str:
    """The title of a head, without the number of its page."""
    return _NUMBER_AT_EDGE.sub("", _PAGE_WITHIN.sub("", text)).strip(" .-–—|/")


def _row_text(row: Sequence[Run]) -> str:
    parts = ("".join(glyph.text for glyph in run.glyphs) for run in sorted(row, key=lambda run: run.x0))
    return " ".join(" ".join(parts).split())


# --------------------------------------------------------------------------------------------------------------------
# Paragraphs and notes


def paragraphs(pages: Sequence[Page]) -> list[Paragraph]:
    """The text of all pages, each note after the paragraph that ends on its page or later."""
    body = _body_height(pages)
    vocabulary = Counter(
        word for page in pages for line in page.lines for word in re.findall(r"[\w-]+", line_text(line).casefold())
    )
    finished: list[Paragraph] = []
    waiting: list[Paragraph] = []
    current: Paragraph | None = None
    last: Line | None = None
    had_notes = False
    for page in pages:
        text_lines, notes = _without_notes(page.lines, body, had_notes)
        had_notes = bool(notes)
        marks = {mark for note in notes if (mark := _mark_of(note[0]))}
        leading = _leading(text_lines)
        for n, line in enumerate(text_lines):
            after = text_lines[n + 1] if n + 1 < len(text_lines) else None
            text = _body_text(line, marks)
            if current is not None and last is not None and not _begins(last, line, after, current.text, text, leading):
                _append_line(current, page.number, text, last, vocabulary)
            else:
                finished += [current] if current else []
                finished, waiting = finished + waiting, []
                current = Paragraph(parts=[(page.number, text)])
            last = line
        if page.text:
            finished, current = _with_picture(finished, current, page, vocabulary)
            last = None
        waiting += [_note(note, page.number, vocabulary) for note in notes]
    return [*finished, *([current] if current else []), *waiting]


def _with_picture(
    finished: list[Paragraph], current: Paragraph | None, page: Page, vocabulary: Counter[str]
) -> tuple[list[Paragraph], Paragraph]:
    """The text from OCR on a page, after the text before it: a sentence may continue on the next page."""
    text = without_divided_words(page.text)
    if current is None or _ENDS.search(current.text):
        return [*finished, *([current] if current else [])], Paragraph(parts=[(page.number, text)])
    if (whole := join_divided_word(current.text, text, vocabulary)) is not None:
        current.cut(len(current.text) - len(whole[0]))
        current.add(page.number, text)
    else:
        current.add(page.number, "\n" + text)
    return finished, current


def _body_height(pages: Sequence[Page]) -> float:
    letters: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            letters[round(line.height, 1)] += sum(map(len, line.parts))
    return letters.most_common(1)[0][0] if letters else 1.0


def _leading(lines: Sequence[Line]) -> float:
    gaps = [b.y - a.y for a, b in pairwise(lines) if 0 < b.y - a.y < 4 * b.height]
    return statistics.median(gaps) if gaps else 0.0


def _without_notes(lines: Sequence[Line], body: float, continued: bool) -> tuple[list[Line], list[list[Line]]]:
    """The lines of the text, and the notes at the foot of its columns. `continued`: whether the page before has
    notes.
    """
    text: list[Line] = []
    notes: list[list[Line]] = []
    n = 0
    while n < len(lines):
        end = n
        while end < len(lines) and lines[end].height <= _SMALL * body and (end == n or lines[end].y > lines[end - 1].y):
            end += 1
        ends_column = end == len(lines) or lines[end].y < lines[end - 1].y
        above = [line.y for line in lines if line.height > _SMALL * body]
        low = end > n and bool(above) and lines[n].y > statistics.median(above)
        if low and ends_column and (_mark_of(lines[n]) or continued):
            for line in lines[n:end]:
                if _mark_of(line) or not notes:
                    notes.append([])
                notes[-1].append(line)
        else:
            end = max(end, n + 1)
            text += lines[n:end]
        n = end
    return text, notes


def _mark_of(line: Line) -> str:
    """The mark with which a note begins."""
    match = _NOTE.match(line_text(line))
    return match[1] if match and len(line.parts) == 1 else ""


def _note(lines: Sequence[Line], page: int, vocabulary: Counter[str]) -> Paragraph:
    mark = _mark_of(lines[0])
    whole = Paragraph()
    for n, line in enumerate(lines):
        text = line_text(line)
        if n:
            _append_line(whole, page, text, lines[n - 1], vocabulary, note=True)
        else:
            match = _NOTE.match(text)
            whole.add(page, f"[{mark}] {text[match.end() :]}" if mark and match else text)
    return whole


def _body_text(line: Line, marks: set[str]) -> str:
    """A line without the marks of notes."""
    parts = tuple(tuple(_unmarked(part, line, marks)) for part in line.parts)
    shown = Line(parts=parts, x0=line.x0, x1=line.x1, y=line.y, height=line.height, column=line.column)
    return line_text(shown)


def _unmarked(glyphs: Sequence[Glyph], line: Line, marks: set[str]) -> Iterator[Glyph]:
    n = 0
    while n < len(glyphs):
        end = n
        while end < len(glyphs) and is_raised(glyphs[end], line.y, line.height):
            end += 1
        if end == n:
            yield glyphs[n]
            n += 1
            continue
        sign = "".join(glyph.text for glyph in glyphs[n:end]).strip()
        before = "".join(glyph.text for glyph in glyphs[max(0, n - 4) : n]).rstrip()
        if not is_mark(sign):
            yield from glyphs[n:end]
        elif not (sign.strip("[]()") in marks or takes_mark(before)):
            for glyph in glyphs[n:end]:
                yield Glyph(raise_digits(glyph.text), glyph.x0, glyph.x1, glyph.y, glyph.height)
        n = end


def _begins(last: Line, line: Line, after: Line | None, before: str, text: str, leading: float) -> bool:
    """Whether a line begins a paragraph."""
    if len(line.parts) > 1 or len(last.parts) > 1:
        return not (len(line.parts) > 1 and len(last.parts) > 1)
    if abs(line.height - last.height) > 0.12 * max(line.height, last.height):
        return True
    left = line.column[0]
    same_column = last.column == line.column and line.y > last.y
    if same_column and leading and line.y - last.y > _LEADING * leading:
        return True
    indented = _INDENT * line.height < line.x0 - left < 5 * line.height
    hanging = after is not None and after.column == line.column and after.x0 - left > _INDENT * line.height
    if indented and not hanging and (last.x0 - last.column[0] < _INDENT * line.height or bool(_ENDS.search(before))):
        return True
    ended = bool(_ENDS.search(before))
    width = last.column[1] - last.column[0]
    short = last.x1 - last.column[0] < _SHORT * width
    return ended and (short or text.startswith(("—", "–", "« "))) and (same_column or not text[:1].islower())


def _append_line(
    paragraph: Paragraph, page: int, text: str, last: Line, vocabulary: Counter[str], *, note: bool = False
) -> None:
    """Add a line to a paragraph: a divided word is joined, other words are separated by a space; a short line keeps its
    line end.
    """
    before = paragraph.text
    if (whole := join_divided_word(before, text, vocabulary)) is not None:
        paragraph.cut(len(before) - len(whole[0]))
        paragraph.add(page, text)
        return
    width = last.column[1] - last.column[0]
    full = note or last.x1 - last.column[0] >= _FULL * width or text[:1].islower()
    paragraph.add(page, (" " if full and len(last.parts) == 1 else "\n") + text)
