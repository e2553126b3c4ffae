"""A view of everything returns what the workspace returns: each read of a question, on the demo's case file and a real
Neo4j.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from copy import copy

import numpy as np
import pytest

from filigraph.graph.engine import retrieve
from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.model.retrieval import PoolChunk
from filigraph.graph.models.embed import embed_questions
from filigraph.graph.pipeline import ingest
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.records.facts import Connection
from filigraph.graph.store import Graph, Store
from filigraph.graph.tables.read_part import TextVectors
from filigraph.graph.text.words import lucene_query, query_terms, terms
from filigraph.graph.view import View
from filigraph.graph.views import tables
from filigraph.graph.views.open import open_view
from filigraph.graph.views.reader import ViewGraph
from tests.making import NamesExtractor, case_file, word_embedder
from tests.workspace_pool import WorkspacePool

QUESTION = "Pourquoi Jules Delmas porte-t-il la chevalière de La Griffe ?"
VECTOR = embed_questions(word_embedder(), [QUESTION])[0]
Both = tuple[Graph, ViewGraph]


@pytest.fixture(scope="module")
def both(store: Store, workspace_pool: WorkspacePool) -> Iterator[Both]:
    with workspace_pool.one() as name:
        graph = store.graph(name)
        ingest(case_file(), graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
        yield graph, open_view(graph, View(), embedder=word_embedder())


def test_words_are_scored_as_lucene_scores_them(both: Both) -> None:
    graph, view = both
    for text in (QUESTION, "The Claw", "Lyon mars 1912", "rien"):
        query = lucene_query(query_terms(text, "fr", "en"))
        stored, seen = (reader.search_words(query, VECTOR, 10, 5) for reader in both)
        assert {hit.id: round(hit.score, 3) for hit in seen} == {hit.id: round(hit.score, 3) for hit in stored}
        assert [hit.cosine is None for hit in seen] == [hit.cosine is None for hit in stored]
    assert graph.search_words("", VECTOR, 5) == view.search_words("", VECTOR, 5) == []


def test_names_and_facts_are_the_same(both: Both) -> None:
    graph, view = both
    keys = ["jules delmas", "delmas", "la griffe", "griffe", "claw", "lyon", "nobody"]
    assert view.entities_named(keys) == graph.entities_named(keys)
    ids = [row.entity_id for row in view.entities_named(keys)]
    assert len(ids) > 3
    assert view.mentioning(ids, 5) == graph.mentioning(ids, 5)
    for id_ in ids:
        assert view.entity_detail(id_) == graph.entity_detail(id_)
    for name in ("delmas", "griff", "", "JULES"):
        assert view.find_entities(name, count=8) == graph.find_entities(name, count=8)
    assert {row.fact_id for row in view.facts_about(ids, VECTOR, limit=50)} == {
        row.fact_id for row in graph.facts_about(ids, VECTOR, limit=50)
    }
    ends = ids[:1], ids[-1:]
    for in_text in (False, True):
        chains = view.connections(*ends, hops=4, count=3, in_text=in_text)
        assert chains == graph.connections(*ends, hops=4, count=3, in_text=in_text)
    assert any(chain.passes_text for chain in chains)
    assert view.entity_types() == graph.entity_types()
    assert view.predicates() == graph.predicates()
    assert {row.id for row in view.names_near("delma", 1)} == {row.id for row in graph.names_near("delma", 1)}


def test_of_many_chunks_the_same_are_read(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("store.workspace.connections", "views.detail"):
        monkeypatch.setattr(f"filigraph.graph.{module}.MAX_CHUNKS_OF_ENDS", 2)
    graph, view = both
    ids = [row.id for row in graph.find_entities("", count=12)[0]]
    found: list[Connection] = []
    for ends in itertools.combinations(ids, 2):
        chains = graph.connections(ends[:1], ends[1:], hops=4, count=3, in_text=True)
        assert chains == view.connections(ends[:1], ends[1:], hops=4, count=3, in_text=True)
        found.extend(chains)
    assert any(chain.passes_text for chain in found)


def test_vectors_of_names_are_read_not_made(both: Both, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = both[0]
    view = open_view(store.graph(graph.workspace.name), View(), embedder=word_embedder())
    monkeypatch.setattr(tables, "embed_texts", None)
    seen, stored = view.search_entities(VECTOR, 8), graph.search_entities(VECTOR, 8)
    assert [hit.cosine for hit in seen] == pytest.approx([hit.cosine for hit in stored], abs=0.01)
    assert len(seen) == 8 and seen[0].name == stored[0].name


def test_chunks_are_the_same(both: Both) -> None:
    graph, view = both
    ids = graph.chunk_ids()
    assert list(view.chunk_ids()) == list(ids)
    assert view.passages(ids) == graph.passages(ids)
    assert view.next_chunks(ids) == graph.next_chunks(ids)
    assert view.places_of_chunks(ids) == graph.places_of_chunks(ids)
    assert view.document_names() == graph.document_names()
    near = {"hub": 20, "per_chunk": 5}
    assert set(view.neighbours(ids[:3], VECTOR, **near)) == set(graph.neighbours(ids[:3], VECTOR, **near))
    for seen, stored in zip(view.pool(ids), graph.pool(ids), strict=True):
        assert said(seen) == said(stored)
        assert np.allclose(seen.vectors, stored.vectors, atol=1e-3)
        assert np.allclose(seen.fact_vectors, stored.fact_vectors, atol=1e-3)
    some = [view.document_names()[0].id]
    assert set(view.filtered(some).chunk_ids()) == set(graph.filtered(some).chunk_ids())


def said(chunk: PoolChunk) -> object:
    facts = sorted(chunk.facts)
    return chunk.id, chunk.index, chunk.title, chunk.language, chunk.terms, chunk.entities, facts, chunk.titles


def test_a_question_finds_the_same(both: Both) -> None:
    graph, view = both
    stored, seen = (retrieve(QUESTION, graph=reader, embedder=word_embedder()) for reader in both)
    assert [item.id for item in seen.evidence] == [item.id for item in stored.evidence]
    assert [path.text for path in seen.paths] == [path.text for path in stored.paths]
    assert graph.overview().chunks == view.overview().chunks
    assert graph.overview().languages == view.overview().languages


def test_what_people_look_at_is_the_same(both: Both) -> None:
    graph, view = both
    assert view.stats() == graph.stats()
    assert view.languages() == graph.languages()
    assert view.types_found() == graph.types_found()
    assert view.chains() == graph.chains()
    assert view.dated_facts() == graph.dated_facts()
    assert view.documents_of_facts() == graph.documents_of_facts()
    ids = [row.id for row in graph.find_entities("", count=1000)[0]]
    assert len(ids) > 20
    for id_ in ids:
        assert view.has_entity(id_) and graph.has_entity(id_)
        assert view.entity_names(id_) == graph.entity_names(id_)
        assert view.entity_places(id_, first=1, count=5) == graph.entity_places(id_, first=1, count=5)
        assert view.dated_facts(id_) == graph.dated_facts(id_)
        assert view.documents_of_facts(id_) == graph.documents_of_facts(id_)
        for near in ({"hops": 1, "limit": 5}, {"hops": 2, "limit": 200}, {"hops": 1, "limit": 50, "together": True}):
            found = view.neighbourhood(id_, **near)
            assert found == graph.neighbourhood(id_, **near)
            for fact in found[:2]:
                ends = fact.subject_id, fact.object_id
                assert view.facts_between(*ends, count=3) == graph.facts_between(*ends, count=3)
    assert not view.has_entity("0" * 48)


def test_facts_are_listed_and_drawn_alike(both: Both) -> None:
    graph, view = both
    rows, total = graph.facts(count=10)
    assert (rows, total) == view.facts(count=10) and total > 10
    for which in (
        {"entity_id": rows[0].subject_id},
        {"predicate": rows[0].predicate},
        {"predicate": graph.predicates()[0].type.replace("_", " ").lower()},
        {"predicate": "nothing says this"},
        {"document_id": graph.document_names()[0].id, "first": 1},
    ):
        assert view.facts(count=50, **which) == graph.facts(count=50, **which)
    for document in (None, graph.document_names()[0].id):
        drawn, stored = (one.whole(entities=12, facts=20, document_id=document) for one in both)
        assert (drawn.entities, drawn.facts) == (stored.entities, stored.facts)
        assert (drawn.total_entities, drawn.total_facts) == (stored.total_entities, stored.total_facts)


def test_texts_are_read_alike(both: Both) -> None:
    graph, view = both
    names = graph.document_names()
    for counted in (True, False):
        assert view.document_rows(facts=counted) == graph.document_rows(facts=counted)
    for document in names:
        assert view.document_rows([document.id]) == graph.document_rows([document.id])
        assert view.pieces(document.id, count=5) == graph.pieces(document.id, count=5)
        assert view.entities_in(document.id, first=0, count=5) == graph.entities_in(document.id, first=0, count=5)
    words = [terms(word, "fr") for word in ("chevalière", "griffe")]
    assert view.pieces_with_words(words) == graph.pieces_with_words(words) != []
    assert view.pieces_with_words([]) == graph.pieces_with_words([]) == []


def test_vectors_that_could_not_be_read_are_read_the_next_time(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, view = both
    again, lost = copy(graph), StoreUnavailable("Neo4j does not answer.")
    again.memory = CacheMemory()

    def fail(vectors: TextVectors) -> None:
        raise lost

    with monkeypatch.context() as patched:
        patched.setattr(again, "read_text_vectors", fail)
        with pytest.raises(StoreUnavailable):
            open_view(again, View(), embedder=word_embedder())
    opened = open_view(again, View(), embedder=word_embedder(turned=1))  # it would give other vectors
    assert opened.search_facts(VECTOR, 9) == view.search_facts(VECTOR, 9)
