"""What all parts of the service work with: the store, which may come and go; turns in workspaces; the meters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filigraph.app.http.limits import Budget
from filigraph.app.http.metrics import Metrics
from filigraph.app.runtime import Runtime
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.app.service.workspace_locks import WorkspaceLocker
from filigraph.graph.errors import Busy, Cancelled, NotFound, StoreUnavailable

if TYPE_CHECKING:
    from filigraph.graph.store import Graph, Store, TokensSpent

ShouldStop = Callable[[], bool]

LOCK_TIMEOUT = 30.0  # seconds that somebody waits for a turn; a dead server keeps its own for less
CONCURRENT_SEARCHES = 3  # questions that search at once: more of them take the interpreter from each other


class BaseService:
    """One for the server's life, see `service.py`."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.metrics = Metrics(neo4j_up=self._neo4j_up, ready=self._ready, queue=self._queue)
        self.budget = Budget(self._with_spent, a_day=runtime.settings.llm_tokens_a_day)
        self.workspace_locks = WorkspaceLocker(runtime.store)
        self.search_slots = FairSemaphore(CONCURRENT_SEARCHES)

    def _with_spent(self, work: Callable[[TokensSpent], int]) -> int:
        with self._store():
            return work(self.runtime.store().spent)

    def _neo4j_up(self) -> bool:
        store = self.runtime.store.peek()
        return store is not None and store.answers()

    def _queue(self) -> dict[str, int]:
        store = self.runtime.store.peek()
        try:
            return store.jobs.queue() if store and store.answers() else {}  # it would be tried for long
        except StoreUnavailable:
            return {}

    def _ready(self) -> bool:
        return self.runtime.store.peek() is not None and self.runtime.embedder.peek() is not None

    @contextmanager
    def _locked(
        self, workspace: str, waiting: Callable[[str], None], cancelled: ShouldStop, *, job: str = ""
    ) -> Iterator[Store]:
        """The store to change a workspace with, once nobody else changes it. Raises Cancelled."""

        def give_up() -> None:
            if cancelled():
                raise Cancelled("Stopped before it began.")

        with self._store(), self.workspace_locks.take(workspace, waiting=waiting, give_up=give_up, job=job) as store:
            yield store

    @contextmanager
    def _locked_soon(self, workspace: str, *, patience: float | None = None) -> Iterator[Store]:
        """As `_turn`, for what somebody waits for, so many seconds. Raises Busy."""
        begun, longest = time.monotonic(), LOCK_TIMEOUT if patience is None else patience

        def give_up() -> None:
            if time.monotonic() - begun >= longest or self.runtime.stopping.is_set():
                raise busy(workspace)

        with self._store(), self.workspace_locks.take(workspace, waiting=lambda _: None, give_up=give_up) as store:
            yield store

    def _made(self, workspace: str) -> Graph:
        """A workspace, made for today's embedder if there is none. Raises EmbedderMismatch; Busy while somebody fills
        or deletes it."""
        with self._store():
            try:
                return self.runtime.graph_to_write(workspace)
            except Busy:  # or what somebody began was cut short: whoever has the turn clears it away
                with self._locked_soon(workspace) as store:
                    self.runtime.graph_to_write(workspace, store)
                return self.runtime.graph(workspace)

    def _graph_if_any(self, workspace: str) -> Graph | None:
        with self._store():
            try:
                return self.runtime.graph(workspace)
            except NotFound:
                return None

    @contextmanager
    def _store(self) -> Iterator[None]:
        """A store that does not answer is connected to anew the next time: the local Neo4j is started again then."""
        try:
            yield
        except StoreUnavailable:
            self.runtime.forget_store()
            raise


def busy(workspace: str) -> Busy:
    """What is raised where the workspace's turn does not come soon."""
    return Busy(
        f"Something else is being done in the workspace {workspace}.",
        cure="Wait until that has ended, or cancel it (`filigraph jobs list`), then try again.",
    )
