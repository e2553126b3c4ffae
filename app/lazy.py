"""A thread-safe lazy value."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """A value that the first caller builds while the others wait. A failure is not stored: the next caller tries again.
    With `patience` every caller waits at most this many seconds; then it raises the error from `late`, while the
    building continues.
    """

    def __init__(
        self,
        build: Callable[[], T],
        *,
        patience: float | None = None,
        late: Callable[[], Exception] = TimeoutError,
    ) -> None:
        self._build = build
        self._patience = patience
        self._late = late
        self._lock = threading.Lock()
        self._built: list[T] = []  # none or one; a list, because the value may be None
        self._building: Future[T] | None = None

    def __call__(self) -> T:
        return self._get(self._patience)

    def wait(self) -> T:
        """Like a call, without a time limit."""
        return self._get(None)

    def peek(self) -> T | None:
        """The value, None if it is not built yet; never waits."""
        built = self._built
        return built[0] if built else None

    def forget(self) -> T | None:
        """Build it again next time; returns the old value. A build in progress continues."""
        with self._lock:
            built, self._built = self._built, []
            return built[0] if built else None

    def _get(self, patience: float | None) -> T:
        built = self._built
        if built:
            return built[0]
        with self._lock:
            if self._built:
                return self._built[0]
            builds = self._building is None
            building = self._building = self._building or Future()
        if builds and patience is None:
            self._build_value(building)
        elif builds:
            threading.Thread(target=self._build_value, args=(building,), name="build", daemon=True).start()
        try:
            return building.result(patience)
        except TimeoutError:
            if building.done():
                raise
            raise self._late() from None

    def _build_value(self, building: Future[T]) -> None:
        try:
            value = self._build()
        except BaseException as error:  # noqa: BLE001 - passed to the waiting threads
            with self._lock:
                self._building = None
            building.set_exception(error)
        else:
            with self._lock:
                self._built, self._building = [value], None
            building.set_result(value)
