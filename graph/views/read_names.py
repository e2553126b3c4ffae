"""Cached data about the names in all chunks of a workspace. Its views share them, and compute only what depends on the
visible part.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from filigraph.graph.derivation_state import DerivationState, NameVectors
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.names import Mention
from filigraph.graph.names.facts import ExtractedChunk, ReadFact, read_facts
from filigraph.graph.names.finder import Hit, HitFinder, names_at
from filigraph.graph.names.mentions import (
    ReadPlaces,
    mentions_found,
    read_mentions,
    read_places,
    title_keys,
    titles_by_key,
    titles_found,
)
from filigraph.graph.names.phrases import further_names
from filigraph.graph.names.scan import names_looked_for
from filigraph.graph.records.documents import StoredChunk, TitleRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.identifiers import is_identifier

BYTES_PER_CHAR = 40  # approximate bytes per character of a chunk
MIN_CACHED_SHARE = 0.5  # share of the chunks of the last view: a derivation of fewer is not cached for the next


class ReadNames:
    """Names in the extractions of chunks, and places where names may be. Thread-safe."""

    def __init__(self, name_vectors: NameVectors | None = None) -> None:
        self._name_vectors = name_vectors
        self._lock = threading.Lock()
        self._chunks: Mapping[str, ReadChunk] = {}
        self._keys: frozenset[str] = frozenset()
        self._places: dict[str, ReadPlaces] = {}  # by chunk
        self._hits: dict[str, tuple[Hit, ...]] = {}  # by chunk
        self._mentions: dict[str, tuple[tuple[ReadChunk, ...], Sequence[Mention]]] = {}  # by document, for its chunks
        self._facts: dict[str, Sequence[ReadFact]] = {}  # by chunk
        self._text_size = 0
        self._state, self._derived = DerivationState(name_vectors), 0

    def follow(self, part: ReadPart) -> None:
        """Update to the chunks of a part."""
        with self._lock:
            if part.chunks is self._chunks:
                return
            same = {id_ for id_, row in part.chunks.items() if self._chunks.get(id_) is row}
            self._places = {
                id_: self._places[id_] if id_ in same else read_places(row.chunk.text, row.extraction)
                for id_, row in part.chunks.items()
            }
            keys = frozenset(key for places in self._places.values() for key, _ in places if not is_identifier(key))
            keys |= {key for row in part.documents.values() if row.title for key, _ in title_keys(row.title)}
            keys |= {key for casts in part.casts.values() for key in further_names(casts)}
            cached = same if keys <= self._keys else set()
            self._keys |= keys
            finder = HitFinder(self._keys)
            self._hits = {
                id_: self._hits[id_] if id_ in cached else finder.hits(row.chunk.text)
                for id_, row in part.chunks.items()
            }
            self._mentions = {id_: cached for id_, cached in self._mentions.items() if id_ in part.documents}
            self._facts = {id_: cached for id_, cached in self._facts.items() if id_ in same}
            self._chunks = part.chunks
            self._text_size = BYTES_PER_CHAR * sum(len(row.chunk.text) for row in part.chunks.values())

    def mentions(self, document_id: str, rows: Sequence[ReadChunk]) -> Sequence[Mention]:
        """The names in the extractions of some chunks of a document, in order."""
        rows = tuple(rows)
        cached_rows, mentions = self._mentions.get(document_id, ((), ()))
        if cached_rows != rows:
            mentions, _ = read_mentions(document_id, [(row.chunk, row.extraction) for row in rows], self._places_in)
            self._mentions[document_id] = rows, mentions
        return mentions

    def facts(self, chunk: ExtractedChunk) -> Sequence[ReadFact]:
        """`read_facts` of a chunk."""
        if chunk.id not in self._facts:
            self._facts[chunk.id] = read_facts(chunk)
        return self._facts[chunk.id]

    def _places_in(self, chunk: Chunk, extraction: Extraction) -> ReadPlaces:
        return self._places[chunk.id]

    def state(self, chunks: int) -> DerivationState:
        """The starting point for the derivation of so many chunks: the last derivation, unless that had many more."""
        with self._lock:
            if chunks < MIN_CACHED_SHARE * self._derived:
                return DerivationState(self._name_vectors)
            self._derived = chunks
            return self._state

    @property
    def size(self) -> int:
        """Bytes, about."""
        return self._text_size + self._state.size

    # ---- As `names.scan.TextSearch`

    def names(self, chunks: Sequence[StoredChunk], mentions: Mentions) -> Sequence[Mention]:
        names = names_looked_for(mentions)
        texts = [(chunk.id, chunk.document_id, chunk.language, chunk.text) for chunk in chunks]
        return mentions_found(texts, lambda id_, _: names_at(self._hits[id_], names))

    def titles(self, chunks: Sequence[StoredChunk], titles: Sequence[TitleRow]) -> Mapping[str, Sequence[str]]:
        documents, forms = titles_by_key((row.document_id, row.title) for row in titles)
        texts = [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks]
        return titles_found(texts, documents, lambda id_, _: names_at(self._hits[id_], forms))

    def read(self, chunk: StoredChunk) -> ReadPlaces:
        return self._places[chunk.id]
