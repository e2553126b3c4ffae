"""Contradictions of workspaces and views, found once for each revision."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING

from cachetools import LRUCache

from filigraph.graph.errors import FiligraphError

if TYPE_CHECKING:
    from filigraph.graph.analysis.matters import Matter
    from filigraph.graph.store import Graph
    from filigraph.graph.views.reader import ViewGraph

    Found = Future[list[Matter]]

CACHED_RESULTS = 16  # workspaces and views
ANSWER_WAIT_SECONDS = 2.0  # seconds that an answer waits for them after a change, at most
MAX_TIME_SHARE = 0.2  # of the time, at most, that goes into finding them while a workspace keeps changing


class ContradictionCache:
    """Finds the contradictions of one workspace at a time, in a thread. Thread-safe."""

    def __init__(self) -> None:
        self._found: LRUCache[tuple[str, str], Found] = LRUCache(CACHED_RESULTS)  # by workspace and revision
        self._rests: LRUCache[str, float] = LRUCache(
            CACHED_RESULTS
        )  # by workspace and view: until when answers do without
        self._lock = threading.Lock()  # of both
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="contradictions")

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def of(self, graph: Graph | ViewGraph) -> list[Matter]:
        """The contradictions, however long it takes to find them."""
        pending = self._pending_search(graph, wanted=True)
        return pending.result() if pending else []

    def begin(self, graph: Graph | ViewGraph) -> Callable[[], list[Matter]]:
        """Find them in the background. The function returns them, or none if that fails, takes longer than PATIENCE, or
        has just been done for an earlier state of the workspace (see SHARE)."""
        pending = self._pending_search(graph)

        def result_soon() -> list[Matter]:
            try:
                return pending.result(ANSWER_WAIT_SECONDS) if pending else []
            except (NotYet, FiligraphError):  # an answer does not fail because of them, and a later one tries again
                return []

        return result_soon

    def _pending_search(self, graph: Graph | ViewGraph, *, wanted: bool = False) -> Found | None:
        key = (graph.workspace.id, graph.revision())
        with self._lock:
            pending = self._found.get(key)
            if pending is None or (pending.done() and pending.exception()):
                if not wanted and time.monotonic() < self._rests.get(_part_of(*key), 0.0):
                    return None
                pending = self._found[key] = self._pool.submit(self._find, graph, _part_of(*key))
            return pending

    def _find(self, graph: Graph | ViewGraph, part: str) -> list[Matter]:
        from filigraph.graph.readings.read_contradictions import all_contradictions

        begun = time.monotonic()
        contradictions = all_contradictions(graph)
        with self._lock:
            self._rests[part] = begun + (time.monotonic() - begun) / MAX_TIME_SHARE
        return contradictions


def _part_of(workspace_id: str, revision: str) -> str:
    """The workspace, or the view of it, whatever its revision."""
    return f"{workspace_id}@{revision.partition('@')[2]}"
