"""Reading with an LLM, on the real Neo4j: who says so, what is kept, what is asked again and what is not."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence

import pytest

from filigraph.graph.adapters.scripted import ScriptedLLM
from filigraph.graph.engine import retrieve
from filigraph.graph.extract_llm import LLMExtractor
from filigraph.graph.model import Source
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from tests.making import DIMENSIONS, word_embedder
from tests.store.world import empty

Row = Sequence[object]  # sentence, subject, predicate, object, according to


def reply(*facts: Row, implied: Sequence[Row] = ()) -> str:
    keys = ("n", "s", "p", "o", "by")
    given, concluded = ([dict(zip(keys, [*row, ""], strict=False)) for row in rows] for rows in (facts, implied))
    return json.dumps({"names": {}, "facts": given, "implied": concluded})


@pytest.fixture(scope="module")
def name(store: Store) -> Iterator[str]:
    """A workspace that each test finds empty: making its indexes takes longer than a test."""
    made = f"test-{uuid.uuid4().hex[:12]}"
    store.create_workspace(made, fingerprint="words-64", dimensions=DIMENSIONS)
    yield made
    store.delete_workspace(made)


@pytest.fixture
def graph(store: Store, name: str) -> Graph:
    empty(store, name)
    return store.graph(name)


def letter(name: str, text: str, date: str = "") -> Source:
    return Source(name=name, content=text.encode(), metadata={"date": date} if date else {})


def read(graph: Graph, llm: ScriptedLLM, *sources: Source, **more: object):  # type: ignore[no-untyped-def]
    return ingest(sources, graph=graph, embedder=word_embedder(), extractor=LLMExtractor(llm), **more)


# --------------------------------------------------------------------------------------------------------------------
# Who says so

WITNESSES = {
    "Ann saw it": reply([1, "Jules Delmas", "was in", "Lyon", "Ann"]),
    "Paul swears": reply([1, "Jules Delmas", "was in", "Paris", "Paul"]),
    "ring of the Claw": reply(implied=[[[1, 2], "Jules Delmas", "is member of", "the Claw"]]),
}
LETTERS = [
    letter("ann.txt", "Ann saw it: Jules Delmas was in Lyon that night.", "1912-03-04"),
    letter("paul.txt", "Paul swears that Jules Delmas was in Paris that night.", "Tue, 05 Mar 1912 10:00:00 +0100"),
    letter("ring.txt", "Jules Delmas wears the ring of the Claw. Only its members wear that ring."),
]


def test_a_path_says_according_to_whom_and_when_and_contradictions_stand_side_by_side(graph: Graph) -> None:
    read(graph, ScriptedLLM(WITNESSES), *LETTERS)
    found = retrieve("Where was Jules Delmas that night?", graph=graph, embedder=word_embedder())
    hops = [hop for path in found.paths for hop in path.hops]
    assert {(hop.object, hop.according_to, hop.date) for hop in hops if hop.predicate == "was in"} == {
        ("Lyon", "Ann", "1912-03-04"),
        ("Paris", "Paul", "1912-03-05"),
    }
    texts = " / ".join(path.text for path in found.paths)
    assert "Jules Delmas was in Lyon (according to Ann)" in texts
    assert "Jules Delmas was in Paris (according to Paul)" in texts


def test_an_implied_fact_shows_the_sentences_it_follows_from(graph: Graph) -> None:
    read(graph, ScriptedLLM(WITNESSES), *LETTERS)
    found = retrieve("Is Jules Delmas a member of the Claw?", graph=graph, embedder=word_embedder())
    hop = next(hop for path in found.paths for hop in path.hops if hop.predicate == "is member of")
    assert hop.implied
    assert hop.sentence == "Jules Delmas wears the ring of the Claw."
    assert hop.premises == ("Only its members wear that ring.",)
