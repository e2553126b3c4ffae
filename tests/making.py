"""Deterministic substitutes that really implement their interfaces: an embedder by words, sources from strings."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import pairwise
from typing import Any, TypeVar

from llama_index.core.base.embeddings.base import BaseEmbedding

from filigraph.graph.ingest.extract.contract import extraction_key
from filigraph.graph.model.documents import Chunk, Source
from filigraph.graph.model.extraction import Extraction, Triplet
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.embed import Embedder
from filigraph.graph.text.names.capitals import capitalised_names
from filigraph.graph.text.sentences import sentences
from filigraph.graph.text.words import terms

DIMENSIONS = 64
Found = TypeVar("Found")


class WordEmbedding(BaseEmbedding):
    """A bag of words in a few dimensions: texts that share words are near each other, and nothing is learned."""

    times: int = 1  # how often the dimensions are there, which changes no cosine
    turned: int = 0  # by how many places they are turned, which changes none either

    def _get_text_embedding(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for term in terms(text, ""):
            digest = hashlib.blake2b(term.encode(), digest_size=4).digest()
            vector[digest[0] % DIMENSIONS] += 1.0 if digest[1] % 2 else -1.0
        length = math.sqrt(sum(number * number for number in vector))
        whole = [number / length for number in vector] if length else [1.0] + [0.0] * (DIMENSIONS - 1)
        turned = whole[self.turned :] + whole[: self.turned]
        return [number / self.times**0.5 for number in turned * self.times]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def word_embedder(times: int = 1, turned: int = 0) -> Embedder:
    """The embedder of tests that need no learned model; another one for each number of `times` or `turned`."""
    model, size = WordEmbedding(times=times, turned=turned), times * DIMENSIONS
    fingerprint = f"words-{size}-turned-{turned}" if turned else f"words-{size}"
    return Embedder(model=model, exact=model, name="words", dimensions=size, fingerprint=fingerprint)


def source(name: str, text: str) -> Source:
    """A text as a client would send it."""
    return Source(name=name, content=text.encode())


def case_file() -> list[Source]:
    """The demo's case file."""
    folder = files("filigraph.app") / "demo" / "case"
    there = sorted(folder.iterdir(), key=lambda file: file.name)
    return [Source(name=f"demo/{file.name}", content=file.read_bytes()) for file in there]


def awaited(work: Coroutine[Any, Any, Found]) -> Found:
    """What a coroutine gives, run on a thread of its own: the page's tests leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, work).result()


class NamesExtractor:
    """Reads that the names of a sentence meet, one after the other: many facts, and nothing is learned."""

    name, version, batch, expensive = "names", "1", 8, False
    usage = Usage()

    def expected(self, chunk: Chunk) -> Usage:
        return Usage()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Extraction]:
        for chunk in chunks:
            triplets = []
            for start, end in sentences(chunk.text, chunk.language):
                names = capitalised_names(chunk.text[start:end], [(0, end - start)])
                for subject, object_ in pairwise(names):
                    triplets.append(Triplet(subject=subject, predicate="meets", object=object_, start=start, end=end))
            yield Extraction(key=extraction_key(chunk, self), extractor=self.name, triplets=tuple(triplets))
