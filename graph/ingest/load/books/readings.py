"""E-texts of Aozora Bunko, the Japanese library: letters have their reading in brackets, 漢字《かんじ》, and notes of
who typed it are ［＃…］. Title and author are at the head, the printed source at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress

from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings
from filigraph.graph.ingest.load.content import LEFT_OUT, Content, one_line

_IS_ONE = re.compile(r"^底本：|記号について】|［＃[^［］\n]{1,100}］", re.MULTILINE)
_LEGEND = re.compile(
    r"^-{20,}\n(?:(?!-{20,}$)[^\n]*\n){0,60}?[^\n]*《》(?:(?!-{20,}$)[^\n]*\n){0,60}?-{20,}$", re.MULTILINE
)
_SOURCE = re.compile(r"^底本：", re.MULTILINE)
_READING = re.compile(r"(?:[｜|](?=[^｜|《》\n]{1,50}《))|《[^《》\n]{1,60}》")
_NOTE = re.compile(r"※?［＃(?P<said>(?:[^［］\n]|［[^［］\n]{0,100}］){1,300})］")
_PLANE = re.compile(r"第[34]水準(?P<plane>[12])-(?P<row>\d{1,2})-(?P<cell>\d{1,2})")
_CODE = re.compile(r"U\+(?P<code>[0-9A-Fa-f]{4,5})")
_HEADING = re.compile(r"(?P<level>[大中小])見出し")
_PARAGRAPH = re.compile(r"(?<!\n)\n(?=[\u3000「])")  # it begins with a wide space
_LEVELS = {"大": 1, "中": 2, "小": 3}
_MISSING = "〓"  # a letter that the file only describes, as Japanese printers mark it
_TRANSLATES = ("訳", "編", "校訂", "校注")
_MAX_HEAD_LINES = 6
_FEWEST = 3  # signs of the library


def read_with_readings(text: str) -> Content | None:
    """The text of such a file, with its headings as chapters; None for any other text."""
    if len(_IS_ONE.findall(text)) + len(_READING.findall(text[:20_000])) < _FEWEST or not _IS_ONE.search(text):
        return None
    counts: Counter[str] = Counter()
    source = _SOURCE.search(text)
    body = text[: source.start()].rstrip() if source else text
    body, legends = _LEGEND.subn("", body)
    counts.update({"the legend of its signs": legends, "what it says of the printed source": bool(source)})
    lines: list[str] = []
    headings: list[Heading] = []
    start = 0
    for line in _PARAGRAPH.sub("\n\n", body).split("\n"):
        marked = next((match["level"] for note in _NOTE.finditer(line) if (match := _HEADING.search(note["said"]))), "")
        bare = _without_signs(line, counts)
        if marked and bare.strip():
            headings.append(Heading(level=_LEVELS[marked], label=one_line(bare), start=start + _indent(bare)))
        lines.append(bare)
        start += len(bare) + 1
    whole = "\n".join(lines)
    first = _indent(whole)
    headings = [Heading(level=one.level, label=one.label, start=max(0, one.start - first)) for one in headings]
    title, author = _head(whole)
    _, chapters = chapters_of_headings(headings)
    return Content(
        text=whole.strip(),
        title=title,
        places=chapters,
        language="ja",
        metadata={"author": author} if author else {},
        warnings=_warnings(counts),
    )


def _without_signs(line: str, counts: Counter[str]) -> str:
    def letter_of(note: re.Match[str]) -> str:
        if not note[0].startswith("※"):
            counts["notes of who typed it"] += 1
            return ""
        letter = _letter(note["said"])
        counts["letters that the file only describes, marked 〓"] += not letter
        return letter or _MISSING

    line = _NOTE.sub(letter_of, line)
    counts["readings beside the letters (ruby)"] += line.count("《")
    return _READING.sub("", line)


def _letter(said: str) -> str:
    """The letter that a note describes by its number in JIS X 0213 or Unicode."""
    if code := _CODE.search(said):
        letter = chr(int(code["code"], 16))
        return letter if letter.isprintable() else ""
    if place := _PLANE.search(said):
        with suppress(ValueError):  # a row above 94, or a place without a letter
            number = bytes((0xA0 + int(place["row"]), 0xA0 + int(place["cell"])))
            return (number if place["plane"] == "1" else b"\x8f" + number).decode("euc_jis_2004")
    return ""


def _head(text: str) -> tuple[str, str]:
    """Title and author: the first and the last line of the first block, without those who translated it."""
    lines = [line.strip() for line in text.strip().split("\n\n", 1)[0].split("\n")]
    if len(lines) > _MAX_HEAD_LINES:
        return one_line(lines[0]), ""
    people = [line for line in lines[1:] if not line.endswith(_TRANSLATES)]
    return one_line(lines[0]), one_line(people[-1]) if people else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _warnings(counts: Counter[str]) -> tuple[str, ...]:
    said = [f"{what} ({times} times)" if times > 1 else what for what, times in counts.items() if times]
    return (f"{LEFT_OUT} {', '.join(said)}",) if said else ()
