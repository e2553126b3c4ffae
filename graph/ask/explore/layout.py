"""Layout: chunks as arrays, before any question: the part of a pool that is the same for every question.

Rows are chunks in the order of what they say, so nothing depends on the order in which the store gave them, nor on
their ids, which hash the names of documents. A small workspace is its own pool: its layout and its chunks are cached
for as long as the workspace's revision holds.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from operator import attrgetter

import numpy as np
from cachetools import LRUCache

from filigraph.graph.ask.explore.fact_terms import FactTerms, fact_terms
from filigraph.graph.model.arrays import Floats, Matrix
from filigraph.graph.model.retrieval import PoolChunk, PoolEntity, PoolFact
from filigraph.graph.tables.adjacency import Bools, Ints, Rows

TITLE_LINK_SHARE = 0.2  # share of chunks that name another document's title from which on titles lead the way
CACHE_BYTES = 256 * 2**20  # bytes of vectors in the cached layouts


@dataclass(frozen=True, kw_only=True, eq=False)
class EntityRows:
    """Which entities the m facts of n chunks join: e entities, numbered as the chunks mention them."""

    number: Mapping[str, int]  # entity id -> its number
    mentions: Ints  # (e,) chunks that mention it: here, or in the workspace where a chunk says so
    chunk: Ints  # (m,) the row of the chunk that says it
    fact: Ints  # (m,) the same number for the same fact in several chunks
    ends: Ints  # (m, 2) subject and object
    states: Bools  # (m,) it says more than that two names share a sentence
    chunks_of: Rows  # entity -> rows
    facts_of: Rows  # entity -> statements that have it as an end and state something


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class TermFacts:
    """Where facts contain a term. `times`: for each row, how often facts contain it, without cooccurrences."""

    facts: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # of their chunks
    times: list[int] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """n chunks, and the m facts they support one after the other."""

    chunks: tuple[PoolChunk, ...]
    row: Mapping[str, int]  # chunk id -> row
    first_row: Mapping[str, int]  # document id -> row of its first chunk
    rows_of: Mapping[str, list[int]]  # entity id -> rows of the chunks that mention it
    naming: Mapping[str, list[int]]  # document id -> rows of the chunks that name its title
    vectors: Matrix  # (n, d)
    sentences: Matrix  # (s, d): those of each chunk one after the other; a chunk without any has its own vector here
    sentence_starts: Ints  # (n,)
    facts: tuple[PoolFact, ...]
    fact_starts: Ints  # (n + 1,)
    fact_vectors: Matrix  # (m, d)
    _holding: dict[str, list[int]] = field(default_factory=dict)  # of the terms asked for so far that occur in a text
    _term_facts: dict[str, TermFacts] = field(default_factory=dict)

    @staticmethod
    def of(chunks: Iterable[PoolChunk]) -> Layout:
        """At least one chunk."""
        ordered = tuple(sorted(chunks, key=attrgetter("sort_key")))
        rows_of: dict[str, list[int]] = defaultdict(list)
        naming: dict[str, list[int]] = defaultdict(list)
        for row, chunk in enumerate(ordered):
            for id_ in chunk.entity:
                rows_of[id_].append(row)
            for document in chunk.titles:
                naming[document].append(row)
        pieces = [chunk.vectors[1:] if len(chunk.vectors) > 1 else chunk.vectors for chunk in ordered]
        return Layout(
            chunks=ordered,
            row={chunk.id: row for row, chunk in enumerate(ordered)},
            first_row={chunk.document_id: row for row, chunk in enumerate(ordered) if chunk.index == 0},
            rows_of=dict(rows_of),
            naming=dict(naming),
            vectors=np.array([chunk.vectors[0] for chunk in ordered]),
            sentences=np.concatenate(pieces),
            sentence_starts=np.cumsum([0, *map(len, pieces)])[:-1],
            facts=tuple(chain.from_iterable(chunk.facts for chunk in ordered)),
            fact_starts=np.cumsum([0, *(len(chunk.facts) for chunk in ordered)]),
            fact_vectors=np.concatenate([chunk.fact_vectors for chunk in ordered]),
        )

    @cached_property
    def sentences_of(self) -> Rows:
        """Row -> its sentences."""
        ends = np.append(self.sentence_starts, len(self.sentences))
        return Rows(starts=ends, values=np.arange(len(self.sentences)))

    @cached_property
    def facts_at(self) -> Rows:
        """Row -> the facts of the chunk."""
        return Rows(starts=self.fact_starts, values=np.arange(len(self.facts)))

    @property
    def bytes(self) -> int:
        """Bytes of its vectors, which are most of its size."""
        return self.vectors.nbytes + self.sentences.nbytes + self.fact_vectors.nbytes

    @cached_property
    def titled(self) -> bool:
        """Whether its documents are known by their titles: many of its chunks name that of another document."""
        naming = sum(bool(chunk.titles - {chunk.document_id}) for chunk in self.chunks)
        return naming >= TITLE_LINK_SHARE * len(self.chunks)

    def rows_holding(self, terms: Sequence[str]) -> list[list[int]]:
        """For each term the rows of the chunks whose text contains it."""
        new = frozenset(terms) - self._holding.keys()
        holding: dict[str, list[int]] = {term: [] for term in new}
        for row, chunk in enumerate(self.chunks) if new else ():
            for term in new & chunk.terms:
                holding[term].append(row)
        self._holding.update((term, rows) for term, rows in holding.items() if rows)
        return [self._holding.get(term, []) for term in terms]

    def term_facts(self, terms: Sequence[str]) -> list[TermFacts]:
        """For each term the facts that contain it."""
        new = set(terms) - self._term_facts.keys()
        new_facts = {term: TermFacts() for term in new}
        starts = self.fact_starts[:-1].tolist()
        for row, own in enumerate(self.fact_terms) if new else ():
            for term in own.places.keys() & new:
                one = new_facts[term]
                one.facts.extend([starts[row] + place for place in own.places[term]])
                one.rows.append(row)
                one.times.append(own.stated.get(term, 0))
        self._term_facts.update((term, facts) for term, facts in new_facts.items() if facts.facts)
        return [self._term_facts.get(term) or new_facts[term] for term in terms]

    @cached_property
    def fact_terms(self) -> tuple[FactTerms, ...]:
        """(n,) the terms in the facts of each chunk."""
        return tuple(map(fact_terms, self.chunks))

    @cached_property
    def fact_term_counts(self) -> Floats:
        """(n,) the number of terms in the facts of each chunk."""
        return np.array([own.length for own in self.fact_terms], dtype=float)

    def prepare(self) -> None:
        """Compute now what the first question would wait for."""
        _ = self.sentences_of, self.facts_at, self.titled, self.fact_term_counts, self.entity_rows

    @cached_property
    def entity_rows(self) -> EntityRows:
        chunks, facts = self.chunks, self.facts
        known = list(chain.from_iterable(chunk.entity_ids for chunk in chunks))
        number = dict(zip(dict.fromkeys(known), count()))
        mentioned = np.array([*map(number.__getitem__, known)], dtype=np.intp)
        counts = np.array([len(chunk.entity_ids) for chunk in chunks])
        rows = np.repeat(np.arange(len(chunks)), counts)
        everywhere: dict[str, PoolEntity] = {}
        for chunk in chunks:
            everywhere.update(chunk.entity)
        first = np.repeat(np.cumsum(counts) - counts, np.diff(self.fact_starts))  # (m,) of `known` of the fact's chunk
        ends = mentioned[first[:, None] + np.concatenate([chunk.ends for chunk in chunks])]
        states = np.array([fact.origin != "cooccurrence" for fact in facts], dtype=bool)
        fact_ids = [fact.fact_id for fact in facts]
        ids = dict(zip(dict.fromkeys(fact_ids), count()))
        stating = np.flatnonzero(states)
        sides = np.concatenate([ends[stating, 0], ends[stating, 1]])
        once = np.concatenate([np.ones(len(stating), dtype=bool), ends[stating, 0] != ends[stating, 1]])
        return EntityRows(
            number=number,
            mentions=np.maximum(
                np.bincount(mentioned, minlength=len(number)),
                [everywhere[id_].chunks if id_ in everywhere else 1 for id_ in number],
            ).astype(np.intp),
            chunk=np.repeat(np.arange(len(chunks)), np.diff(self.fact_starts)).astype(np.intp),
            fact=np.array([*map(ids.__getitem__, fact_ids)], dtype=np.intp),
            ends=ends,
            states=states,
            chunks_of=Rows.of(mentioned, rows, len(number)),
            facts_of=Rows.of(sides[once], np.concatenate([stating, stating])[once], len(number)),
        )


# --------------------------------------------------------------------------------------------------------------------
# Cached for the next question

_LAYOUT_CACHE: LRUCache[tuple[str, tuple[str, ...]], Layout] = LRUCache(
    CACHE_BYTES, getsizeof=lambda layout: layout.bytes
)
_LOCK = threading.Lock()


def cached_layout(revision: str, ids: Sequence[str], read: Callable[[], Iterable[PoolChunk]]) -> Layout | None:
    """The layout of the chunks `ids` at this revision; None if there are no chunks. On a cache miss it calls `read`;
    two callers at once both read, and cache the same. It drops layouts with one of these chunks at other revisions, but
    only those of the same view: the revision of a view ends in "@" and the view's key."""
    key = revision, tuple(ids)
    with _LOCK:
        known = _LAYOUT_CACHE.get(key)
    if known is not None:
        return known
    chunks = list(read())
    if not chunks:
        return None
    made = Layout.of(chunks)
    if revision and made.bytes <= CACHE_BYTES:
        here = frozenset(ids)
        with _LOCK:
            others = [key for key in _LAYOUT_CACHE if key[0] != revision and _view_of(key[0]) == _view_of(revision)]
            for past in [key for key in others if not here.isdisjoint(key[1])]:
                del _LAYOUT_CACHE[past]
            _LAYOUT_CACHE[key] = made
    return made


def _view_of(revision: str) -> str:
    return revision.partition("@")[2]
