"""Serializes the changes of a workspace, across all servers on the same Neo4j."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filigraph.graph.errors import FiligraphError, LeaseLost

if TYPE_CHECKING:
    from filigraph.graph.store import Store, WorkspaceLock

log = logging.getLogger("filigraph.server")

EXPIRES = 20.0  # seconds until the locks of a dead server expire
RENEW_EVERY = 5.0  # seconds
POLL = 0.2  # seconds between two attempts to acquire a lock


class WorkspaceLocker:
    """Acquires workspace locks for this server. Thread-safe."""

    def __init__(self, store_of: Callable[[str], Store]) -> None:
        self._store_of = store_of  # by workspace
        self._holder = uuid.uuid4().hex
        self._lock = threading.Lock()  # of the field that follows
        self._taken: dict[tuple[str, Store | None], threading.Lock] = {}

    @contextmanager
    def acquire(
        self,
        workspace: str,
        *,
        waiting: Callable[[str], None],
        give_up: Callable[[], None],
        job: str = "",
        at: Store | None = None,
    ) -> Iterator[Store]:
        """Lock a workspace and yield the store that writes to it. `job` is the id of the job that needs it, if any;
        `at` the store to lock it in, by default where it is.

        While the lock is held elsewhere, `waiting` is called once with a message, and `give_up` repeatedly; it raises
        to stop waiting.
        """
        local = self._lock_of(workspace, at)
        announced = False

        def wait() -> None:
            nonlocal announced
            if not announced:
                waiting(f"Another ingest or evaluation runs in workspace {workspace}; this one waits for it.")
                announced = True
            give_up()

        while not local.acquire(timeout=POLL if announced else 0):
            wait()
        try:
            while True:
                store = at or self._store_of(workspace)
                lock = store.workspace_locks.acquire(workspace, self._holder, seconds=EXPIRES, job=job)
                if lock and (at or store is self._store_of(workspace)):
                    break
                if lock:  # it was moved to another shard while we waited
                    store.workspace_locks.release(lock)
                    continue
                wait()
                time.sleep(POLL)
            with _renewed(store, lock):
                yield store.holding(lock)
        finally:
            local.release()

    def _lock_of(self, workspace: str, at: Store | None) -> threading.Lock:
        """A move holds the lock of both copies of a workspace."""
        with self._lock:
            return self._taken.setdefault((workspace, at), threading.Lock())


@contextmanager
def _renewed(store: Store, lock: WorkspaceLock) -> Iterator[None]:
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
