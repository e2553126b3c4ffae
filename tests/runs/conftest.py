"""A workspace that is emptied before each run."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from filigraph.graph.store import Graph, Store
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from tests.making import word_embedder
from tests.store.world import empty
from tests.workspace_pool import WorkspacePool


class World:
    """One workspace, emptied for each run: ids depend on its name."""

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name

    def fresh(self) -> Graph:
        empty(self.store, self.name)
        return self.store.graph(self.name)

    @contextmanager
    def copy(self, graph: Graph) -> Iterator[Graph]:
        """The graph, exported and imported under another name. The import must be the same."""
        file = io.BytesIO()
        export_to(file.write, graph)
        file.seek(0)
        name = f"{self.name}-copy"
        lock = self.store.workspace_locks.acquire(name, "test", seconds=60)
        assert lock is not None
        try:
            imported = import_from(file, name, store=self.store.holding(lock), embedder=word_embedder())
            assert imported.same
            yield self.store.graph(name)
            self.store.delete_workspace(name)
        finally:
            self.store.workspace_locks.release(lock)


@pytest.fixture(scope="module")
def world(store: Store, workspace_pool: WorkspacePool) -> Iterator[World]:
    with workspace_pool.one() as name:
        yield World(store, name)
