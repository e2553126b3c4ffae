"""A line before what only a few can do at once: first come, first served, and who goes away leaves it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK = 0.2  # seconds between two looks whether somebody still waits


class Line:
    """Thread-safe. A semaphore that is waited for with a timeout would send those who look up to the end."""

    def __init__(self, places: int) -> None:
        self._free = places
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
