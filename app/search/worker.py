"""A search process: it runs searches from its pipe, each on a thread, until the server ends."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.search.messages import (
    CancelSearch,
    FromProcess,
    SearchFailure,
    SearchRequest,
    SearchResult,
    WorkerStarted,
)
from filigraph.app.search.read_ahead import ReadAhead
from filigraph.app.settings import Settings
from filigraph.graph.engine import find_evidence
from filigraph.graph.errors import FiligraphError, StoreUnavailable
from filigraph.graph.process.gc_tuning import FrozenObjects


def work(connection: Connection, settings: Settings) -> None:
    """The main function of a search process. When the server ends, in any way, its end of the pipe closes."""
    os.environ["OMP_NUM_THREADS"] = "1"  # each process has a core
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    with suppress(EOFError, OSError):
        _Worker(connection, settings).run()


class _Worker:
    """Shared by the searches of a process: the pipe, the store, the models."""

    def __init__(self, connection: Connection, settings: Settings) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._address: Neo4jAddress | None = None
        self.runtime = Runtime(settings, self._neo4j)
        self.read_ahead = ReadAhead(self.runtime)
        self._searches: dict[int, _Search] = {}

    def run(self) -> None:
        """Raises EOFError or OSError when the server has ended."""
        with suppress(FiligraphError):  # the first search reports it
            self.runtime.embedder()
            self.runtime.reranker()
        FrozenObjects().begin()
        self.send(WorkerStarted())
        while True:
            match self._connection.recv():
                case SearchRequest() as request:
                    self._begin(request)
                case CancelSearch(id_) if search := self._searches.get(id_):
                    search.stopped.set()

    def _begin(self, request: SearchRequest) -> None:
        if request.neo4j != self._address:
            self._address = request.neo4j
            self.runtime.forget_store()
        self._searches[request.id] = search = _Search(request, self)
        threading.Thread(target=self._finish, args=(search,), name="search", daemon=True).start()

    def _finish(self, search: _Search) -> None:
        end = search.run()
        del self._searches[search.id]
        self.send(end)

    def send(self, message: FromProcess) -> None:
        with self._sending, suppress(OSError):  # the server has ended: `run` notices
            self._connection.send(message)

    def _neo4j(self) -> Neo4jAddress:
        """The address of the local Neo4j: only the server starts it."""
        if self._address is None:
            raise StoreUnavailable("The server has no Neo4j yet.", cure="Try again in a moment.")
        return self._address


class _Search:
    """A search that can be stopped."""

    def __init__(self, request: SearchRequest, worker: _Worker) -> None:
        self.id = request.id
        self.stopped = threading.Event()
        self._request = request
        self._worker = worker

    def run(self) -> SearchResult | SearchFailure:
        request, runtime = self._request, self._worker.runtime
        try:
            graph = runtime.graph(request.workspace)
            self._worker.read_ahead.watch(request.workspace)
            retrieved = find_evidence(
                request.question,
                graph=graph,
                embedder=runtime.embedder_of(graph.workspace),
                reranker=runtime.reranker(),
                settings=request.settings,
                cancelled=self.stopped.is_set,
                trace_id=request.trace_id,
                before=request.before,
            )
        except FiligraphError as error:
            if isinstance(error, StoreUnavailable):
                runtime.forget_store()
            return SearchFailure(self.id, error)
        except Exception:  # noqa: BLE001 - the server logs it
            return SearchFailure(self.id, traceback.format_exc())
        return SearchResult(self.id, retrieved)
