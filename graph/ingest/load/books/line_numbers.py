"""Line numbers: a transcript of a court numbers the lines of each page from 1. They are not part of its sentences. A
single number above a page is the page's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from filigraph.graph.model.documents import Place

_NUMBERED = re.compile(r"[ \t]{0,8}(?P<number>\d{1,2})(?:[ \t]{2,}(?=\S)|[ \t]*$|\t)")
_PAGE = re.compile(r"\s*(?:page\s+)?(?P<page>\d{1,4})\s*$", re.IGNORECASE)
_EXAMINED = re.compile(r"(?P<who>[QAR]|D(?=.*\?))(?:[.:]\s*|[ \t]{2,}|\t)\S")  # not "A knife" in a list
_FEWEST = 5  # min. lines of a page
_SHARE = 0.8  # min. share of numbered lines


@dataclass(frozen=True, kw_only=True)
class _Line:
    text: str
    number: int = 0  # its number, 0 without one
    begins: int = 0  # start of its words


def without_line_numbers(text: str) -> tuple[str, tuple[Place, ...]]:
    """A text without its line numbers, and its pages; the text itself, and (), if its lines are not numbered."""
    lines = _keep_counting_numbers([_parse_line(line) for line in text.split("\n")])
    written = [line for line in lines if line.text.strip() and (line.number or not _PAGE.match(line.text))]
    numbered = [line for line in written if line.number]
    runs = sum(line.number == 1 for line in numbered)
    most = max((line.number for line in numbered), default=0)
    goes_on = any(line.text[line.begins : line.begins + 1].islower() for line in numbered)
    examined = {match["who"] for line in numbered if (match := _EXAMINED.match(line.text, line.begins))}
    is_examined = examined >= {"Q", "A"} or examined >= {"D", "R"}  # « D. » and « R. » in French
    if most < _FEWEST or len(numbered) < _SHARE * len(written) or not (runs > 1 or goes_on or is_examined):
        return text, ()
    return _without_numbers(lines)


def _parse_line(line: str) -> _Line:
    match = _NUMBERED.match(line)
    return _Line(text=line, number=int(match["number"]), begins=match.end()) if match else _Line(text=line)


def _keep_counting_numbers(lines: Sequence[_Line]) -> list[_Line]:
    """Keep only the numbers that count up by one, or begin again."""
    before, counted = 0, list[_Line]()
    for line in lines:
        counts = bool(line.number) and line.number in (1, before + 1)
        before = line.number if counts else before
        counted.append(line if counts else _Line(text=line.text))
    return counted


def _without_numbers(lines: Sequence[_Line]) -> tuple[str, tuple[Place, ...]]:
    parts: list[str] = []
    places: list[Place] = []
    length, page = 0, ""
    for line in lines:
        if not line.number and (match := _PAGE.match(line.text)):
            page = match["page"]
            continue
        words = line.text[line.begins :] if line.number else line.text
        if page and words.strip():
            places.append(Place(kind="page", label=page, start=length + len(words) - len(words.lstrip())))
            page = ""
        parts.append(words)
        length += len(words) + 1
    return "\n".join(parts), tuple(places)
