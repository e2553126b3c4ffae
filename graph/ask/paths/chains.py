"""Chains: facts that share an end, from the subject of a question to its answer. Beam search over the fact graph.

A chain starts from one of the facts nearest to the question and goes on over the ends of its facts: to a fact of
another chunk, or to a second fact of a chunk that it has visited, which often says what the question asks for. Its
score sums up its facts: the question's words that they cover, the similarity of their sum to the question, the best
match for each piece of the question, the rarity of the shared ends, and the scores of their chunks. A path that is
shown is such a chain, unchanged. The weights were found by grid on some sets and judged on others
(docs/decisions/0015-chains-of-facts.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question
from filigraph.graph.tables.adjacency import Bools, Ints

MAX_START_FACTS = 40  # facts from which chains start
BEAM_WIDTH = 60  # chains of each length that are extended
MAX_EXTENSIONS = 10  # of each of them, the best
MAX_FACTS_PER_CHUNK = 2  # facts that a chain may take from one
MAX_FACTS_PER_END = 40  # tried as the next fact: the facts that fit the question best
NAMED_HUB_MAX_RARITY = (
    0.35  # rarity below which an entity of the question is not a link: every fact with it is a start already
)
CHUNK_TERM_WEIGHT = 0.3  # weight of a term that occurs in the chunk of a fact; a term of the fact itself counts 1

# What a chain's score is made of. Cosines and shares run from 0 to 1.
TERM_COVERAGE_WEIGHT = 1.5  # the share of the question's terms that its facts say
CHAIN_COSINE_WEIGHT = 1.0  # the cosine of the question with the sum of its facts
FACT_COSINE_WEIGHT = 0.5  # the mean cosine of its facts
SEGMENT_COSINE_WEIGHT = 1.0  # the mean over the question's pieces of the best cosine of a fact
LINK_RARITY_WEIGHT = 0.5  # the mean rarity of the shared ends
CHUNK_SCORE_WEIGHT = 0.6  # the mean score of its chunks, 0 for an average one and 1 for the best
EXTRA_HOP_COST = 0.1  # what each further hop costs


@dataclass(frozen=True, kw_only=True)
class FactChain:
    """Statements of the fact graph in the order in which they were joined: each shares an end with an earlier one."""

    facts: tuple[int, ...]
    score: float


@dataclass(frozen=True, kw_only=True, eq=False)
class _Beam:
    """k chains of one length, in columns."""

    facts: Ints  # (k, length)
    score: Floats  # (k,)
    terms: Floats  # (k, t) how far each term is covered
    vector: npt.NDArray[np.floating]  # (k, d) the sum of their facts
    pieces: Floats  # (k, s) best cosine with each piece of the question
    cosine: Floats  # (k,) the sum of the facts' own
    link: Floats  # (k,) the sum of the rarity of the shared ends
    chunk: Floats  # (k,) the sum of the chunks' scores

    def best(self, most: int) -> _Beam:
        """The best `most`, each set of facts once; ties in the order given."""
        order = np.argsort(-self.score, kind="stable")
        _, first = np.unique(np.sort(self.facts[order], axis=1), axis=0, return_index=True)
        best_rows = order[np.sort(first)[:most]]
        return _Beam(**{name: column[best_rows] for name, column in vars(self).items()})


def find_chains(
    graph: FactGraph,
    question: Question,
    chunk_scores: Floats,
    *,
    depth: int,
    starts: Bools | None = None,
    onward: bool = False,
) -> list[FactChain]:
    """Chains through 1 to `depth` chunks, of at most `depth` + 1 facts, best first. `chunk_scores` (n,): the score of
    each chunk by itself; `starts` (m,): the facts that may begin a chain, None: all. `onward`: only chains from subject
    to object, where each fact is about the object of the one before."""
    if not graph.states.any():
        return []
    fits = _question_fit(graph)
    worth = relative_to_best(chunk_scores)[graph.chunk]
    pieces = graph.pieces.astype(float)
    covers = np.maximum(graph.said, CHUNK_TERM_WEIGHT * graph.held[graph.chunk])
    stating = np.flatnonzero(graph.states if starts is None else graph.states & starts)
    first = stating[np.argsort(-fits[stating], kind="stable")[:MAX_START_FACTS]]
    beam = _Beam(
        facts=first[:, None],
        score=np.zeros(len(first)),
        terms=covers[first],
        vector=graph.vectors[first],
        pieces=pieces[first],
        cosine=graph.cosine[first],
        link=np.zeros(len(first)),
        chunk=worth[first],
    )
    beams = [_score_beam(beam, graph, question)]
    tried = _RankedFacts(graph, fits)
    for _ in range(depth):
        before = beams[-1].best(BEAM_WIDTH)
        chain, fact, link = _extensions(before, graph, tried, depth)
        if onward:
            follows = graph.ends[before.facts[chain, -1], 1] == graph.ends[fact, 0]
            chain, fact, link = chain[follows], fact[follows], link[follows]
        if not len(chain):
            break
        beam = _Beam(
            facts=np.concatenate([before.facts[chain], fact[:, None]], axis=1),
            score=np.zeros(len(chain)),
            terms=np.maximum(before.terms[chain], covers[fact]),
            vector=before.vector[chain] + graph.vectors[fact],
            pieces=np.maximum(before.pieces[chain], pieces[fact]),
            cosine=before.cosine[chain] + graph.cosine[fact],
            link=before.link[chain] + link,
            chunk=before.chunk[chain] + worth[fact],
        )
        beams.append(_best_of_each(_score_beam(beam, graph, question), chain).best(BEAM_WIDTH))
    chains = [
        FactChain(facts=tuple(facts), score=score)
        for beam in beams
        for facts, score in zip(beam.facts.tolist(), beam.score.tolist(), strict=True)
    ]
    return sorted(chains, key=lambda chain: -chain.score)  # stable: shorter ones first at a tie


def find_reasons(graph: FactGraph, question: Question, chunk_scores: Floats, *, depth: int) -> list[FactChain]:
    """Chains from subject to object that begin with a name of the question, best first. A reason is at the end of such
    a chain, in words that are not in the question, so these chains rank low among all chains."""
    lead_on = np.isin(graph.ends[:, 1], graph.ends[graph.states, 0])
    starts: Bools = graph.named[graph.ends[:, 0]] & lead_on
    return [
        chain
        for chain in find_chains(graph, question, chunk_scores, depth=depth, starts=starts, onward=True)
        if len(chain.facts) > 1
    ]


def _question_fit(graph: FactGraph) -> Floats:
    """(m,) how well each fact by itself fits the question: by meaning, by words, and by the names of the question."""
    best = float(graph.share.max(initial=0.0)) or 1.0
    named = np.where(graph.named, graph.rarity, 0.0)[graph.ends].max(axis=1)
    result: Floats = graph.cosine + 0.5 * graph.share / best + 0.15 * named
    return result


def relative_to_best(scores: Floats) -> Floats:
    """0 for an average chunk, 1 for the best."""
    above = scores - scores.mean()
    result: Floats = above / max(float(above.max()), 1e-9)
    return result


def _score_beam(beam: _Beam, graph: FactGraph, question: Question) -> _Beam:
    length = beam.facts.shape[1]
    together = (beam.vector @ question.vector) / np.maximum(np.linalg.norm(beam.vector, axis=1), 1e-6)
    score = (
        TERM_COVERAGE_WEIGHT * (beam.terms @ graph.weight)
        + CHAIN_COSINE_WEIGHT * together
        + FACT_COSINE_WEIGHT * beam.cosine / length
        + SEGMENT_COSINE_WEIGHT * beam.pieces.mean(axis=1)
        + LINK_RARITY_WEIGHT * beam.link / max(length - 1, 1)
        + CHUNK_SCORE_WEIGHT * beam.chunk / length
        - EXTRA_HOP_COST * (length - 1)
    )
    return _Beam(**{**vars(beam), "score": score})


class _RankedFacts:
    """For each entity the facts that lead on from it, the best first; sorted only when a chain reaches the entity."""

    def __init__(self, graph: FactGraph, fits: Floats) -> None:
        self._graph, self._fits = graph, fits
        self._sorted: dict[int, Ints] = {}

    def at(self, entity: int) -> Ints:
        known = self._sorted.get(entity)
        if known is None:
            known = self._sorted[entity] = self._best(entity)
        return known

    def _best(self, entity: int) -> Ints:
        graph, facts = self._graph, self._graph.facts_of.at(entity)
        if graph.named[entity] and graph.rarity[entity] < NAMED_HUB_MAX_RARITY:
            return facts[:0]
        return facts[np.argsort(-self._fits[facts], kind="stable")[:MAX_FACTS_PER_END]]


def _extensions(beam: _Beam, graph: FactGraph, tried: _RankedFacts, depth: int) -> tuple[Ints, Ints, Floats]:
    """(k,), (k,), (k,): which chain of the beam goes on, with which fact, over how rare an end."""
    begun, over, onward = [], [], []
    for number, ends in enumerate(graph.ends[beam.facts].reshape(len(beam.facts), 2 * beam.facts.shape[1]).tolist()):
        for entity in _free_ends(ends):
            begun.append(number)
            over.append(entity)
            onward.append(tried.at(entity))
    if not any(map(len, onward)):  # the chains have no free end, or only hubs that the question names
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0)
    counts = list(map(len, onward))
    chain, fact = np.repeat(np.array(begun, dtype=np.intp), counts), np.concatenate(onward)
    link = np.repeat(graph.rarity[over], counts)
    may_go = _may_continue(graph.chunk[beam.facts[chain]], graph.chunk[fact], depth)
    said_before = (graph.fact[beam.facts[chain]] == graph.fact[fact][:, None]).any(axis=1)
    known = graph.ends[beam.facts[chain]].reshape(len(chain), -1)
    back = (known[:, :, None] == graph.ends[fact][:, None, :]).any(axis=1).all(axis=1)  # both ends: a detour
    new = may_go & ~(said_before | back)
    chain, fact, link = chain[new], fact[new], link[new]
    order = np.lexsort((-link, fact, chain))  # over two ends to one fact: the rarer end
    chain, fact, link = chain[order], fact[order], link[order]
    once = np.ones(len(chain), dtype=bool)
    once[1:] = (chain[1:] != chain[:-1]) | (fact[1:] != fact[:-1])
    return chain[once], fact[once], link[once]


def _may_continue(chunks: Ints, chunk: Ints, depth: int) -> Bools:
    """(k,) whether chains through `chunks` (k, length) may go on to `chunk` (k,): to a new chunk if they have fewer
    than `depth`, or once more to one of their own."""
    here = (chunks == chunk[:, None]).sum(axis=1)
    passed = 1 + (np.diff(np.sort(chunks, axis=1), axis=1) != 0).sum(axis=1)
    result: Bools = np.where(here > 0, here < MAX_FACTS_PER_CHUNK, passed < depth)
    return result


def _free_ends(ends: Sequence[int]) -> list[int]:
    """The ends of its facts at which a chain may go on: those that it does not pass through."""
    return sorted(entity for entity in set(ends) if ends.count(entity) == 1)


def _best_of_each(beam: _Beam, chain: Ints) -> _Beam:
    """The best MAX_EXTENSIONS of each extended chain; `chain` (k,) is the index of the chain that each row extends."""
    order = np.lexsort((-beam.score, chain))
    starts = np.searchsorted(chain[order], chain[order])
    best_rows = order[np.arange(len(order)) - starts < MAX_EXTENSIONS]
    return _Beam(**{name: column[best_rows] for name, column in vars(beam).items()})


def best_chain_of_chunks(chains: Sequence[FactChain], graph: FactGraph, chunks: int) -> Floats:
    """(chunks,) the score of the best chain through each chunk; a little less than the worst where none goes."""
    best = np.full(chunks, -np.inf)
    for chain in chains:
        rows = graph.chunk[list(chain.facts)]
        best[rows] = np.maximum(best[rows], chain.score)
    reached = np.isfinite(best)
    worst = float(best[reached].min()) if reached.any() else 0.0
    result: Floats = np.where(reached, best, worst - 0.3)
    return result
