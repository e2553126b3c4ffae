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
_keepers: set[int] = set()  # the `FrozenObjects` that have begun, by id()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Have no garbage collected in the whole process during the block, which must make few cycles. May be nested, and
    run on several threads at once; a collector that was off stays off.

    What lives on is not looked through at the end where `FrozenObjects` keeps it out: that took as long as all else.
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
                if _keepers:
                    gc.freeze()
                gc.enable()


class FrozenObjects:
    """Keeps what lives long out of the collector's way, for as long as a server runs: what a full collection leaves is
    not looked at by the next ones. Once an hour all of it is, for cycles that have died meanwhile."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def begin(self) -> None:
        """From now on; collects once. May be called again."""
        gc.collect()
        gc.freeze()
        with _LOCK:
            _keepers.add(id(self))
        if self._freeze not in gc.callbacks:
            gc.callbacks.append(self._freeze)

    def end(self) -> None:
        """All is collected as before: some libraries complain of what is never collected."""
        with _LOCK:
            _keepers.discard(id(self))
        if self._freeze in gc.callbacks:
            gc.callbacks.remove(self._freeze)
        gc.unfreeze()

    def _freeze(self, phase: str, info: dict[str, Any]) -> None:
        if phase != "stop" or info["generation"] != 2:
            return
        if time.monotonic() - self._since > LOOKED_THROUGH:
            self._since = time.monotonic()
            gc.unfreeze()  # the next full collection looks at everything
        else:
            gc.freeze()
