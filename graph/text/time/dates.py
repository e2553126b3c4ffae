"""Parse dates of documents to ISO 8601, so that they can be compared."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from email.utils import parsedate_to_datetime

from filigraph.graph.text.numbers.answer_numbers import MONTHS, Day, Figure, figures
from filigraph.graph.text.words import tokens

_YEAR = re.compile(r"1\d{3}|20\d{2}")
# Words for times other than dates: "the next day", "un soir".
_TIMES = frozenset(
    word
    for words in (
        "day days night nights morning evening afternoon noon midnight dawn dusk week weeks fortnight month months",
        "year years hour hours minute minutes today yesterday tomorrow tonight spring summer autumn winter century",
        "christmas easter monday tuesday wednesday thursday friday saturday sunday eve now then later before after ago",
        "jour jours nuit nuits matin matinee soir soiree midi minuit aube semaine semaines quinzaine mois an ans annee",
        "annees heure heures aujourd hier demain lendemain veille printemps ete automne hiver siecle noel paques",
        "lundi mardi mercredi jeudi vendredi samedi dimanche tard depuis apres avant jadis autrefois maintenant",
    )
    for word in words.split()
)
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ])")


def iso_date(text: str) -> str:
    """The day, month or year of an ISO 8601 or RFC 5322 date ("Mon, 04 Mar 1912 08:00:00 +0100"), as ISO 8601. Any
    other text is returned unchanged, with single spaces."""
    normalized = " ".join(text.split())
    if match := _ISO.match(normalized):
        year, month, day = match.groups()
        try:
            date(int(year), int(month or 1), int(day or 1))
        except ValueError:
            return normalized
        return match[0]
    try:
        return parsedate_to_datetime(normalized).date().isoformat()
    except (ValueError, IndexError, OverflowError):
        return normalized


def dates_in(text: str, language: str) -> Iterator[str]:
    """The dates in a text as ISO 8601 (1912-03-12, 1912-03, 1912), without year as XML Schema gMonthDay (--03-12).
    03/04/1911 is in April; in English it is ambiguous and omitted, but 03.04.1911 is not."""
    return filter(None, (date_of(figure, text, language) for figure in figures(text, language)))


def first_date(text: str, language: str) -> str:
    """The first date with a year in a text, else the first date; "" for none."""
    dates = [*dates_in(text, language)]
    return next((date for date in dates if not date.startswith("--")), dates[0] if dates else "")


def names_a_time(text: str, language: str) -> bool:
    """Whether a text names a date, an hour or another time: "12 March", "le lendemain", "at ten". In other languages
    than English and French, any digit or month counts.
    """
    folded = {token.folded for token in tokens(text)}
    return bool(folded & (_TIMES | MONTHS.keys())) or any(True for _ in figures(text, language))


def column_dates(cells: Sequence[str], language: str) -> list[str]:
    """The day of each cell of a column as ISO 8601, "" for none. In 03/04/2021, the other cells show which number is
    the day, if one of them has more than 12 there; otherwise the language decides.
    """
    slashed = [_slashed_numbers(cell) for cell in cells]
    day_first = any(numbers[0] > 12 for numbers in slashed if numbers)
    month_first = not day_first and any(numbers[1] > 12 for numbers in slashed if numbers)
    days = []
    for cell, numbers in zip(cells, slashed, strict=True):
        day = first_date(cell, language if not (day_first or month_first) else "")
        if numbers and (day_first or month_first):
            first, second, year = numbers
            day = _iso((year, second, first) if day_first else (year, first, second))
        days.append(day if days_of(day) else "")
    return days


def _slashed_numbers(cell: str) -> tuple[int, int, int] | None:
    match = _SLASHED.search(cell)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


_SLASHED = re.compile(r"\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b")


def date_of(figure: Figure, text: str, language: str) -> str:
    """The date of a figure of a text in the format of `dates_in`; "" for none."""
    written = text[figure.start : figure.end]
    if len(figure.dates) == 1:
        return _iso(next(iter(figure.dates)))
    if figure.dates:
        day, month, year = map(int, re.findall(r"\d+", written))
        return _iso((year, month, day)) if language != "en" or "." in written else ""
    return written if _YEAR.fullmatch(written) and not figure.unit else ""


def _iso(day: Day) -> str:
    year, month, number = day
    return (f"{year:04}-{month:02}" if year else f"--{month:02}") + (f"-{number:02}" if number else "")


def days_of(iso: str) -> tuple[date, date] | None:
    """The first and last day of an ISO date, month or year; None for any other text."""
    match = _ISO.match(iso.strip())
    if not match:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    try:
        first = date(year, month or 1, day or 1)
        last = date(year, month or 12, day or monthrange(year, month or 12)[1])
    except ValueError:
        return None
    return first, last
