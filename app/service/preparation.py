"""Prepares the workspace that was used last when a server has started: what its next change begins with, and what
questions of it read, or the view that was asked last. Neither then reads everything first.

It begins when nobody needs the server, and gives way to anybody who does.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from filigraph.app.service.context import ProgressCallbacks, ServiceContext
from filigraph.app.service.fair_semaphore import YieldToSearches
from filigraph.app.service.graph.views import Views
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, NotFound
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.app.service.jobs.coordinator import Coordinator

log = logging.getLogger("filigraph.server")
QUIET_SECONDS = 3.0  # seconds without a search or a job before it begins
POLL_SECONDS = 0.5  # seconds between two checks
END = 2.0  # seconds that a step may take to end


class Preparation:
    """One for the server's life."""

    def __init__(self, context: ServiceContext, views: Views, coordinator: Coordinator) -> None:
        self._context, self._views, self._coordinator = context, views, coordinator
        self._ended = threading.Event()
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        """Prepare in the background, once; the server must be ready."""
        self.thread = threading.Thread(target=self._run, name="prepare", daemon=True)
        self.thread.start()

    def close(self) -> None:
        self._ended.set()
        if self.thread:
            self.thread.join(END)

    def _run(self) -> None:
        try:
            if self._until_quiet():
                self.prepare()
        except FiligraphError as error:  # whoever needs it reports it
            log.info("not prepared: %s", error)
        except Exception:
            log.exception("not prepared")

    def _until_quiet(self) -> bool:
        """Wait until nobody has needed the server for a while; False if it ends before."""
        quiet = 0.0
        while quiet < QUIET_SECONDS:
            if self._ended.wait(POLL_SECONDS):
                return False
            quiet = quiet + POLL_SECONDS if self._is_quiet() else 0.0
        return True

    def _is_quiet(self) -> bool:
        return self._context.search_slots.empty() and not self._coordinator.busy

    def prepare(self) -> None:
        """Prepare the workspace that was used last, if it is not too large. Raises FiligraphError."""
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

        def needed() -> bool:
            return self._ended.is_set() or self._context.workspace_locks.wanted(workspace)

        gives_way = YieldToSearches(self._context.search_slots, needed)  # a change does not wait for its pauses
        with self._context.locked(workspace, ProgressCallbacks(cancelled=gives_way)) as store:
            graph = store.graph(workspace)
            prepare(graph, embedder=runtime.embedder_of(graph.workspace), cancelled=gives_way)

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
