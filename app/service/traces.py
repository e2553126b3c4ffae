"""A queue of traces and answers, which a separate thread writes to the store, so that no answer waits for it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from filigraph.graph.errors import FiligraphError
from filigraph.graph.model.traces import Trace

log = logging.getLogger("filigraph.server")

WAITING = 200  # most traces in the queue; each takes some ten kB of memory
SWEEP_SECONDS = 60.0  # seconds
FLUSH_SECONDS = 5.0  # seconds to wait until the queue is written

AnswerBody = Mapping[str, Any]  # JSON


@dataclass(frozen=True, kw_only=True)
class TraceRecord:
    trace: Trace
    answer: AnswerBody | None  # of the trace
    thread: str  # id of the thread that it continues; "" for a first question
    asked: str  # the question as it was asked, if it was rewritten
    owner: str  # who asked, if a reader who sees only a part of the workspace; "" for all others
    view: Mapping[str, Any]  # that was asked


class TraceWriter:
    """The queue of traces for `write`. A failed write is logged and breaks no answer. Thread-safe."""

    def __init__(self, write: Callable[[TraceRecord], None], sweep: Callable[[], None]) -> None:
        self._write = write
        self._sweep = sweep
        # in order of arrival; a trace stays until it is written
        self._waiting: dict[str, TraceRecord] = {}
        self._changed = threading.Condition()  # guards the fields beside it
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._swept = time.monotonic()

    def keep(
        self,
        trace: Trace,
        answer: AnswerBody | None = None,
        *,
        thread: str = "",
        asked: str = "",
        owner: str = "",
        view: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Queue a trace with its answer. It is lost if the queue is full, which means that the store does not
        answer."""
        with self._changed:
            if self._stopped:
                return
            if len(self._waiting) >= WAITING:
                log.warning("trace %s is lost: %d others wait to be written", trace.id, WAITING)
                return
            self._waiting[trace.id] = TraceRecord(
                trace=trace, answer=answer, thread=thread, asked=asked, owner=owner, view=view
            )
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="traces", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def waiting(self, trace_id: str) -> TraceRecord | None:
        """A trace in the queue, or None."""
        with self._changed:
            return self._waiting.get(trace_id)

    def flush(self) -> None:
        """Wait until the queue is empty, for a short time."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting, FLUSH_SECONDS)

    def stop(self) -> None:
        """Write the queue, and accept nothing more; what cannot be written soon is lost."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self.flush()
        with self._changed:
            self._waiting.clear()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._stopped)
                if not self._waiting:
                    return
                next_ = next(iter(self._waiting.values()))
            self._try(partial(self._write, next_), f"trace {next_.trace.id} could not be kept")
            if time.monotonic() - self._swept >= SWEEP_SECONDS:
                self._swept = time.monotonic()
                self._try(self._sweep, "expired traces could not be removed")
            with self._changed:
                self._waiting.pop(next_.trace.id, None)
                self._changed.notify_all()

    def _try(self, work: Callable[[], None], failure: str) -> None:
        try:
            work()
        except FiligraphError as error:
            log.warning("%s: %s", failure, error)
        except Exception:  # the thread must live on
            log.exception("%s", failure)
