"""Traces, answers and threads of questions in lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from filigraph.graph.model.traces import Trace


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """A stored trace, without its steps."""

    id: Annotated[str, Field(description="The trace's id.")]
    question: Annotated[str, Field(description="The question.")]
    at: Annotated[datetime, Field(description="When the answer was given, UTC.")]
    expires: Annotated[datetime, Field(description="Until when the trace is kept, UTC; 9999-12-31: until deleted.")]
    method: Annotated[str, Field(description="How it was searched: filigraph, hybrid, dense or bm25.")]
    answered: Annotated[bool, Field(description="The answer is kept with it; false: it is of a search.")]
    thread: Annotated[str, Field(description="Its thread: the id of the trace of that one's first question.")]
    newer_documents: Annotated[int, Field(description="How many documents were added or changed after it.")] = 0


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """Consecutive questions of a conversation."""

    id: Annotated[str, Field(description="Its id: that of the trace of its first question.")]
    title: Annotated[str, Field(description="As it was named, else its first question.")]
    questions: Annotated[int, Field(description="How many it has.")]
    at: Annotated[datetime, Field(description="When the last one was answered, UTC.")]
    expires: Annotated[
        datetime, Field(description="Until when all of it is kept, UTC, as of a trace; each question moves that.")
    ]
    newer_documents: Annotated[int, Field(description="How many documents were added or changed after it.")] = 0


@dataclass(frozen=True, kw_only=True)
class ThreadAnswer:
    """A question of a thread, with its answer."""

    row: TraceRow
    text: str  # of the answer
    view: Mapping[str, Any]  # the part of the workspace that was searched


@dataclass(frozen=True, kw_only=True)
class StoredAnswer:
    """A stored answer."""

    trace: Trace
    at: datetime  # UTC
    body: Mapping[str, Any]  # JSON of the answer
    asked: str  # the original question; the trace has the rewritten one
    thread: str
    newer_documents: int = 0  # documents that came, or changed, after it
