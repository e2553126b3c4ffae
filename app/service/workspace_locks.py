"""Serializes the changes of a workspace, across all servers on the same Neo4j."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filigraph.graph.errors import FiligraphError, LeaseLost

if TYPE_CHECKING:
    from filigraph.graph.store import Store, WorkspaceLock

log = logging.getLogger("filigraph.server")

EXPIRES = 20.0  # seconds until the locks of a dead server expire
RENEW_EVERY = 5.0  # seconds
POLL_SECONDS = 0.2  # seconds between two attempts to acquire a lock


class WorkspaceLocker:
    """Acquires workspace locks for this server. Thread-safe."""

    def __init__(self, shard_of: Callable[[str], str], shard: Callable[[str], Store]) -> None:
        self._shard_of = shard_of  # by workspace
        self._shard = shard  # by name
        self._holder = uuid.uuid4().hex
        self._lock = threading.Lock()  # guards the next two fields
        self._taken: dict[tuple[str, str], threading.Lock] = {}
        self._waiting: Counter[str] = Counter()  # threads that wait for another one of this server, by workspace

    def wanted(self, workspace: str) -> bool:
        """Whether another thread of this server waits for a workspace's lock."""
        return self._waiting[workspace] > 0

    def busy(self) -> bool:
        """Whether a thread of this server holds the lock of any workspace."""
        with self._lock:
            return any(lock.locked() for lock in self._taken.values())

    @contextmanager
    def acquire(
        self,
        workspace: str,
        *,
        waiting: Callable[[str], None],
        give_up: Callable[[], None],
        job: str = "",
        at: str = "",
    ) -> Iterator[Store]:
        """Lock a workspace and yield the store that writes to it. `job`: the id of the job that needs it, if any; `at`:
        the shard to lock it on, by default its own.

        While the lock is held elsewhere, `waiting` is called once with a message, and `give_up` repeatedly; it raises
        to stop waiting.
        """
        announced = False

        def wait() -> None:
            nonlocal announced
            if not announced:
                waiting(f"Another ingest or evaluation runs in workspace {workspace}; this one waits for it.")
                announced = True
            give_up()

        while True:
            shard = at or self._shard_of(workspace)
            with self._thread_lock(workspace, shard, wait):
                store = self._shard(shard)
                while (
                    lock := store.workspace_locks.acquire(workspace, self._holder, seconds=EXPIRES, job=job)
                ) is None:
                    wait()
                    time.sleep(POLL_SECONDS)
                with _keep_renewed(store, lock):
                    if at or shard == self._shard_of(workspace):  # else it was moved while we waited
                        yield store.holding(lock)
                        return

    @contextmanager
    def _thread_lock(self, workspace: str, shard: str, wait: Callable[[], None]) -> Iterator[None]:
        """The lock between the threads of this server, which Neo4j sees as one holder. A workspace has one on each
        shard: a move holds those of both copies."""
        with self._lock:
            local = self._taken.setdefault((workspace, shard), threading.Lock())
        if not local.acquire(blocking=False):
            self._count_waiting(workspace, 1)
            try:
                wait()
                while not local.acquire(timeout=POLL_SECONDS):
                    wait()
            finally:
                self._count_waiting(workspace, -1)
        try:
            yield
        finally:
            local.release()

    def _count_waiting(self, workspace: str, more: int) -> None:
        with self._lock:
            self._waiting[workspace] += more


@contextmanager
def _keep_renewed(store: Store, lock: WorkspaceLock) -> Iterator[None]:
    """Renew a lock in a thread; release it at the end."""
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(RENEW_EVERY):
            try:
                store.workspace_locks.renew(lock, seconds=EXPIRES)
            except LeaseLost as error:
                log.warning("%s", error)  # the next write raises it
                return
            except FiligraphError as error:
                log.warning("the lock of workspace %s could not be renewed: %s", lock.workspace, error)

    thread = threading.Thread(target=renew, name=f"lock {lock.workspace}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        try:
            store.workspace_locks.release(lock)
        except FiligraphError as error:
            log.warning("the lock of workspace %s could not be released: %s", lock.workspace, error)
