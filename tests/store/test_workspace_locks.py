"""Turns: one at a time changes a workspace, whichever server it is on."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from filigraph.graph.errors import LeaseLost
from filigraph.graph.store import Graph, Store, WorkspaceLock
from tests.store.world import document, read


@pytest.fixture
def name(store: Store, graph: Graph) -> Iterator[str]:
    """A workspace in which nobody has the turn."""
    yield graph.workspace.name
    for holder in ("a", "b"):
        store.workspace_locks.acquire(graph.workspace.name, holder, seconds=0)


def take(store: Store, name: str, holder: str = "a", seconds: float = 60) -> WorkspaceLock:
    turn = store.workspace_locks.acquire(name, holder, seconds=seconds)
    assert turn is not None
    return turn


def test_one_has_the_turn_until_it_is_given_back_or_expires(store: Store, name: str) -> None:
    first = take(store, name, "a")
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None
    assert store.workspace_locks.acquire(f"{name}-2", "b", seconds=0), "of another workspace"
    store.workspace_locks.release(first)
    second = take(store, name, "b", seconds=0)
    assert take(store, name, "a").token not in (first.token, second.token), "it had expired"


def test_who_keeps_it_has_it_for_longer(store: Store, name: str) -> None:
    turn = take(store, name, "a", seconds=0)
    store.workspace_locks.renew(turn, seconds=60)
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None
    store.workspace_locks.renew(turn, seconds=0)
    take(store, name, "b")
    with pytest.raises(LeaseLost, match=name):
        store.workspace_locks.renew(turn, seconds=60)


def test_a_holder_takes_what_it_did_not_give_back(store: Store, name: str) -> None:
    """A Neo4j that was gone for a moment leaves a turn that nobody has any more."""
    left = take(store, name, "a")
    again = take(store, name, "a")
    store.workspace_locks.release(left)
    assert store.workspace_locks.acquire(name, "b", seconds=60) is None, "it was not its to give any more"
    store.holding(again).graph(name).note_overview()
    with pytest.raises(LeaseLost):
        store.holding(left).graph(name).note_overview()


def test_who_lost_the_turn_changes_nothing(store: Store, graph: Graph, name: str) -> None:
    mine = store.holding(take(store, name, "a", seconds=0))
    there = mine.graph(name)
    read(there, "first.txt", ["Sophie | aime | Jules."])
    take(store, name, "b")
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


def test_who_takes_it_waits_for_what_the_other_has_begun(store: Store, name: str) -> None:
    """Whoever is inside a transaction when its turn expires ends it before another one has the turn."""
    old = store.holding(take(store, name, "a", seconds=0))
    inside, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    def write() -> None:
        def slowly(run: object) -> None:
            inside.set()
            assert go_on.wait(60)
            order.append("written")

        old.database.write(slowly)

    def take_over() -> None:
        take(store, name, "b")
        order.append("taken")

    threads = [threading.Thread(target=write), threading.Thread(target=take_over)]
    threads[0].start()
    assert inside.wait(60)
    threads[1].start()
    threads[1].join(0.5)  # time to do it wrongly; done rightly, it is still waiting
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert order == ["written", "taken"]
