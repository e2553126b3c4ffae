"""Traces: how each answer came about, and the answer, until they expire. Neither read nor derived, so in no dump."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from filigraph.graph.errors import NotFound
from filigraph.graph.model import Trace, TraceStep
from filigraph.graph.rows import StoredAnswer, TraceRow
from filigraph.graph.store.database import Database

SWEPT = 500  # traces per transaction: each is some ten kB
CURE = "Ask again; FILIGRAPH_TRACE_DAYS says how many days a trace is kept."


class Traces:
    """The traces of all workspaces of one database."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._clock = clock

    def write(self, trace: Trace, *, days: int, answer: Mapping[str, Any] | None = None) -> None:
        """Keep a trace for so many days from now, with its answer (JSON) if it led to one.

        Nothing is kept for a workspace that has gone meanwhile.
        """
        now = self._clock()
        self._database.change(
            "write_trace",
            workspace=trace.workspace,
            id=trace.id,
            question=trace.question,
            at=now,
            expires=now + timedelta(days=days),
            body=trace_to_json(trace),
            method=str(trace.settings.get("method", "")),
            answer=None if answer is None else _to_json(answer),
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

    def answer(self, workspace: str, trace_id: str) -> StoredAnswer:
        """The answer that a trace belongs to. Raises NotFound, also where the trace is only of a search."""
        trace = self.read(workspace, trace_id)
        found = self._database.rows("kept_answer", workspace=workspace, id=trace_id)
        if not found:
            raise NotFound(f"The trace {trace_id} is of a search: no answer was given.", cure="Ask the question.")
        return StoredAnswer(trace=trace, at=found[0]["at"].to_native(), body=json.loads(found[0]["answer"]))

    def newest(self, workspace: str, *, first: int = 0, count: int) -> tuple[list[TraceRow], int]:
        """Some traces of a workspace, newest first, and how many there are."""
        which = {"workspace": workspace, "now": self._clock()}
        rows = self._database.rows("newest_traces", **which, first=first, count=count)
        return [
            TraceRow(
                id=row["id"],
                question=row["question"],
                at=row["at"].to_native(),
                expires=row["expires"].to_native(),
                method=row["method"],
                answered=row["answered"],
            )
            for row in rows
        ], int(self._database.rows("count_traces", **which)[0]["total"])

    def sweep(self) -> None:
        """Remove what has expired."""
        now = self._clock()
        while self._database.change("sweep_traces", now=now, limit=SWEPT)[0]["swept"] == SWEPT:
            pass


def trace_to_json(trace: Trace) -> str:
    """A trace as it is stored."""
    return _to_json(asdict(trace))


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def trace_from_json(text: str) -> Trace:
    """The trace that `trace_to_json` stored."""
    value = json.loads(text)
    return Trace(**{**value, "steps": tuple(TraceStep(**step) for step in value["steps"])})
