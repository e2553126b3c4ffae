"""Python's garbage collector, paused where it only costs.

It looks for cycles among all objects that live, again and again while new ones are made. Names and decisions of a large
workspace are a million objects without a cycle: half of the time of their resolution went into that.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_pauses = 0  # that are under way, on any thread


@contextmanager
def collector_paused() -> Iterator[None]:
    """Have no garbage collected in the whole process during the block, which must make few cycles. May be nested, and
    run on several threads at once; a collector that was off stays off."""
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
                gc.enable()
