"""A line before what only a few can do at once: first come, first served, and who goes away leaves it.

Background work yields to waiting requests.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filigraph.graph.model import ShouldStop

LOOK = 0.2  # poll interval for a client that disconnected, in seconds
QUIET = 0.02  # poll interval for waiting requests, in seconds
SHARE = 10  # times what it has worked that work gives way for: while a line lasts, a tenth of the time is left to it
LONGEST = 3.0  # seconds that it gives way at once


class FairSemaphore:
    """Thread-safe. A semaphore that is waited for with a timeout would send those who look up to the end."""

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()  # of both

    @contextmanager
    def place(self, give_up: Callable[[], None]) -> Iterator[None]:
        """One of the places, when it is free; `give_up` is called every now and then, and raises to wait no longer."""
        mine = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                mine.set()
            else:
                self._waiting.append(mine)
        try:
            while not mine.wait(LOOK):
                give_up()
            yield
        finally:
            with self._lock:
                if not mine.is_set():
                    self._waiting.remove(mine)
                elif self._waiting:
                    self._waiting.popleft().set()
                else:
                    self._free += 1

    def empty(self) -> bool:
        """Whether nobody has a place."""
        return self._free == self._places


class YieldToSearches:
    """Whether work is to `stop`; asked while somebody has a place in the line, it answers when that is over, or when it
    is the work's turn all the same. For one thread."""

    def __init__(self, line: FairSemaphore, stop: ShouldStop) -> None:
        self._line = line
        self._stop = stop
        self._since = time.monotonic()

    def __call__(self) -> bool:
        now = time.monotonic()
        until = now + min(SHARE * (now - self._since), LONGEST)
        while not (stop := self._stop()) and not self._line.empty() and time.monotonic() < until:
            time.sleep(QUIET)
        self._since = time.monotonic()
        return stop
