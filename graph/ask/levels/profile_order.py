"""Profile order: the chunks in the order that the profile of a question asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filigraph.graph.ask.generation.disagreements import disagreements
from filigraph.graph.ask.levels.summary_retrieval import SummaryScope
from filigraph.graph.ask.question.parse import ParsedQuestion
from filigraph.graph.ask.ranking.order import (
    RECENT_CHUNKS,
    SPREAD_CHUNKS,
    diversified,
    newest_first,
    newest_of_period,
    timely_first,
)
from filigraph.graph.ask.ranking.rank import Ranked
from filigraph.graph.ask.reader import GraphReader

MAX_MENTIONS_SHOWN = 50  # passages shown when a question asks for every mention


@dataclass(frozen=True, kw_only=True)
class ChunkOrder:
    """Chunk ids in the order in which they are shown, and how many are kept."""

    ids: Sequence[str]
    keep: int
    reasons: Mapping[str, Any] = field(default_factory=dict)  # for the trace: the criteria of the order


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The ranked chunks and paths, and the order of the chunks."""

    ranked: Ranked
    order: ChunkOrder

    def summary(self) -> dict[str, Any]:
        return {**self.ranked.summary(), **self.order.reasons}


def order_chunks(
    question: ParsedQuestion,
    ranked: Ranked,
    linked: Sequence[str],
    covers: SummaryScope,
    reader: GraphReader,
    *,
    keep: int,
    quotations: int,
) -> ChunkOrder:
    """At least `keep` chunks; beside summaries of a whole text `quotations` chunks. `linked`: the entities that the
    question names."""
    scores, profile, period = ranked.scores, question.profile, question.period
    if profile == "entity" and linked:
        return _every_mention(ranked, linked, reader, keep)
    if profile == "synthesis" and ranked.pool:
        covered = {id_: score for id_, score in scores.items() if id_ in covers.chunk_ids} or scores
        spread = diversified(covered, ranked.pool, reader.passages(list(covered)[:SPREAD_CHUNKS]))
        return ChunkOrder(ids=spread, keep=quotations if covers.hits else keep)
    if profile == "recent":
        best = reader.passages(list(scores)[:RECENT_CHUNKS])
        if period is None:
            return ChunkOrder(ids=newest_first(scores, best), keep=keep)
        about = ranked.pool.chunks_with(set(linked)) if ranked.pool else ()
        return ChunkOrder(ids=newest_of_period(scores, best, period, about), keep=keep)
    if profile == "detail" and (asked_period := period or question.day):
        timely, count = timely_first(scores, reader.passages(list(scores)[:RECENT_CHUNKS]), asked_period)
        return ChunkOrder(ids=timely, keep=keep, reasons={"period": str(asked_period), "of_period": count})
    return ChunkOrder(ids=list(scores), keep=keep)


def _every_mention(ranked: Ranked, linked: Sequence[str], reader: GraphReader, keep: int) -> ChunkOrder:
    """The chunks that disagree about the named entities, then all that mention them, then the others."""
    mentions, count = reader.mentioning(linked, MAX_MENTIONS_SHOWN)
    differing = disagreements(set(linked), ranked.pool) if ranked.pool else []
    first = [id_ for one in differing for id_ in one.chunk_ids]
    return ChunkOrder(
        ids=list(dict.fromkeys([*first, *mentions, *ranked.scores])),
        keep=max(keep, len({*first, *mentions})),
        reasons={"mentioned_in": count, "disagreements": [one.text for one in differing]},
    )
