"""Python's garbage collector, kept from what it only costs.

It looks for cycles among all objects that live, again and again while new ones are made. Names and decisions of a large
workspace are a million objects without a cycle: half of the time of their resolution went into that. And what a server
keeps for the next question (models, chunks, facts) was looked through in the middle of questions: 0.2 s each time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

LOOKED_THROUGH = 3600.0  # seconds after which what is kept out is collected with the rest, once

_LOCK = Lock()
_pauses = 0  # that are under way, on any thread
_keepers: list[FrozenObjects] = []  # that have begun


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection in the whole process during the block, which must make few cycles. May be nested, and
    run on several threads at once; a collector that was off stays off.

    Objects that `FrozenObjects` has frozen are not scanned at the end: that took as long as everything else.
    """
    global _pauses
    with _LOCK:
        mine = gc.isenabled() or _pauses > 0
        _pauses += mine
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            _pauses -= mine
            if mine and not _pauses:
                if _keepers and not any(keeper.looks_through for keeper in _keepers):
                    gc.freeze()
                gc.enable()


class FrozenObjects:
    """Keeps what lives long out of the collector's way, for as long as a server runs: what a full collection leaves is
    not looked at by the next ones. Once an hour all of it is, for cycles that have died meanwhile."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._thawed = False  # for the next full collection

    def begin(self) -> None:
        """Begin freezing; collects once. May be called again."""
        gc.collect()
        gc.freeze()
        if self not in _keepers:
            _keepers.append(self)
            gc.callbacks.append(self._freeze)

    def end(self) -> None:
        """Collect everything as before: some libraries complain about objects that are never collected."""
        if self in _keepers:
            _keepers.remove(self)
            gc.callbacks.remove(self._freeze)
        gc.unfreeze()

    @property
    def looks_through(self) -> bool:
        """Whether all is, or is about to be, left to the next full collection."""
        return self._thawed or time.monotonic() - self._since > LOOKED_THROUGH

    def _freeze(self, phase: str, info: dict[str, Any]) -> None:
        if phase != "stop" or info["generation"] != 2:
            return
        if time.monotonic() - self._since > LOOKED_THROUGH:
            self._since = time.monotonic()
            self._thawed = True
            gc.unfreeze()  # the next full collection looks at everything
        else:
            self._thawed = False
            gc.freeze()
