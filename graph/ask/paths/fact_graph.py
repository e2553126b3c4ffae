"""The fact graph of a question: the terms of a pool's facts, the entities that they join, and the chunks that say them.

Everything is an array over three kinds of things: m statements (a fact as one chunk says it), n chunks and e entities.
`chains.py` walks it, `graph_scores.py` lets scores flow through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.model.arrays import Floats, Matrix
from filigraph.graph.model.retrieval import Question
from filigraph.graph.tables.adjacency import Bools, Ints, Rows

K1, B = 1.2, 0.75  # BM25, as in Lucene


@dataclass(frozen=True, kw_only=True, eq=False)
class FactGraph:
    """m statements, n chunks, e entities, t terms of the question."""

    chunk: Ints  # (m,) the row of the chunk that says it
    fact: Ints  # (m,) the same number for the same fact in several chunks
    ends: Ints  # (m, 2) subject and object
    states: Bools  # (m,) it says more than that two names share a sentence
    vectors: Matrix  # (m, d)
    cosine: Floats  # (m,) with the question
    pieces: Matrix  # (m, s) with each piece of the question
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
    n, entity_rows = len(pool.chunks), pool.layout.entity_rows
    everywhere = max(question.chunks_in_workspace, n)
    stated, words = _stated_terms(pool, sorted(set(question.terms)))
    held = pool.terms.astype(float)
    document_frequency = held.sum(axis=0)
    idf = np.where(document_frequency > 0, _idf(document_frequency, n), 0.0)
    weight = idf / (idf.sum() or 1.0)
    named = np.zeros(len(entity_rows.number), dtype=bool)
    named[[entity_rows.number[id_] for id_ in question.entities if id_ in entity_rows.number]] = True
    return FactGraph(
        chunk=entity_rows.chunk,
        fact=entity_rows.fact,
        ends=entity_rows.ends,
        states=entity_rows.states,
        vectors=pool.layout.fact_vectors,
        cosine=pool.fact_cosine,
        pieces=pool.layout.fact_vectors @ question.segments.T,
        said=stated,
        share=stated @ weight,
        rarity=np.log((everywhere + 1) / entity_rows.mentions) / np.log(everywhere + 1),
        named=named,
        chunks_of=entity_rows.chunks_of,
        facts_of=entity_rows.facts_of,
        held=held,
        weight=weight,
        words=words,
    )


def _stated_terms(pool: Pool, wanted: Sequence[str]) -> tuple[Floats, Floats]:
    """(m, t) 1 where a fact contains a term; (n,) BM25 over the facts of each chunk, without cooccurrences."""
    layout = pool.layout
    stated = np.zeros((len(layout.facts), len(wanted)))
    times = np.zeros((len(layout.chunks), len(wanted)))
    for column, hits in enumerate(layout.term_facts(wanted)):
        stated[hits.facts, column] = 1.0
        times[hits.rows, column] = hits.times
    frequency = (times > 0).sum(axis=0)
    lengths = layout.fact_term_counts
    norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
    words = (_idf(frequency, len(layout.chunks)) * times / (times + norm[:, None])).sum(axis=1)
    return stated, words


def _idf(document_frequency: Floats, documents: int) -> Floats:
    """As in Lucene's BM25."""
    result: Floats = np.log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))
    return result
