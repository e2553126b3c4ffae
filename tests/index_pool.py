"""Indexes that remain when a test's workspace is deleted, for the next one.

Whenever an index is created or dropped, the server discards the plans of all its statements, and the tests that follow
take ten times as long. So a new workspace of a test gets the label of a deleted one, whose indexes exist; they are
created before the first statement is planned. Only a separate process, or a test that asks for `real_indexes`, creates
and drops them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from neo4j import Driver

from filigraph.graph.ids import workspace_tag
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store import Store, connect, schema
from filigraph.graph.store.neo4j.database import Database

READY = 5  # labels of each length of vectors that are there from the start


class IndexPool:
    """Labels, each with the indexes of a workspace."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._lock = threading.Lock()
        self._labels: dict[int, list[str]] = {}  # by the length of vectors; the one that was given last at the end
        self._made = 0
        self._given: dict[tuple[str, int], str] = {}
        self.in_use = True

    def prepare(self, store: Store, dimensions: int) -> None:
        """Make indexes for vectors of that length."""
        for _ in range(READY):
            label = self._more(dimensions)
            row = WorkspaceRow(name="", id="", label=label, fingerprint="", dimensions=dimensions)
            schema.create_indexes(store.database, row)
            schema.create_summary_index(store.database, row)

    def label(self, name: str, dimensions: int) -> str:
        """The label for a workspace of that name: the one it was given, or that of one that is gone."""
        with self._lock:
            label = self._given.get((name, dimensions))
            taken = {row["label"]: row["name"] for row in self._workspaces()}
            if label is None or taken.get(label, name) != name:
                free = [one for one in self._labels.get(dimensions, ()) if one not in taken]
                label = free[0] if free else self._more(dimensions)
            self._labels[dimensions].remove(label)
            self._labels[dimensions].append(label)
            self._given = {key: one for key, one in self._given.items() if one != label} | {(name, dimensions): label}
            return label

    def keep_own(self, name: str, dimensions: int) -> None:
        """Let a workspace have the label that it has in a process of its own, too: its indexes stay from now on."""
        with self._lock:
            label = f"W_{workspace_tag(name)}"
            self._labels.setdefault(dimensions, []).append(label)
            self._given[name, dimensions] = label

    def holds(self, label: str, dimensions: int | None = None) -> bool:
        """Whether a label's indexes stay; for vectors of that length, if one is given."""
        kept = self._labels if dimensions is None else {dimensions: self._labels.get(dimensions, [])}
        return self.in_use and any(label in labels for labels in kept.values())

    def leave(self, label: str) -> None:
        """Give a label away for good: its indexes are to be for vectors of another length."""
        with self._lock:
            self._labels = {length: [one for one in labels if one != label] for length, labels in self._labels.items()}
            self._given = {key: one for key, one in self._given.items() if one != label}

    def _more(self, dimensions: int) -> str:
        self._made += 1
        label = f"W_{workspace_tag(f'of-the-tests-{self._made}')}"
        self._labels.setdefault(dimensions, []).append(label)
        return label

    def _workspaces(self) -> list[Any]:
        return self._driver.execute_query("MATCH (w:Workspace) RETURN w.label AS label, w.name AS name").records


@contextmanager
def kept_indexes(pool: IndexPool) -> Iterator[None]:
    """Let the stores of this process take their labels from the pool."""
    create_workspace = Store.create_workspace
    create, drop, drop_vectors = schema.create_indexes, schema.drop_indexes, schema.drop_vector_indexes
    asked = threading.local()

    def with_label(self: Store, name: str, *, fingerprint: str, dimensions: int, embedder: str = "") -> WorkspaceRow:
        before, asked.dimensions = getattr(asked, "dimensions", None), dimensions
        try:
            return create_workspace(self, name, fingerprint=fingerprint, dimensions=dimensions, embedder=embedder)
        finally:
            asked.dimensions = before

    def tag(name: str) -> str:
        return pool.label(name, asked.dimensions).removeprefix("W_") if pool.in_use else workspace_tag(name)

    def create_missing(database: Database, workspace: WorkspaceRow) -> None:
        if pool.holds(workspace.label) and not pool.holds(workspace.label, workspace.dimensions):
            pool.leave(workspace.label)
            drop_vectors(database, workspace)
        there = {row["name"] for row in database.rows("index_names")} if pool.holds(workspace.label) else set()
        if not {f"{workspace.label}_C_vector", f"{workspace.label}_E_words"} <= there:
            create(database, workspace)

    def keep(database: Database, workspace: WorkspaceRow) -> None:
        if not pool.holds(workspace.label):
            drop(database, workspace)

    def drop_before_others(database: Database, workspace: WorkspaceRow) -> None:
        if not pool.holds(workspace.label):  # else only where vectors of another length follow
            drop_vectors(database, workspace)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "create_workspace", with_label)
        patch.setattr(connect, "workspace_tag", tag)
        patch.setattr(schema, "create_indexes", create_missing)
        patch.setattr(schema, "drop_indexes", keep)
        patch.setattr(schema, "drop_vector_indexes", drop_before_others)
        yield
