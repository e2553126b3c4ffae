"""A thing that is built when first needed, once, whoever asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """Built by the first caller while the others wait. A failure is not kept: the next caller tries again."""

    def __init__(self, build: Callable[[], T]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._built: list[T] = []  # none or one; a list, because None may be what was built

    def __call__(self) -> T:
        built = self._built
        if built:
            return built[0]
        with self._lock:
            if not self._built:
                self._built = [self._build()]
            return self._built[0]

    def peek(self) -> T | None:
        """What was built, None before that; never waits."""
        built = self._built
        return built[0] if built else None

    def forget(self) -> T | None:
        """Have it built anew next time; returns what there was."""
        with self._lock:
            built, self._built = self._built, []
            return built[0] if built else None
