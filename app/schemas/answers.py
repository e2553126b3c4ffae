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

    total: Annotated[int, Field(description="How many there are.")]
    traces: Annotated[list[TraceRow], Field(description="Newest first.")]


class QuestionSuggestionsOut(BaseModel):
    """Questions to begin with."""

    questions: Annotated[list[str], Field(description="Each is answered by a path.")]


class ThreadsOut(BaseModel):
    """Threads."""

    total: Annotated[int, Field(description="How many there are.")]
    threads: Annotated[list[ThreadRow], Field(description="The one that was asked last first.")]


@dataclass(frozen=True, kw_only=True)
class ThreadDetailOut(ThreadRow):
    """A thread with its questions."""

    turns: Annotated[tuple[TraceRow, ...], Field(description="In their order.")]


class RenameThreadIn(In):
    """What a thread is to be called."""

    title: Annotated[str, Field(min_length=1, max_length=300, pattern=r"\S", description="The title.")]


@dataclass(frozen=True, kw_only=True)
class KeptAnswerOut(Answer):
    """An answer as it was given, with what is needed to check it."""

    at: Annotated[datetime, Field(description="When it was given, UTC.")]
    asked: Annotated[str, Field(description="The question as it was put; `question` is how it was understood.")]
    thread: Annotated[str, Field(description="The thread that it belongs to.")]
    newer_documents: Annotated[int, Field(description="How many documents were added or changed after it.")] = 0
    uncited: Annotated[tuple[Evidence, ...], Field(description="Evidence for which the answer had no room.")]
    documents: Annotated[tuple[ReadDocumentOut, ...], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Of the server that gave it.")]
    embedder: Annotated[str, Field(description="The embedder.")]
