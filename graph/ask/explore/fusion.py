"""Fusion: vector and keyword search in one ranking (reciprocal rank fusion), and the weight of each.

The weights were measured at v0.1: docs/decisions/0008-fusion-by-language.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from filigraph.graph.models.embed import Embedder

# Where no document is in the question's language, words say next to nothing (English questions, Russian text: recall@5
# 95.5 at 0.9 and 44.1 at 0.5).
CROSS_LANGUAGE_VECTOR_WEIGHT = 0.95
# Where it does not, words decide. At this weight no place in the vectors' order outweighs a place among the first 100
# of the words' order, so what words find keeps its order, in any language, and vectors order the rest. A weight of 0.05
# cost Chinese 7 points of MRR.
UNKNOWN = 0.002
RANK_CONSTANT = 60  # after Cormack, Clarke, Buettcher (SIGIR 2009)
UNKNOWN_LANGUAGE_VECTOR_WEIGHT = 0.1  # trust in the vectors of a language that the embedder does not know


@dataclass(frozen=True, kw_only=True)
class VectorWeights:
    """How far the vectors of a question are to be trusted."""

    comparable: bool  # the embedder knows the question's language and one of the documents'
    weight: float  # in the fusion of vector and keyword search

    @property
    def share(self) -> float:
        """The factor by which a cosine counts, 0..1."""
        return 1.0 if self.comparable else UNKNOWN_LANGUAGE_VECTOR_WEIGHT


def vector_trust(language: str, documents: Sequence[str], embedder: Embedder, weight: float | None) -> VectorWeights:
    """The trust in vectors for a question's language and the documents' languages. `weight`: of vectors, if it is
    given."""
    return VectorWeights(
        comparable=is_comparable(language, documents, embedder),
        weight=vector_weight(language, documents, embedder) if weight is None else weight,
    )


def is_comparable(question: str, documents: Sequence[str], embedder: Embedder) -> bool:
    """Whether the embedder can compare a question in a language (ISO 639-1; "" if unknown) with documents.

    A vector compares the one with the other, so the embedder must know both: the question's language and one of the
    documents'. A question of unknown language may be in any of the documents'.
    """
    if not question:
        return all(embedder.knows(language) for language in documents)
    return embedder.knows(question) and (not documents or any(embedder.knows(language) for language in documents))


def vector_weight(question: str, documents: Sequence[str], embedder: Embedder) -> float:
    """The weight of vectors for a question in a language; words have the rest."""
    if not is_comparable(question, documents, embedder):
        return UNKNOWN
    across = question and documents and question not in documents
    return CROSS_LANGUAGE_VECTOR_WEIGHT if across else embedder.vector_weight


def fuse_vectors_and_words(
    vectors: Sequence[tuple[str, float]], words: Sequence[tuple[str, float]], vector_weight: float
) -> list[tuple[str, float]]:
    """Vector and keyword search in one order: the walk must never be worse than this."""
    ranked = [(vector_weight, vectors), (1 - vector_weight, words)]
    return reciprocal_rank_fusion([(weight, [id_ for id_, _ in ranking]) for weight, ranking in ranked])


def reciprocal_rank_fusion(weighted: Sequence[tuple[float, Sequence[str]]]) -> list[tuple[str, float]]:
    """Join ranked lists of ids; best first, ties in the order of the lists: an id may hash a document's name."""
    scores: dict[str, float] = defaultdict(float)
    for weight, ranked in weighted:
        for rank, id_ in enumerate(ranked, start=1):
            scores[id_] += weight / (RANK_CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: -item[1])  # stable
