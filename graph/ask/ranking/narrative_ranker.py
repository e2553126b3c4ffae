"""The narrative ranker: how well each chunk of a pool answers, by itself and with the graph.

Six numbers a chunk, each brought to mean 0 and deviation 1 over the pool, so that no embedder's scale matters, and
compared with chunks of the same language, since a question's words and vector favour its own. They make one sum with
learned weights (`narrative_ranker.json`, made by `bench.training.narrative_ranker`); facts and the graph count less if
there are few facts, meaning counts more if there are few chunks. The first five numbers guide the search of chains,
which gives the sixth. If documents are known by their titles and name each other, as in encyclopedias, the hop ranker
(`hop_ranker.py`) is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.chains import FactChain, best_chain_of_chunks, find_chains
from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.ask.ranking.graph_scores import complement_scores, pagerank_scores
from filigraph.graph.ask.weights import read_weights
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question

INPUTS = (
    "words",  # BM25 over the text + BM25 over what its facts say
    "meaning",  # cosine with the question
    "segment",  # best cosine of a sentence with a piece of the question
    "complement",  # what facts of other chunks add about its entities
    "flow",  # log of its share of the flow from the question's facts and names
    "chain",  # score of the best chain through it
)
GRAPH = frozenset({"complement", "flow", "chain"})
DENSE_FACTS_PER_CHUNK = 6.0  # facts a chunk from which on they count in full; LLMs read 8 to 15, spaCy 1 or 2
SPARSE_EXPONENT = 4  # below DENSE_FACTS_PER_CHUNK, facts count by this power of the share of DENSE_FACTS_PER_CHUNK
FEW_CHUNKS = 12  # chunks of a pool: with so few, none is near the question by chance, so meaning counts more
PRIOR_CHUNKS_PER_LANGUAGE = (
    4  # average chunks added to those of each language: a single one is not compared with itself
)
FEW_CHUNKS_MEANING_BONUS = (
    0.4  # added to the weight of meaning in a pool of FEW_CHUNKS chunks; a quarter of it in one twice as large
)


@dataclass(frozen=True, kw_only=True)
class NarrativeRanker:
    """A sum over INPUTS, and the logistic curve that makes it a probability (Platt 1999)."""

    weights: Mapping[str, float]
    slope: float
    offset: float

    def probability(self, score: Floats) -> Floats:
        result: Floats = 1 / (1 + np.exp(-(self.slope * score + self.offset)))
        return result


@cache
def learned_ranker() -> NarrativeRanker:
    """The weights that come with Filigraph: they hold for any embedder, since no input has the embedder's scale."""
    data = read_weights("narrative_ranker")
    return NarrativeRanker(**data["chunks"])


@dataclass(frozen=True, kw_only=True, eq=False)
class RankedChunks:
    """The chunks' scores (n,), as probabilities too, and the chains, best first."""

    score: Floats
    probability: Floats
    chains: list[FactChain]


def score_chunks(
    pool: Pool, graph: FactGraph, question: Question, learned: NarrativeRanker, *, depth: int
) -> RankedChunks:
    """Score every chunk and search the chains of up to `depth` facts."""
    columns, chains = inputs(pool, graph, question, learned, depth=depth)
    score = _weighted_sum(columns, learned, pool, graph_trust(graph, len(pool.chunks)))
    return RankedChunks(score=score, probability=learned.probability(score), chains=chains)


def inputs(
    pool: Pool, graph: FactGraph, question: Question, learned: NarrativeRanker, *, depth: int
) -> tuple[dict[str, Floats], list[FactChain]]:
    """INPUTS of each chunk by name, each (n,), and the chains, best first. The first inputs determine where the flow
    starts and which chains are extended."""
    trusted = graph_trust(graph, len(pool.chunks))
    columns = own_inputs(pool, graph, question, trusted)
    columns["flow"] = np.log(pagerank_scores(graph, _weighted_sum(columns, learned, pool, trusted)) + 1e-9)
    chains = find_chains(graph, question, _weighted_sum(columns, learned, pool, trusted), depth=depth)
    columns["chain"] = best_chain_of_chunks(chains, graph, len(pool.chunks))
    return columns, chains


def own_inputs(pool: Pool, graph: FactGraph, question: Question, trusted: float) -> dict[str, Floats]:
    """The inputs of each chunk that need neither the flow nor chains, by name, each (n,). `trusted`: `graph_trust`."""
    text = np.array([question.words.get(chunk.id, 0.0) for chunk in pool.chunks])
    pieces = np.maximum.reduceat(pool.layout.sentences @ question.segments.T, pool.layout.sentence_starts, axis=0)
    return {
        "words": text + trusted * graph.words,
        "meaning": pool.dense,
        "segment": pieces.max(axis=1).astype(float),
        "complement": complement_scores(graph, len(pool.chunks)),
    }


def graph_trust(graph: FactGraph, chunks: int) -> float:
    """The weight of facts, 0 to 1: few facts only separate the chunks that have some from the rest."""
    return min(1.0, int(graph.states.sum()) / chunks / DENSE_FACTS_PER_CHUNK) ** SPARSE_EXPONENT


def near_weight(chunks: int) -> float:
    """The amount by which the weight of meaning is raised in a pool of so many chunks."""
    return FEW_CHUNKS_MEANING_BONUS * min(1.0, FEW_CHUNKS / chunks) ** 2


def _weighted_sum(inputs: Mapping[str, Floats], learned: NarrativeRanker, pool: Pool, graph: float) -> Floats:
    """The weighted sum; vectors count as far as the embedder knows the language, the graph by `graph_trust`."""
    trust, languages = pool.trust, [chunk.language for chunk in pool.chunks]
    trusted = {"meaning": trust, "segment": trust} | dict.fromkeys(GRAPH, graph)
    weights = {**learned.weights, "meaning": learned.weights["meaning"] + near_weight(len(inputs["meaning"]))}
    parts = [
        trusted.get(name, 1.0) * weights[name] * standardized(column, languages) for name, column in inputs.items()
    ]
    total: Floats = np.sum(parts, axis=0)
    return total


def standardized(column: Floats, languages: Sequence[str]) -> Floats:
    """(n,) mean 0 and deviation 1, from the mean of the chunks in the same language; all 0 where all are the same."""
    result: Floats = (column - column.mean()) / (column.std() + 1e-9)
    _, group = np.unique(languages, return_inverse=True)
    means = np.bincount(group, weights=result) / (np.bincount(group) + PRIOR_CHUNKS_PER_LANGUAGE)
    return result - means[group]
