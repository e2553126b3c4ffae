"""The answer likelihood of a fact distinguishes the fact that answers from the one that repeats the question."""

from __future__ import annotations

import numpy as np

from filigraph.graph.ask.explore.pool import build_pool
from filigraph.graph.ask.paths.answer_likelihood import FACT_INPUTS, answer_likelihood, fact_inputs, learned_weights
from filigraph.graph.ask.paths.fact_graph import fact_graph
from tests.unit.graph.making import asking, chunk

QUESTION = asking("Who may lead the gang?", entities={"gang": 2})
CHUNKS = [
    chunk(
        "report",
        "The gang meets. Anna Roux pays the gang.",
        facts=[("gang", "leads", "gang", 0.9), ("Anna Roux", "pays", "Victor Hale", 0.4), ("gang", "has", "van", 0.4)],
    ),
    chunk("weather", "It rains.", facts=[("gang", "sees", "rain", 0.2)]),
]
POOL = build_pool(CHUNKS, QUESTION)
GRAPH = fact_graph(POOL, QUESTION)
ALL = np.arange(GRAPH.size)
SCORES = np.array([1.0, 0.0])


def column(name: str) -> list[float]:
    found = fact_inputs(ALL, GRAPH, POOL, QUESTION, SCORES)
    return [round(x, 3) for x in found[:, FACT_INPUTS.index(name)].tolist()]


def test_new_is_what_the_question_does_not_say() -> None:
    assert column("new_subject") == [0.0, 1.0, 0.0, 0.0]
    assert column("new_predicate") == [0.0, 1.0, 1.0, 1.0]


def test_proper_names_are_told_by_how_they_are_written() -> None:
    assert column("proper_subject") == [0.0, 1.0, 0.0, 0.0]
    assert column("proper_object") == [0.0, 1.0, 0.0, 0.0]


def test_a_subject_of_many_facts_is_frequent() -> None:
    gang, anna = column("frequent_subject")[0], column("frequent_subject")[1]
    assert gang > anna > 0


def test_a_fact_counts_with_its_chunk() -> None:
    assert column("chunk") == [1.0, 1.0, 1.0, -1.0]


def test_the_fact_that_says_something_new_of_somebody_is_the_likeliest() -> None:
    likelihood = answer_likelihood(ALL, GRAPH, POOL, QUESTION, SCORES, learned_weights())
    assert likelihood.argmax() == 1
    assert likelihood.max() == 1.0
    assert likelihood.min() > 0.0


def test_no_fact_no_likelihood() -> None:
    none = answer_likelihood(ALL[:0], GRAPH, POOL, QUESTION, SCORES, learned_weights())
    assert none.shape == (0,)


def test_every_input_has_a_weight() -> None:
    assert list(learned_weights()) == list(FACT_INPUTS)
