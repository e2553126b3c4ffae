"""A pool of empty workspaces that tests use one after the other.

Making one makes indexes, and the server then forgets the plans of all its statements: a test that follows takes some
seconds for what else takes a tenth of one.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

import neo4j

from filigraph.graph.store import Store
from tests.making import DIMENSIONS


class WorkspacePool:
    """Empty workspaces for the words embedder of the tests."""

    def __init__(self, store: Store, driver: neo4j.Driver) -> None:
        self._store = store
        self._driver = driver
        self._free: list[str] = []

    @contextmanager
    def one(self) -> Iterator[str]:
        """The name of an empty workspace. It is emptied afterwards, if it is still there."""
        name = self._free.pop() if self._free else self._made()
        before = self._rows("MATCH (w:Workspace {name: $name}) RETURN properties(w) AS properties", name)[0]
        yield name
        if any(row.name == name for row in self._store.workspaces()):
            self._rows("MATCH (n {workspace: $name}) DETACH DELETE n", name)
            self._rows("MATCH (s:TokensSpent {id: $name}) DELETE s", name)
            clean = "MATCH (w:Workspace {name: $name}) SET w = $properties SET w.revision = randomUUID()"
            self._rows(clean, name, properties=before["properties"])
            self._free.append(name)

    def _made(self) -> str:
        name = f"test-{uuid.uuid4().hex[:12]}"
        self._store.create_workspace(name, fingerprint="words-64", dimensions=DIMENSIONS)
        return name

    def _rows(self, text: LiteralString, name: str, **more: Any) -> list[neo4j.Record]:
        return self._driver.execute_query(text, name=name, **more).records
