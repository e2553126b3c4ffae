"""Summary retrieval: the summaries that a question gets beside its passages, by its profile.

First all levels together get a cheap score: how near a summary is to the question, how high, how new, whether it has
the names of the question. A second search looks below the best of the high ones, for the precise windows and passages.
The cross-encoder, or the rank of the chunks under them, scores those few. Of two summaries about the same part or the
same time only one is taken (maximal marginal relevance, Carbonell & Goldstein, SIGIR 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import SummaryReader
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.periods import Period
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.models.llm import estimate_tokens
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.summaries import SummaryHit
from filigraph.graph.text.time.dates import days_of

MAX_SCORED_SUMMARIES = 200  # summaries that are scored
MAX_SECOND_PASS_WINDOWS = 400  # windows of the second pass
MAX_RERANKED_WINDOWS = 12  # windows that the cross-encoder sees
BEST_SUMMARIES_PER_GROUP = 3  # summaries of a group whose covers are searched
SUMMARY_HEADER_TOKENS = 35  # tokens around a summary in the prompt: its header and tags
MAX_NAMING_SHARE = 0.8  # of the windows near to a question: names in more of them are what the texts are about
MAX_CHUNKS_OF_PART = 100  # best chunks, whose windows represent a part
SPREAD_WEIGHT = 0.4  # weight, against the score, of covering the same part or time
SAME_SECTION_SIMILARITY, SAME_MONTH_SIMILARITY = 0.6, 0.3
MIN_GAIN_SHARE = 0.35  # of the first one's: a summary that adds less is left out


@dataclass(frozen=True, kw_only=True)
class _Weights:
    """Weights beside nearness, in standard deviations of cosine."""

    level: float = 0.0  # of each level above the first
    fresh: float = 0.0  # of the newest, beside the oldest
    named: float = 0.0  # of having all names of the question
    dated: float = 0.0  # of being about the period that the question names


WEIGHTS: Mapping[Profile, _Weights] = {
    "synthesis": _Weights(level=0.5),
    "detail": _Weights(level=-0.3, named=1.0, dated=1.0),
    "recent": _Weights(fresh=4.0, dated=2.0),
    "entity": _Weights(level=-0.3, named=3.0),
}


@dataclass(frozen=True, kw_only=True)
class SummaryScope:
    """The scope of a question's search: the best summaries of high levels, and what they cover."""

    hits: Sequence[SummaryHit] = ()  # of all levels, the best first
    score: Mapping[str, float] = field(default_factory=dict)
    windows: Sequence[SummaryHit] = ()  # of level 1, under the best high ones
    opened: Sequence[SummaryHit] = ()  # the high ones
    of_part: bool = False  # the question is about a part of the texts: many windows near to it lack its names

    @property
    def chunk_ids(self) -> frozenset[str]:
        return frozenset(id_ for window in self.windows for id_ in window.covers)

    def summary(self) -> dict[str, Any]:
        if not self.hits:
            return {}
        return {
            "of_part": self.of_part,
            "searched": dict(sorted(Counter(hit.level for hit in self.hits).items())),
            "opened": [_for_trace(hit, self.score) for hit in self.opened],
            "windows": len(self.windows),
        }


@dataclass(frozen=True, kw_only=True)
class ChosenSummaries:
    """Summaries that each add something."""

    hits: Sequence[SummaryHit]
    among: Sequence[SummaryHit]
    score: Mapping[str, float]
    rejected: Mapping[str, str]  # id -> why

    def summary(self) -> dict[str, Any]:
        rejected = [hit for hit in self.among if hit.id in self.rejected][:20]
        return {
            "chosen": [_for_trace(hit, self.score) for hit in self.hits],
            "rejected": [[*_for_trace(hit, self.score), self.rejected[hit.id]] for hit in rejected],
            "tokens": total_tokens(self.hits),
        }


@dataclass(frozen=True, kw_only=True)
class RankedWindows:
    """The most informative windows."""

    hits: Sequence[SummaryHit]  # in the order in which they are shown
    spread: ChosenSummaries  # as they were chosen
    candidates: int
    scored: int
    by: str  # what scored them

    def summary(self) -> dict[str, Any]:
        return {"of": self.candidates, "scored": self.scored, "by": self.by, **self.spread.summary()}


@dataclass(frozen=True, kw_only=True)
class PartWindows:
    """The windows of a part of the texts, in reading order."""

    hits: Sequence[SummaryHit]
    worth: Mapping[str, float]
    budget: int

    def summary(self) -> dict[str, Any]:
        chosen = [_for_trace(hit, self.worth) for hit in self.hits]
        return {"budget": self.budget, "tokens": total_tokens(self.hits), "chosen": chosen}


def find_summary_scope(
    profile: Profile,
    vector: Vector,
    entity_ids: Sequence[str],
    period: Period | None,
    reader: SummaryReader,
) -> SummaryScope:
    """Score the levels together, and search below the best of the high ones. Empty if nothing is summarized."""
    hits = reader.search_summaries(vector, entity_ids, MAX_SCORED_SUMMARIES)
    if not hits:
        return SummaryScope()
    score = _scores(hits, WEIGHTS[profile], len(set(entity_ids)), period)
    ordered = sorted(hits, key=lambda hit: (-score[hit.id], hit.id))
    high = [hit for hit in ordered if hit.level > 1] or ordered
    best = high[:BEST_SUMMARIES_PER_GROUP]
    windows = [hit for hit in best if hit.level == 1]
    if above := [hit.id for hit in best if hit.level > 1]:
        windows += reader.windows_under(above, vector, MAX_SECOND_PASS_WINDOWS)
    of_part = _is_of_part(hits, len(set(entity_ids)))
    return SummaryScope(hits=ordered, score=score, windows=windows, opened=best, of_part=of_part)


def _is_of_part(hits: Sequence[SummaryHit], entities: int) -> bool:
    """Whether a question names something, and no more than MAX_NAMING_SHARE of the windows near to it have all its
    names."""
    naming = [hit.named >= entities for hit in hits if hit.level == 1]
    return entities > 0 and sum(naming) <= MAX_NAMING_SHARE * len(naming)


def _scores(hits: Sequence[SummaryHit], weights: _Weights, entities: int, period: Period | None) -> dict[str, float]:
    cosines = np.array([hit.cosine for hit in hits])
    near = (cosines - cosines.mean()) / (float(cosines.std()) or 1.0)
    fresh = _freshness(hits)
    return {
        hit.id: float(near[n])
        + weights.level * (hit.level - 1)
        + weights.fresh * fresh[n]
        + weights.named * (min(hit.named / entities, 1.0) if entities else 0.0)
        + weights.dated * float(period is not None and is_about_period(hit, period))
        for n, hit in enumerate(hits)
    }


def _freshness(hits: Sequence[SummaryHit]) -> list[float]:
    """0 for the oldest and for those without a date, 1 for the newest. Within one document, later text is newer."""
    placed = [((days[1], hit.start) if (days := days_of(hit.date)) else None) for hit in hits]
    order = {place: n for n, place in enumerate(sorted({place for place in placed if place}), start=1)}
    return [order[place] / len(order) if place else 0.0 for place in placed]


def is_about_period(hit: SummaryHit, period: Period) -> bool:
    """Whether its document, or a sentence of its time line, is dated in the period."""
    days = (days_of(date) for date in (hit.date, *hit.dates))
    return any(known and period.overlaps(known) for known in days)


def best_windows(
    profile: Profile,
    question: str,
    covers: SummaryScope,
    ranked: Mapping[str, float],
    reranker: Scorer | None,
    *,
    most: int,
    budget: int,
    without: Collection[str] = (),
    cancelled: ShouldStop = lambda: False,
) -> RankedWindows:
    """The most informative windows, each with something new: the best first; for a `recent` question the newest first,
    for an `entity` question in reading order.

    `ranked`: chunk id -> 0..1; a window has the score of its best chunk, unless a reranker scores it. `without`: the
    windows that are shown already.
    """
    windows = covers.windows
    if profile == "entity":
        windows = [hit for hit in covers.hits if hit.level == 1 and hit.named]
    open_ = [hit for hit in windows if hit.id not in without]
    worth = {hit.id: max((ranked.get(id_, 0.0) for id_ in hit.covers), default=0.0) for hit in open_}
    few = sorted(open_, key=lambda hit: (-worth[hit.id], -hit.cosine, hit.id))[: max(MAX_RERANKED_WINDOWS, most)]
    if reranker and few:
        scores = reranker.score(question, [hit.text for hit in few], cancelled=cancelled)
        worth |= zip([hit.id for hit in few], scores, strict=True)
    if profile == "recent":
        fresh = _freshness(few)
        worth |= {hit.id: fresh[n] for n, hit in enumerate(few)}
    spread = _spread(few, worth, most=most, budget=budget)
    in_reading_order = sorted(spread.hits, key=lambda hit: (hit.date, hit.source, hit.start))
    return RankedWindows(
        hits=in_reading_order if profile == "entity" else spread.hits,
        spread=spread,
        candidates=len(open_),
        scored=len(few),
        by=reranker.name if reranker else "the chunks under them",
    )


def windows_of_part(vector: Vector, ranked: Mapping[str, float], reader: SummaryReader, *, budget: int) -> PartWindows:
    """For a synthesis of a part of the texts, its windows in reading order: as many as have room.

    The score of a window is the mean of its best two chunks: one alone may only mention the subject.
    """
    best = sorted(ranked, key=lambda id_: (-ranked[id_], id_))[:MAX_CHUNKS_OF_PART]
    windows = reader.windows_over(best, vector)
    worth = {hit.id: _mean_of_two(ranked.get(id_, 0.0) for id_ in hit.covers) for hit in windows}
    chosen: list[SummaryHit] = []
    left = budget
    for hit in sorted(windows, key=lambda hit: (-worth[hit.id], -hit.cosine, hit.id)):
        if tokens_of(hit) <= left:
            chosen.append(hit)
            left -= tokens_of(hit)
    chosen.sort(key=lambda hit: (hit.date, hit.source, hit.start, hit.id))
    return PartWindows(hits=chosen, worth=worth, budget=budget)


def _mean_of_two(values: Iterable[float]) -> float:
    best = sorted(values)[-2:]
    return sum(best) / len(best) if best else 0.0


def best_above(hits: Sequence[SummaryHit], chunk_ids: Sequence[str], *, most: int, budget: int) -> ChosenSummaries:
    """Of the summaries above the windows of these chunks those that cover most of the chunks (the first chunks count
    most), the best first."""
    worth = {hit.id: sum(1 / (1 + rank) for rank, id_ in enumerate(chunk_ids) if id_ in hit.covers) for hit in hits}
    return _spread(sorted(hits, key=lambda hit: (-worth[hit.id], hit.id)), worth, most=most, budget=budget)


def _spread(hits: Sequence[SummaryHit], score: Mapping[str, float], *, most: int, budget: int) -> ChosenSummaries:
    """As many summaries as have room, each adding something."""
    chosen: list[SummaryHit] = []
    rejected: dict[str, str] = {}
    values = np.array([score[hit.id] for hit in hits])
    span = float(np.ptp(values)) if len(values) > 1 else 0.0
    worth = (values - values.min()) / span if span else np.ones(len(values))
    left, first_gain = budget, None
    open_ = list(range(len(hits)))
    while open_ and len(chosen) < most:
        gains = [
            float(worth[n]) - SPREAD_WEIGHT * max((_similarity(hits[n], hit) for hit in chosen), default=0.0)
            for n in open_
        ]
        best = int(np.argmax(gains))
        hit, gain = hits[open_.pop(best)], gains[best]
        first_gain = gain if first_gain is None else first_gain
        if gain < MIN_GAIN_SHARE * first_gain:
            rejected[hit.id] = "adds little"
            break
        if tokens_of(hit) > left:
            rejected[hit.id] = "no room"
            continue
        chosen.append(hit)
        left -= tokens_of(hit)
    rest = "enough of its level" if len(chosen) == most else "adds little"
    rejected |= {hits[n].id: rest for n in open_}
    return ChosenSummaries(hits=chosen, among=hits, score=score, rejected=rejected)


def _similarity(hit: SummaryHit, other: SummaryHit) -> float:
    """How much two summaries overlap: a part of the same section, the same month."""
    if (hit.document_id, _section(hit)) == (other.document_id, _section(other)):
        return SAME_SECTION_SIMILARITY
    return SAME_MONTH_SIMILARITY if hit.date and hit.date[:7] == other.date[:7] else 0.0


def _section(hit: SummaryHit) -> str:
    """The chapter, without the number of its part."""
    return hit.title.rpartition(" (")[0] or hit.title


def tokens_of(hit: SummaryHit) -> int:
    return estimate_tokens(hit.text) + SUMMARY_HEADER_TOKENS


def total_tokens(hits: Sequence[SummaryHit]) -> int:
    return sum(map(tokens_of, hits))


def _for_trace(hit: SummaryHit, score: Mapping[str, float]) -> list[Any]:
    """For the trace: level, title, score."""
    return [hit.level, hit.title, round(score.get(hit.id, 0.0), 3)]
