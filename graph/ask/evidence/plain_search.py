"""Plain search: by words, by vectors or by both, without the walk. The baselines that the walk is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from filigraph.graph.ask.evidence.build import DUPLICATE_CHECK_FACTOR, evidence_of, without_duplicates
from filigraph.graph.ask.evidence.code import chunks_of_kinds
from filigraph.graph.ask.evidence.min_cosine import MinCosine
from filigraph.graph.ask.explore.fusion import fuse_vectors_and_words
from filigraph.graph.ask.explore.search import MAX_SEARCH_RESULTS, EmbeddedQuestion, cosines_of, search_words
from filigraph.graph.ask.ranking.rank import top_scores
from filigraph.graph.ask.reader import GraphReader
from filigraph.graph.model.retrieval import Evidence, Method
from filigraph.graph.records.documents import WordHit


@dataclass(frozen=True, kw_only=True)
class PlainResult:
    """What was found without the graph."""

    evidence: tuple[Evidence, ...]
    vectors: Sequence[tuple[str, float]]  # chunk id, cosine
    words: Sequence[tuple[str, float]]  # chunk id, score
    min_cosine: MinCosine

    def summary(self) -> dict[str, Any]:
        best = {"vector": top_scores(dict(self.vectors), 10), "keyword": top_scores(dict(self.words), 10)}
        return {**self.min_cosine.summary(), **best}


def plain_search(
    embedded: EmbeddedQuestion,
    reader: GraphReader,
    method: Method,
    *,
    keep: int,
    vector_weight: float,
    min_cosine: MinCosine,
    kinds: Sequence[str],
) -> PlainResult:
    """The best `keep` chunks with at least the minimum cosine."""
    wanted = max(MAX_SEARCH_RESULTS, keep)
    vectors = reader.search_chunks(embedded.vector, wanted) if method != "bm25" else []
    hits = search_words(embedded, reader, wanted)[:wanted] if method != "dense" else []
    words, cosine = rank_by_words(hits), dict(vectors) | cosines_of(hits)
    ranking = fuse_vectors_and_words(vectors, words, vector_weight) if method == "hybrid" else vectors or words
    among = set(chunks_of_kinds([id_ for id_, _ in ranking], kinds, reader))
    good = [id_ for id_, _ in ranking if id_ in among and min_cosine.keeps(cosine[id_])]
    ids, copies = without_duplicates(good, (), reader, DUPLICATE_CHECK_FACTOR * keep)
    scores = dict(ranking)
    best = {id_: scores[id_] for id_ in ids[:keep]}
    passages = reader.passages(list(best))
    brought = {"vector": dict(vectors), "keyword": dict(words)}
    evidence = tuple(
        evidence_of(
            passages[id_],
            max(score, 0.0),
            cosine[id_],
            [name for name, by in brought.items() if id_ in by],
            also=copies.get(id_, ()),
        )
        for id_, score in best.items()
        if id_ in passages
    )
    return PlainResult(evidence=evidence, vectors=vectors, words=words, min_cosine=min_cosine)


def rank_by_words(hits: Sequence[WordHit]) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in hits]
