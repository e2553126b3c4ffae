"""When each part of a text was written, from the heads of letters and entries, the lines of a chat, and quotations.

Porthmoor, 12 March 1891          4 March. - We sailed at dawn.          12.03.2024, 21:14 - Ana: I left yesterday.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from filigraph.graph.ingest.extract.patterns.statements.statement import Statement
from filigraph.graph.model.arrays import Span
from filigraph.graph.text.time.dates import column_dates, days_of
from filigraph.graph.text.time.relative_date_rules import WEEKDAYS
from filigraph.graph.text.time.relative_dates import TextDate, dates_in, is_exact, weekday_names
from filigraph.graph.text.time.short_years import year_of
from filigraph.graph.text.words import tokens

LONGEST_HEAD = 80  # max. characters of a line with a date and a place
WORDS_BESIDE = 6

_LINE = re.compile(r"\S[^\n]*")
_AFTER_DATE = re.compile(r"\s*(?:[.:,;]?\s*(?:[-–—]+|\d{1,2}[:.h]\d\d)|[.:]\s|[.:]?\s*$)")
_SHORT_YEAR = re.compile(r"^\W?(\d{1,2})[./](\d{1,2})[./](\d{2}),?\s+(?:à |um |at )?\d{1,2}[:.h]\d{2}")
_SLASHED = re.compile(r"^\W?(\d{1,2})/(\d{1,2})/(\d{4}|\d{2}),?\s+(?:à |um |at )?\d{1,2}[:.h]\d{2}")
_BESIDE = frozenset(
    word
    for words in (
        "le the of de du den der am an on a at in to o clock h pm",
        "morning evening afternoon night noon matin soir midi ",
        "apres heures uhr et and d l th st nd rd er im bei near pres sur upon ce this date",
    )
    for word in words.split()
) | frozenset(WEEKDAYS)


@dataclass(frozen=True)
class WrittenDates:
    """When the parts of a text were written."""

    starts: tuple[int, ...]
    dates: tuple[str, ...]  # from each of these positions on; ISO 8601
    quoted: tuple[tuple[int, int, str], ...] = ()  # the parts that others wrote, and when
    year: str = ""  # a year in the text, for years of two digits

    def at(self, offset: int) -> str:
        for start, end, date in self.quoted:
            if start <= offset < end:
                return date
        index = bisect_right(self.starts, offset) - 1
        return self.dates[index] if index >= 0 else ""


def dates_of_writing(text: str, language: str, before: str = "", statements: Sequence[Statement] = ()) -> WrittenDates:
    """The dates of writing of a text. `before`: the date of the text before it, or of the document."""
    year = year_of(text, language)
    heads = list(_dated_heads(text, language, before, year))
    quoted = [
        (part.start, part.end, date)
        for part in statements
        if (date := _date_in_line(text[slice(*part.speaker_line)], language, before))
    ]
    return WrittenDates((0, *(at for at, _ in heads)), (before, *(date for _, date in heads)), tuple(quoted), year)


def dated_sentences(
    text: str,
    offsets: Sequence[Span],
    language: str,
    times: WrittenDates,
    labels: Mapping[int, int],
    persons: frozenset[str] | None = None,
) -> Mapping[int, tuple[TextDate, ...]]:
    """The dates in each sentence, by where it begins; sentences without a date are left out. `labels`: start and end of
    the speakers' labels, which belong to no sentence. `persons`: the weekdays that are persons, if known.
    """
    by_start: dict[int, tuple[TextDate, ...]] = {}
    last = since = ""
    names = weekday_names(text, language) if persons is None else persons
    for start, end in offsets:
        now = times.at(start)
        if now != since:
            last, since = "", now
        label = min(labels.get(start, start), end) - start
        dates = tuple(
            replace(one, start=one.start + label, end=one.end + label)
            for one in dates_in(text[start + label : end], language, now, last or times.year, names=names)
        )
        if dates:
            by_start[start] = dates
            last = next((one.date for one in reversed(dates) if is_exact(one.date)), last)
    return by_start


def _dated_heads(text: str, language: str, before: str, year: str) -> Iterator[tuple[int, str]]:
    """The start and the day of each entry."""
    now = before
    slashed = _slashed(text, language)
    for line in _LINE.finditer(text):
        if date := slashed.get(line.start(), "") or _date_of_head(line[0].rstrip(), language, now, year):
            now = date
            yield line.start(), date


def _slashed(text: str, language: str) -> dict[int, str]:
    """The starts and days of chat lines with dates like 3/14/24; together they show which number is the day."""
    matches = [(line.start(), match) for line in _LINE.finditer(text) if (match := _SLASHED.match(line[0]))]
    days = column_dates([f"{m[1]}/{m[2]}/{m[3] if len(m[3]) == 4 else 2000 + int(m[3])}" for _, m in matches], language)
    return {start: day for (start, _), day in zip(matches, days, strict=True) if day}


def _date_of_head(line: str, language: str, now: str, year: str) -> str:
    """The day of a line that is, or begins with, the head of a letter or entry; "" for any other. `year`: a year in the
    text.
    """
    if short := _SHORT_YEAR.match(line):
        return _iso(2000 + int(short[3]), int(short[2]), int(short[1]))
    if "|" in line or not any(map(str.isdigit, line[:LONGEST_HEAD])):
        return ""
    full = [one for one in dates_in(line[:LONGEST_HEAD], language, now, year) if one.day and _has_digit(line, one)]
    if len(full) != 1:
        return ""
    (one,) = full
    opens = not line[: one.start].strip(" [(*_") and bool(_AFTER_DATE.match(line, one.end))
    alone = len(line) <= LONGEST_HEAD and _is_beside(line[: one.start]) and _is_beside(line[one.end :])
    return one.date if opens or alone else ""


def _has_digit(line: str, one: TextDate) -> bool:
    return any(map(str.isdigit, line[one.start : one.end]))


def _is_beside(part: str) -> bool:
    """Whether words are only a place, a weekday or an hour."""
    words = tokens(part)
    return len(words) <= WORDS_BESIDE and all(
        word.text[0].isupper() or word.text.isdigit() or word.folded in _BESIDE for word in words
    )


def _date_in_line(line: str, language: str, before: str) -> str:
    if short := _SHORT_YEAR.match(line):
        return _iso(2000 + int(short[3]), int(short[2]), int(short[1]))
    days = [one.date for one in dates_in(line, language, before) if one.day and _has_digit(line, one)]
    return days[0] if len(days) == 1 else ""


def _iso(year: int, month: int, day: int) -> str:
    date = f"{year:04}-{month:02}-{day:02}"
    return date if days_of(date) else ""
