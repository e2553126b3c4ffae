"""The read model finds the neighbours that Neo4j finds, in the same order, and never survives a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from filigraph.graph.records.workspaces import ReadAheadSize
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.cache.chunk_cache import ChunkCache
from filigraph.graph.store.neo4j.database import Database
from tests.store.changes import add_a_document, delete_and_derive, name_a_title, sweep
from tests.store.world import derive, ingest, read, vector

WORLD = "test-read-model"
NAMES = ["Jules", "Sophie", "La Griffe", "chevalière", "Nantes", "Одесса", "Émile", "Müller", "Ana", "Lin"]
LETTERS = {
    "a.txt": ["Jules | porte | chevalière.", "Sophie | aime | Jules."],
    "b.txt": ["chevalière | est emblème de | La Griffe."],
}


@pytest.fixture(scope="module")
def random_world(store: Store) -> Iterator[Graph]:
    """Documents whose chunks name each other's titles and share names, some of them word for word."""
    store.create_workspace(WORLD, fingerprint="test-embedder", dimensions=8)
    graph, random = store.graph(WORLD), np.random.default_rng(7)
    documents = []
    for n in range(24):
        sentences = [f"{a} | connaît | {b}." for a, b in (random.choice(NAMES, 2, replace=False) for _ in range(3))]
        passages = [sentences[0], " ".join(sentences[1:]), "Rien."] if n % 3 else ["Sophie | aime | Jules."]
        documents.append(read(graph, f"{n}.txt", passages))
    derive(graph)
    named = {id_: [str(d) for d in random.choice(documents, 2, replace=False)] for id_ in graph.chunk_ids()[::2]}
    graph.replace_titles(sorted(named), named, looked_up=documents)
    yield graph
    store.delete_workspace(WORLD)


@pytest.mark.parametrize("hub", [0, 2, 5, 40])
@pytest.mark.parametrize("per_chunk", [1, 3, 25])
def test_both_ways_find_the_same(random_world: Graph, hub: int, per_chunk: int) -> None:
    graph, random = random_world, np.random.default_rng(hub * 100 + per_chunk)
    revision = graph.overview().revision
    list(graph.keep_read_model(revision))
    ids, found = graph.chunk_ids(), 0
    for n in range(12):
        asked = [str(id_) for id_ in random.choice(ids, n % 4)] + ["no such id"] * (n % 2)
        limits = {"hub": hub, "per_chunk": per_chunk}
        in_memory = graph.neighbours(asked, vector(str(n)), **limits, revision=revision)
        assert in_memory == graph.neighbours(asked, vector(str(n)), **limits)
        found += len(in_memory)
    assert found


def test_an_entity_is_a_hub_above_the_limit(random_world: Graph) -> None:
    graph = random_world
    revision, ids = graph.overview().revision, graph.chunk_ids()
    list(graph.keep_read_model(revision))
    for hub in sorted({entity.chunks for chunk in graph.pool(ids) for entity in chunk.entities}):
        limits = {"hub": hub, "per_chunk": 99}
        for n in range(3):
            in_memory = graph.neighbours(ids[n : n + 4], vector(str(n)), **limits, revision=revision)
            assert in_memory == graph.neighbours(ids[n : n + 4], vector(str(n)), **limits)


def test_it_is_asked_without_a_statement(random_world: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    revision, ids = random_world.overview().revision, random_world.chunk_ids()
    list(random_world.keep_read_model(revision))
    monkeypatch.setattr(Database, "rows", lambda *_, **__: pytest.fail("Neo4j was asked"))
    assert random_world.neighbours(ids[:3], vector("?"), hub=40, per_chunk=9, revision=revision)


@pytest.mark.parametrize("change", [add_a_document, delete_and_derive, name_a_title, sweep])
def test_it_does_not_outlive_a_change(graph: Graph, change: Callable[[Graph], None]) -> None:
    ingest(graph, LETTERS)
    before = graph.overview().revision
    list(graph.keep_read_model(before))
    assert graph.chunk_cache.find_model(before)
    change(graph)
    after = graph.overview().revision
    assert graph.chunk_cache.find_model(after) is None
    list(graph.keep_read_model(after))
    for id_ in graph.chunk_ids():
        limits = {"hub": 40, "per_chunk": 9}
        in_memory = graph.neighbours([id_], vector("?"), **limits, revision=after)
        assert in_memory == graph.neighbours([id_], vector("?"), **limits)


def test_what_there_is_no_room_for_is_not_kept(graph: Graph) -> None:
    ingest(graph, LETTERS)
    revision, chunks = graph.overview().revision, len(graph.chunk_ids())
    list(graph.keep_read_model(revision))
    model = graph.chunk_cache.find_model(revision)
    assert model and chunks > 2
    cache = ChunkCache(ReadAheadSize(0))
    cache.put_model("w", "r", model)
    assert cache.find_model("r") is None


def test_an_empty_workspace_has_none(graph: Graph) -> None:
    list(graph.keep_read_model("r"))
    assert graph.chunk_cache.find_model("r") is None
