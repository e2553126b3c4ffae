"""A server reads ahead the workspaces that receive questions, on the real Neo4j."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.search import read_ahead as module
from filigraph.app.search.pool import SearchPool
from filigraph.app.search.read_ahead import ReadAhead
from filigraph.app.settings import Settings
from filigraph.graph.ask.explore import read_ahead as reading
from filigraph.graph.ask.reader import AskGraph
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.records.workspaces import ReadAheadSize
from filigraph.graph.store import Graph, Store
from tests.app.pool_runtime import QUESTION, runtime_with
from tests.patience import PATIENCE

CASE = "test-read-ahead"


@pytest.fixture(scope="module")
def runtime(neo4j_address: Neo4jAddress, store: Store) -> Iterator[Runtime]:
    with runtime_with(CASE, neo4j_address, store) as runtime:
        runtime.store()
        yield runtime


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The revisions that were read ahead; looks come often."""
    revisions: list[str] = []
    whole = reading.read_ahead

    def noted(graph: AskGraph) -> Iterator[None]:
        revision = graph.overview().revision
        yield from whole(graph)
        revisions.append(revision)

    monkeypatch.setattr(reading, "read_ahead", noted)
    for name in ("POLL_SECONDS", "PAUSE_SECONDS"):
        monkeypatch.setattr(module, name, 0.01)
    monkeypatch.setattr(module, "MAX_TIME_SHARE", 1.0)
    monkeypatch.setattr(module, "END", PATIENCE)
    yield revisions


def until(condition: Callable[[], bool]) -> bool:
    waiting, waited = threading.Event(), 0.0
    while not condition() and waited < PATIENCE:
        waiting.wait(0.02)
        waited += 0.02
    return condition()


def change(graph: Graph) -> str:
    """Let a program change the workspace; returns its new revision."""
    graph.database.change("new_revision", workspace=graph.workspace.name)
    return graph.overview().revision


def test_after_a_question_and_after_each_change(runtime: Runtime, store: Store, reads: list[str]) -> None:
    graph = store.graph(CASE)
    pool = SearchPool(runtime, 1)
    assert pool.search(CASE, QUESTION, settings=AskSettings(), cancelled=lambda: False).paths
    revision = graph.overview().revision
    assert until(lambda: reads == [revision])
    assert runtime.graph(CASE).chunk_cache.find_ids(revision)
    changed = change(graph)
    assert until(lambda: reads == [revision, changed])
    pool.close()
    thread = pool.read_ahead.thread
    assert thread and not thread.is_alive()


def test_how_much_is_read_is_a_setting(neo4j_address: Neo4jAddress) -> None:
    runtime = Runtime(Settings(FILIGRAPH_READ_AHEAD="7"), lambda: neo4j_address)  # type: ignore[call-arg]
    assert runtime.store().chunk_cache.size == ReadAheadSize(7)
    runtime.close()


def test_a_workspace_that_is_not_asked_any_more_is_left_alone(
    runtime: Runtime, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = ReadAhead(runtime)
    ahead.watch(CASE)
    assert until(lambda: len(reads) == 1)
    monkeypatch.setattr(module, "READ_AHEAD_SECONDS", 0.0)
    assert until(lambda: ahead.thread is None)
    monkeypatch.undo()
    ahead.watch(CASE)
    assert ahead.thread and ahead.thread.is_alive(), "a later question starts it again"
    ahead.close()


def test_what_changes_all_the_time_is_not_read_all_the_time(
    runtime: Runtime, store: Store, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_TIME_SHARE", 1e-9)
    ahead, graph = ReadAhead(runtime), store.graph(CASE)
    ahead.watch(CASE)
    assert until(lambda: len(reads) == 1)
    changed = change(graph)
    assert until(lambda: ahead.watched[CASE].seen == changed)
    assert not threading.Event().wait(0.2) and len(reads) == 1
    ahead.close()


def test_a_workspace_that_is_gone_and_a_store_that_is_lost_stop_nothing(
    runtime: Runtime, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = ReadAhead(runtime)
    ahead.watch("gone")
    ahead.watch(CASE)
    assert until(lambda: len(reads) == 1)
    peeked: list[bool] = []
    monkeypatch.setattr(runtime.store, "peek", lambda: peeked.append(True))
    assert until(lambda: len(peeked) > 3) and ahead.thread and ahead.thread.is_alive()
    ahead.close()
    ahead.watch(CASE)
    assert not ahead.thread.is_alive()


def test_what_is_unforeseen_is_logged_and_leaves_the_others(
    runtime: Runtime, reads: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    graph = runtime.graph

    def broken(workspace: str) -> Graph:
        if workspace == "broken":
            raise ZeroDivisionError
        return graph(workspace)

    monkeypatch.setattr(runtime, "graph", broken)
    ahead = ReadAhead(runtime)
    ahead.watch("broken")
    ahead.watch(CASE)
    assert until(lambda: len(reads) == 1)
    assert caplog.text.count("the workspace broken cannot be read ahead") == 1
    assert list(ahead.watched) == [CASE]
    ahead.close()
