"""Predicates that persons fold: the facts follow, and undo leaves no trace."""

from __future__ import annotations

import pytest

from filigraph.graph import ids
from filigraph.graph.corrections.apply import undo
from filigraph.graph.corrections.listing import list_decisions
from filigraph.graph.corrections.predicates import fold, suggest
from filigraph.graph.errors import AlreadyDecided, InputError, NotFound
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph
from tests.making import source, word_embedder
from tests.runs.conftest import World

TEXTS = {
    "lettre.txt": "Jules Delmas portait une chevalière. Depuis toujours, Jules Delmas porte une chevalière d'argent.",
    "rapport.txt": "Jules Delmas arbore une chevalière. La police recherche Jules Delmas.",
}
TRIPLES = {
    "lettre.txt": [("Jules Delmas", "portait", "chevalière"), ("Jules Delmas", "porte", "chevalière")],
    "rapport.txt": [("Jules Delmas", "arbore", "chevalière"), ("police", "recherche", "Jules Delmas")],
}


@pytest.fixture
def graph(world: World) -> Graph:
    made = world.fresh()
    read(made)
    return made


def read(graph: Graph) -> None:
    triples = {ids.document_id(graph.workspace.name, name): rows for name, rows in TRIPLES.items()}
    sources = [source(name, text) for name, text in TEXTS.items()]
    ingest(sources, graph=graph, embedder=word_embedder(), extractor=TripleExtractor(triples))


def said(graph: Graph) -> dict[str, tuple[int, int]]:
    return {row.predicate: (row.facts, row.sentences) for row in graph.predicates()}


def test_a_verb_is_one_predicate_whatever_its_tense(graph: Graph) -> None:
    assert said(graph)["porte"][1] == 2 and "portait" not in said(graph)
    assert [row.type for row in graph.predicates() if row.predicate == "porte"] == ["HAS"]


def test_synonyms_are_folded_and_unfolded(graph: Graph) -> None:
    before = list(graph.dump())
    made = fold("porte", ["arbore"], note="Il la porte.", graph=graph, embedder=word_embedder())
    assert "arbore" not in said(graph) and said(graph)["porte"][1] == 3
    (told,), total = list_decisions(by="person", graph=graph, first=0, count=9)
    assert (told.kind, told.note, total) == ("merge_predicates", "Il la porte.", 1)
    assert (told.forms, told.name) == (("arbore",), "porte")
    folded = list(graph.dump())
    read(graph)
    assert list(graph.dump()) == folded
    undo([made.id], graph=graph, embedder=word_embedder())
    assert list(graph.dump()) == before


def test_a_table_has_one_step(graph: Graph) -> None:
    how = {"graph": graph, "embedder": word_embedder()}
    made = fold("porte", ["arbore"], **how)
    for into, form in (("recherche", "porte"), ("arbore", "recherche")):
        with pytest.raises(AlreadyDecided, match=made.id):
            fold(into, [form], **how)
    with pytest.raises(NotFound, match="No fact"):
        fold("porte", ["danse"], **how)
    with pytest.raises(InputError, match="nothing to fold"):
        fold("porte", ["porte"], **how)


def test_what_is_near_is_suggested(graph: Graph) -> None:
    assert suggest(graph=graph, embedder=word_embedder(), count=5) == []
    rows = [("Jules Delmas", "recherche partout et toujours", "police")]
    rows += [("Jules Delmas", "recherche partout et toujours encore", "police")]
    extractor = TripleExtractor({ids.document_id(graph.workspace.name, "a.txt"): rows})
    text = "Jules Delmas recherche partout et toujours la police, encore et encore."
    ingest([source("a.txt", text)], graph=graph, embedder=word_embedder(), extractor=extractor)
    (pair,) = suggest(graph=graph, embedder=word_embedder(), count=5)
    assert {pair.into, pair.form} == {row[1] for row in rows} and 0.8 <= pair.cosine < 1
