"""Workspace locks: one writer at a time in a workspace, on any server."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator

import pytest

from filigraph.graph.errors import LeaseLost
from filigraph.graph.store import Graph, Store, WorkspaceLock
from tests.patience import PATIENCE
from tests.store.world import document, read


@pytest.fixture
def name(store: Store, graph: Graph) -> Iterator[str]:
    """A workspace that is not locked."""
    yield graph.workspace.name
    for holder in ("a", "b"):
        store.workspace_locks.acquire(graph.workspace.name, holder, seconds=0)


def acquire(store: Store, name: str, holder: str = "a", seconds: float = 60) -> WorkspaceLock:
    lock = store.workspace_locks.acquire(name, holder, seconds=seconds)
    assert lock is not None
    return lock


def test_a_lock_has_one_holder_until_it_is_released_or_expires(store: Store, name: str) -> None:
    first = acquire(store, name, "a")
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None
    assert store.workspace_locks.acquire(f"{name}-2", "b", seconds=0), "of another workspace"
    store.workspace_locks.release(first)
    second = acquire(store, name, "b", seconds=0)
    assert acquire(store, name, "a").token not in (first.token, second.token), "it had expired"


def test_a_renewed_lock_lasts_longer(store: Store, name: str) -> None:
    lock = acquire(store, name, "a", seconds=0)
    store.workspace_locks.renew(lock, seconds=60)
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None
    store.workspace_locks.renew(lock, seconds=0)
    acquire(store, name, "b")
    with pytest.raises(LeaseLost, match=name):
        store.workspace_locks.renew(lock, seconds=60)


def test_a_holder_acquires_a_lock_that_it_did_not_release(store: Store, name: str) -> None:
    """A Neo4j that was away for a moment leaves a lock that nobody knows of."""
    left = acquire(store, name, "a")
    again = acquire(store, name, "a")
    store.workspace_locks.release(left)
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None, "that lock was lost: it releases nothing"
    store.holding(again).graph(name).note_overview()
    with pytest.raises(LeaseLost):
        store.holding(left).graph(name).note_overview()


def test_after_a_lost_lock_nothing_is_written(store: Store, graph: Graph, name: str) -> None:
    mine = store.holding(acquire(store, name, "a", seconds=0))
    there = mine.graph(name)
    read(there, "first.txt", ["Sophie | aime | Jules."])
    acquire(store, name, "b")
    for write in (
        lambda: there.write_documents([document(there, "second.txt")]),
        lambda: there.note_overview(),
        lambda: there.sweep(),
        lambda: mine.delete_workspace(name),
    ):
        with pytest.raises(LeaseLost):
            write()
    assert [row.source for row in graph.document_rows()] == ["first.txt"]
    assert store.workspace(name)


def test_acquiring_waits_for_the_transaction_that_the_other_has_begun(store: Store, name: str) -> None:
    """A transaction that runs when its lock expires ends before another holder has the lock."""
    old = store.holding(acquire(store, name, "a", seconds=0))
    inside, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    def write() -> None:
        def slowly(run: object) -> None:
            inside.set()
            assert go_on.wait(PATIENCE)
            order.append("written")

        old.database.write(slowly)

    def take_over() -> None:
        acquire(store, name, "b")
        order.append("taken")

    threads = [threading.Thread(target=write), threading.Thread(target=take_over)]
    threads[0].start()
    assert inside.wait(PATIENCE)
    threads[1].start()
    threads[1].join(0.5)  # time to do it wrongly; done rightly, it is still waiting
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["written", "taken"]


def test_a_lock_that_is_deleted_on_release_is_never_held_by_nobody(store: Store) -> None:
    name, lost = f"gone-{uuid.uuid4().hex[:8]}", []

    def work(holder: str) -> None:
        for _ in range(60):
            while not (lock := store.workspace_locks.acquire(name, holder, seconds=60)):
                pass
            try:
                store.workspace_locks.renew(lock, seconds=60)
            except LeaseLost:
                lost.append(holder)
            store.workspace_locks.release(lock)

    threads = [threading.Thread(target=work, args=(holder,)) for holder in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lost == []
