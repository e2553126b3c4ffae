"""Fusion: what vectors weigh beside words where both rankings become one (reciprocal rank fusion, k = 60).

Made from bench/results/languages.json (`python -m bench.languages`); docs/decisions/0008-fusion-by-language.md has
the figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.models.embed import Embedder

# Where no document is in the question's language, words say next to nothing (English questions, Russian text: recall@5
# 95.5 at 0.9 and 44.1 at 0.5).
ACROSS = 0.95
# Where it does not, words decide. At this weight no place in the vectors' order outweighs a place among the first 100
# of the words' order, so what words find keeps its order, in any language, and vectors order the rest. A weight of 0.05
# cost Chinese 7 points of MRR.
UNKNOWN = 0.002


def understood(question: str, documents: Sequence[str], embedder: Embedder) -> bool:
    """Whether the embedder can compare a question in a language (ISO 639-1; "" if it could not be told) with documents.

    A vector compares the one with the other, so the embedder must know both: the question's language and one of the
    documents'. A question whose language could not be told may be in any of the documents'.
    """
    if not question:
        return all(embedder.knows(language) for language in documents)
    return embedder.knows(question) and (not documents or any(embedder.knows(language) for language in documents))


def vector_weight(question: str, documents: Sequence[str], embedder: Embedder) -> float:
    """What vectors weigh for a question in a language, the rest being the weight of words."""
    if not understood(question, documents, embedder):
        return UNKNOWN
    across = question and documents and question not in documents
    return ACROSS if across else embedder.vector_weight
