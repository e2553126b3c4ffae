"""A pool of empty workspaces, and of names for new ones, that tests use one after the other."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, LiteralString

import neo4j

from filigraph.graph.errors import NotFound
from filigraph.graph.store import Store
from tests.index_pool import IndexPool
from tests.making import DIMENSIONS

WORDS = f"words-{DIMENSIONS}"  # the fingerprint of the tests' embedder


class WorkspacePool:
    """Workspaces for the words embedder of the tests, unless a test asks for another."""

    def __init__(self, store: Store, driver: neo4j.Driver, indexes: IndexPool) -> None:
        self._store = store
        self._driver = driver
        self._indexes = indexes
        self._free: dict[tuple[str, int], list[str]] = defaultdict(list)

    @contextmanager
    def one(self, fingerprint: str = WORDS, dimensions: int = DIMENSIONS) -> Iterator[str]:
        """The name of an empty workspace. It is emptied afterwards, if it is still as it was."""
        free = self._free[fingerprint, dimensions]
        name = free.pop() if free else self._made(fingerprint, dimensions)
        before = self._rows("MATCH (w:Workspace {name: $name}) RETURN properties(w) AS properties", name)[0]
        yield name
        label = before["properties"]["label"]
        if self._label(name) == label and self._indexes.holds(label, dimensions):
            self._empty(name)
            clean = "MATCH (w:Workspace {name: $name}) SET w = $properties SET w.revision = randomUUID()"
            self._rows(clean, name, properties=before["properties"])
            free.append(name)
        else:  # a process of its own made it anew, or it was embedded again, in other dimensions
            with suppress(NotFound):
                self._store.delete_workspace(name)

    @contextmanager
    def unused(self) -> Iterator[str]:
        """A name that no workspace has, for one that the test makes. It is gone afterwards."""
        name = f"test-{uuid.uuid4().hex[:12]}"
        yield name
        with suppress(NotFound):
            self._store.delete_workspace(name)

    def _label(self, name: str) -> str:
        return next((row.label for row in self._store.workspaces() if row.name == name), "")

    def _empty(self, name: str) -> None:
        self._rows("MATCH (n {workspace: $name}) DETACH DELETE n", name)
        self._rows("MATCH (s:TokensSpent {id: $name}) DELETE s", name)

    def _made(self, fingerprint: str, dimensions: int) -> str:
        name = f"test-{uuid.uuid4().hex[:12]}"
        self._store.create_workspace(name, fingerprint=fingerprint, dimensions=dimensions)
        return name

    def _rows(self, text: LiteralString, name: str, **more: Any) -> list[neo4j.Record]:
        return self._driver.execute_query(text, name=name, **more).records
