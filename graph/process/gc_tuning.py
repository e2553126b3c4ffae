"""Tuning of Python's garbage collector: less scanning that finds nothing.

The collector scans all live objects for cycles, again and again while new ones are made. Names and decisions of a large
workspace are a million objects without a cycle: scanning took half of the time of their resolution. It also scanned a
server's caches (models, chunks, facts) in the middle of questions: 0.2 s each time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

LOOKED_THROUGH = 3600.0  # seconds after which frozen objects are collected with the rest, once

_LOCK = Lock()
_pauses = 0  # pauses in progress, on any thread
keepers: list[FrozenObjects] = []  # started ones


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection in the whole process during the block, which must make few cycles. May be nested, and
    used on several threads at once; a collector that was off stays off.

    Objects that `FrozenObjects` has frozen are not scanned at the end: that took as long as everything else.
    """
    global _pauses
    with _LOCK:
        pauses = gc.isenabled() or _pauses > 0
        _pauses += pauses
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            _pauses -= pauses
            if pauses and not _pauses:
                if keepers and not any(keeper.looks_through for keeper in keepers):
                    gc.freeze()
                gc.enable()


class FrozenObjects:
    """Freezes long-lived objects while a server runs: later collections do not scan what a full collection left. Once
    an hour one scans everything, for cycles that have died meanwhile."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._thawed = False  # for the next full collection

    def begin(self) -> None:
        """Begin freezing; collects once. May be called again."""
        gc.collect()
        gc.freeze()
        if self not in keepers:
            keepers.append(self)
            gc.callbacks.append(self._freeze)

    def end(self) -> None:
        """Collect everything as before: some libraries complain about objects that are never collected."""
        if self in keepers:
            keepers.remove(self)
            gc.callbacks.remove(self._freeze)
        gc.unfreeze()

    @property
    def looks_through(self) -> bool:
        """Whether all objects are, or are about to be, unfrozen for the next full collection."""
        return self._thawed or time.monotonic() - self._since > LOOKED_THROUGH

    def _freeze(self, phase: str, info: dict[str, Any]) -> None:
        if phase != "stop" or info["generation"] != 2:
            return
        if time.monotonic() - self._since > LOOKED_THROUGH:
            self._since = time.monotonic()
            self._thawed = True
            gc.unfreeze()  # the next full collection scans everything
        else:
            self._thawed = False
            gc.freeze()
