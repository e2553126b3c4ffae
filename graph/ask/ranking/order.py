"""Order: the order in which evidence is shown, by what the question wants."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.text.time.dates import dates_in, days_of

SPREAD_WEIGHT = 0.5  # weight of difference from earlier evidence, against the score, if a whole text is asked about
SAME_PART_SIMILARITY = 0.5  # likeness of two chunks of one part of a document (page, chapter), beside what they say
SPREAD_CHUNKS = 50  # of the best chunks
RECENT_CHUNKS = 20  # the best chunks are shown newest first; lower ones have little to do with the question

IN_PERIOD_FACTOR = 2.0  # factor for the score of a chunk from the period that a question for a detail names

_DATE = re.compile(r"(?<!\d)(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def diversified(scores: Mapping[str, float], pool: Pool, passages: Mapping[str, Passage]) -> list[str]:
    """The best chunks so that each adds something: maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998).

    Two chunks are alike by meaning, and by their part of a document. The other chunks follow in their old order.
    """
    ids = [id_ for id_ in scores if id_ in pool.row and id_ in passages][:SPREAD_CHUNKS]
    if not ids:
        return list(scores)
    vectors = pool.layout.vectors[[pool.row[id_] for id_ in ids]]
    parts = [(passages[id_].document_id, passages[id_].place) for id_ in ids]
    same = np.array([[one == other for other in parts] for one in parts], dtype=float)
    alike = vectors @ vectors.T + SAME_PART_SIMILARITY * same
    score = np.array([scores[id_] for id_ in ids])
    likest = np.zeros(len(ids))
    chosen: list[int] = []
    for _ in ids:
        gain = (1 - SPREAD_WEIGHT) * score - SPREAD_WEIGHT * likest
        gain[chosen] = -np.inf
        chosen.append(int(gain.argmax()))
        likest = np.maximum(likest, alike[chosen[-1]])
    first = [ids[n] for n in chosen]
    return [*first, *(id_ for id_ in scores if id_ not in set(first))]


def timely_first(scores: Mapping[str, float], passages: Mapping[str, Passage], period: Period) -> tuple[list[str], int]:
    """The best chunks, first those of the period or with one of its days, unless others rank much higher; and the
    number of chunks of the period."""
    best = _best_chunk_ids(scores, passages)
    timely = {id_ for id_ in best if _is_of_period(passages[id_], period)}
    ordered = sorted(best, key=lambda id_: -scores[id_] * (IN_PERIOD_FACTOR if id_ in timely else 1.0))
    return list(dict.fromkeys([*ordered, *scores])), len(timely)


def _is_of_period(passage: Passage, period: Period) -> bool:
    days = (days_of(date) for date in (passage.date, *passage.dates, *dates_in(passage.text, passage.language)))
    return any(known and period.overlaps(known) for known in days)


def newest_first(scores: Mapping[str, float], passages: Mapping[str, Passage]) -> list[str]:
    """The best chunks by the date of their document, the newest first; those without a date come after them."""
    return _by_day(scores, {id_: date_parts(passages[id_].date) for id_ in _best_chunk_ids(scores, passages)})


def newest_of_period(
    scores: Mapping[str, float], passages: Mapping[str, Passage], period: Period, about: Collection[str]
) -> list[str]:
    """The best chunks by the last day of the period that they name or that their document has: the newest first, before
    those of another time. `about`: chunks about the names of the question, which come before others."""
    last = {id_: _last_day(passages[id_], period) for id_ in _best_chunk_ids(scores, passages)}
    of_period = {id_: (int(id_ in about), *day_) for id_, day_ in last.items() if day_}
    return _by_day(scores, of_period)


def _best_chunk_ids(scores: Mapping[str, float], passages: Mapping[str, Passage]) -> list[str]:
    return [id_ for id_ in scores if id_ in passages][:RECENT_CHUNKS]


def _by_day(scores: Mapping[str, float], days: Mapping[str, tuple[int, ...]]) -> list[str]:
    dated = sorted((id_ for id_, day_ in days.items() if day_), key=lambda id_: days[id_])
    return list(dict.fromkeys([*reversed(dated), *scores]))


def _last_day(passage: Passage, period: Period) -> tuple[int, ...]:
    """The last day, month or year of a passage that lies in a period; () if there is none."""
    dates = (passage.date, *passage.dates)
    return max((date_parts(date) for date in dates if (known := days_of(date)) and period.overlaps(known)), default=())


def date_parts(date: str) -> tuple[int, ...]:
    """(year, month, day), or the part of it that an ISO 8601 date gives; () for any other."""
    match = _DATE.match(date.strip())
    return tuple(int(part) for part in match.groups() if part) if match else ()
