"""The audit log in Neo4j, and the tokens of a day."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest

from filigraph.graph.store import AuditEntry, Store

THEN = datetime(2001, 2, 3, tzinfo=UTC)  # so long ago that no other test's entries are from before


def entry(n: int, *, by: str = "anna", workspace: str = "case") -> AuditEntry:
    return AuditEntry(
        id=uuid.uuid4().hex,
        at=THEN + timedelta(seconds=n),
        by=by,
        action="DELETE /v1/workspaces/{workspace}/documents/{document_id}",
        workspace=workspace,
        subject="« l'été ».txt",
        status=200,
        address="127.0.0.1",
    )


@pytest.fixture
def entries(store: Store) -> Iterator[list[AuditEntry]]:
    made = [entry(0), entry(1, by="bert"), entry(2, workspace="other"), entry(3)]
    for one in made:
        store.audit.write(one)
    yield made
    store.audit.sweep(before=THEN + timedelta(days=1))


def test_entries_come_back_newest_first(store: Store, entries: list[AuditEntry]) -> None:
    before = THEN + timedelta(days=1)
    assert store.audit.newest(before=before, limit=10) == entries[::-1]
    assert store.audit.newest(before=before, limit=2) == entries[:1:-1]
    assert store.audit.newest(before=entries[2].at, limit=10) == entries[1::-1]
    assert store.audit.newest(before=before, limit=10, by="bert") == [entries[1]]
    assert store.audit.newest(before=before, limit=10, workspace="other") == [entries[2]]


def test_entries_of_one_moment_are_not_lost_between_pages(store: Store) -> None:
    made = sorted((entry(0) for _ in range(5)), key=lambda one: one.id)
    for one in made:
        store.audit.write(one)
    last, told = AuditEntry(**{**asdict(made[0]), "at": THEN + timedelta(days=1)}), []
    for size in (2, 2, 1, 0):
        page = store.audit.newest(before=last.at, before_id=last.id, limit=2)
        assert len(page) == size
        told += page
        last = told[-1]
    store.audit.sweep(before=THEN + timedelta(days=1))
    assert told == made


def test_old_entries_go(store: Store, entries: list[AuditEntry]) -> None:
    store.audit.sweep(before=entries[2].at)
    assert store.audit.newest(before=THEN + timedelta(days=1), limit=10) == [entries[3], entries[2]]


def test_tokens_are_counted_for_a_day(store: Store) -> None:
    workspace = f"test-{uuid.uuid4().hex}"
    assert store.spent.add(workspace, "2026-11-21", 0) == 0
    assert store.spent.add(workspace, "2026-11-21", 70) == 70
    assert store.spent.add(workspace, "2026-11-21", 7) == 77
    assert store.spent.add(workspace, "2026-11-22", 0) == 0
    assert store.spent.add(f"{workspace}-other", "2026-11-22", 5) == 5
