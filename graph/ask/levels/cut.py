"""Cut: summaries as evidence. A cut through the levels covers the whole text within a budget, in more detail where the
question asks.

It begins with the summaries that cover everything, then replaces one summary after the other by those that it covers,
as long as the budget holds: large ones near to the question first. So no part of the text is left out or repeated.
(Trees of summaries: RAPTOR, Sarthi et al., ICLR 2024; it searches all levels at once, which says some parts twice and
others not at all.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from filigraph.graph.ask.levels.summary_retrieval import total_tokens
from filigraph.graph.ask.reader import SummaryReader
from filigraph.graph.model.arrays import Vector
from filigraph.graph.records.summaries import SummaryHit

MIN_LENGTH_RATIO = 3  # times
COSINE_WEIGHT = 0.5  # weight of one standard deviation of cosine, beside the logarithm of the size


@dataclass(frozen=True, kw_only=True)
class SummaryCut:
    """Summaries that together cover the text, in reading order; empty if there are no summaries."""

    hits: Sequence[SummaryHit]
    opened: Sequence[SummaryHit]  # those that were replaced by what they cover
    budget: int

    def summary(self) -> dict[str, Any]:
        return {
            "budget": self.budget,
            "tokens": total_tokens(self.hits),
            "opened": [[hit.level, hit.title] for hit in self.opened],
            "chosen": [[hit.level, hit.title] for hit in self.hits],
        }


def cut_of_summaries(vector: Vector, reader: SummaryReader, *, budget: int) -> SummaryCut:
    """The summaries that cover the text within a budget of tokens."""
    cut = _best(reader.top_summaries(vector), budget)
    closed: set[str] = set()
    opened: list[SummaryHit] = []
    while open_ := [hit for hit in cut if hit.level > 1 and hit.id not in closed]:
        wanted = open_[int(np.argmax(_opening_values(open_, cut)))]
        if _says_enough(wanted, [hit for hit in cut if hit.id in closed], cut):
            closed.add(wanted.id)
            continue
        below = reader.summaries_below(wanted.id, vector)
        after = [hit for hit in cut if hit is not wanted] + list(below)
        if not below or total_tokens(after) > budget or total_tokens(below) > wanted.size:
            closed.add(wanted.id)
            continue
        cut, opened = after, [*opened, wanted]
    cut.sort(key=lambda hit: (hit.date, hit.source, hit.start, hit.id))
    return SummaryCut(hits=cut, opened=opened, budget=budget)


def _best(tops: Sequence[SummaryHit], budget: int) -> list[SummaryHit]:
    """The summaries nearest to the question that fit the budget, for documents that were not summarized together."""
    chosen: list[SummaryHit] = []
    for hit in sorted(tops, key=lambda hit: (-hit.cosine, hit.id)):
        if total_tokens([*chosen, hit]) <= budget:
            chosen.append(hit)
    return chosen


def _opening_values(hits: Sequence[SummaryHit], among: Sequence[SummaryHit]) -> list[float]:
    """The value of opening each summary: higher for a long text, and for one that the question is about."""
    mean, deviation = _spread_of(among)
    return [math.log(1 + hit.size) + COSINE_WEIGHT * (hit.cosine - mean) / deviation for hit in hits]


def _spread_of(hits: Sequence[SummaryHit]) -> tuple[float, float]:
    cosines = [hit.cosine for hit in hits]
    return float(np.mean(cosines)), float(np.std(cosines)) or 1.0


def _says_enough(hit: SummaryHit, closed: Sequence[SummaryHit], among: Sequence[SummaryHit]) -> bool:
    """Whether another part that could not be opened is much longer, and the question is not about this one: then the
    room that is left is better spent on the windows of the other."""
    mean, deviation = _spread_of(among)
    return hit.cosine <= mean + deviation and any(other.size > MIN_LENGTH_RATIO * hit.size for other in closed)
