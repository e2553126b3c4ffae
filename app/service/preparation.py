"""Prepares the workspace that was used last when a server has started: what its next change begins with, and what
questions of it read, or the view that was asked last. Neither then reads everything first. Later it writes snapshots of
the workspaces that changed, for the next start.

It works when nobody needs the server, and gives way to anybody who does.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.fair_semaphore import YieldToSearches
from filigraph.app.service.graph.views import Views
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, NotFound
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.app.service.jobs.coordinator import Coordinator
    from filigraph.graph.store import Graph

log = logging.getLogger("filigraph.server")
QUIET_SECONDS = 3.0  # seconds without a search, a job or a change before it begins
POLL_SECONDS = 0.5  # seconds between two checks
SETTLED_SECONDS = 10.0  # the same before it writes snapshots: one change often follows another
CHECK_SECONDS = 30.0  # seconds between two comparisons of snapshots with what other processes may have changed
END = 2.0  # seconds that a step may take to end


class Preparation:
    """One for the server's life."""

    def __init__(self, context: ServiceContext, views: Views, coordinator: Coordinator) -> None:
        self._context, self._views, self._coordinator = context, views, coordinator
        self._ended = threading.Event()
        self._written: dict[str, str] = {}  # workspace -> the stamp whose snapshot was written, or could not be
        self._seen: tuple[int, dict[str, str]] | None = None  # the changes after which nothing was left to write
        self._checked = -CHECK_SECONDS  # seconds, when the snapshots were compared with their workspaces
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, in the background; the server must be ready."""
        self.thread = threading.Thread(target=self._run, name="prepare", daemon=True)
        self.thread.start()

    def close(self) -> None:
        self._ended.set()
        if self.thread:
            self.thread.join(END)

    def _run(self) -> None:
        if self._until_quiet(QUIET_SECONDS):
            self._try(self.prepare)
        while self._context.runtime.memory.snapshots and self._until_quiet(SETTLED_SECONDS):
            self._try(self.write_snapshots)

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except FiligraphError as error:  # whoever needs it reports it
            log.info("not prepared: %s", error)
        except Exception:
            log.exception("not prepared")

    def _until_quiet(self, seconds: float) -> bool:
        """Wait until nobody has needed the server for a while; False if it ends before."""
        quiet = 0.0
        while quiet < seconds:
            if self._ended.wait(POLL_SECONDS):
                return False
            if time.monotonic() - self._checked >= CHECK_SECONDS:
                self._checked = time.monotonic()
                self._try(self.drop_old_snapshots)
            quiet = quiet + POLL_SECONDS if self._is_quiet() else 0.0
        return True

    def _is_quiet(self) -> bool:
        context = self._context
        return context.search_slots.empty() and not self._coordinator.busy and not context.workspace_locks.busy()

    def prepare(self) -> None:
        """Prepare the workspace that was used last, if it is not too large, from its snapshot if it has one. Raises
        FiligraphError."""
        from filigraph.graph.derive import prepare

        workspace, view = self._last_used()
        runtime = self._context.runtime
        if not workspace or runtime.graph(workspace).count_chunks() > runtime.settings.read_ahead:
            return
        if view:
            with suppress(Cancelled, InputError, NotFound):  # somebody asks another, or what it names is gone
                self._views.open_ahead(workspace, view, self._ended.is_set)  # which itself takes a place to search
        else:
            self._context.search_pool.expect(workspace)
        with self._giving_way(workspace) as (graph, gives_way):
            prepare(graph, embedder=runtime.embedder_of(graph.workspace), cancelled=gives_way)

    def drop_old_snapshots(self) -> None:
        """Remove the snapshots of workspaces that another process changed or deleted, and of those out of reach. Raises
        FiligraphError."""
        snapshots = self._context.runtime.memory.snapshots
        stamps = snapshots.stamps() if snapshots else {}
        if not snapshots or not stamps:
            return
        stores = self._context.runtime.reachable().values()
        existing = {row.id: (store, row.name) for store in stores for row in store.workspaces()}
        for id_, stamp in stamps.items():
            if id_ not in existing:
                snapshots.remove(id_)
            else:
                store, workspace = existing[id_]
                with suppress(NotFound):
                    store.graph(workspace, swapping=True).drop_old_snapshot(stamp)

    def write_snapshots(self) -> None:
        """Write snapshots of the workspaces that changed, or were prepared. Raises FiligraphError."""
        runtime = self._context.runtime
        snapshots, stores = runtime.memory.snapshots, runtime.reachable().values()
        states = {name: state for store in stores for name, state in store.derivation_cache.states().items()}
        seen = (snapshots.changes if snapshots else 0, states)
        if self._seen != seen:
            written = [self._write_snapshot(workspace) for workspace in states]
            self._seen = seen if all(written) else None

    def _write_snapshot(self, workspace: str) -> bool:
        """Write the snapshot of a workspace if it changed; False if somebody needs the workspace."""
        from filigraph.graph.derive import prepare

        runtime = self._context.runtime
        try:
            stamp = runtime.graph(workspace).stamp()
            if self._written.get(workspace) != stamp:
                with self._giving_way(workspace) as (graph, gives_way):
                    if graph.derivation_state.all_kept():
                        prepare(graph, embedder=runtime.embedder_of(graph.workspace), cancelled=gives_way)
                        graph.keep_snapshot(gives_way)
                self._written[workspace] = stamp
        except NotFound:
            pass
        except Cancelled:
            return False
        return True

    @contextmanager
    def _giving_way(self, workspace: str) -> Iterator[tuple[Graph, ShouldStop]]:
        """A workspace whose lock we hold, and whether somebody needs it."""

        def needed() -> bool:
            return self._ended.is_set() or self._context.workspace_locks.wanted(workspace)

        gives_way = YieldToSearches(self._context.search_slots, needed)  # a change does not wait for its pauses
        with self._context.locked(workspace, ProgressCallbacks(cancelled=gives_way)) as store:
            yield store.graph(workspace), gives_way

    def _last_used(self) -> tuple[str, View | None]:
        """The workspace of the last question or job, and the view that was asked; "" if there is none."""
        store = self._context.runtime.store()
        asked = store.traces.last_asked()
        jobs, _ = store.jobs.jobs(workspace=None, state=None, first=0, count=1)
        if jobs and (asked is None or jobs[0].created > asked[1]):
            return jobs[0].workspace, None
        if asked is None:
            return "", None
        workspace, _, fields = asked
        return workspace, View.of(fields) if fields else None
