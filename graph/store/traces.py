"""Traces: how each answer came about, kept until they expire. Neither read nor derived, so no dump holds them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from filigraph.graph.errors import NotFound
from filigraph.graph.model import Trace, TraceStep
from filigraph.graph.store.database import Database
from filigraph.graph.store.rows import TraceRow

SWEPT = 500  # traces per transaction: each is some ten kB
CURE = "Ask again; FILIGRAPH_TRACE_DAYS says how many days a trace is kept."


class Traces:
    """The traces of all workspaces of one database."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._clock = clock

    def write(self, trace: Trace, *, days: int) -> None:
        """Keep a trace for so many days from now; nothing is kept for a workspace that has gone meanwhile."""
        now = self._clock()
        self._database.change(
            "write_trace",
            workspace=trace.workspace,
            id=trace.id,
            question=trace.question,
            at=now,
            expires=now + timedelta(days=days),
            body=trace_to_json(trace),
        )

    def read(self, workspace: str, trace_id: str) -> Trace:
        """One trace of a workspace. Raises NotFound: it has expired, or there is none."""
        found = self._database.rows("trace", workspace=workspace, id=trace_id)
        if not found:
            raise NotFound(
                f"There is no trace {trace_id} in workspace {workspace}: it has expired and was removed, or never was.",
                cure=CURE,
            )
        expires: datetime = found[0]["expires"].to_native()
        if expires <= self._clock():
            raise NotFound(f"The trace {trace_id} expired on {expires:%Y-%m-%d at %H:%M} UTC.", cure=CURE)
        return trace_from_json(found[0]["body"])

    def newest(self, workspace: str, limit: int) -> list[TraceRow]:
        """The last traces of a workspace, newest first."""
        rows = self._database.rows("newest_traces", workspace=workspace, now=self._clock(), limit=limit)
        return [
            TraceRow(
                id=row["id"], question=row["question"], at=row["at"].to_native(), expires=row["expires"].to_native()
            )
            for row in rows
        ]

    def sweep(self) -> None:
        """Remove what has expired."""
        now = self._clock()
        while self._database.change("sweep_traces", now=now, limit=SWEPT)[0]["swept"] == SWEPT:
            pass


def trace_to_json(trace: Trace) -> str:
    """A trace as it is stored."""
    return json.dumps(asdict(trace), ensure_ascii=False, separators=(",", ":"))


def trace_from_json(text: str) -> Trace:
    """The trace that `trace_to_json` stored."""
    value = json.loads(text)
    return Trace(**{**value, "steps": tuple(TraceStep(**step) for step in value["steps"])})
