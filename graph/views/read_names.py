"""Cached data about the names in all chunks of a workspace. Its views share them, and compute only what depends on the
visible part.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain

from filigraph.graph.derivation_state import DerivationState, NameVectors
from filigraph.graph.model.arrays import Span
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.extraction import Extraction
from filigraph.graph.model.llm_readings import CastReading
from filigraph.graph.model.names import Mention, Occurrence, Part
from filigraph.graph.names.facts import ExtractedChunk, ReadFact, read_facts
from filigraph.graph.names.finder import Hit, HitFinder, merged_hits, names_at
from filigraph.graph.names.homonyms import parts_by_context
from filigraph.graph.names.mentions import (
    ReadPlaces,
    StatedNames,
    forms_to_find,
    mentions_found,
    places_of,
    read_mentions,
    stated_names,
    title_keys,
    titles_by_key,
    titles_found,
)
from filigraph.graph.names.phrases import further_names
from filigraph.graph.names.scan import names_looked_for
from filigraph.graph.records.documents import NameOccurrences, StoredChunk, TitleRow
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.identifiers import is_identifier

BYTES_PER_CHAR = 40  # approximate bytes per character of a chunk
MAX_CHANGED_SHARE = 0.1  # of the chunks: a derivation of more other ones begins from nothing
KEPT = 2  # derivations of this many times the chunks of the workspace are cached


_Matches = Mapping[str, Mapping[str, Sequence[Span]]]  # chunk id -> key of a name -> its places


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
        self._scanned: dict[str, tuple[_Matches, Sequence[Mention]]] = {}  # by document, for matches in its chunks
        self._parts: dict[str, tuple[object, Sequence[Part]]] = {}  # by document, for an input of `parts`
        self._text_size = 0
        # the chunks of the last derivations, each with its state; the last used one at the end
        self._states: list[tuple[frozenset[str], DerivationState]] = []

    def follow(self, part: ReadPart) -> None:
        """Update to the chunks of a part."""
        with self._lock:
            if part.chunks is self._chunks:
                return
            same = {id_ for id_, row in part.chunks.items() if self._chunks.get(id_) is row}
            stated = {id_: stated_names(row.extraction) for id_, row in part.chunks.items() if id_ not in same}
            self._hits = self._hits_in(part, same, _names_to_find(part, stated.values()))
            self._places = {
                id_: self._read_places(id_, stated[id_]) if id_ in stated else self._places[id_] for id_ in part.chunks
            }
            self._mentions = {id_: cached for id_, cached in self._mentions.items() if id_ in part.documents}
            same_documents = part.documents.keys() - {part.chunks[id_].chunk.document_id for id_ in stated}
            self._scanned = {id_: cached for id_, cached in self._scanned.items() if id_ in same_documents}
            self._parts = {id_: cached for id_, cached in self._parts.items() if id_ in part.documents}
            self._facts = {id_: cached for id_, cached in self._facts.items() if id_ in same}
            self._chunks = part.chunks
            self._text_size = BYTES_PER_CHAR * sum(len(row.chunk.text) for row in part.chunks.values())

    def _hits_in(self, part: ReadPart, same: Set[str], keys: Set[str]) -> dict[str, tuple[Hit, ...]]:
        """The places of all names in all chunks. The chunks that are the same are searched for new names only."""
        new = keys - self._keys
        self._keys |= new
        of_new, of_all = HitFinder(new), HitFinder(self._keys if len(same) < len(part.chunks) else ())
        hits: dict[str, tuple[Hit, ...]] = {}
        for id_, row in part.chunks.items():
            if id_ not in same:
                hits[id_] = of_all.hits(row.chunk.text)
            elif new:
                hits[id_] = merged_hits(self._hits[id_], of_new.hits(row.chunk.text))
            else:
                hits[id_] = self._hits[id_]
        return hits

    def _read_places(self, chunk_id: str, stated: StatedNames) -> ReadPlaces:
        return places_of(stated, names_at(self._hits[chunk_id], forms_to_find(stated), as_written=False))

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

    def state(self, chunk_ids: Iterable[str]) -> DerivationState:
        """The starting point for the derivation of these chunks: the last one of nearly the same chunks, if there is
        one.
        """
        chunks = frozenset(chunk_ids)
        with self._lock:
            near = min(self._states, key=lambda derived: len(derived[0] ^ chunks), default=None)
            if near is not None and len(near[0] ^ chunks) <= MAX_CHANGED_SHARE * len(chunks):
                self._states.remove(near)
                state = near[1]
            else:
                state = DerivationState(self._name_vectors)
            self._states.append((chunks, state))
            while len(self._states) > 1 and sum(len(others) for others, _ in self._states) > KEPT * len(self._chunks):
                del self._states[0]
            return state

    @property
    def size(self) -> int:
        """Bytes, about."""
        return self._text_size + sum(state.size for _, state in self._states)

    # ---- As `names.scan.TextSearch`

    def names(self, chunks: Sequence[StoredChunk], mentions: Mentions) -> Sequence[Mention]:
        names = names_looked_for(mentions)
        matches: dict[str, dict[str, Mapping[str, Sequence[Span]]]] = defaultdict(dict)  # by document and chunk
        for chunk in chunks:
            matches[chunk.document_id][chunk.id] = names_at(self._hits[chunk.id], names)
        by_id = {chunk.id: chunk for chunk in chunks}
        found = chain.from_iterable(self._scanned_in(id_, at, by_id) for id_, at in matches.items())
        return sorted(found, key=lambda mention: mention.id)

    def _scanned_in(self, document_id: str, matches: _Matches, chunks: Mapping[str, StoredChunk]) -> Sequence[Mention]:
        """The mentions with these matches in the chunks of a document."""
        cached_matches, mentions = self._scanned.get(document_id, ({}, ()))
        if cached_matches != matches:
            texts = [(id_, document_id, chunks[id_].language, chunks[id_].text) for id_ in matches]
            mentions = mentions_found(texts, lambda id_, _: matches[id_])
            self._scanned[document_id] = matches, mentions
        return mentions

    def titles(self, chunks: Sequence[StoredChunk], titles: Sequence[TitleRow]) -> Mapping[str, Sequence[str]]:
        documents, forms = titles_by_key((row.document_id, row.title) for row in titles)
        texts = [(chunk.id, chunk.document_id, chunk.text) for chunk in chunks]
        return titles_found(texts, documents, lambda id_, _: names_at(self._hits[id_], forms))

    def read(self, chunk: StoredChunk) -> ReadPlaces:
        return self._places[chunk.id]

    def parts(
        self,
        document: NameOccurrences,
        rows: Sequence[MentionRow],
        *,
        taken: Set[Occurrence],
        cast: Sequence[CastReading],
    ) -> Sequence[Part]:
        """`parts_by_context` of a document."""
        seen = document, rows, taken, cast
        cached_for, parts = self._parts.get(document.id, (None, ()))
        if cached_for != seen:
            parts = parts_by_context(document, rows, taken=taken, cast=cast)
            self._parts[document.id] = seen, parts
        return parts


def _names_to_find(part: ReadPart, stated: Iterable[StatedNames]) -> frozenset[str]:
    """The keys of the names to look for in the texts of a part: stated names, titles, and names that casts add."""
    keys = {key for names in stated for key, _ in names if not is_identifier(key)}
    keys |= {key for row in part.documents.values() if row.title for key, _ in title_keys(row.title)}
    keys |= {key for casts in part.casts.values() for key in further_names(casts)}
    return frozenset(keys)
