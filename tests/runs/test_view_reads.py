"""A view of all reads what the workspace reads: each read of a question, on the demo's case file and a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from filigraph.graph.engine import retrieve
from filigraph.graph.model import PoolChunk
from filigraph.graph.models.embed import embed_questions
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from filigraph.graph.text.words import lucene_query, query_terms
from filigraph.graph.view import View
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
    assert view.connections(ids[0], ids[-1], hops=4, count=3) == graph.connections(ids[0], ids[-1], hops=4, count=3)
    assert view.entity_types() == graph.entity_types()
    assert view.predicates() == graph.predicates()
    assert {row.id for row in view.names_near("delma", 1)} == {row.id for row in graph.names_near("delma", 1)}


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
