"""Dates with a year of two digits ("03 Apr 98", "le 3.4.98"), in the century in which they are nearest to a known
year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from filigraph.graph.text.numbers.answer_numbers import MONTHS, fold_in_place
from filigraph.graph.text.time.dates import dates_in, days_of

MAX_YEARS_APART = 60  # max. years from the known one

_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))
_DATE = re.compile(
    rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|\.)?[ -](?:of )?(?P<month>{_MONTH})\b\.?,?[ -]['’]?(?P<year>\d\d)"
    r"(?=\s*(?:[.,;:)\]!?]|$)|[ \t]*\n| [-–—] )(?![.,:]\d)"
    r"|(?<![\w./-])(?P<first>[0-3]?\d)(?P<sep>[./-])(?P<second>[0-3]?\d)(?P=sep)(?P<short>\d\d)(?![\w/-]|[.,:]\d)"
)


def short_years(text: str, language: str, context_date: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and ISO 8601 form of each such date. `known`: a date of the same document, "" if there is none.
    03/04/98 is in April; in English it is ambiguous and left out.
    """
    year = int(context_date[:4]) if context_date[:4].isdigit() else 0
    for match in _DATE.finditer(fold_in_place(text)) if year and any(map(str.isdigit, text)) else ():
        if match["month"]:
            month, day = MONTHS[match["month"]], int(match["day"])
        else:
            day, month = int(match["first"]), int(match["second"])
            if language == "en" and match["sep"] != "." and day <= 12:
                if month <= 12 and month != day:
                    continue
                day, month = (month, day) if month > 12 else (day, month)
        full = _nearest(int(match["year"] or match["short"]), year)
        date = f"{full:04}-{month:02}-{day:02}"
        if days_of(date) and abs(full - year) <= MAX_YEARS_APART:
            yield match.start(), match.end(), date


def year_of(text: str, language: str) -> str:
    """A year that gives the century of years with two digits in a text: that of its first full date; "" if it has none
    or needs none.
    """
    if not _DATE.search(fold_in_place(text)):
        return ""
    return next((date[:4] for date in dates_in(text, language) if not date.startswith("--")), "")


def _nearest(short: int, year: int) -> int:
    centuries = (year // 100 + n for n in (-1, 0, 1))
    return min((100 * century + short for century in centuries), key=lambda one: abs(one - year))
