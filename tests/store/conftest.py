"""One workspace for all tests of the store, emptied after each.

Creating and dropping indexes costs more than the tests themselves, because the server then discards the plans of all
statements.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from filigraph.graph.store import Graph, Store
from tests.store.world import empty

NAMES = ("test-store", "test-other")


@pytest.fixture(scope="session")
def workspaces(store: Store) -> Iterator[list[Graph]]:
    """Two workspaces for vectors of 8 numbers."""
    for name in NAMES:
        store.create_workspace(name, fingerprint="test-embedder", dimensions=8)
    yield [store.graph(name) for name in NAMES]
    for name in NAMES:
        store.delete_workspace(name)


@pytest.fixture
def graph(store: Store, workspaces: list[Graph]) -> Iterator[Graph]:
    """An empty workspace."""
    yield store.graph(NAMES[0])
    empty(store, NAMES[0])


@pytest.fixture
def other(store: Store, workspaces: list[Graph]) -> Iterator[Graph]:
    """Another empty workspace in the same database."""
    yield store.graph(NAMES[1])
    empty(store, NAMES[1])
