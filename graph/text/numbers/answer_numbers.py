"""Numbers, amounts, times and dates in an answer that the evidence does not contain: possible hallucinations.

Values are compared, not spellings: "9 million", "9,000,000" and "nine millions" are one number. An ambiguous form
("1.500", "03/04/1911") matches with any of its readings. Number words are read in English and French, digits in any
script. The words "one" and "two" are not checked: answers often count items that the evidence only lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from filigraph.graph.text.numbers.number_words import DAYS, numbers_in_words
from filigraph.graph.text.words import fold

Kind = Literal["number", "date"]
Day = tuple[int, int, int]  # year, month, day; 0 if unknown
Time = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number, time or date with its span and all its readings."""

    start: int
    end: int
    kind: Kind
    values: frozenset[Decimal] = frozenset()
    unit: str = ""  # a currency, or %
    dates: frozenset[Day] = frozenset()
    time: Time | None = None


@dataclass(kw_only=True)
class _Known:
    """Index of the numbers, dates and times of the evidence."""

    units: dict[Decimal, set[str]] = field(default_factory=dict)
    dates: set[Day] = field(default_factory=set)
    times: set[Time] = field(default_factory=set)

    def supports(self, figure: Figure) -> bool:
        if figure.time:
            return figure.time in self.times
        if figure.dates:
            return any(self._has_date(day) for day in figure.dates)
        units_of_values = [self.units[value] for value in figure.values if value in self.units]
        return any(not figure.unit or figure.unit in units or "" in units for units in units_of_values)

    def _has_date(self, wanted: Day) -> bool:
        """Whether the evidence has the date; its year may be given elsewhere in the evidence."""
        year, month, day = wanted
        years = {0, *(date[0] for date in self.dates), *(int(number) for number in self.units if number < 10_000)}
        return any(
            date[1] == month and day in (0, date[2]) and (year in (0, date[0]) or (not date[0] and year in years))
            for date in self.dates
        )


def unsupported_figures(answer: str, language: str, *evidence: str) -> list[Figure]:
    """The numbers and dates of `answer`, written in `language`, that no text of `evidence` contains."""
    known = _Known()
    for text in evidence:
        for written_in in ("en", "fr"):
            for figure in figures(text, written_in):
                _add_to_known(known, figure)
    return [
        figure
        for figure in figures(answer, language)
        if not (_is_counted(answer, figure) or _is_listed(answer, figure) or known.supports(figure))
    ]


def _add_to_known(known: _Known, figure: Figure) -> None:
    for value in figure.values:
        known.units.setdefault(value, set()).add(figure.unit)
    if figure.time:
        known.times.add(figure.time)
    for year, month, day in figure.dates:
        known.dates.add((year, month, day))
        if year:
            known.units.setdefault(Decimal(year), set()).add("")


def _is_counted(text: str, figure: Figure) -> bool:
    """Whether a figure is the word "one" or "two" without a unit."""
    in_words = not any(character.isdigit() for character in text[figure.start : figure.end])
    return in_words and not figure.unit and max(figure.values, default=Decimal(3)) < 3


def _is_listed(text: str, figure: Figure) -> bool:
    """Whether a figure is the number of a list item: "2. Jules fled"."""
    line = text[text.rfind("\n", 0, figure.start) + 1 : figure.start]
    return not line.strip(" *-\t") and bool(re.match(r"[.)] ", text[figure.end : figure.end + 2]))


# --------------------------------------------------------------------------------------------------------------------
# Figures of a text

MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "januar februar marz april mai juni juli august september oktober november dezember",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    )
    for number, name in enumerate(names.split(), start=1)
}
_SHORT = "jan feb mar apr jun jul aug sep oct nov dec"
MONTHS |= {name: MONTHS[next(long for long in MONTHS if long.startswith(name))] for name in _SHORT.split()}
_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))


def _alternation(words: Iterable[str]) -> str:
    """A regex alternation of the words, longest first; a hyphen also matches a space."""
    return "|".join(word.replace("-", "[- ]") for word in sorted(words, key=lambda word: (-len(word), word)))


_DAY = r"(?P<day{n}>[0-3]?\d)(?:st|nd|rd|th|er|\.|º)?"
_YEAR = r"(?P<year{n}>\d{{4}})"
_DATES = re.compile(
    "|".join(
        (
            rf"\b{_DAY.format(n=1)} (?:of |de )?(?P<month1>{_MONTH})\b\.?(?:,? (?:de |del )?{_YEAR.format(n=1)}\b)?",
            rf"\b(?P<month2>{_MONTH})\b\.? (?:the )?{_DAY.format(n=2)}\b(?!\d)(?:,? {_YEAR.format(n=2)}\b)?",
            rf"\b(?P<month3>{_MONTH})\b\.?,? (?:de |del |of )?{_YEAR.format(n=3)}\b",
            r"\b(?P<iso>\d{4}-\d{2}-\d{2})\b",
            r"\b(?P<slashed>\d{1,2}(?P<sep>[/.-])\d{1,2}(?P=sep)\d{4})\b",
        )
    )
)
# "The third of March 1912", "March the third, 1912", "le trois mars 1912". English months may be other words ("may",
# "march"), so a day without "of" or "the" needs a year.
_IN_WORDS = {
    "en": rf"\b(?:(?P<day1>{_alternation(DAYS['en'])}) (?:(?P<of1>(?:day )?of) )?(?P<month1>{_MONTH})|"
    rf"(?P<month2>{_MONTH}) (?P<of2>the )?(?P<day2>{_alternation(DAYS['en'])}))\b",
    "fr": rf"\b(?P<day1>{_alternation(DAYS['fr'])}) (?P<of1>)(?P<month1>{_MONTH})\b",
}
_DATES_IN_WORDS = {language: re.compile(pattern) for language, pattern in _IN_WORDS.items()}
_YEAR_AFTER = re.compile(r",? (?:in the year |de l['’]an |de )?(?:(\d{4})\b)?")
_TIME = re.compile(r"\b([01]?\d|2[0-4]) ?(?:[:h]|heures?|uhr) ?([0-5]\d)(?![\d:])")
MAX_YEAR_CHARS = 60  # max. characters of a year in words
_GAPS = " \u00a0\u202f\u2009"
_DIGITS = re.compile(rf"(?<![^\W\d_])\d{{1,3}}(?:[{_GAPS}.,'’]\d{{3}})+(?!\d)(?:[.,]\d+)?|(?<![^\W\d_])\d+(?:[.,]\d+)?")
MAGNITUDES = {
    **dict.fromkeys(("thousand", "thousands", "mille", "millier", "milliers", "mil", "tausend", "mila", "k"), 3),
    **dict.fromkeys(("million", "millions", "mio", "millon", "millones", "millionen", "milione", "milioni", "mn"), 6),
    **dict.fromkeys(("billion", "billions", "milliard", "milliards", "milliarden", "miliardi", "bn", "md"), 9),
    **dict.fromkeys(("trillion", "trillions", "billionen"), 12),
}
LONG_SCALE = {"billion": 12, "billions": 12, "billionen": 12, "trillion": 18, "trillions": 18}  # outside English
_UNITS = {
    name: unit
    for unit, names in {
        "EUR": "€ eur euro euros",
        "USD": "$ usd dollar dollars",
        "GBP": "£ gbp pound pounds livre livres",
        "FRF": "franc francs",
        "JPY": "¥ yen yens",
        "CHF": "chf",
        "RUB": "₽ rouble roubles ruble rubles рублей",
        "guinea": "guinea guineas guinee guinees",
        "shilling": "shilling shillings",
        "crown": "crown crowns couronne couronnes",
        "mark": "mark marks",
        "%": "% percent pourcent prozent",
    }.items()
    for name in names.split()
}
_SIGNS = "€$£¥₽%"
_UNIT_AFTER = re.compile(
    rf"[{_GAPS}]*(?:(?:d['’]|(?:de|di|of)\b)[{_GAPS}]*)?(?:([{_SIGNS}])|(per cent|pour cent|por ciento)\b|([^\W\d_]+))"
)


def figures(text: str, language: str) -> Iterator[Figure]:
    """The numbers, times and dates of `text`, in order, without overlaps."""
    plain = fold_in_place(text)
    in_words = (
        _measured(plain, start, end, frozenset([Decimal(value)]))
        for start, end, value in numbers_in_words(text, language)
    )
    candidates = [
        *_dates(plain, language),
        *_dates_in_words(plain, language),
        *_times(plain),
        *_digits(plain),
        *in_words,
    ]
    end = 0
    for figure in sorted(candidates, key=lambda figure: (figure.start, figure.kind != "date", -figure.end)):
        if figure.start >= end:
            end = figure.end
            yield figure


def fold_in_place(text: str) -> str:
    """The text folded letter by letter, with the same offsets."""
    return "".join(folded if len(folded := fold(letter)) == 1 else letter for letter in text)


def _dates(plain: str, language: str) -> Iterator[Figure]:
    for match in _DATES.finditer(plain):
        days, end = frozenset(day for day in _readings_of_date(match) if day[1] <= 12 and day[2] <= 31), match.end()
        if len(days) == 1 and language in DAYS and not next(iter(days))[0]:  # the year may be in words
            _, month, number = next(iter(days))
            year, end = _year_after(plain, end, language)
            days = frozenset([(year, month, number)])
        if days:
            yield Figure(start=match.start(), end=end, kind="date", dates=days)


def _dates_in_words(plain: str, language: str) -> Iterator[Figure]:
    """Dates with the day in words; the year may be in words, too."""
    if language not in _DATES_IN_WORDS:
        return
    for match in _DATES_IN_WORDS[language].finditer(plain):
        group = match.groupdict()
        n = 1 if group["month1"] else 2
        year, end = _year_after(plain, match.end(), language)
        if year or language != "en" or group[f"of{n}"]:
            day = DAYS[language][group[f"day{n}"].replace(" ", "-")]
            date = (year, MONTHS[group[f"month{n}"]], day)
            yield Figure(start=match.start(), end=end, kind="date", dates=frozenset([date]))


def _year_after(plain: str, at: int, language: str) -> tuple[int, int]:
    """(year after a day and a month, its end), in digits or words: "1912", "nineteen twelve"; (0, at) for none."""
    gap = _YEAR_AFTER.match(plain, at)
    if gap and gap[1]:
        return int(gap[1]), gap.end()
    begin = gap.end() if gap else at
    words = list(numbers_in_words(plain[begin : begin + MAX_YEAR_CHARS], language))
    if not words or words[0][0]:
        return 0, at
    (_, end, year), *rest = words
    if year < 100 and rest and rest[0][0] == end + 1:  # "nineteen twelve"
        year, end = 100 * year + rest[0][2], rest[0][1]
    return (year, begin + end) if 1500 <= year < 2100 else (0, at)


def _readings_of_date(match: re.Match[str]) -> Iterator[Day]:
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        yield year, month, day
    elif match["slashed"]:
        first, second, year = map(int, re.split(r"[/.-]", match["slashed"]))
        yield year, second, first
        yield year, first, second
    else:
        group = match.groupdict()
        n = next(n for n in "123" if group[f"month{n}"])
        yield int(group[f"year{n}"] or 0), MONTHS[group[f"month{n}"]], int(group.get(f"day{n}") or 0)


def _times(plain: str) -> Iterator[Figure]:
    for match in _TIME.finditer(plain):
        yield Figure(start=match.start(), end=match.end(), kind="number", time=(int(match[1]), int(match[2])))


def _digits(plain: str) -> Iterator[Figure]:
    for match in _DIGITS.finditer(plain):
        yield _measured(plain, match.start(), match.end(), _possible_values(match[0]))


def _possible_values(written: str) -> frozenset[Decimal]:
    """The possible values of a number in digits: 1500 and 1.5 for "1.500", 9000.5 for "9 000,50"."""
    grouped = re.sub(rf"[{_GAPS}.,'’](?=\d{{3}}(?!\d))", "", written)
    spellings = {grouped.replace(",", ".")}
    if re.fullmatch(r"\d+[.,]\d+", written):
        spellings.add(written.replace(",", "."))
    return frozenset(Decimal(spelling) for spelling in spellings if spelling.count(".") < 2)


def _measured(plain: str, start: int, end: int, values: frozenset[Decimal]) -> Figure:
    """A number with its magnitude and unit: "$9 million", "9 millions d'euros"."""
    after = _UNIT_AFTER.match(plain, end)
    if after and after[3] in MAGNITUDES:
        places = {table[after[3]] for table in (MAGNITUDES, LONG_SCALE) if after[3] in table}
        values, end = frozenset(value.scaleb(place) for value in values for place in places), after.end()
        after = _UNIT_AFTER.match(plain, end)
    unit = ""
    if after and (name := "%" if after[2] else after[1] or after[3]) in _UNITS:
        unit, end = _UNITS[name], after.end()
    elif start and plain[start - 1] in _SIGNS:
        unit, start = _UNITS[plain[start - 1]], start - 1
    return Figure(start=start, end=end, kind="number", values=values, unit=unit)
