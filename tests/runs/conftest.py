"""A workspace that is emptied before each run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from filigraph.graph.store import Graph, Store
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


@pytest.fixture(scope="module")
def world(store: Store, workspace_pool: WorkspacePool) -> Iterator[World]:
    with workspace_pool.one() as name:
        yield World(store, name)
