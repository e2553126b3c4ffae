"""The whole graph by weight, the facts between two entities, and dated facts, on the real Neo4j."""

from __future__ import annotations

import pytest

from filigraph.graph import ids
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.conftest import World

TEXTS = {
    "a.txt": "In March 1912 Jules Delmas met Clara Vane in Lyon. Jules Delmas hates Paul Brun and always did.",
    "b.txt": "Jules Delmas was born in Lyon on 4 May 1889, the papers say. The number 1500 is no year of Clara Vane.",
}
TRIPLES = {
    "a.txt": [("Jules Delmas", "met", "Clara Vane"), ("Jules Delmas", "hates", "Paul Brun")],
    "b.txt": [("Jules Delmas", "was born in", "Lyon")],
}


@pytest.fixture(scope="module")
def graph(world: World) -> Graph:
    made = world.fresh()
    triples = {ids.document_id(made.workspace.name, name): rows for name, rows in TRIPLES.items()}
    sources = [source(name, text) for name, text in TEXTS.items()]
    ingest(sources, graph=made, embedder=word_embedder(), extractor=TripleExtractor(triples))
    return made


def test_the_heaviest_come_first_and_what_is_left_out_is_counted(graph: Graph) -> None:
    all_of_it = graph.whole(entities=9, facts=9)
    assert all_of_it.entities[0].name == "Jules Delmas"
    assert (
        (len(all_of_it.entities), len(all_of_it.facts)) == (4, 3) == (all_of_it.total_entities, all_of_it.total_facts)
    )
    assert {row.relation for row in all_of_it.facts} >= {"IS_BORN_IN", "RELATED_TO"}
    some = graph.whole(entities=2, facts=9)
    assert (len(some.entities), len(some.facts), some.total_entities) == (2, 1, 4)
    one = graph.whole(entities=9, facts=9, document_id=ids.document_id(graph.workspace.name, "b.txt"))
    assert ({row.predicate for row in one.facts}, one.total_facts) == ({"was born in"}, 1)


def test_what_is_said_between_two_stands_with_its_sentence(graph: Graph) -> None:
    name = {row.name: id_ for id_, row in graph.entity_rows().items()}
    (said,) = graph.facts_between(name["Paul Brun"], name["Jules Delmas"], count=9)
    assert said.sentences[0].sentence == "Jules Delmas hates Paul Brun and always did."
    assert graph.facts_between(name["Paul Brun"], name["Lyon"], count=9) == []


def test_what_is_dated_stands_in_order(graph: Graph) -> None:
    name = {row.name: id_ for id_, row in graph.entity_rows().items()}
    assert [(row.date, row.object) for row in graph.dated_facts()] == [
        ("1889-05-04", "Lyon"),
        ("1912-03", "Clara Vane"),
    ]
    assert [row.date for row in graph.dated_facts(name["Clara Vane"])] == ["1912-03"]
