"""A fair semaphore: first come, first served; a waiter that gives up leaves the queue.

Background work yields to running searches.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filigraph.graph.process.cancel import ShouldStop

POLL_SECONDS = 0.2  # poll interval for a client that disconnected, in seconds
QUIET_POLL_SECONDS = 0.02  # poll interval for waiting requests, in seconds
PAUSE_FACTOR = 10  # background work pauses this many times as long as it worked: under load it gets a tenth of the time
MAX_PAUSE_SECONDS = 3.0  # seconds of one such pause at most


class FairSemaphore:
    """Thread-safe. Waiting for a `threading.Semaphore` with a timeout would send the waiter to the end of the queue."""

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()  # of both

    @contextmanager
    def place(self, give_up: Callable[[], None]) -> Iterator[None]:
        """Wait for a free place. Calls `give_up` regularly, which raises to stop waiting."""
        turn = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                turn.set()
            else:
                self._waiting.append(turn)
        try:
            while not turn.wait(POLL_SECONDS):
                give_up()
            yield
        finally:
            with self._lock:
                if not turn.is_set():
                    self._waiting.remove(turn)
                elif self._waiting:
                    self._waiting.popleft().set()
                else:
                    self._free += 1

    def empty(self) -> bool:
        """Whether all places are free."""
        return self._free == self._places


class YieldToSearches:
    """A `stop` check for background work that pauses it while searches run, for `MAX_PAUSE_SECONDS` at most. For one
    thread."""

    def __init__(self, slots: FairSemaphore, stop: ShouldStop) -> None:
        self._slots = slots
        self._stop = stop
        self._since = time.monotonic()

    def __call__(self) -> bool:
        now = time.monotonic()
        until = now + min(PAUSE_FACTOR * (now - self._since), MAX_PAUSE_SECONDS)
        while not (stop := self._stop()) and not self._slots.empty() and time.monotonic() < until:
            time.sleep(QUIET_POLL_SECONDS)
        self._since = time.monotonic()
        return stop
