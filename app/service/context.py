"""Shared by the parts of the service: the store, which may come and go; workspace locks; usage counters."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filigraph.app.access.token_budget import Budget, Metered
from filigraph.app.runtime import Runtime
from filigraph.app.search.pool import SearchPool
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.app.service.graph.contradiction_cache import ContradictionCache
from filigraph.app.service.workspace_locks import WorkspaceLocker
from filigraph.app.telemetry.metrics import Metrics
from filigraph.graph.errors import Busy, Cancelled, FiligraphError, NotFound, StoreUnavailable, UnavailableError
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.ingest.report import Progress
    from filigraph.graph.model.usage import Usage
    from filigraph.graph.models.llm import LLM
    from filigraph.graph.store import Graph, Store, TokensSpent


log = logging.getLogger("filigraph.server")


@dataclass(frozen=True, kw_only=True)
class ProgressCallbacks:
    """Callbacks of long work: its progress, the reason why it waits, and whether it must stop."""

    progress: Callable[[Progress], None] = lambda _: None
    waiting: Callable[[str], None] = lambda _: None
    cancelled: ShouldStop = lambda: False


LOCK_TIMEOUT = 30.0  # seconds that a request waits for the lock; the lock of a dead server expires sooner
CONCURRENT_SEARCHES = 3  # searches of a process at once: more would compete for the interpreter


class ServiceContext:
    """One for the server's life, shared by the parts of the service."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        snapshots = runtime.memory.snapshots
        self.metrics = Metrics(
            neo4j_up=self._neo4j_up,
            ready=self.ready,
            queue=self._queue,
            cached_bytes=lambda: runtime.memory.size,
            snapshot_bytes=lambda: snapshots.size if snapshots else 0,
        )
        self.budget = Budget(self._with_spent, a_day=runtime.settings.llm_tokens_a_day)
        self.workspace_locks = WorkspaceLocker(runtime.shard_of, runtime.shard)
        workers = runtime.settings.searching_processes
        self.search_pool = SearchPool(runtime, workers)
        self.search_slots = FairSemaphore(CONCURRENT_SEARCHES * workers)
        self.contradictions = ContradictionCache()

    @contextmanager
    def search_slot(self, cancelled: ShouldStop) -> Iterator[ShouldStop]:
        """Wait for a slot to search. Yields the question's cancellation check, which raises UnavailableError once the
        search has taken too long."""
        with self.search_slots.place(lambda: check_wanted(cancelled)):
            seconds = self.runtime.settings.question_seconds
            until = time.monotonic() + seconds

            def is_over() -> bool:
                if time.monotonic() > until:
                    raise UnavailableError(
                        f"The search took longer than {seconds} seconds.",
                        cure="Try again when the server is less busy, or raise FILIGRAPH_QUESTION_SECONDS on it.",
                    )
                return cancelled()

            yield is_over
            until = math.inf  # later steps have their own timeouts

    def _with_spent(self, workspace: str, work: Callable[[TokensSpent], int]) -> int:
        with self.connected():
            return work(self.runtime.store_of(workspace).spent)

    def _neo4j_up(self) -> bool:
        store = self.runtime.store.peek()
        return store is not None and store.answers()

    def _queue(self) -> dict[str, int]:
        store = self.runtime.store.peek()
        try:
            return store.jobs.queue() if store and store.answers() else {}  # else it would retry for a long time
        except StoreUnavailable:
            return {}

    def ready(self) -> bool:
        return self.runtime.store.peek() is not None and self.runtime.embedder.peek() is not None

    def missing(self) -> str:
        """What the server waits for before it is ready."""
        if self.runtime.store.peek() is None:
            return "Neo4j is being started, or is connected to again."
        return "The embedder is being loaded."

    @contextmanager
    def locked(self, workspace: str, watcher: ProgressCallbacks, *, job: str = "", at: str = "") -> Iterator[Store]:
        """Wait for the workspace's lock; yields the store that writes under it. `at`: the shard to lock it on, by
        default its own. Raises Cancelled."""

        def give_up() -> None:
            if watcher.cancelled():
                raise Cancelled("Stopped before it began.")

        locked = self.workspace_locks.acquire(workspace, waiting=watcher.waiting, give_up=give_up, job=job, at=at)
        with self.connected(), locked as store:
            yield store

    @contextmanager
    def locked_soon(self, workspace: str, *, patience: float | None = None, at: str = "") -> Iterator[Store]:
        """As `locked`, for work that a client waits for: raises Busy after `patience` seconds."""
        begun, longest = time.monotonic(), LOCK_TIMEOUT if patience is None else patience

        def give_up() -> None:
            if time.monotonic() - begun >= longest or self.runtime.stopping.is_set():
                raise busy_error(workspace)

        with (
            self.connected(),
            self.workspace_locks.acquire(workspace, waiting=lambda _: None, give_up=give_up, at=at) as store,
        ):
            yield store

    def ensure_workspace(self, workspace: str) -> Graph:
        """A workspace, created for the current embedder if there is none. Raises EmbedderMismatch; Busy while somebody
        fills or deletes it."""
        with self.connected():
            try:
                return self.runtime.graph_to_write(workspace)
            except Busy:  # or an interrupted change remains, which the holder of the lock cleans up
                with self.locked_soon(workspace) as store:
                    self.runtime.graph_to_write(workspace, store)
                return self.runtime.graph(workspace)

    def graph_if_any(self, workspace: str) -> Graph | None:
        with self.connected():
            try:
                return self.runtime.graph(workspace)
            except NotFound:
                return None

    def check_late(self, workspace: str) -> None:
        """Raises NotSetUp if the embedder of a workspace cannot embed chunks late."""
        from filigraph.graph.models.late import check_late

        graph = self.graph_if_any(workspace)
        check_late(self.runtime.embedder_of(graph.workspace) if graph else self.runtime.embedder())

    def metered(self, workspace: str) -> Callable[[LLM], LLM]:
        """A wrapper that counts the tokens of an LLM: for the workspace's daily limit, and in total."""

        def note_usage(model: str, usage: Usage) -> None:
            self.metrics.count_usage(model, usage)
            try:
                self.runtime.store_of(workspace).spent.note(workspace, usage)
            except FiligraphError as error:  # an answer does not fail because counting failed
                log.warning("what the LLM took is not counted: %s", error)

        return lambda llm: Metered(llm, workspace, self.budget, note_usage)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """If the store does not answer, the next use reconnects; this also restarts the local Neo4j."""
        try:
            yield
        except StoreUnavailable:
            self.runtime.forget_store()
            raise


def busy_error(workspace: str) -> Busy:
    """The error for a workspace whose lock did not become free in time."""
    return Busy(
        f"Another operation is changing the workspace {workspace}.",
        cure="Wait for its end, or cancel it (`filigraph jobs list`), then try again.",
    )


def check_wanted(cancelled: ShouldStop) -> None:
    """Raises Cancelled if nobody waits any more."""
    if cancelled():
        raise Cancelled("The client has disconnected.")
