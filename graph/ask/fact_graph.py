"""The fact graph of a question: what the facts of a pool say, which entities they join, and where they stand.

Everything is an array over three kinds of things: m statements (a fact as one chunk says it), n chunks and e entities.
`chains.py` walks it, `graph_scores.py` lets scores flow through it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from filigraph.graph.ask.pool import Pool
from filigraph.graph.model import Floats, Matrix, PoolChunk, Question
from filigraph.graph.text.words import terms

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

K1, B = 1.2, 0.75  # BM25, as in Lucene


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """For each thing of one kind, things of another: those of `key` are `values[starts[key] : starts[key + 1]]`."""

    starts: Ints
    values: Ints

    @staticmethod
    def of(keys: Ints, values: Ints, count: int) -> Rows:
        """From pairs; the values of a key come in the order given."""
        order = np.argsort(keys, kind="stable")
        return Rows(starts=np.searchsorted(keys[order], np.arange(count + 1)), values=values[order])

    def at(self, key: int) -> Ints:
        return self.values[self.starts[key] : self.starts[key + 1]]

    def pairs(self, keys: Ints) -> tuple[Ints, Ints]:
        """(k,), (k,): for every value of every one of `keys` the place of its key in `keys`, and the value."""
        counts = self.starts[keys + 1] - self.starts[keys]
        owner = np.repeat(np.arange(len(keys)), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, self.values[self.starts[keys][owner] + offset]


@dataclass(frozen=True, kw_only=True)
class FactTerms:
    """The index terms that the facts of a chunk say."""

    places: Mapping[str, tuple[int, ...]]  # term -> places of the facts that say it
    stated: Mapping[str, int]  # term -> how often facts say it that state something, cooccurrence left out
    length: int  # terms of all these facts


@dataclass(frozen=True, kw_only=True, eq=False)
class FactGraph:
    """m statements, n chunks, e entities, t terms of the question."""

    chunk: Ints  # (m,) the row of the chunk that says it
    fact: Ints  # (m,) the same number for the same fact in several chunks
    ends: Ints  # (m, 2) subject and object
    states: Bools  # (m,) it says more than that two names share a sentence
    vectors: Matrix  # (m, d)
    cosine: Floats  # (m,) with the question
    said: Floats  # (m, t) 1 where the fact says the term
    share: Floats  # (m,) of the question's terms that it says, weighted
    rarity: Floats  # (e,) 0 of an entity that every chunk mentions, 1 of one that a single chunk does, about
    named: Bools  # (e,) the question names it
    chunks_of: Rows  # entity -> rows
    facts_of: Rows  # entity -> statements that have it as an end and state something
    held: Floats  # (n, t) 1 where the chunk's text holds the term
    weight: Floats  # (t,) of the terms: idf, their sum is 1, or 0 where none is known
    words: Floats  # (n,) BM25 of the question over the facts of each chunk

    @property
    def size(self) -> int:
        """Statements."""
        return len(self.chunk)


def fact_graph(pool: Pool, question: Question) -> FactGraph:
    """Lay the pool's facts out for a question."""
    chunks, facts = pool.chunks, pool.facts
    wanted = sorted(set(question.terms))
    number = _numbers(chunks)
    counts = {entity.entity_id: entity.chunks for chunk in chunks for entity in chunk.entities}
    n, everywhere = len(chunks), max(question.chunks_in_workspace, len(chunks))
    row = np.repeat(np.arange(n), np.diff(pool.fact_starts)).astype(np.intp)
    ends = np.array([[number[f.subject_id], number[f.object_id]] for f in facts], dtype=np.intp).reshape(-1, 2)
    states = np.array([fact.origin != "cooccurrence" for fact in facts], dtype=bool)
    ids: dict[str, int] = {}
    fact = np.array([ids.setdefault(fact.fact_id, len(ids)) for fact in facts], dtype=np.intp)
    mentioning = [(number[id_], at) for at, chunk in enumerate(chunks) for id_ in _known(chunk)]
    pairs = np.array(mentioning, dtype=np.intp).reshape(-1, 2)
    in_pool = np.bincount(pairs[:, 0], minlength=len(number))
    mentions = np.maximum(in_pool, [counts.get(id_, 1) for id_ in number]).astype(float)
    said, words = _said(chunks, pool.fact_starts, wanted)
    held = pool.terms.astype(float)
    document_frequency = held.sum(axis=0)
    idf = np.where(document_frequency > 0, _idf(document_frequency, n), 0.0)
    weight = idf / (idf.sum() or 1.0)
    stating = np.flatnonzero(states)
    sides = np.concatenate([ends[stating, 0], ends[stating, 1]])
    once = np.concatenate([np.ones(len(stating), dtype=bool), ends[stating, 0] != ends[stating, 1]])
    return FactGraph(
        chunk=row,
        fact=fact,
        ends=ends,
        states=states,
        vectors=pool.fact_vectors,
        cosine=pool.fact_cosine,
        said=said,
        share=said @ weight,
        rarity=np.log((everywhere + 1) / mentions) / np.log(everywhere + 1),
        named=np.array([id_ in question.entities for id_ in number], dtype=bool),
        chunks_of=Rows.of(pairs[:, 0], pairs[:, 1], len(number)),
        facts_of=Rows.of(sides[once], np.concatenate([stating, stating])[once], len(number)),
        held=held,
        weight=weight,
        words=words,
    )


def _numbers(chunks: Sequence[PoolChunk]) -> dict[str, int]:
    """Entity id -> its number, in the order in which the chunks mention them."""
    numbers: dict[str, int] = {}
    for chunk in chunks:
        for id_ in _known(chunk):
            numbers.setdefault(id_, len(numbers))
    return numbers


def _known(chunk: PoolChunk) -> list[str]:
    """The entities of a chunk: those it mentions, and the ends of its facts."""
    ends = (end for fact in chunk.facts for end in (fact.subject_id, fact.object_id))
    return list(dict.fromkeys([*(entity.entity_id for entity in chunk.entities), *ends]))


def _said(chunks: Sequence[PoolChunk], fact_starts: Ints, wanted: Sequence[str]) -> tuple[Floats, Floats]:
    """(m, t) which fact says which term; (n,) BM25 over what the facts of each chunk say that is stated."""
    said = np.zeros((int(fact_starts[-1]), len(wanted)))
    times = np.zeros((len(chunks), len(wanted)))
    own_terms = [fact_terms(chunk) for chunk in chunks]
    for row, own in enumerate(own_terms):
        for column, term in enumerate(wanted):
            if places := own.places.get(term):
                said[[int(fact_starts[row]) + place for place in places], column] = 1.0
                times[row, column] = own.stated.get(term, 0)
    lengths = np.array([own.length for own in own_terms], dtype=float)
    frequency = (times > 0).sum(axis=0)
    norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
    words = (_idf(frequency, len(chunks)) * times / (times + norm[:, None])).sum(axis=1)
    return said, words


def _idf(document_frequency: Floats, documents: int) -> Floats:
    """As in Lucene's BM25."""
    result: Floats = np.log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))
    return result


# Of chunks that are kept for the next question; gone with them.
_TERMS: WeakKeyDictionary[PoolChunk, FactTerms] = WeakKeyDictionary()


def fact_terms(chunk: PoolChunk) -> FactTerms:
    """What the facts of a chunk say, as the word index would hold it; worked out once for a chunk."""
    known = _TERMS.get(chunk)
    if known is None:
        known = _TERMS[chunk] = _fact_terms(chunk)
    return known


def _fact_terms(chunk: PoolChunk) -> FactTerms:
    places: dict[str, list[int]] = defaultdict(list)
    stated: Counter[str] = Counter()
    for place, fact in enumerate(chunk.facts):
        said = terms(f"{fact.subject} {fact.predicate} {fact.object} {fact.when}", chunk.language)
        for term in dict.fromkeys(said):
            places[term].append(place)
        if fact.origin != "cooccurrence":
            stated.update(said)
    found = {term: tuple(at) for term, at in places.items()}
    return FactTerms(places=found, stated=stated, length=stated.total())
