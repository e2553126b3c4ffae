"""What the summaries tell beside passages: for a synthesis all of the text, or the part that is asked about; else what
the passages are part of, and the windows in which the question is dealt with, the newest or those that name what it
names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from filigraph.graph.ask.evidence.build import evidence_of_summary
from filigraph.graph.ask.explore.search import EmbeddedQuestion
from filigraph.graph.ask.levels.context_budget import Group, limits_for
from filigraph.graph.ask.levels.cut import cut_of_summaries
from filigraph.graph.ask.levels.summary_retrieval import (
    SummaryScope,
    best_above,
    best_windows,
    tokens_of,
    windows_of_part,
)
from filigraph.graph.ask.ranking.rerank import Scorer
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Evidence, Profile
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.summaries import SummaryHit


def find_levels(
    profile: Profile,
    embedded: EmbeddedQuestion,
    evidence: Sequence[Evidence],
    covers: SummaryScope,
    scores: Mapping[str, float],
    reader: GraphReader,
    reranker: Scorer | None,
    *,
    shares: Mapping[Group, float],
    budget: int,
    out: dict[str, Any],
    cancelled: ShouldStop,
) -> list[Evidence]:
    """Summaries within their shares of the budget, the high ones first. `evidence`: the passages that are shown;
    `scores`: of chunks, 0..1."""
    most = limits_for(budget)
    room = {group: int(share * budget) for group, share in shares.items()}
    outputs: dict[str, dict[str, Any]] = {"overview": {}, "windows": {}}
    overview: list[SummaryHit] = []
    if profile == "synthesis" and covers.of_part:
        whole = sum(room.values())
        parts = windows_of_part(embedded.vector, scores, reader, budget=whole, out=outputs["windows"])
        out.update(outputs, levels={1: len(parts)})
        return [evidence_of_summary(hit) for hit in parts]
    if profile == "synthesis":
        overview = cut_of_summaries(embedded.vector, reader, budget=room["overview"], out=outputs["overview"])
        room["windows"] += max(room["overview"] - sum(map(tokens_of, overview)), 0)  # what could not be opened
    elif room["overview"]:
        shown = [item.id for item in evidence if item.kind == "chunk"]
        over = reader.summaries_over(shown, embedded.vector)
        overview = best_above(over, shown, most=most.overview, budget=room["overview"], out=outputs["overview"])
    windows = best_windows(
        profile,
        embedded.text,
        covers,
        scores,
        reranker,
        most=most.windows,
        budget=room["windows"],
        without=[hit.id for hit in overview],
        cancelled=cancelled,
        out=outputs["windows"],
    )
    out.update(outputs)
    out.update(levels=dict(sorted(Counter(hit.level for hit in [*overview, *windows]).items())))
    return [evidence_of_summary(hit) for hit in [*overview, *windows]]
