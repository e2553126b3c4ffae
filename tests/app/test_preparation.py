"""A server that has started prepares the workspace that was used last, on the real Neo4j."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.service import fair_semaphore, preparation
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.service import Service
from filigraph.graph import derive
from filigraph.graph.derive import prepare
from filigraph.graph.errors import Cancelled
from filigraph.graph.model.traces import Trace
from filigraph.graph.models.embed import Embedder
from filigraph.graph.names.candidates import Candidates
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.snapshots import Snapshots
from filigraph.graph.store import Graph, Store
from filigraph.graph.view import View
from filigraph.graph.views.open import kept_view
from tests.app.pool_runtime import runtime_with
from tests.patience import PATIENCE

CASE = "test-preparation"


@pytest.fixture(scope="module")
def runtime(neo4j_address: Neo4jAddress, store: Store) -> Iterator[Runtime]:
    with runtime_with(CASE, neo4j_address, store) as runtime:
        yield runtime


@pytest.fixture
def service(runtime: Runtime) -> Service:
    """A service that has derived nothing."""
    runtime.store().memory = runtime.memory = CacheMemory()
    return Service(runtime)


def views(graph: Graph) -> tuple[View, View]:
    """Two views of the case."""
    first, second, *_ = (row.source for row in graph.document_names())
    return View(without=(first,)), View(without=(second,))


def ask(service: Service, view: View) -> None:
    """Leave the trace of a question, the newest."""
    trace = Trace(id=uuid4().hex, workspace=CASE, question="?", steps=(), settings={})
    service.runtime.store().traces.write(trace, days=1, view=view.fields())


def is_prepared(graph: Graph) -> bool:
    state = graph.memory.get(("names", graph.workspace.id))
    return state is not None and state.last(Candidates) is not None


def test_when_nobody_needs_the_server(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "QUIET_SECONDS", 0.02)
    monkeypatch.setattr(preparation, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(preparation, "END", PATIENCE)
    graph = service.runtime.graph(CASE)
    revision, (view, _) = graph.overview().revision, views(graph)
    ask(service, view)
    with service.context.search_slots.place(lambda: None):
        service.preparation.start()
        thread = service.preparation.thread
        assert thread and not threading.Event().wait(0.2) and thread.is_alive()
        assert not is_prepared(graph), "somebody searches"
    thread.join(PATIENCE)
    assert kept_view(graph, view), "the view that was asked last"
    assert is_prepared(graph), "the next change"
    assert graph.overview().revision == revision, "nothing is written"
    service.preparation.close()


def test_what_was_prepared_is_written_for_the_next_start(service: Service, tmp_path: Path) -> None:
    graph, snapshots = service.runtime.graph(CASE), Snapshots(tmp_path)
    service.runtime.store().memory = service.runtime.memory = CacheMemory(snapshots=snapshots)
    ask(service, View())
    service.preparation.prepare()
    service.preparation.write_snapshots()
    assert snapshots.there(graph.workspace.id)
    service.runtime.store().memory = service.runtime.memory = CacheMemory(snapshots=snapshots)
    service.runtime.graph(CASE).read_snapshot()
    assert is_prepared(service.runtime.graph(CASE))
    service.context.search_pool.close()


def test_old_snapshots_go(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a workspace that another process changed, and of one that it deleted, also while the server is busy."""
    monkeypatch.setattr(preparation, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(preparation, "CHECK_SECONDS", 0.01)
    snapshots = Snapshots(tmp_path)
    service.runtime.store().memory = service.runtime.memory = CacheMemory(snapshots=snapshots)
    graph = service.runtime.graph(CASE)
    prepare(graph, embedder=service.runtime.embedder_of(graph.workspace))
    graph.keep_snapshot(lambda: False)
    (tmp_path / "other.snapshot").write_bytes(b"of a workspace that another server deleted")
    service.preparation.drop_old_snapshots()
    assert [file.stem for file in tmp_path.glob("*.snapshot")] == [graph.workspace.id]
    with service.context.search_slots.place(lambda: None):
        service.preparation.start()
        graph.database.change("new_revision", workspace=CASE)  # as another process
        until = time.monotonic() + PATIENCE
        while snapshots.there(graph.workspace.id) and time.monotonic() < until:
            time.sleep(0.01)
        assert not snapshots.there(graph.workspace.id)
        service.preparation.close()


def test_a_snapshot_is_written_again_after_a_change_without_a_derivation(service: Service, tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path)
    service.runtime.store().memory = service.runtime.memory = CacheMemory(snapshots=snapshots)
    graph = service.runtime.graph(CASE)
    prepare(graph, embedder=service.runtime.embedder_of(graph.workspace))
    service.preparation.write_snapshots()
    assert snapshots.stamp(graph.workspace.id) == graph.stamp()
    graph.write_form("a form", "who: text")
    assert not snapshots.there(graph.workspace.id)
    with service.context.locked(CASE, ProgressCallbacks()):
        service.preparation.write_snapshots()
        assert not snapshots.there(graph.workspace.id), "somebody needs the workspace"
    service.preparation.write_snapshots()
    assert snapshots.stamp(graph.workspace.id) == graph.stamp()
    graph.remove_form("a form")


def test_a_workspace_that_was_asked_as_a_whole_is_read_ahead(service: Service) -> None:
    ask(service, View())
    service.preparation.prepare()
    assert CASE in service.context.search_pool.read_ahead.watched
    service.context.search_pool.close()


def test_a_large_workspace_is_left_alone(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = service.runtime.graph(CASE)
    ask(service, views(graph)[0])
    settings = service.runtime.settings.model_copy(update={"read_ahead": graph.count_chunks() - 1})
    monkeypatch.setattr(service.runtime, "settings", settings)
    service.preparation.prepare()
    assert not is_prepared(graph)


def test_a_view_makes_way_for_another_that_somebody_asks(service: Service) -> None:
    graph = service.runtime.graph(CASE)
    ahead, other = views(graph)
    asking = threading.Thread(target=service.views.open, args=(CASE, other, lambda: False))

    def ask_another() -> bool:
        if not asking.ident:
            asking.start()
            assert service.views.makes_way.wait(PATIENCE)
        return False

    with pytest.raises(Cancelled):
        service.views.open_ahead(CASE, ahead, ask_another)
    asking.join(PATIENCE)
    assert kept_view(graph, other) and not kept_view(graph, ahead)


def test_a_change_does_not_wait_while_searches_run(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_semaphore, "PAUSE_FACTOR", 1e9)
    monkeypatch.setattr(fair_semaphore, "MAX_PAUSE_SECONDS", 10 * PATIENCE)
    begun = threading.Event()

    def pause(graph: Graph, *, embedder: Embedder, cancelled: ShouldStop) -> None:
        begun.set()
        cancelled()

    monkeypatch.setattr(derive, "prepare", pause)
    ask(service, View())
    preparing = threading.Thread(target=service.preparation.prepare)
    with service.context.search_slots.place(lambda: None):
        preparing.start()
        assert begun.wait(PATIENCE)
        with service.context.locked_soon(CASE, patience=PATIENCE):
            preparing.join(PATIENCE)
    service.context.search_pool.close()


def test_a_change_waits_for_one_step_only(service: Service) -> None:
    locks, found = service.context.workspace_locks, threading.Event()

    def change() -> None:
        with service.context.locked(CASE, ProgressCallbacks(waiting=lambda _: found.set())):
            pass

    changing = threading.Thread(target=change)
    with service.context.locked(CASE, ProgressCallbacks()):
        assert not locks.wanted(CASE)
        changing.start()
        assert found.wait(PATIENCE) and locks.wanted(CASE), "so the preparation ends"
    changing.join(PATIENCE)
    assert not locks.wanted(CASE)
