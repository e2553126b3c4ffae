"""Fusion: what vectors weigh beside words where both rankings become one (reciprocal rank fusion, k = 60).

Made from bench/results/languages.json (`python -m bench.languages`); docs/decisions/0008-fusion-by-language.md has
the figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.embed import Embedder

# Where the embedder knows the language: the largest weight that stays above words alone on both English sets.
KNOWN = 0.5
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
