"""Traces: how each answer was found, and the answer, until they expire. Exports do not contain them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

from filigraph.graph.errors import NotFound
from filigraph.graph.model.traces import Trace, TraceStep
from filigraph.graph.records.traces import StoredAnswer, ThreadAnswer, ThreadRow, TraceRow
from filigraph.graph.store.neo4j.database import Database

NEVER = datetime(9999, 12, 31, tzinfo=UTC)  # expiry of traces that are kept until they are deleted
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
COPY_BATCH_TRACES = 100  # traces per transaction
SWEEP_BATCH_TRACES = 500  # traces per transaction: each is some ten kB
CURE = "Ask again. FILIGRAPH_TRACE_DAYS sets how many days a trace is kept."


class Traces:
    """The traces of all workspaces of one database."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = database
        self._clock = clock

    def write(
        self,
        trace: Trace,
        *,
        days: int,
        answer: Mapping[str, Any] | None = None,
        thread: str = "",
        asked: str = "",
        owner: str = "",
        view: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Store a trace for so many days (0: until it is deleted), with its answer (JSON) if there is one. `thread` is
        the thread that it continues, which is kept as long; `asked` is the original question, if it was rewritten;
        `owner` is the only one of the keys limited to a part that may read and continue it; `view` is the part of the
        workspace that was asked.

        Nothing is stored if the workspace was deleted meanwhile.
        """
        now = self._clock()
        expires = now + timedelta(days=days) if days else NEVER
        if thread:
            self._database.change("extend_thread", workspace=trace.workspace, thread=thread, now=now, expires=expires)
        self._database.change(
            "write_trace",
            workspace=trace.workspace,
            id=trace.id,
            question=trace.question,
            at=now,
            expires=expires,
            body=trace_to_json(trace),
            method=str(trace.settings.get("method", "")),
            answer=None if answer is None else _to_json(answer),
            thread=thread or None,
            asked=asked or None,
            owner=owner or None,
            view=_to_json(view) if view else None,
        )

    def read(self, workspace: str, trace_id: str, *, owner: str = "") -> Trace:
        """One trace of a workspace. Raises NotFound if it has expired, or the owner has none."""
        rows = self._database.rows("trace", workspace=workspace, id=trace_id, owner=owner)
        if not rows:
            raise NotFound(
                f"There is no trace {trace_id} in workspace {workspace}: it has expired, or never existed.",
                cure=CURE,
            )
        expires: datetime = rows[0]["expires"].to_native()
        if expires <= self._clock():
            raise NotFound(f"The trace {trace_id} expired on {expires:%Y-%m-%d at %H:%M} UTC.", cure=CURE)
        return trace_from_json(rows[0]["body"])

    def answer(self, workspace: str, trace_id: str, *, owner: str = "") -> StoredAnswer:
        """The answer of a trace. Raises NotFound, also if the trace is only of a search."""
        trace = self.read(workspace, trace_id, owner=owner)
        rows = self._database.rows("kept_answer", workspace=workspace, id=trace_id)
        if not rows:
            raise NotFound(f"The trace {trace_id} belongs to a search: there is no answer.", cure="Ask the question.")
        row = rows[0]
        return StoredAnswer(
            trace=trace,
            at=row["at"].to_native(),
            body=json.loads(row["answer"]),
            asked=row["asked"],
            thread=row["thread"],
        )

    def newest(self, workspace: str, *, first: int = 0, count: int, owner: str = "") -> tuple[list[TraceRow], int]:
        """Some traces of a workspace, newest first, and their total number."""
        which = {"workspace": workspace, "now": self._clock(), "owner": owner}
        rows = self._database.rows("newest_traces", **which, first=first, count=count)
        return [
            TraceRow(
                id=row["id"],
                question=row["question"],
                at=row["at"].to_native(),
                expires=row["expires"].to_native(),
                method=row["method"],
                answered=row["answered"],
                thread=row["thread"],
            )
            for row in rows
        ], int(self._database.rows("count_traces", **which)[0]["total"])

    def last_asked(self) -> tuple[str, datetime, Mapping[str, Any]] | None:
        """The workspace that was asked last, when, and the part of it; None if no trace is kept. Traces of those who
        see a part only do not count.
        """
        rows = self._database.rows("last_asked", now=self._clock())
        return (rows[0]["workspace"], rows[0]["at"].to_native(), json.loads(rows[0]["view"])) if rows else None

    def threads(self, workspace: str, *, first: int = 0, count: int, owner: str = "") -> tuple[list[ThreadRow], int]:
        """Some threads of a workspace, the last one used first, and their total number."""
        which = {"workspace": workspace, "now": self._clock(), "owner": owner}
        rows = self._database.rows("threads", **which, first=first, count=count)
        threads = [
            ThreadRow(**{**row, "at": row["at"].to_native(), "expires": row["expires"].to_native()}) for row in rows
        ]
        return threads, int(self._database.rows("count_threads", **which)[0]["total"])

    def thread(self, workspace: str, thread: str, *, owner: str = "") -> tuple[ThreadRow, list[ThreadAnswer]]:
        """A thread, with its questions in order. Raises NotFound."""
        rows = self._database.rows("thread", workspace=workspace, thread=thread, owner=owner, now=self._clock())
        if not rows:
            raise NotFound(f"There is no thread {thread} in workspace {workspace}, or it has expired.", cure=CURE)
        turns = [
            ThreadAnswer(
                row=TraceRow(
                    id=row["id"],
                    question=row["question"],
                    at=row["at"].to_native(),
                    expires=row["expires"].to_native(),
                    method=row["method"],
                    answered=True,
                    thread=thread,
                ),
                text=json.loads(row["answer"])["text"],
                view=json.loads(row["view"]),
            )
            for row in rows
        ]
        named = next((row["title"] for row in rows if row["title"]), turns[0].row.question)
        last = turns[-1].row
        return ThreadRow(id=thread, title=named, questions=len(turns), at=last.at, expires=last.expires), turns

    def copy_to(self, other: Traces, workspace: str, *, since: datetime = EPOCH) -> None:
        """Copy the traces of a workspace written since `since` into another database; traces there do not change."""
        after = ""
        while rows := self._database.rows(
            "trace_records", workspace=workspace, after=after, since=since, limit=COPY_BATCH_TRACES
        ):
            records = [row["record"] for row in rows]
            other._database.change("write_trace_records", items=records)
            after = records[-1]["id"]

    def rename_thread(self, workspace: str, thread: str, title: str) -> None:
        """Give a thread a title. Raises NotFound."""
        self.thread(workspace, thread)
        self._database.change("name_thread", workspace=workspace, thread=thread, now=self._clock(), title=title)

    def delete_thread(self, workspace: str, thread: str) -> None:
        """Remove a thread with its answers. Raises NotFound."""
        self.thread(workspace, thread)
        self._database.change("delete_thread", workspace=workspace, thread=thread, now=self._clock())

    def sweep(self) -> None:
        """Delete the expired traces."""
        now = self._clock()
        while (
            self._database.change("sweep_traces", now=now, limit=SWEEP_BATCH_TRACES)[0]["swept"] == SWEEP_BATCH_TRACES
        ):
            pass


def trace_to_json(trace: Trace) -> str:
    return _to_json(asdict(trace))


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def trace_from_json(text: str) -> Trace:
    value = json.loads(text)
    return Trace(**{**value, "steps": tuple(TraceStep(**step) for step in value["steps"])})
