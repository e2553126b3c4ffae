"""The read and decided data of a workspace in memory, from which its views are derived."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.llm_readings import CastLink, CastReading
from filigraph.graph.model.names import AliasGroup, StoredCorrection
from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.tables.inverted_index import InvertedIndex
from filigraph.graph.tables.mention_table import Mentions

OBJECT_BYTES_PER_TEXT_BYTE = 24  # bytes of a chunk's objects (triplets, words, places, index) per byte of its text


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadChunk:
    chunk: Chunk
    extraction: Extraction
    terms: str  # its normal words, separated by spaces
    packed: bytes  # vectors, quantized: its own, then one for each of its sentences
    strangers: Sequence[str]  # its namesakes: see `namesake_keys`
    version: tuple[object, ...]  # changes with any part of the chunk
    embedded: bool = True  # it has a vector: questions find it

    @cached_property
    def term_counts(self) -> Counter[str]:
        return Counter(self.terms.split())


class TextVectors:
    """Quantized vectors of texts of facts and names of entities, which all views share. Thread-safe; it only grows.

    They are read from the store while names are derived, which needs none of them: half of the reading.
    """

    def __init__(self, dimensions: int) -> None:
        self._row: dict[str, int] = {}
        self._rows = np.zeros((0, dimensions), dtype=np.int8)
        self._lock = threading.Lock()
        self._reading: Future[None] | None = None

    def read_beside(self, read: Callable[[], None]) -> None:
        """Call `read`, which adds vectors, on a thread of its own; `wait` waits for its end."""
        executor = ThreadPoolExecutor(1, thread_name_prefix="read vectors")
        self._reading = executor.submit(read)
        executor.shutdown(wait=False)

    def wait(self) -> None:
        """Wait until the stored vectors are read. Raises what the reading raised."""
        if self._reading:
            self._reading.result()

    @property
    def failed(self) -> bool:
        """Whether the stored vectors could not be read."""
        return bool(self._reading and self._reading.done() and self._reading.exception())

    def missing(self, texts: Sequence[str]) -> list[str]:
        """The texts without a vector."""
        with self._lock:
            return [text for text in dict.fromkeys(texts) if text not in self._row]

    def add(self, texts: Sequence[str], rows: np.ndarray[tuple[int, int], np.dtype[np.int8]]) -> None:
        """`rows`: (n, d), quantized."""
        with self._lock:
            new = [place for place, text in enumerate(texts) if text not in self._row]
            for place in new:
                self._row[texts[place]] = len(self._row)
            self._rows = np.concatenate([self._rows, rows[new]])

    def places(self, texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        with self._lock:
            return np.array([self._row[text] for text in texts], dtype=np.intp)

    def at(self, places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Matrix:
        """(n, d) at length 1."""
        rows = self._rows[places].astype(np.float32)
        unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    @property
    def size(self) -> int:
        return self._rows.nbytes


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadPart:
    """All documents and chunks of a workspace with their extractions, and people's decisions."""

    version: str  # changes with every change
    fingerprint: str  # of the embedder
    documents: Mapping[str, DocumentRow]  # by id
    chunks: Mapping[str, ReadChunk]  # by id, in the order of ids
    decisions: Sequence[StoredCorrection]
    alias_groups: Sequence[AliasGroup]
    casts: Mapping[str, Sequence[CastReading]]  # by document
    cast_links: Sequence[CastLink]  # across documents
    mentions: Mentions  # of the whole workspace; empty if nothing was decided or grouped
    text_vectors: TextVectors

    @cached_property
    def chunks_of(self) -> Mapping[str, Sequence[ReadChunk]]:
        """Document id -> its chunks in order."""
        by_document: dict[str, list[ReadChunk]] = {id_: [] for id_ in self.documents}
        for row in self.chunks.values():
            by_document.setdefault(row.chunk.document_id, []).append(row)
        return {id_: sorted(rows, key=lambda row: row.chunk.index) for id_, rows in by_document.items()}

    @cached_property
    def inverted_index(self) -> InvertedIndex:
        """The words of all chunks, in their order."""
        return InvertedIndex([row.term_counts for row in self.chunks.values()])

    @cached_property
    def _text_size(self) -> int:
        return sum(len(row.packed) + OBJECT_BYTES_PER_TEXT_BYTE * len(row.chunk.text) for row in self.chunks.values())

    @property
    def size(self) -> int:
        """Approximate bytes."""
        return self._text_size + self.text_vectors.size
