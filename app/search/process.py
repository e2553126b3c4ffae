"""The server's end of a search process: it starts the process, sends it searches, and notices when it ends."""

from __future__ import annotations

import itertools
import multiprocessing
import queue
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from filigraph.app.search.messages import (
    CancelSearch,
    FromProcess,
    SearchFailure,
    SearchRequest,
    SearchResult,
    ToProcess,
    WorkerStarted,
)
from filigraph.graph.errors import Cancelled, FiligraphError

if TYPE_CHECKING:
    from filigraph.app.neo4j import Neo4jAddress
    from filigraph.app.settings import Settings
    from filigraph.graph.ask.settings import AskSettings
    from filigraph.graph.model.retrieval import Retrieved
    from filigraph.graph.model.traces import TraceStep
    from filigraph.graph.process.cancel import ShouldStop

POLL_SECONDS = 0.2  # poll interval for a client that disconnected, in seconds
END = 5.0  # seconds that a process has to end before it is killed


class ProcessLost(Exception):
    """The search process ended in the middle of a search."""


class SearchProcess:
    """A process that searches, in addition to the server. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        from filigraph.app.search.worker import work  # imports the whole engine

        self.started = threading.Event()
        self.gone = threading.Event()
        context = multiprocessing.get_context("spawn")  # a fork would copy the server's threads' locks
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, settings), name="filigraph search", daemon=True)
        self._process.start()
        theirs.close()
        self._sending = threading.Lock()
        self._ids = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[FromProcess]] = {}
        threading.Thread(target=self._receive, name="search process", daemon=True).start()

    def search(
        self,
        workspace: str,
        question: str,
        *,
        settings: AskSettings,
        cancelled: ShouldStop,
        trace_id: str,
        before: tuple[TraceStep, ...],
        neo4j: Neo4jAddress | None,
    ) -> Retrieved:
        """As `engine.find_evidence`. Raises ProcessLost if the process ends meanwhile."""
        id_ = next(self._ids)
        inbox = self._waiting[id_] = queue.SimpleQueue()
        request = SearchRequest(
            id=id_,
            workspace=workspace,
            question=question,
            settings=settings,
            trace_id=trace_id,
            before=before,
            neo4j=neo4j,
        )
        try:
            self._send(request)
            while True:
                match self._next(inbox, id_, cancelled):
                    case SearchResult(_, retrieved):
                        return retrieved
                    case SearchFailure(_, error):
                        raise error if isinstance(error, FiligraphError) else RuntimeError(error)
        finally:
            del self._waiting[id_]

    def close(self) -> None:
        """End the process."""
        self.gone.set()
        self._process.terminate()
        self._process.join(END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self.connection.close()

    def _next(self, inbox: queue.SimpleQueue[FromProcess], id_: int, cancelled: ShouldStop) -> FromProcess:
        """The next message of a search. Raises Cancelled, and whatever `cancelled` raises."""
        while True:
            try:
                if cancelled():
                    raise Cancelled("The question was withdrawn.")
            except FiligraphError:
                self._send(CancelSearch(id_))
                raise
            try:
                return inbox.get(timeout=POLL_SECONDS)
            except queue.Empty:
                if self.gone.is_set():
                    raise ProcessLost from None

    def _send(self, message: ToProcess) -> None:
        try:
            with self._sending:
                self.connection.send(message)
        except OSError:
            raise ProcessLost from None

    def _receive(self) -> None:
        """Pass each message on to its search, until the process ends."""
        with suppress(EOFError, OSError):
            while True:
                message = self.connection.recv()
                if isinstance(message, WorkerStarted):
                    self.started.set()
                elif inbox := self._waiting.get(message.id):
                    inbox.put(message)
        self.gone.set()
