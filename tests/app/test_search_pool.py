"""Searches in a process beside the server, on the real Neo4j."""

from __future__ import annotations

import dataclasses
import os
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.search.pool import SearchPool
from filigraph.app.settings import Settings
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.errors import Cancelled, InputError, NotFound
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.store import Store
from tests.app.pool_runtime import QUESTION, runtime_with
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow  # processes are started that load what a server loads
CASE = "test-search-pool"


@pytest.fixture(scope="module")
def runtime(neo4j_address: Neo4jAddress, store: Store) -> Iterator[Runtime]:
    with runtime_with(CASE, neo4j_address, store) as runtime:
        yield runtime


@pytest.fixture(scope="module")
def pool(runtime: Runtime) -> Iterator[SearchPool]:
    """A pool of two whose process is ready."""
    pool = SearchPool(runtime, 2)
    held, free = threading.Event(), threading.Event()

    def hold() -> bool:
        held.set()
        free.wait()
        return False

    first = threading.Thread(target=find, args=(pool,), kwargs={"cancelled": hold})
    first.start()
    held.wait()
    assert find(pool).paths  # the second at once: it starts the process
    free.set()
    first.join()
    assert pool.processes[0].started.wait(PATIENCE)
    yield pool
    pool.close()


def find(
    pool: SearchPool, question: str = QUESTION, *, cancelled: Callable[[], bool] = lambda: False, **given: Any
) -> Retrieved:
    settings = given.pop("settings", AskSettings())
    return pool.search(CASE, question, settings=settings, cancelled=cancelled, **given)


def processes() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]


def test_a_process_finds_what_the_server_finds(runtime: Runtime, pool: SearchPool) -> None:
    alone = find(SearchPool(runtime, 1))
    beside = find(pool, trace_id="a" * 32)
    assert beside.trace.id == "a" * 32
    assert dataclasses.replace(beside, trace=alone.trace) == alone and alone.paths
    assert [step.name for step in beside.trace.steps] == [step.name for step in alone.trace.steps]


def test_a_server_whose_questions_come_one_by_one_starts_no_process(runtime: Runtime) -> None:
    pool = SearchPool(runtime, 2)
    assert find(pool).paths and find(pool).paths
    assert pool.processes == []


def test_a_machine_without_room_for_a_process_costs_no_answer(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(settings: Settings) -> None:
        raise BlockingIOError("no process more")

    monkeypatch.setattr("filigraph.app.search.pool.SearchProcess", refuse)
    pool = SearchPool(runtime, 2)
    with pool.use_process(lambda: None):  # one search runs
        assert find(pool).paths
    assert pool.processes == []


def test_errors_come_back_as_they_are(pool: SearchPool) -> None:
    with pytest.raises(InputError, match="empty") as caught:
        find(pool, " ")
    assert caught.value.cure == "Ask in a sentence."
    with pytest.raises(NotFound):
        pool.search("nowhere", QUESTION, settings=AskSettings(), cancelled=lambda: False)


def test_a_search_is_stopped(pool: SearchPool) -> None:
    with pool.use_process(lambda: None), pytest.raises(Cancelled):  # the server is busy: the process searches
        find(pool, cancelled=lambda: True)
    assert find(pool).paths


def test_a_lost_process_costs_no_answer_and_ends(pool: SearchPool) -> None:
    (process,) = processes()
    asked = threading.Event()

    def cut() -> bool:
        if not asked.is_set():
            asked.set()
            with socket.socket(fileno=os.dup(pool.processes[0].connection.fileno())) as pipe:
                pipe.shutdown(socket.SHUT_RDWR)  # as the system does when either end is killed
        return False

    with pool.use_process(lambda: None):  # the server is busy: the process searches
        found = find(pool, cancelled=cut)
    assert found.paths
    process.wait(PATIENCE)
    assert find(pool).paths and pool.processes == []
