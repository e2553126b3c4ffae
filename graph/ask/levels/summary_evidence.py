"""The summaries beside passages. For a synthesis they cover all of the text, or the part that is asked about. Else they
are the summaries above the passages, and the windows about the question: the newest, or those with its names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ask.evidence.build import evidence_of_summary
from filigraph.graph.ask.explore.search import EmbeddedQuestion
from filigraph.graph.ask.levels.context_budget import EvidenceBudget
from filigraph.graph.ask.levels.cut import SummaryCut, cut_of_summaries
from filigraph.graph.ask.levels.summary_retrieval import (
    ChosenSummaries,
    PartWindows,
    RankedWindows,
    SummaryScope,
    best_above,
    best_windows,
    total_tokens,
    windows_of_part,
)
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Evidence, Profile
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.summaries import SummaryHit


@dataclass(frozen=True, kw_only=True)
class Levels:
    """The summaries that are shown."""

    overview: SummaryCut | ChosenSummaries | None = None  # of level 2 and more
    windows: RankedWindows | PartWindows

    @property
    def hits(self) -> list[SummaryHit]:
        """The high ones first."""
        return [*(self.overview.hits if self.overview else ()), *self.windows.hits]

    @property
    def evidence(self) -> list[Evidence]:
        return [evidence_of_summary(hit) for hit in self.hits]

    def summary(self) -> dict[str, Any]:
        part = isinstance(self.windows, PartWindows)
        return {
            "overview": self.overview.summary() if self.overview else {},
            "windows": self.windows.summary(),
            "levels": {1: len(self.hits)} if part else dict(sorted(Counter(hit.level for hit in self.hits).items())),
        }


def find_levels(
    profile: Profile,
    embedded: EmbeddedQuestion,
    evidence: Sequence[Evidence],
    covers: SummaryScope,
    scores: Mapping[str, float],
    reader: GraphReader,
    reranker: Scorer | None,
    *,
    budget: EvidenceBudget,
    cancelled: ShouldStop,
) -> Levels:
    """Summaries within their shares of the budget. `evidence`: the passages that are shown; `scores`: of chunks,
    0..1."""
    overview: SummaryCut | ChosenSummaries | None = None
    overview_room, windows_room = budget.tokens_of("overview"), budget.tokens_of("windows")
    if profile == "synthesis" and covers.of_part:
        whole = overview_room + windows_room
        return Levels(windows=windows_of_part(embedded.vector, scores, reader, budget=whole))
    if profile == "synthesis":
        overview = cut_of_summaries(embedded.vector, reader, budget=overview_room)
        windows_room += max(overview_room - total_tokens(overview.hits), 0)  # the room that the overview could not use
    elif overview_room:
        shown = [item.id for item in evidence if item.kind == "chunk"]
        over = reader.summaries_over(shown, embedded.vector)
        overview = best_above(over, shown, most=budget.limits.overview, budget=overview_room)
    windows = best_windows(
        profile,
        embedded.text,
        covers,
        scores,
        reranker,
        most=budget.limits.windows,
        budget=windows_room,
        without=[hit.id for hit in overview.hits] if overview else (),
        cancelled=cancelled,
    )
    return Levels(overview=overview, windows=windows)
