"""Selection: build the evidence from the ranked chunks, rerank it if there is a reranker, and cut it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ask.evidence.build import DUPLICATE_CHECK_FACTOR, build_evidence, cosines, without_duplicates
from filigraph.graph.ask.evidence.code import chunks_of_kinds, evidence_of_kinds
from filigraph.graph.ask.evidence.min_cosine import MinCosine
from filigraph.graph.ask.explore.search import SearchHits
from filigraph.graph.ask.ranking.cosine_blend import Blend, blend
from filigraph.graph.ask.ranking.rank import Ranked
from filigraph.graph.ask.ranking.rerank import MAX_RERANKED, Scorer, rerank
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Evidence, Path, Question
from filigraph.graph.process.cancel import ShouldStop


@dataclass(frozen=True, kw_only=True)
class ChosenEvidence:
    """The evidence in the order in which it is shown, and the paths in words."""

    evidence: Sequence[Evidence]
    paths: Sequence[Path]
    min_cosine: MinCosine
    blend: Blend | None  # by which the evidence was reranked, if by any

    def summary(self) -> dict[str, Any]:
        """The paths, the evidence, and how many pieces of it each branch brought."""
        return {
            **self.min_cosine.summary(),
            **({"blend": dataclasses.asdict(self.blend)} if self.blend else {}),
            "paths": [{"text": path.text, "score": round(path.score, 4)} for path in self.paths],
            "kept": [
                {
                    "id": item.id,
                    "kind": item.kind,
                    "score": round(item.score, 4),
                    "cosine": item.cosine and round(item.cosine, 4),
                    "rerank": item.rerank_score,
                    "kept_by": item.kept_by,
                }
                for item in self.evidence
            ],
            "tally": dict(Counter(branch for item in self.evidence for branch in item.branches)),
        }


def choose_evidence(
    original_question: str,
    question: Question,
    order: Sequence[str],
    ranked: Ranked,
    hits: SearchHits,
    reader: GraphReader,
    reranker: Scorer | None,
    *,
    keep: int,
    shown_paths: int,
    min_cosine: MinCosine,
    kinds: Sequence[str],
    blend_by: Blend | None,
    cancelled: ShouldStop,
) -> ChosenEvidence:
    """The best `keep` chunks in `order`. A reranker reads the `original_question`."""
    blend_by = blend_by if reranker else None
    path_chunks = ranked.path_chunk_ids()
    cosine = cosines([*order, *path_chunks], ranked, hits, question.vector, reader)
    candidate_ids = chunks_of_kinds(min_cosine.drop_below(order, cosine, path_chunks), kinds, reader)
    candidates = blend_by.candidates if blend_by else MAX_RERANKED if reranker else 0
    looked_at = DUPLICATE_CHECK_FACTOR * max(candidates, keep)
    candidate_ids, copies = without_duplicates(candidate_ids, path_chunks, reader, looked_at)
    evidence, neighbours, paths = build_evidence(
        ranked,
        candidate_ids,
        cosine,
        hits,
        question,
        reader,
        keep,
        copies=copies,
        candidates=candidates,
        neighboured=candidates if blend_by else keep if reranker else 0,
    )
    evidence, neighbours = evidence_of_kinds(evidence, neighbours, kinds)
    if reranker and blend_by:
        chosen = blend(
            original_question, evidence, reranker, blend_by, keep=keep, neighbours=neighbours, cancelled=cancelled
        )
        return ChosenEvidence(evidence=chosen, paths=paths, min_cosine=min_cosine, blend=blend_by)
    chosen = rerank(
        original_question,
        evidence,
        paths,
        reranker,
        keep=keep,
        reserved_paths=shown_paths,
        neighbours=neighbours,
        cancelled=cancelled,
    )
    chosen = min_cosine.mark_kept_by_graph(chosen)
    return ChosenEvidence(evidence=chosen, paths=paths, min_cosine=min_cosine, blend=None)
