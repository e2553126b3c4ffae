"""Traces, answers and threads of questions as the store lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from filigraph.graph.model.traces import Trace


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """A trace without its steps."""

    id: str
    question: str
    at: datetime  # when its answer was given, UTC
    expires: datetime
    method: str  # how it was searched: "filigraph", "dense", ...
    answered: bool  # the answer is kept with it; else it is of a search
    thread: str  # of the first question of its thread: that trace's id
    newer_documents: int = 0  # that came, or changed, after it


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """Questions that follow each other, with their answers."""

    id: str  # of the trace of its first question
    title: str  # as a person named it, else its first question
    questions: int
    at: datetime  # when the last one was answered, UTC
    expires: datetime
    newer_documents: int = 0  # that came, or changed, after that


@dataclass(frozen=True, kw_only=True)
class ThreadAnswer:
    """A question of a thread, and what was answered."""

    row: TraceRow
    text: str  # of the answer
    view: Mapping[str, Any]  # the part of the workspace that was asked


@dataclass(frozen=True, kw_only=True)
class StoredAnswer:
    """An answer as it was given."""

    trace: Trace
    at: datetime  # UTC
    body: Mapping[str, Any]  # JSON: what was kept of it
    asked: str  # the question as it was put; the trace has it as it was understood
    thread: str
    newer_documents: int = 0  # that came, or changed, after it
