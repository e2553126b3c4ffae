"""Time lines: the sentences of a text that name a day, a month or a year."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from filigraph.graph.model.summaries import Quote
from filigraph.graph.text.time.dates import dates_in

MAX_EVENTS = 12  # of one summary


def dated_quotes(quotes: Iterable[Quote], language: str) -> Iterator[Quote]:
    """The quotes that name a date with its year, each with its first date."""
    for quote in quotes:
        date = next((date for date in dates_in(quote.text, language) if not date.startswith("--")), "")
        if date:
            yield dataclasses.replace(quote, date=date)


def in_order(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """The first MAX_EVENTS quotes (the best come first), sorted by date."""
    best = list(dict.fromkeys(quotes))[:MAX_EVENTS]
    return tuple(sorted(best, key=lambda quote: (quote.date, quote.chunk_id, quote.start)))
