"""Deterministic stand-ins that are real implementations of their seams: an embedding by words, sources from strings."""

from __future__ import annotations

import hashlib
import math

from llama_index.core.base.embeddings.base import BaseEmbedding

from filigraph.graph.embed import Embedder
from filigraph.graph.model import Source
from filigraph.graph.text.words import terms

DIMENSIONS = 64


class WordEmbedding(BaseEmbedding):
    """A bag of words in a few dimensions: texts that share words are near each other, and nothing is learned."""

    def _get_text_embedding(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for term in terms(text, ""):
            digest = hashlib.blake2b(term.encode(), digest_size=4).digest()
            vector[digest[0] % DIMENSIONS] += 1.0 if digest[1] % 2 else -1.0
        length = math.sqrt(sum(number * number for number in vector))
        return [number / length for number in vector] if length else [1.0] + [0.0] * (DIMENSIONS - 1)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def word_embedder() -> Embedder:
    """The embedder of tests that need no learned model."""
    model = WordEmbedding()
    return Embedder(model=model, exact=model, name="words", dimensions=DIMENSIONS, fingerprint="words-64")


def source(name: str, text: str) -> Source:
    """A text as a client would send it."""
    return Source(name=name, content=text.encode())
