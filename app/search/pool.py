"""Chooses where to search: in the server itself, or in one of its search processes.

Python runs one thread of a process at a time, so simultaneous questions would wait for each other in the server. The
processes start with the first two simultaneous searches: most servers never need them.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filigraph.app.runtime import Runtime
from filigraph.app.search.process import ProcessLost, SearchProcess
from filigraph.app.search.read_ahead import ReadAhead

if TYPE_CHECKING:
    from filigraph.graph.ask.settings import AskSettings
    from filigraph.graph.model.retrieval import Retrieved
    from filigraph.graph.model.traces import TraceStep
    from filigraph.graph.process.cancel import ShouldStop

log = logging.getLogger("filigraph.server")


class SearchPool:
    """Runs each search in the process with the fewest. Thread-safe."""

    def __init__(self, runtime: Runtime, workers: int) -> None:
        """`workers`: the number of searching processes, including the server."""
        self._runtime = runtime
        self._beside = workers - 1
        self.processes: list[SearchProcess] = []  # those beside the server
        self._running: Counter[SearchProcess | None] = Counter()  # searches by process; None: in the server itself
        self._lock = threading.Lock()  # guards the three fields above
        self.read_ahead = ReadAhead(runtime)  # for searches in the server itself

    def search(
        self,
        workspace: str,
        question: str,
        *,
        settings: AskSettings,
        cancelled: ShouldStop,
        trace_id: str = "",
        before: Sequence[TraceStep] = (),
    ) -> Retrieved:
        """As `engine.find_evidence`, in any process. Raises NotFound."""
        from filigraph.graph.engine import find_evidence

        self._runtime.store()  # reconnected if it was lost: a process only gets the address of Neo4j
        with self.use_process(self._free_process) as process:
            if process:
                try:
                    return process.search(
                        workspace,
                        question,
                        settings=settings,
                        cancelled=cancelled,
                        trace_id=trace_id,
                        before=tuple(before),
                        neo4j=self._runtime.neo4j.peek(),
                    )
                except ProcessLost:
                    log.warning("a search process ended; its question is searched in the server")
        with self.use_process(lambda: None):
            graph = self._runtime.graph(workspace)
            self.read_ahead.watch(workspace)
            return find_evidence(
                question,
                graph=graph,
                embedder=self._runtime.embedder_of(graph.workspace),
                reranker=self._runtime.reranker(),
                settings=settings,
                cancelled=cancelled,
                trace_id=trace_id,
                before=before,
            )

    def expect(self, workspace: str) -> None:
        """Read a workspace ahead in the server itself: somebody may soon search it."""
        self.read_ahead.watch(workspace)

    def close(self) -> None:
        """End the processes, and stop reading ahead."""
        self.read_ahead.close()
        with self._lock:
            self._beside = 0
            processes, self.processes = self.processes, []
        for process in processes:
            process.close()

    @contextmanager
    def use_process(self, choose: Callable[[], SearchProcess | None]) -> Iterator[SearchProcess | None]:
        with self._lock:
            process = choose()
            self._running[process] += 1
        try:
            yield process
        finally:
            with self._lock:
                self._running[process] -= 1
                if not self._running[process]:
                    del self._running[process]

    def _free_process(self) -> SearchProcess | None:
        """The process with the fewest searches, None for the server itself. If several have equally few, it is a
        process: its interpreter does nothing else.
        """
        for process in [process for process in self.processes if process.gone.is_set()]:
            self.processes.remove(process)
            if not process.started.is_set():
                self._give_up("it ended before it was ready")
        if self._running and len(self.processes) < self._beside:
            try:
                self.processes.append(SearchProcess(self._runtime.settings))
            except OSError as error:  # not enough memory or processes
                self._give_up(str(error))
        started = [process for process in self.processes if process.started.is_set()]
        return min([*started, None], key=self._running.__getitem__)

    def _give_up(self, cause: str) -> None:
        log.warning("a search process cannot be started, so the server searches alone: %s", cause)
        self._beside = 0
