"""The server that `survival.py` kills: the real one in its own process, which kills itself, or Neo4j, at a commit.

Its embedder knows only words, so a start takes a second; its lease is short, so there is no wait for it.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from filigraph.app.neo4j import Neo4jAddress, start_neo4j
from filigraph.app.runtime import Runtime
from filigraph.app.server import run
from filigraph.app.service import workspace_locks
from filigraph.app.service.jobs import coordinator, provider_batches, run_batches
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import connect
from filigraph.graph.store.neo4j.database import Database, Run
from tests.making import word_embedder
from tests.short_lived import short_lived

IN_FLIGHT = 4  # calls of the LLM at once
LEASE = 2.0  # seconds
INDEX = "index"


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a server runs."""

    home: Path  # with its Neo4j
    version: str | None  # of Neo4j; None: the usual one
    llm: str  # the address of an LLM server
    times: int = 1  # which embedder the server has

    @property
    def passed(self) -> Path:
        """Holds a line for each writing transaction of the last server."""
        return self.home / "passed"

    def neo4j(self) -> Neo4jAddress:
        """Its Neo4j, started if it does not run; it lives for a job."""
        with short_lived():
            return start_neo4j(version=self.version, home=self.home, progress=False)


@dataclass(frozen=True, kw_only=True)
class Failpoint:
    """The moment before the commit of the `number`-th writing transaction, from 1, whose last statement is `name`. A
    transaction that makes or drops an index is called INDEX."""

    name: str
    number: int
    pid: int = 0  # the process to kill; 0: the server itself


def serve(place: Place, failpoint: Failpoint | None, tell: Connection) -> None:
    """Serve until killed or asked to end; sends the port once it can be reached."""
    os.dup2(os.open(place.home / "server.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    coordinator.LEASE, coordinator.BUSY, coordinator.IDLE = LEASE, 0.25, 0.25
    workspace_locks.EXPIRES, workspace_locks.RENEW_EVERY = LEASE, 0.25
    run_batches.POLL_SECONDS, provider_batches.SETTLES = 0.25, 1.0
    connect.RETRY_SECONDS = 1.0  # a killed Neo4j does not come back by itself
    _watch_commits(place.passed, failpoint)
    settings = Settings(  # type: ignore[call-arg]
        FILIGRAPH_HOME=place.home, FILIGRAPH_LLM_URL=place.llm, FILIGRAPH_LLM="stub", FILIGRAPH_LLM_PARALLEL=IN_FLIGHT
    )
    listener = socket.create_server(("127.0.0.1", 0))
    run(Service(_WordRuntime(settings, place)), listener, lambda: tell.send(listener.getsockname()[1]))


class _WordRuntime(Runtime):
    """The real runtime, except for the models."""

    def __init__(self, settings: Settings, place: Place) -> None:
        super().__init__(settings, place.neo4j)
        self._times = place.times

    def _load_embedder(self) -> Embedder:
        return word_embedder(self._times)

    def _load_reranker(self) -> None:
        return None


def _watch_commits(file: Path, failpoint: Failpoint | None) -> None:
    """Record every transaction before its commit, and kill at the failpoint. These are the only hooks: all writes of
    the store pass here."""
    file.unlink(missing_ok=True)
    passed = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    counts: Counter[str] = Counter()
    lock = threading.Lock()
    plain, define = Database._write, Database.define

    def pass_by(name: str) -> None:
        with lock:
            counts[name] += 1
            os.write(passed, f"{name}\n".encode())
            if failpoint and (name, counts[name]) == (failpoint.name, failpoint.number):
                os.kill(failpoint.pid or os.getpid(), signal.SIGKILL)

    def defining(database: Database, text: str) -> None:
        pass_by(INDEX)
        define(database, text)

    def write(database: Database, work: Callable[[Run], Any]) -> Any:
        def whole(run: Run) -> Any:
            last = ""

            def noting(statement: str, **parameters: Any) -> Any:
                nonlocal last
                last = statement
                return run(statement, **parameters)

            done = work(noting)
            if last:  # else it only checks that it still holds the lock
                pass_by(last)
            return done

        return plain(database, whole)

    Database.define = defining  # type: ignore[method-assign, assignment]
    Database._write = write  # type: ignore[method-assign, assignment]
