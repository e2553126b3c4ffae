"""Minimum cosine of a passage with the question.

Only the cosine of a chunk means the same in every question: its other scores compare it with the chunks of its pool. So
`min_score` is a cosine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from filigraph.graph.model.retrieval import Evidence

NO_LIMIT = -1.0


@dataclass(frozen=True, kw_only=True)
class MinCosine:
    """`asked` is `AskSettings.min_score`. Without it, or if the embedder cannot compare, there is no limit."""

    asked: float | None
    comparable: bool  # the embedder knows the question's language and one of the documents'

    @property
    def value(self) -> float:
        return NO_LIMIT if self.asked is None or not self.comparable else self.asked

    def keeps(self, cosine: float | None) -> bool:
        """Whether a passage with this cosine stays; None: it was not compared."""
        return (NO_LIMIT if cosine is None else cosine) >= self.value

    def drop_below(self, order: Sequence[str], cosine: Mapping[str, float], behind: Iterable[str]) -> list[str]:
        """`order` without the chunks below the minimum. Chunks behind a path stay: they answer by what they say
        together."""
        behind_paths = set(behind)
        return [id_ for id_ in order if id_ in behind_paths or self.keeps(cosine.get(id_))]

    def mark_kept_by_graph(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """Mark the chunks below the minimum: each stays because of its path, whatever its rank."""
        return [
            replace(item, kept_by="graph") if item.kept_by == "rank" and (item.cosine or 0.0) < self.value else item
            for item in evidence
        ]

    def summary(self) -> dict[str, Any]:
        """For the trace; {} if no minimum is set."""
        if self.asked is None:
            return {}
        why_not = "not applied: the embedder does not know the language, so its cosines say nothing"
        return {"min_score": self.asked if self.comparable else why_not}
