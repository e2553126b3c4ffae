"""Answers and the evidence, paths and traces behind them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, ReadDocumentOut
from filigraph.graph.model.answers import Answer
from filigraph.graph.model.retrieval import Evidence
from filigraph.graph.records.traces import ThreadRow, TraceRow


class TracesOut(BaseModel):
    """The traces of the last answers."""

    total: Annotated[int, Field(description="Total number.")]
    traces: Annotated[list[TraceRow], Field(description="Newest first.")]


class QuestionSuggestionsOut(BaseModel):
    """Questions to begin with."""

    questions: Annotated[list[str], Field(description="Each has an answer with a path.")]


class ThreadsOut(BaseModel):
    """Threads."""

    total: Annotated[int, Field(description="Total number.")]
    threads: Annotated[list[ThreadRow], Field(description="The last used one first.")]


@dataclass(frozen=True, kw_only=True)
class ThreadDetailOut(ThreadRow):
    """A thread with its questions."""

    turns: Annotated[tuple[TraceRow, ...], Field(description="The questions, in order.")]


class RenameThreadIn(In):
    """The new title of a thread."""

    title: Annotated[str, Field(min_length=1, max_length=300, pattern=r"\S", description="The new title.")]


@dataclass(frozen=True, kw_only=True)
class KeptAnswerOut(Answer):
    """An answer as it was given, with everything that is needed to check it."""

    at: Annotated[datetime, Field(description="Time of the answer, UTC.")]
    asked: Annotated[str, Field(description="The original question; `question` is the rewritten one.")]
    thread: Annotated[str, Field(description="The thread of the answer.")]
    newer_documents: Annotated[int, Field(description="Number of documents added or changed since.")] = 0
    uncited: Annotated[tuple[Evidence, ...], Field(description="Evidence that had no room in the answer.")]
    documents: Annotated[tuple[ReadDocumentOut, ...], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Version of the server that gave the answer.")]
    embedder: Annotated[str, Field(description="The embedder.")]
