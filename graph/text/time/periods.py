"""Parse the period that a question names ("since March 1912", "la semaine dernière"), in five languages.

Own rules instead of a date library: libraries return points in time, not periods, and take any "may" and "march" for a
month.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from filigraph.graph.model.periods import Period
from filigraph.graph.text.names.tables import NUMBER_WORDS
from filigraph.graph.text.numbers.answer_numbers import MONTHS, figures
from filigraph.graph.text.numbers.number_words import numbers_in_words
from filigraph.graph.text.time.dates import dates_in, days_of
from filigraph.graph.text.words import fold

MAX_COUNT = 10_000  # max. days, weeks, months or years back

_SINCE = r"since|as of|depuis|a (?:partir|compter) d[eu]|a partir del?|desde|seit|ab|dal?|dalla"
_AFTER = r"after|apres|despues del?|nach|dopo"
_UNTIL = r"until|till|up to|jusqu['’](?:au?|en)|hasta|bis(?: zu[mr]?)?|fino (?:al?|alla)"
_BEFORE = r"before|avant|antes del?|vor|prima d(?:i|el|ella)"
# each first word goes with its own second one: "from 3 May and 9 June" are two days
_RANGES = (
    (r"between|entre|zwischen|tra|fra", r"and|et|y|und|e"),
    (r"from|between|du|de|entre|desde|vom?|zwischen|dal?", r"to|until|till|au?|al?|bis|hasta"),
)
_THE = r"(?:\s+(?:the|le|la|l['’]|el|dem|den|der|die|il|lo))?\s*"
_CUES = {
    "since": re.compile(rf"\b(?:{_SINCE}){_THE}$"),
    "after": re.compile(rf"\b(?:{_AFTER}){_THE}$"),
    "until": re.compile(rf"\b(?:{_UNTIL}){_THE}$"),
    "before": re.compile(rf"\b(?:{_BEFORE}){_THE}$"),
}
_FROM_TO = tuple(
    (re.compile(rf"\b(?:{first}){_THE}$"), re.compile(rf"^\s*,?\s*(?:{last}){_THE}$")) for first, last in _RANGES
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_BARE_MONTH = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b")

_TODAY = re.compile(r"\btoday\b|\baujourd['’]hui\b|\bhoy\b|\bheute\b|\boggi\b")
_YESTERDAY = re.compile(r"\byesterday\b|\bhier\b|\bayer\b|\bgestern\b|\bieri\b")
_HERE = "de"  # language in which "hier" means "here"
UNITS = {
    "day": r"days?|jours?|journees?|dias?|tage?[ns]?|giorn[oi]|день|дня|дней",
    "week": r"weeks?|semaines?|semanas?|wochen?|settiman[ae]|недел[юиье]|недель",
    "month": r"months?|mois|mes(?:es)?|monat(?:en?|s)?|mes[ei]|месяц(?:а|ев|е)?",
    "year": r"years?|ans?|annees?|anos?|jahre?[ns]?|ann[oi]|год(?:а|у)?|лет",
}
_ANY = "|".join(UNITS.values())
_PAST = (
    r"last|past|previous|dernier[es]*|derniere?s?|pass(?:e|ee|ado|ada|ato|ata)|precedente?s?|letzte[nrsm]?|"
    r"vorige[nrsm]?|scors[oa]|ultim[oaie]s?"
)
_THIS = r"this|current|ce|cet|cette|este|esta|diese[nrsm]?|questo|questa"
_LAST_FEW = re.compile(
    rf"\b(?:{_PAST}) (?P<n1>\w+) (?P<u1>{_ANY})\b|\b(?P<n2>\w+) (?:{_PAST}) (?P<u2>{_ANY})\b"
    rf"|\b(?P<n3>\w+) (?P<u3>{_ANY}) (?:{_PAST})\b"
)
_LAST_ONE = re.compile(rf"\b(?:{_PAST}) (?P<u1>{_ANY})\b|\b(?P<u2>{_ANY}) (?:{_PAST})\b")
_THIS_ONE = re.compile(rf"\b(?:{_THIS}) (?P<u1>{_ANY})\b")


def period_in(text: str, language: str, today: date) -> Period | None:
    """The period that a question names, None for none. A bare date is not a period: the question may be about it, and
    documents of any date may mention it.
    """
    plain = fold(text)
    return (
        _period_between(plain, language, today) or _bounded(plain, language, today) or _relative(plain, language, today)
    )


def day_in(text: str, language: str) -> Period | None:
    """The only day, or month with its year, that a question names; None for none or several. It does not limit the
    search: documents of any date may mention it.
    """
    named = {date for date in dates_in(text, language) if date[0] != "-" and "-" in date}
    days = days_of(min(named)) if len(named) == 1 else None
    return Period(first=days[0], last=days[1]) if days else None


def _period_between(plain: str, language: str, today: date) -> Period | None:
    named = list(_named_days(plain, language, today))
    for (start, end, first), (start2, _, last) in pairwise(named):
        joined = any(begin.search(plain[:start]) and to.match(plain[end:start2]) for begin, to in _FROM_TO)
        if joined and first[0] <= last[1]:
            return Period(first=first[0], last=last[1])
    return None


def _bounded(plain: str, language: str, today: date) -> Period | None:
    """ "since March 1912", "before yesterday", "depuis la semaine dernière"."""
    for start, _, (first, last) in [*_named_days(plain, language, today), *_relative_days(plain, language, today)]:
        before = plain[:start]
        if _CUES["since"].search(before):
            return Period(first=first, last=None)
        if _CUES["after"].search(before):
            return Period(first=last + timedelta(1), last=None)
        if _CUES["until"].search(before):
            return Period(first=None, last=last)
        if _CUES["before"].search(before):
            return Period(first=None, last=first - timedelta(1))
    return None


def _relative(plain: str, language: str, today: date) -> Period | None:
    days = next((days for _, _, days in _relative_days(plain, language, today)), None)
    return Period(first=days[0], last=days[1]) if days else None


def _named_days(plain: str, language: str, today: date) -> Iterator[tuple[int, int, tuple[date, date]]]:
    """(start, end, (first day, last day)) of each date, month or year; without a year, the most recent one."""
    days_at: dict[int, tuple[int, tuple[date, date]]] = {}
    for figure in figures(plain, language):
        if figure.kind == "date" and len(figure.dates) == 1:
            ((year, month, day),) = figure.dates
            date_parts = (year, month, day) if year else _last_one(month, day, today)
            if days := days_of("-".join([f"{date_parts[0]:04}", *(f"{part:02}" for part in date_parts[1:] if part)])):
                days_at[figure.start] = (figure.end, days)
    for pattern in (_YEAR, _BARE_MONTH):
        for match in pattern.finditer(plain):
            if any(start <= match.start() < end for start, (end, _) in days_at.items()):
                continue
            year, month = (int(match[0]), 0) if pattern is _YEAR else _last_one(MONTHS[match[0]], 0, today)[:2]
            if days := days_of(f"{year:04}-{month:02}" if month else f"{year:04}"):
                days_at[match.start()] = (match.end(), days)
    return ((start, end, days) for start, (end, days) in sorted(days_at.items()))


def _last_one(month: int, day: int, today: date) -> tuple[int, int, int]:
    return (today.year - ((month, day or 1) > (today.month, today.day)), month, day)


def _relative_days(plain: str, language: str, today: date) -> Iterator[tuple[int, int, tuple[date, date]]]:
    """(start, end, (first day, last day)) of each expression relative to today."""
    for match in _TODAY.finditer(plain):
        yield match.start(), match.end(), (today, today)
    for match in _YESTERDAY.finditer(plain):
        if match[0] != "hier" or language != _HERE:
            yield match.start(), match.end(), (today - timedelta(1), today - timedelta(1))
    for match in _LAST_FEW.finditer(plain):
        count = count_of(next(filter(None, (match["n1"], match["n2"], match["n3"]))), language)
        unit = unit_of(match["u1"] or match["u2"] or match["u3"])
        if count and (first := day_units_ago(today, unit, count)):
            yield match.start(), match.end(), (first, today)
            return
    for match in _LAST_ONE.finditer(plain):
        start, end = unit_around(unit_of(match["u1"] or match["u2"]), today)
        yield match.start(), match.end(), unit_around(unit_of(match["u1"] or match["u2"]), start - timedelta(1))
    for match in _THIS_ONE.finditer(plain):
        start, end = unit_around(unit_of(match["u1"]), today)
        yield match.start(), match.end(), (start, min(end, today))


def unit_of(word: str) -> str:
    return next(unit for unit, pattern in UNITS.items() if re.fullmatch(pattern, word))


def count_of(word: str, language: str) -> int:
    if word.isdecimal():
        return int(word) if int(word) <= MAX_COUNT else 0
    in_words = [value for _, _, value in numbers_in_words(word, language)]
    return next((value for value in (*in_words, NUMBER_WORDS.get(word, 0)) if 0 < value <= MAX_COUNT), 0)


def day_units_ago(today: date, unit: str, count: int) -> date | None:
    """The day `count` days, weeks, months or years before; None before year 1."""
    if unit in ("day", "week"):
        return today - timedelta(count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month_index = divmod(months, 12)
    if year < 1:
        return None
    return date(year, month_index + 1, min(today.day, calendar.monthrange(year, month_index + 1)[1]))


def unit_around(unit: str, day: date) -> tuple[date, date]:
    """First and last day of the day, week (from Monday), month or year that contains a day."""
    if unit == "day":
        return day, day
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return monday, monday + timedelta(6)
    if unit == "month":
        return day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1])
    return date(day.year, 1, 1), date(day.year, 12, 31)
