"""Asking on the real Neo4j: the walk finds what no passage says, shows its way, and is kept against a reranker."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterator, Sequence

import pytest
from neo4j import GraphDatabase

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.adapters.scripted import ScriptedLLM
from filigraph.graph.engine import AskSettings, ask, retrieve
from filigraph.graph.errors import InputError, LLMUnavailable
from filigraph.graph.model import Trace
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from tests.making import DIMENSIONS, source, word_embedder
from tests.runs.test_pipeline import TEXTS, triples

QUESTION = "Why be wary of Jules Delmas?"
FILLER = {f"note{n}.txt": f"Note {n}. Be wary of the weather on day {n}; why it rains nobody knows." for n in range(30)}


@pytest.fixture(scope="module")
def case(store: Store) -> Iterator[Graph]:
    """The case of the ring among thirty notes that share words with the question."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    store.create_workspace(name, fingerprint="words-64", dimensions=DIMENSIONS)
    graph = store.graph(name)
    texts = {**TEXTS, **FILLER}
    sources = [source(name, text) for name, text in texts.items()]
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=triples(graph))
    yield graph
    store.delete_workspace(name)


def find(graph: Graph, question: str = QUESTION, **settings: object):  # type: ignore[no-untyped-def]
    return retrieve(question, graph=graph, embedder=word_embedder(), settings=AskSettings(**settings))


def test_the_walk_finds_the_thieves_and_vector_search_does_not(case: Graph) -> None:
    walked, alone = find(case, keep=5), find(case, keep=5, method="dense")
    assert any("society of thieves" in evidence.text for evidence in walked.evidence)
    assert not any("society of thieves" in evidence.text for evidence in alone.evidence)


def test_the_path_is_shown_hop_by_hop_with_its_sentences(case: Graph) -> None:
    path = next(path for path in find(case).paths if path.text.endswith("society of thieves"))
    assert [hop.kind for hop in path.hops] == ["fact", "fact", "fact"]
    assert [hop.predicate for hop in path.hops] == ["wears", "is the emblem of", "is"]
    assert path.hops[2].sentence == "The police say that The Claw is a society of thieves."


def test_the_cypher_of_a_path_draws_it(case: Graph, neo4j_address: Neo4jAddress) -> None:
    path = next(path for path in find(case).paths if path.text.endswith("society of thieves"))
    login = (neo4j_address.username, neo4j_address.password)
    with GraphDatabase.driver(neo4j_address.uri, auth=login) as driver, driver.session() as session:
        drawn = session.run(path.cypher).graph()
    assert len(drawn.relationships) >= 3


def test_the_same_question_gives_the_same_evidence(case: Graph) -> None:
    first, second = find(case), find(case)
    assert first.evidence == second.evidence
    assert first.paths == second.paths


class Contrary:
    """A cross-encoder that likes anything better than what the graph says."""

    name = "contrary"

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.01 if "Claw" in text or "ring" in text else 0.9 for text in texts]


def test_the_graph_s_evidence_stays_although_the_reranker_scores_it_lowest(case: Graph) -> None:
    kept = retrieve(QUESTION, graph=case, embedder=word_embedder(), reranker=Contrary()).evidence
    thieves = next(evidence for evidence in kept if evidence.kind == "chunk" and "thieves" in evidence.text)
    assert thieves.kept_by == "graph"
    assert thieves.rerank_score == pytest.approx(0.01)


def test_the_trace_tells_every_step(case: Graph) -> None:
    trace: Trace = ask(QUESTION, graph=case, embedder=word_embedder()).trace
    steps = {step.name: step for step in trace.steps}
    assert list(steps) == ["embed", "search", "walk", "rank", "rerank", "compose", "generate"]
    assert all(step.milliseconds >= 0 for step in trace.steps)
    assert {"vector", "keyword", "facts", "link"} <= steps["search"].outputs.keys()
    assert steps["rerank"].inputs["reranker"].startswith("none")
    assert "walk" in steps["rerank"].outputs["tally"]


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_no_path_is_longer_than_the_depth(case: Graph, depth: int) -> None:
    paths = find(case, depth=depth).paths
    assert max(len(path.hops) for path in paths) <= depth


def test_without_an_llm_it_says_passages_not_an_answer(case: Graph) -> None:
    answer = ask(QUESTION, graph=case, embedder=word_embedder())
    assert not answer.generated
    assert "passages, not an answer" in answer.text.casefold()
    assert "ollama pull mistral" in answer.text


def test_with_an_llm_it_answers_and_cites(case: Graph) -> None:
    llm = ScriptedLLM({"Jules": "Jules wears the ring of The Claw, a society of thieves [1]. Ask Baron Zorn."})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm)
    assert answer.generated
    assert answer.citations
    assert "Zorn" in " ".join(answer.unsupported_names)


def test_when_the_llm_is_down_the_passages_come_with_the_cause(case: Graph) -> None:
    llm = ScriptedLLM({"": LLMUnavailable("Ollama does not answer.", cure="Start it: ollama serve.")})
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), llm=llm)
    assert not answer.generated
    assert answer.citations
    assert answer.missing == "Ollama does not answer. Start it: ollama serve."


def test_compare_answers_from_vector_search_alone_as_well(case: Graph) -> None:
    answer = ask(QUESTION, graph=case, embedder=word_embedder(), settings=AskSettings(compare=True))
    assert answer.vector_only is not None
    assert answer.vector_only.paths == ()


@pytest.mark.parametrize("question", ["", "  \n", "word " * 10_001])
def test_a_question_that_is_none_is_refused(case: Graph, question: str) -> None:
    with pytest.raises(InputError) as refused:
        find(case, question)
    assert refused.value.cure


@pytest.mark.parametrize(
    "question",
    ["foo~ AND (", '+-&&||!(){}[]^"~*?:\\/', "Кто такой Жюль?", "谁是朱尔?", "the of and", "🙂", "Jules " * 3000],
)
def test_any_other_question_gets_an_answer(case: Graph, question: str) -> None:
    assert dataclasses.is_dataclass(find(case, question))


def test_an_empty_workspace_has_nothing_to_say(graph: Graph, store: Store) -> None:
    name = f"test-{uuid.uuid4().hex[:12]}"
    store.create_workspace(name, fingerprint="words-64", dimensions=DIMENSIONS)
    answer = ask(QUESTION, graph=store.graph(name), embedder=word_embedder())
    store.delete_workspace(name)
    assert answer.citations == ()
    assert answer.text
