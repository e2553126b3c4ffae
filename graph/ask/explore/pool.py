"""The pool of a question as arrays: what the walk scores and the ranking sorts, and how its chunks were reached."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from filigraph.graph.ask.explore.layout import Layout
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import PoolChunk, PoolFact, Question, Trail
from filigraph.graph.text.words import fold

Number = TypeVar("Number", float, Floats)

TITLE = ""  # the link of a title hop
NO_FACT_PENALTY = 0.5  # a chunk or hop without a fact scores so much less than the question's best fact

HOP_FEATURES = (
    "fact",  # cosine of the leading fact - the best of the pool
    "title link",  # the text names the title of the next document
    "title link back",
    "entity",  # idf of the rarest shared entity / 10
    "start",  # first-hop score of where the trail begins
    "terms of both",  # share of the question's terms that either chunk holds
    "new terms",  # share that only the second one adds
    "joint",  # cosine of question + leading fact with the next chunk
    "joint sentence",  # the same with its best sentence
    "joint fact",  # cosine of the question with the leading fact + the next chunk's best fact - the best of the pool
    "hops",  # how many lead there
    "hop",  # all of the above in one score: the best trail to a chunk is the one with the highest
)
NOT_REACHED = (-0.5, 0.0, 0.0, 0.0, -3.0, 0.0, 0.0, -0.3, -0.3, -0.5, 0.0, -2.0)
HOP = HOP_FEATURES.index("hop")


@dataclass(frozen=True, kw_only=True, eq=False)
class Pool:
    """n chunks, the m facts they support in the order of the chunks, and how each chunk by itself matches the question.

    First-hop score (`first`): the measured sum of meaning, words and a named title (docs/decisions/0007-hop-ranker.md).
    """

    layout: Layout  # what is the same for every question
    chunks: tuple[PoolChunk, ...]  # this and the next two: the layout's, which everything reads
    row: Mapping[str, int]  # chunk id -> row
    facts: tuple[PoolFact, ...]
    fact_cosine: Floats  # (m,)
    best_fact: float  # the best of them, 0 without facts
    dense: Floats  # (n,) cosine with the question
    words: Floats  # BM25 / best BM25
    fact: Floats  # best fact's cosine - best_fact
    title: Floats  # 1 where the question names the document's title
    entities: Floats  # sum of the idf of the question's entities in it / 10, at most 3
    first: Floats  # first-hop score - the best of the pool
    sentence: Floats  # best cosine of a sentence
    segment: Floats  # best cosine with a segment of the question
    terms: npt.NDArray[np.bool_]  # (n, t): which of the question's terms occur in it
    term_weight: Floats  # (t,), their sum is 1
    trust: float  # in vectors, 0..1

    @property
    def term_coverage(self) -> Floats:
        """(n,) weighted share of the question's terms that occur in each chunk."""
        share: Floats = self.terms @ self.term_weight
        return share

    def chunks_with(self, entity_ids: Collection[str]) -> set[str]:
        """The ids of the chunks that mention any of these entities."""
        return {chunk.id for chunk in self.chunks if any(entity.entity_id in entity_ids for entity in chunk.entities)}

    def facts_at(self, row: int) -> range:
        """Where the facts of a chunk are."""
        starts = self.layout.fact_starts
        return range(int(starts[row]), int(starts[row + 1]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Walked:
    """How the chunks of a pool were reached.

    The ranking reads `hops` and `trails`: the trail with the fewest hops to each chunk, and of these the best. `rounds`
    also holds the best trail of every greater length: the walk continues from them.
    """

    hops: Floats  # (n, 12), NOT_REACHED where no hop leads to a chunk
    trails: Mapping[int, Trail] = field(default_factory=dict)  # by row
    rounds: tuple[Mapping[int, tuple[float, Trail]], ...] = ()  # of each hop after the first: row -> (score, trail)


def build_pool(chunks: Iterable[PoolChunk], question: Question) -> Pool:
    """A pool of chunks, laid out for the walk. At least one chunk."""
    return pool_of(Layout.of(chunks), question)


def pool_of(layout: Layout, question: Question) -> Pool:
    ordered, facts = layout.chunks, layout.facts
    fact_cosine = (layout.fact_vectors @ question.vector).astype(float)
    best_fact = float(fact_cosine.max(initial=0.0)) if facts else 0.0
    dense = (layout.vectors @ question.vector).astype(float)
    words = np.zeros(len(ordered))
    for id_, score in relative_scores(question.words).items():
        if id_ in layout.row:
            words[layout.row[id_]] = score
    title = np.zeros(len(ordered))
    title[[layout.first_row[document] for document in question.titles if document in layout.first_row]] = 1.0
    first = first_hop_score(dense, words, title, question.trust)
    wanted = sorted(set(question.terms))
    terms = np.zeros((len(ordered), len(wanted)), dtype=bool)
    for column, rows in enumerate(layout.rows_holding(wanted)):
        terms[rows, column] = True
    weight = np.log(1 + len(ordered) / (1 + terms.sum(axis=0)))
    return Pool(
        layout=layout,
        chunks=ordered,
        row=layout.row,
        facts=facts,
        fact_cosine=fact_cosine,
        best_fact=best_fact,
        dense=dense,
        words=words,
        fact=max_of_each(fact_cosine[None], layout.fact_starts, best_fact - NO_FACT_PENALTY)[0] - best_fact,
        title=title,
        entities=_entity_scores(layout, question),
        first=first - first.max(),
        sentence=np.maximum.reduceat(layout.sentences @ question.vector, layout.sentence_starts).astype(float),
        segment=(layout.vectors @ question.segments.T).max(axis=1).astype(float),
        terms=terms,
        term_weight=weight / (weight.sum() or 1.0),
        trust=question.trust,
    )


def relative_scores(words: Mapping[str, float]) -> dict[str, float]:
    """BM25 / best BM25 of each chunk that words found."""
    best = max(words.values(), default=0.0) or 1.0
    return {id_: score / best for id_, score in words.items()}


def first_hop_score(dense: Number, words: Number, title: Number, trust: float) -> Number:
    """How good a chunk is as a start of the walk: by meaning, by words, and by a title that the question names."""
    return 2 * trust * dense + 0.7 * words + 0.5 * title


def max_of_each(values: Floats, starts: npt.NDArray[np.intp], default: float) -> Floats:
    """(k, n): for each chunk the maximum of columns `starts[i]:starts[i + 1]` of `values` (k, m); `default` if it has
    none."""
    count = len(starts) - 1
    if not values.shape[1]:
        return np.full((len(values), count), default)
    padded = np.concatenate([values, np.full((len(values), 1), -np.inf)], axis=1)
    most = np.maximum.reduceat(padded, starts[:-1], axis=1)
    result: Floats = np.where(np.diff(starts) > 0, most, default)
    return result


def _entity_scores(layout: Layout, question: Question) -> Floats:
    """(n,) the score of each chunk for the entities of the question that it mentions."""
    entity_ids, worth = question.entities, np.zeros(len(layout.chunks))
    for row in {row for id_ in entity_ids for row in layout.rows_of.get(id_, ())}:
        named = (e.chunks for e in layout.chunks[row].entities if e.entity_id in entity_ids)
        worth[row] = min(sum(map(question.idf, named)) / 10, 3.0)
    return worth


folded = lru_cache(maxsize=20_000)(fold)  # of names: a question compares each many times
