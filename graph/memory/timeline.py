"""Time lines: the sentences of a text that name a day, a month or a year."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from filigraph.graph.model import Quote
from filigraph.graph.text.answer_numbers import Day, Figure, figures

MOST = 12  # of one summary
_YEAR = re.compile(r"1\d{3}|20\d{2}")


def dated(quotes: Iterable[Quote], language: str) -> Iterator[Quote]:
    """Those of the quotes that name a date with its year, with the first one that they name."""
    for quote in quotes:
        date = next(filter(None, (_date(figure, quote.text) for figure in figures(quote.text, language))), "")
        if date:
            yield dataclasses.replace(quote, date=date)


def in_order(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """The first MOST of quotes that come best first, by date."""
    best = list(dict.fromkeys(quotes))[:MOST]
    return tuple(sorted(best, key=lambda quote: (quote.date, quote.chunk_id, quote.start)))


def _date(figure: Figure, text: str) -> str:
    if figure.kind == "date":
        days = [day for day in sorted(figure.dates) if day[0]]
        return _iso(days[0]) if len(days) == 1 else ""  # 03/04/1911 may be two days
    written = text[figure.start : figure.end]
    return written if _YEAR.fullmatch(written) and not figure.unit else ""


def _iso(day: Day) -> str:
    year, month, number = day
    return f"{year:04}-{month:02}" + (f"-{number:02}" if number else "")
