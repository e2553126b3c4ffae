"""Page numbers on separate lines of plain text ("- 12 -", "Page 12", "12"), as in scans and copies of printed texts:
they are not part of the sentences, and show where pages begin.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from filigraph.graph.ingest.load.chapters import DIVISION
from filigraph.graph.model.documents import Place
from filigraph.graph.text.hyphens import join_divided_word, vocabulary_of
from filigraph.graph.text.numbers.answer_numbers import MONTHS
from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.words import fold

_MARKED = re.compile(
    r"^[ \t]*(?:[-–—]{1,2}[ \t]*(?P<dashed>\d{1,4})[ \t]*[-–—]{1,2}"
    r"|(?:page|seite|p\.|pag\.)[ \t]*(?P<named>\d{1,4}))[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_BARE = re.compile(r"(?:(?<=\n\n)|\A)[ \t]*(?P<bare>\d{1,4})[ \t]*(?=\n[ \t]*\n|\n?\Z)", re.MULTILINE)
_HEADED = re.compile(  # with a running head: "THE GREY FERRY    11", "12  EDMUND HALE"
    r"(?:(?<=\n\n)|\A)[ \t]*(?:(?P<first>\d{1,4})[ \t]{1,60}(?P<after>[^\W\d][^\n\d]{2,60})"
    r"|(?P<before>[^\W\d][^\n\d]{2,60}?)[ \t]{1,60}(?P<last>\d{1,4}))[ \t]*(?=\n[ \t]*\n|\n?\Z)",
    re.MULTILINE,
)
_SENTENCE_ENDS = re.compile(r"[.!?…:»”\"'’)\]*][\s_]*\Z")
_GAP = re.compile(r"\s*")
_FEWEST = 3  # min. pages
_SHARE = 0.8  # min. share of the lines that count up
_CUTTING = 0.25  # max. share of numbers within sentences: numbers of chapters are between sentences
_SHORTEST, _LONGEST = 200, 10_000  # min. and max. characters of a page
_AHEAD = 200  # max. characters above the first number: it is then the number of the page above it


def without_page_numbers(text: str) -> tuple[str, tuple[Place, ...]]:
    """A text without page numbers, and its pages; the text itself, and (), if there are none."""
    for pattern, bare in ((_MARKED, False), (_BARE, True), (_HEADED, True)):
        marks = _counting(_recurring_marks(list(pattern.finditer(text))))
        if pattern is _HEADED and not _are_pages(marks):
            continue
        cutting = [mark for mark in marks if _cuts(text, mark)]
        if len(marks) >= _FEWEST and (not bare or len(cutting) >= max(2, _CUTTING * len(marks))):
            return _remove_marks(text, marks)
    return text, ()


def _number_of_mark(mark: re.Match[str]) -> int:
    return int(next(group for group in mark.groups() if group and group.isdigit()))


def _recurring_marks(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The lines with only a number, or with a text that other lines have, too."""
    texts = [fold(mark["after"] or mark["before"]) if mark.re is _HEADED else "" for mark in marks]
    counts = Counter(texts)
    return [
        mark
        for mark, words in zip(marks, texts, strict=True)
        if not words or (counts[words] > 1 and not _opens_part(mark["after"] or mark["before"]))
    ]


def _opens_part(words: str) -> bool:
    """Whether the text beside a number counts the parts of a text ("Canto 1") or its days ("1 January")."""
    folded = re.findall(r"[^\W\d_]+", fold(words))
    is_day = bool(folded) and all(word in MONTHS or word in WEEKDAYS for word in folded)
    return is_day or bool(DIVISION.fullmatch(words.strip()))


def _are_pages(marks: Sequence[re.Match[str]]) -> bool:
    """Whether the distances between the marks are those of page heads."""
    lengths = [below.start() - mark.end() for mark, below in pairwise(marks)]
    return bool(lengths) and _SHORTEST <= statistics.median(lengths) <= _LONGEST


def _counting(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The numbers that count up, by one or two at a time; [] if too many do not."""
    counting = list(marks[:1])
    for mark in marks[1:]:
        if 1 <= _number_of_mark(mark) - _number_of_mark(counting[-1]) <= 2:
            counting.append(mark)
    return counting if len(counting) >= _SHARE * len(marks) else []


def _cuts(text: str, mark: re.Match[str]) -> bool:
    """Whether a sentence continues across a mark."""
    before, after = (
        text[max(0, mark.start() - 200) : mark.start()].rstrip(),
        text[mark.end() : mark.end() + 50].lstrip()[:1],
    )
    goes_on = after.isalpha() and not (mark.re is _HEADED and after.isupper())  # verses begin with capitals
    return bool(before) and not _SENTENCE_ENDS.search(before) and goes_on and not _is_heading(before)


def _is_heading(before: str) -> bool:
    line = before.rpartition("\n")[2]
    return line.isupper()


def _remove_marks(text: str, marks: Sequence[re.Match[str]]) -> tuple[str, tuple[Place, ...]]:
    below = not text[marks[-1].end() :].strip()
    below = below or (_number_of_mark(marks[0]) == 1 and len(text[: marks[0].start()].strip()) > _AHEAD)
    parts: list[str] = []
    places: list[Place] = []
    vocabulary = vocabulary_of(text)
    length, start = 0, 0
    for mark in marks:
        words = text[start : mark.start()].rstrip()
        if below and words.strip():
            places.append(
                Place(kind="page", label=str(_number_of_mark(mark)), start=length + len(words) - len(words.lstrip()))
            )
        gap = "\n" if _cuts(text, mark) else "\n\n"
        if gap == "\n" and (
            whole := join_divided_word(words, text[mark.end() : mark.end() + _AHEAD].lstrip(), vocabulary)
        ):
            words, gap = whole[0], ""
        parts += [words, gap]
        length += len(words) + len(gap)
        start = _GAP.match(text, mark.end()).end()  # type: ignore[union-attr] # it matches nothing, too
        if not below:
            places.append(Place(kind="page", label=str(_number_of_mark(mark)), start=length))
    parts.append(text[start:])
    return "".join(parts), tuple(places)
