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
    expires: Annotated[datetime, Field(description="When the trace expires, UTC; 9999-12-31: never.")]
    method: Annotated[str, Field(description="How it was searched: filigraph, hybrid, dense or bm25.")]
    answered: Annotated[bool, Field(description="An answer is stored with it; false: it belongs to a search.")]
    thread: Annotated[str, Field(description="The id of its thread.")]
    newer_documents: Annotated[int, Field(description="Number of documents added or changed after it.")] = 0


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """Consecutive questions of a conversation."""

    id: Annotated[str, Field(description="Its id: that of the trace of its first question.")]
    title: Annotated[str, Field(description="The title that it was given, else its first question.")]
    questions: Annotated[int, Field(description="Number of questions.")]
    at: Annotated[datetime, Field(description="When the last one was answered, UTC.")]
    expires: Annotated[datetime, Field(description="When all of it expires, UTC; each question postpones that.")]
    newer_documents: Annotated[int, Field(description="Number of documents added or changed after it.")] = 0


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
