"""Relative dates: "yesterday", "last Tuesday", "am Freitag" count from the day of writing; "the next day", "la veille",
"zwei Tage später" from the last day in the text.

docs/decisions/0038-relative-dates.md says why there are own rules. In doubt a phrase has no date.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from filigraph.graph.text.numbers.answer_numbers import figures, fold_in_place
from filigraph.graph.text.time.dates import date_of, days_of
from filigraph.graph.text.time.relative_date_rules import FUTURE, RULES, TELLS, WEEKDAYS, Reference, Resolve, resolved
from filigraph.graph.text.time.short_years import short_years


@dataclass(frozen=True, kw_only=True)
class TextDate:
    """A date in a text: "Yesterday" with its day."""

    start: int
    end: int
    text: str  # as it is written, on one line
    date: str  # ISO 8601: a day, a month or a year; --03-12 if its year is not known; "" if unknown

    @property
    def day(self) -> datetime.date | None:
        days = days_of(self.date)
        return days[0] if days and days[0] == days[1] else None


_BESIDE = re.compile(r"[\s,.(–—-]*(?:(?:the|le|den|der|el|il)\s+)?")


def dates_in(
    text: str, language: str, written: str = "", last: str = "", *, names: frozenset[str] | None = None
) -> list[TextDate]:
    """The dates in a sentence, in order. Relative ones count from `written`, the day of its text or entry, and `last`,
    the last day named before it (ISO 8601, "" if unknown). Years of two digits are near one of these; `last` may be
    only a year. `names`: the weekdays that are names in the document (`weekday_names`); None: look in the sentence.
    """
    plain = fold_in_place(text)
    dates = [_text_date(text, *found_date) for found_date in short_years(text, language, written or last)]
    short = [(found_date.start, found_date.end) for found_date in dates]
    dates += [
        _text_date(text, figure.start, figure.end, _with_year(date_of(figure, text, language), written))
        for figure in figures(text, language)
        if figure.kind == "date" and not any(start <= figure.start < end for start, end in short)
    ]
    dates.sort(key=lambda found_date: found_date.start)
    full = [(found_date.start, found_date.end) for found_date in dates]
    if not TELLS.search(plain):
        return dates
    day = _day(written)
    future = bool(FUTURE.search(plain))
    names = weekday_names(text, language) if names is None else names
    phrases: list[tuple[re.Match[str], Resolve]] = []
    for pattern, resolve in RULES.get(language, ()):
        for match in pattern.finditer(plain):
            taken = [*((one.start, one.end) for one in dates), *(other.span() for other, _ in phrases)]
            if not (
                any(start < match.end() and match.start() < end for start, end in taken)
                or _is_name(text, match, language)
                or match[0] in names
                or any(_is_beside(text, match.span(), found_date) for found_date in full)
                or resolved(resolve, match, Reference(day, day, future)) is None
            ):
                phrases.append((match, resolve))
    for match, resolve in sorted(phrases, key=lambda phrase: phrase[0].start()):
        exact = [one for one in dates if one.end <= match.start() and is_exact(one.date)]
        since = max(exact, key=lambda one: one.start).date if exact else last
        reference = Reference(day, _day(since) if is_exact(since) else day, future)
        dates.append(_text_date(text, *match.span(), resolved(resolve, match, reference) or ""))
    return sorted(dates, key=lambda found_date: found_date.start)


def may_name_a_date(text: str) -> bool:
    """Whether a text has a digit or a word that every date contains: a cheap check before searching for dates."""
    return any(map(str.isdigit, text)) or bool(TELLS.search(fold_in_place(text)))


def names_relative(text: str, language: str) -> bool:
    """Whether a text contains a date that depends on the day of writing."""
    plain = fold_in_place(text)
    if TELLS.search(plain) and any(pattern.search(plain) for pattern, _ in RULES.get(language, ())):
        return True
    return any(
        date_of(figure, text, language).startswith("--") for figure in figures(text, language) if figure.kind == "date"
    )


def weekday_names(text: str, language: str) -> frozenset[str]:
    """The German weekdays that are persons in a document, folded: "Freitag traf Robinson." Such a one begins sentences
    before a verb, never has "am" before it, and is the only weekday. In "Freitag traf er ihn" the subject is "er".
    """
    if language != "de" or not (bare := _SUBJECT.findall(text)):
        return frozenset()
    named = {day.lower() for day in _WEEKDAY.findall(text)}
    if len(named) != 1 or _DATED.search(text) or _DATE_BEFORE_SUBJECT.search(text):
        return frozenset()
    return frozenset(day.lower() for day in bare)


_DAYS = "(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Sonnabend)"
_WEEKDAY = re.compile(rf"\b({_DAYS})", re.IGNORECASE)
_SUBJECT = re.compile(rf"(?:^|[.!?;:»“\"]\s+|\n)({_DAYS}) (?=[a-zäöü]{{2,}} )", re.MULTILINE)
_DATED = re.compile(
    rf"\b(?:am|jeden|an|bis|seit|vom|ab|de[nrms]|diese[nms]|(?:letzt|vergangen|vorig|nächst|kommend|folgend)e[nrms]?)"
    rf" {_DAYS}|\b{_DAYS}(?:s(?! [A-ZÄÖÜ])"
    r"|[ -]?(?i:früh|(?:morgen|vormittag|mittag|nachmittag|abend|nacht)s?))\b"
)
_NOMINATIVE = "(?:ich|du|er|sie|es|wir|ihr|man|der|ein|mein|sein|unser|jemand|niemand)"
_ACCUSATIVE = r"(?:ihn|den|einen|seinen|ihren|sich)\b"
_DATE_BEFORE_SUBJECT = re.compile(
    rf"\b{_DAYS} [a-zäöü]{{2,}} (?:{_NOMINATIVE}\b|[A-ZÄÖÜ][\w-]+ (?:[\w-]+ )?{_ACCUSATIVE})"
)


def _is_name(text: str, match: re.Match[str], language: str) -> bool:
    """Whether a French weekday is used as a name: "Vendredi apprit vite." """
    bare = language == "fr" and match[0] in WEEKDAYS and text[match.start()].isupper()
    return bare and not text[match.end() :].lstrip().startswith(",")


def is_exact(iso: str) -> bool:
    """Whether a date is a day or a month. "Two days later" counts from it; from a month, it has no date."""
    return len(iso) > len("2024")


def _day(iso: str) -> datetime.date | None:
    days = days_of(iso)
    return days[0] if days and days[0] == days[1] else None


def _text_date(text: str, start: int, end: int, date_: str) -> TextDate:
    return TextDate(start=start, end=end, text=" ".join(text[start:end].split()), date=date_)


def _is_beside(text: str, phrase: tuple[int, int], full: tuple[int, int]) -> bool:
    """Whether a phrase belongs to a full date: "on Tuesday, the 3rd of March 1891"."""
    first, second = sorted((phrase, full))
    return bool(_BESIDE.fullmatch(text[first[1] : second[0]]))


def _with_year(date_found: str, written: str) -> str:
    """A date without a year, in the year in which it is nearest to the day of writing."""
    days = days_of(written)
    if not date_found.startswith("--") or not days:
        return date_found
    month, _, number = date_found[2:].partition("-")
    near = []
    for year in {days[0].year - 1, days[0].year, days[0].year + 1} if days[0] == days[1] else {days[0].year}:
        if 1 <= year <= 9999 and (there := days_of(f"{year:04}-{month}" + (f"-{number}" if number else ""))):
            near.append((abs((there[0] - days[0]).days), f"{year:04}-{month}" + (f"-{number}" if number else "")))
    return min(near)[1] if near else date_found
