"""Who may change a workspace: one at a time, in this server and in all others on the same Neo4j."""

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

EXPIRES = 20.0  # seconds after the last sign of life of a server, until the next one may take its turns
KEEP_EVERY = 5.0  # seconds between two signs of life
LOOK = 0.2  # seconds between two looks whether a turn is free


class WorkspaceLocker:
    """The turns that this server takes. Thread-safe."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._holder = uuid.uuid4().hex
        self._lock = threading.Lock()  # of the field that follows
        self._taken: dict[str, threading.Lock] = {}

    @contextmanager
    def acquire(
        self, workspace: str, *, waiting: Callable[[str], None], give_up: Callable[[], None], job: str = ""
    ) -> Iterator[Store]:
        """The store to change a workspace with, when nobody else changes it; `job` where it is one that does.

        Who has to wait is told so by `waiting`; `give_up` is called every now and then, and raises to wait no longer.
        """
        mine = self._lock_of(workspace)
        told = False

        def wait() -> None:
            nonlocal told
            if not told:
                waiting(f"Another ingest or evaluation runs in workspace {workspace}; this one waits for it.")
                told = True
            give_up()

        while not mine.acquire(timeout=LOOK if told else 0):
            wait()
        try:
            store = self._store()
            while (turn := store.workspace_locks.acquire(workspace, self._holder, seconds=EXPIRES, job=job)) is None:
                wait()
                time.sleep(LOOK)
            with _kept(store, turn):
                yield store.holding(turn)
        finally:
            mine.release()

    def _lock_of(self, workspace: str) -> threading.Lock:
        with self._lock:
            return self._taken.setdefault(workspace, threading.Lock())


@contextmanager
def _kept(store: Store, turn: WorkspaceLock) -> Iterator[None]:
    """Keep a turn; give it back at the end."""
    ended = threading.Event()

    def keep() -> None:
        while not ended.wait(KEEP_EVERY):
            try:
                store.workspace_locks.renew(turn, seconds=EXPIRES)
            except LeaseLost as error:
                log.warning("%s", error)  # the next write says it to whoever writes
                return
            except FiligraphError as error:
                log.warning("the turn of workspace %s could not be kept: %s", turn.workspace, error)

    keeper = threading.Thread(target=keep, name=f"turn {turn.workspace}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()
        try:
            store.workspace_locks.release(turn)
        except FiligraphError as error:
            log.warning("the turn of workspace %s could not be given back: %s", turn.workspace, error)
