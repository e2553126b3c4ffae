"""A pool of empty workspaces, and of names for new ones, that tests use one after the other.

Making a workspace makes indexes, and dropping one drops them. Either time the server forgets the plans of all its
statements: a test that follows takes some seconds for what else takes a tenth of one. So the indexes stay, and to make
a workspace under a name that had one before makes none. For the same reason those that most tests need are made at
once, at the start: three quarters of what Neo4j does for a test is to plan statements anew.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

import neo4j

from filigraph.graph.store import Store
from tests.making import DIMENSIONS

WORDS = f"words-{DIMENSIONS}"  # the fingerprint of the tests' embedder
READY, NAMES = 3, 3  # workspaces and names for new ones that are there from the start


class WorkspacePool:
    """Workspaces for the words embedder of the tests, unless a test asks for another."""

    def __init__(self, store: Store, driver: neo4j.Driver) -> None:
        self._store = store
        self._driver = driver
        self._free: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._unused: list[str] = []

    def prepare(self) -> None:
        """Make the indexes of what most tests need, before a statement is planned."""
        made = [self._made(WORDS, DIMENSIONS) for _ in range(READY + NAMES)]
        self._free[WORDS, DIMENSIONS] += made[:READY]
        for name in made[READY:]:
            self._forget(name)
            self._unused.append(name)

    @contextmanager
    def one(self, fingerprint: str = WORDS, dimensions: int = DIMENSIONS) -> Iterator[str]:
        """The name of an empty workspace. It is emptied afterwards, if it is still there."""
        free = self._free[fingerprint, dimensions]
        name = free.pop() if free else self._made(fingerprint, dimensions)
        before = self._rows("MATCH (w:Workspace {name: $name}) RETURN properties(w) AS properties", name)[0]
        yield name
        if self._is_there(name):
            self._empty(name)
            clean = "MATCH (w:Workspace {name: $name}) SET w = $properties SET w.revision = randomUUID()"
            self._rows(clean, name, properties=before["properties"])
            free.append(name)

    @contextmanager
    def unused(self) -> Iterator[str]:
        """A name that no workspace has, for one that the test makes. It is gone afterwards, but for its indexes."""
        name = self._unused.pop() if self._unused else f"test-{uuid.uuid4().hex[:12]}"
        yield name
        self._forget(name)
        self._unused.append(name)

    def _forget(self, name: str) -> None:
        found = self._rows("MATCH (w:Workspace {name: $name}) RETURN w.fingerprint AS fingerprint", name)
        if found and found[0]["fingerprint"] == WORDS and self._is_there(name):
            self._empty(name)
            self._rows("MATCH (w:Workspace {name: $name}) DETACH DELETE w", name)
        elif found:  # its indexes are for vectors of another length, or it was not made to the end
            self._store.delete_workspace(name)

    def _is_there(self, name: str) -> bool:
        return any(row.name == name for row in self._store.workspaces())

    def _empty(self, name: str) -> None:
        self._rows("MATCH (n {workspace: $name}) DETACH DELETE n", name)
        self._rows("MATCH (s:TokensSpent {id: $name}) DELETE s", name)

    def _made(self, fingerprint: str, dimensions: int) -> str:
        name = f"test-{uuid.uuid4().hex[:12]}"
        self._store.create_workspace(name, fingerprint=fingerprint, dimensions=dimensions)
        return name

    def _rows(self, text: LiteralString, name: str, **more: Any) -> list[neo4j.Record]:
        return self._driver.execute_query(text, name=name, **more).records
