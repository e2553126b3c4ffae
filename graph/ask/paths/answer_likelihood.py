"""The answer likelihood of a fact: whether it answers the question, not only resembles it.

A fact near to the question often repeats it; the fact that answers says something new about a named person or thing. A
logistic regression over eight numbers of a fact, learned from gold chains of question sets
(`bench.training.narrative_ranker`), with provenance in `narrative_ranker.json`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache

import numpy as np

from filigraph.graph.ask.explore.pool import Pool
from filigraph.graph.ask.paths.fact_graph import FactGraph
from filigraph.graph.ask.weights import read_weights
from filigraph.graph.model.arrays import Floats
from filigraph.graph.model.retrieval import Question
from filigraph.graph.tables.adjacency import Ints
from filigraph.graph.text.names.parse import is_proper
from filigraph.graph.text.words import terms

FACT_INPUTS = (
    "chunk",  # score of its chunk, in deviations
    "first_segment",  # cosine with the question's first piece, in deviations over all pieces and facts
    "proper_subject",  # 1 for a proper name
    "proper_object",
    "rare_object",  # 0 for an entity that every chunk mentions, 1 for one that a single chunk does
    "frequent_subject",  # log of 1 + the facts it is an end of
    "new_subject",  # the share of its terms that are not in the question; 0.5 without terms
    "new_predicate",
)


@cache
def learned_weights() -> Mapping[str, float]:
    """What each of FACT_INPUTS adds to the logit."""
    data = read_weights("narrative_ranker")
    weights: Mapping[str, float] = data["facts"]
    return weights


def answer_likelihood(
    facts: Ints, graph: FactGraph, pool: Pool, question: Question, chunk_scores: Floats, weights: Mapping[str, float]
) -> Floats:
    """(k,) the odds of each fact divided by those of the likeliest fact, which has 1."""
    if not len(facts):
        return np.zeros(0)
    logit = fact_inputs(facts, graph, pool, question, chunk_scores) @ [weights[name] for name in FACT_INPUTS]
    result: Floats = np.exp(logit - logit.max())
    return result


def fact_inputs(facts: Ints, graph: FactGraph, pool: Pool, question: Question, chunk_scores: Floats) -> Floats:
    """(k, 8) FACT_INPUTS of the facts. `chunk_scores` (n,) are those of all chunks."""
    score = (chunk_scores - chunk_scores.mean()) / (chunk_scores.std() + 1e-9)
    first = (graph.pieces[:, 0] - graph.pieces.mean()) / (graph.pieces.std() + 1e-9)
    ends_in = np.log1p(np.bincount(graph.ends.ravel(), minlength=len(graph.rarity)))
    question_terms = frozenset(question.terms)
    pool_facts = [pool.facts[fact] for fact in facts]
    languages = [pool.chunks[row].language for row in graph.chunk[facts]]
    subject, object_ = graph.ends[facts].T
    columns = (
        score[graph.chunk[facts]],
        first[facts],
        [_proper(fact.subject) for fact in pool_facts],
        [_proper(fact.object) for fact in pool_facts],
        graph.rarity[object_],
        ends_in[subject],
        [
            _share_of_new_terms(fact.subject, language, question_terms)
            for fact, language in zip(pool_facts, languages, strict=True)
        ],
        [
            _share_of_new_terms(fact.predicate, language, question_terms)
            for fact, language in zip(pool_facts, languages, strict=True)
        ],
    )
    return np.column_stack([np.asarray(column, dtype=float) for column in columns])


# The same names come with many questions.
_proper = lru_cache(maxsize=10_000)(is_proper)


@lru_cache(maxsize=10_000)
def _terms(text: str, language: str) -> frozenset[str]:
    return frozenset(terms(text, language))


def _share_of_new_terms(text: str, language: str, question_terms: Collection[str]) -> float:
    new_terms = _terms(text, language)
    return sum(term not in question_terms for term in new_terms) / len(new_terms) if new_terms else 0.5
