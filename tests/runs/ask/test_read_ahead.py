"""Reading ahead changes no answer, only how long a question waits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from filigraph.graph.ask.explore import search as explore
from filigraph.graph.ask.explore.layout import cached_layout
from filigraph.graph.ask.explore.read_ahead import read_ahead
from filigraph.graph.engine import retrieve
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.records.workspaces import ReadAheadSize
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.cache.chunk_cache import ChunkCache
from filigraph.graph.store.neo4j.database import Database
from tests.making import word_embedder
from tests.runs.engine_case import CASE, QUESTION, made
from tests.workspace_pool import WorkspacePool

# Statements that a question waits for.
READ = {"pool_chunks", "pool_facts", "links_of_chunks", "neighbours", "chunk_ids"}


@pytest.fixture
def case(store: Store, workspace_pool: WorkspacePool) -> Iterator[Graph]:
    """The case of the ring, of which nothing is kept yet."""
    for graph in made(store, workspace_pool, CASE):
        graph.chunk_cache = ChunkCache()
        yield graph


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the statements that are run."""
    names: list[str] = []
    rows = Database.rows

    def noted(self: Database, statement: str, **parameters: object) -> object:
        names.append(statement)
        return rows(self, statement, **parameters)

    monkeypatch.setattr(Database, "rows", noted)
    return names


def ask(graph: Graph) -> Retrieved:
    found = retrieve(QUESTION, graph=graph, embedder=word_embedder())
    return dataclasses.replace(found, trace=dataclasses.replace(found.trace, id="", steps=()))


@pytest.mark.parametrize("whole", [True, False])
def test_a_question_finds_the_same_and_reads_no_chunk(
    case: Graph, asked: list[str], monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    if not whole:
        monkeypatch.setattr(explore, "WHOLE_POOL_CHUNKS", 1)
    before = ask(case)
    assert before.paths
    case.chunk_cache = ChunkCache()
    assert list(read_ahead(case))
    asked.clear()
    after = ask(case)
    assert not READ & set(asked)
    assert after == before


def test_what_changes_meanwhile_ends_it(case: Graph) -> None:
    parts = read_ahead(case)
    next(parts)
    before = case.overview().revision
    case.database.change("new_revision", workspace=case.workspace.name)
    assert list(parts) == []
    assert case.chunk_cache.find_model(before) is None


def test_of_a_larger_workspace_what_links_its_chunks_is_kept(case: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "WHOLE_POOL_CHUNKS", 1)
    before, revision, chunks = ask(case), case.overview().revision, case.overview().chunks
    case.chunk_cache = ChunkCache(ReadAheadSize(chunks - 1))
    assert list(read_ahead(case))
    model = case.chunk_cache.find_model(revision)
    assert model and len(model.ids) == chunks
    assert not case.chunk_cache.find(revision, model.ids)
    assert ask(case) == before


def test_a_very_large_workspace_is_not_read_ahead(case: Graph, asked: list[str]) -> None:
    case.chunk_cache = ChunkCache(ReadAheadSize((case.overview().chunks - 1) // 10))
    assert list(read_ahead(case)) == []
    assert not READ & set(asked)


def test_an_empty_workspace_is_read_ahead_at_once(store: Store, workspace_pool: WorkspacePool) -> None:
    for graph in made(store, workspace_pool, {}):
        list(read_ahead(graph))
        revision = graph.overview().revision
        assert cached_layout(revision, graph.chunk_ids(revision), list) is None
