"""The cache keeps chunks that questions read recently, and drops them when they change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from filigraph.graph.model.retrieval import PoolChunk
from filigraph.graph.records.workspaces import READ_AHEAD, ReadAheadSize
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.cache import chunk_cache as kept_module
from filigraph.graph.store.cache.chunk_cache import ChunkCache
from filigraph.graph.store.neo4j.database import Row
from tests.store.changes import add_a_document, delete_and_derive, name_a_title, sweep
from tests.store.world import document, ingest, read

LETTERS = {
    "a.txt": ["Jules | porte | chevalière.", "Sophie | aime | Jules."],
    "b.txt": ["chevalière | est emblème de | La Griffe."],
}


def chunk_ids(graph: Graph) -> list[str]:
    """Of LETTERS, read and derived."""
    documents = list(ingest(graph, LETTERS).values())
    return sorted(id_ for ids in graph.chunks_of_documents(documents).values() for id_ in ids)


def seen(chunk: PoolChunk) -> tuple[object, ...]:
    """All of a chunk that can be compared."""
    return (
        chunk.id,
        chunk.index,
        chunk.title,
        chunk.terms,
        chunk.entities,
        chunk.facts,
        chunk.titles,
        chunk.vectors.tobytes(),
        chunk.fact_vectors.tobytes(),
    )


def pool(graph: Graph, ids: list[str], *, cached: bool) -> list[tuple[object, ...]]:
    revision = graph.overview().revision if cached else None
    return [seen(chunk) for chunk in graph.pool(ids, revision)]


def test_what_did_not_change_is_not_read_again(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = chunk_ids(graph)
    first = pool(graph, ids[:2], cached=True)
    asked: list[list[str]] = []
    rows = graph.database.rows

    def noted(statement: str, **parameters: Any) -> list[Row]:
        if statement == "pool_chunks":
            asked.append(parameters["ids"])
        return rows(statement, **parameters)

    monkeypatch.setattr(graph.database, "rows", noted)
    assert pool(graph, ids, cached=True)[:2] == first
    assert asked == [ids[2:]]


def read_only(graph: Graph) -> None:
    read(graph, "c.txt", ["Jules | doute de | Sophie."])


def delete_a_document(graph: Graph) -> None:
    graph.delete_documents([document(graph, "b.txt").id])


@pytest.mark.parametrize(
    "change", [add_a_document, read_only, delete_a_document, delete_and_derive, name_a_title, sweep]
)
def test_after_a_change_everything_is_read_again(graph: Graph, change: Callable[[Graph], None]) -> None:
    ids = chunk_ids(graph)
    pool(graph, ids, cached=True)
    assert graph.chunk_ids(graph.overview().revision) == tuple(ids)
    change(graph)
    assert pool(graph, ids, cached=True) == pool(graph, ids, cached=False)
    assert graph.chunk_ids(graph.overview().revision) == graph.chunk_ids()


def test_another_program_changes_it_too(store: Store, graph: Graph) -> None:
    ids = chunk_ids(graph)
    other = store.graph(graph.workspace.name)
    other.chunk_cache = ChunkCache()
    pool(graph, ids, cached=True)
    delete_and_derive(other)
    assert pool(graph, ids, cached=True) == pool(graph, ids, cached=False)


def test_a_workspace_made_anew_has_another_revision(store: Store, graph: Graph) -> None:
    revisions = set()
    for _ in range(2):
        store.create_workspace("made-anew", fingerprint="f", dimensions=8)
        revisions.add(store.graph("made-anew").overview().revision)
        store.delete_workspace("made-anew")
    assert len(revisions - {""}) == 2


def test_only_so_much_is_kept(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    (chunk, *_) = graph.pool(chunk_ids(graph))
    chunk = replace(chunk, vectors=np.ones((100, 8), np.float32), fact_vectors=np.ones((100, 8), np.float32))
    monkeypatch.setattr(kept_module, "MIN_CHUNKS", 4)
    monkeypatch.setattr(kept_module, "MAX_BYTES_PER_CHUNK", 200 * 8 * 4)
    cache = ChunkCache(ReadAheadSize(3))
    cache.put("w", "r", [replace(chunk, id=str(n)) for n in range(10)])
    assert sorted(cache.find("r", [str(n) for n in range(10)])) == ["6", "7", "8", "9"]
    cache.put("w", "r", [replace(chunk, id="huge", vectors=np.ones((1000, 8), np.float32))])  # larger than all the room
    assert not cache.find("r", ["huge"])


@pytest.mark.parametrize("read_ahead, times", [(0, 1), (READ_AHEAD.chunks, 1), (40_000, 4)])
def test_there_is_room_for_what_is_read_ahead(graph: Graph, read_ahead: int, times: int) -> None:
    (chunk, *_) = graph.pool(chunk_ids(graph))
    rows = times * kept_module.MIN_CHUNKS * kept_module.MAX_BYTES_PER_CHUNK // 4 - chunk.fact_vectors.size
    for vectors, fits in ((rows, True), (rows + 1, False)):
        cache = ChunkCache(ReadAheadSize(read_ahead))
        cache.put("w", "r", [replace(chunk, vectors=np.broadcast_to(np.float32(1), (vectors, 1)))])  # takes no memory
        assert bool(cache.find("r", [chunk.id])) == fits


def test_what_is_kept_of_a_past_revision_goes(graph: Graph) -> None:
    first, second, *_ = graph.pool(chunk_ids(graph))
    cache = ChunkCache()
    cache.put("w", "before", [first])
    cache.put_ids("w", "before", (first.id,))
    cache.put("other", "theirs", [first])
    cache.put("w", "now", [second])
    assert not cache.find("before", [first.id]) and cache.find_ids("before") is None
    assert cache.find("now", [second.id]) and cache.find("theirs", [first.id])
    cache.put("w", "before", [first])  # by a question that began before the change
    assert not cache.find("before", [first.id]) and cache.find("now", [second.id])
