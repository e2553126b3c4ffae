"""Requests and responses of the routes of jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import ErrorDetail, Out
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.usage import Usage

JobKind = Literal["ingest", "ask", "fill", "delete", "summarize", "contradictions", "lists"]
JobState = Literal["queued", "running", "waiting", "done", "partial", "failed", "cancelled"]
ItemState = Literal["waiting", "done", "failed"]


class JobProgressOut(Out):
    """The progress of a job."""

    stage: Annotated[str, Field(description="The current stage.", examples=["extract"])]
    message: Annotated[str, Field(description="What it waits for; empty if it does not wait.")]
    documents: Annotated[
        int,
        Field(
            description=(
                "Documents loaded or deleted, questions answered, batches of fields filled, or current "
                "summaries, in this attempt."
            )
        ),
    ]
    documents_total: Annotated[int, Field(description="Total number; 0: unknown.")]
    chunks: Annotated[int, Field(description="Chunks read.")]
    chunks_total: Annotated[int, Field(description="Chunks of the documents loaded so far.")]
    facts: Annotated[int, Field(description="Facts read in these chunks.")]
    usage: Annotated[Usage, Field(description="LLM usage so far.")] = Usage()
    rate: Annotated[
        float | None,
        Field(description="Chunks read for the first time, documents, questions or summaries per second."),
    ]
    seconds_left: Annotated[float | None, Field(description="Estimated seconds left; null while unknown.")]


class JobOut(Out):
    """Work that continues without its client."""

    id: Annotated[str, Field(description="Its id.")]
    workspace: Annotated[str, Field(description="Its workspace.")]
    kind: Annotated[JobKind, Field(description="The kind of its work.")]
    state: Annotated[
        JobState,
        Field(
            description=(
                "waiting: a provider has to answer its batches first; partial: it has ended, and some files "
                "failed or some chunks could not be read."
            )
        ),
    ]
    priority: Annotated[int, Field(description="The job with the highest priority runs first.")]
    created: Annotated[datetime, Field(description="Time of the request.")]
    started: Annotated[datetime | None, Field(description="Time of the first start.")]
    finished: Annotated[datetime | None, Field(description="Time of the end.")]
    items: Annotated[int, Field(description="Number of files, questions, documents or batches of fields.")]
    names: Annotated[tuple[str, ...], Field(description="The first three: sources or questions.")] = ()
    failed: Annotated[int, Field(description="Number of failed items.")]
    attempts: Annotated[int, Field(description="Number of starts: more than one if a server ended meanwhile.")]
    llm: Annotated[
        str | None,
        Field(description="The LLM that reads or answers; empty: none; null: it is chosen when the job begins."),
    ]
    cancelling: Annotated[bool, Field(description="Cancellation was requested.")]
    progress: Annotated[JobProgressOut | None, Field(description="The progress; null before the start.")]
    report: Annotated[
        IngestReport | None,
        Field(
            description="For an ingest: the report so far, of all attempts. Null in a list, and while it is watched."
        ),
    ]
    error: Annotated[ErrorDetail | None, Field(description="The error that ended it, or its last setback.")]


class JobsOut(BaseModel):
    """Jobs."""

    total: Annotated[int, Field(description="Total number.")]
    jobs: Annotated[list[JobOut], Field(description="The requested jobs, the newest first.")]


class JobItemOut(Out):
    """A file, a question, a document, or a batch of fields of a job."""

    number: Annotated[int, Field(description="Its number, from 0, in the order of the request.")]
    name: Annotated[str, Field(description="The file's name, the question, the document's source, or the fields.")]
    size: Annotated[int, Field(description="Bytes of a file.")]
    state: Annotated[ItemState, Field(description="Its final state, if it has ended.")]
    cause: Annotated[str, Field(description="For a failed item: the cause.")]
    cure: Annotated[str, Field(description="For a failed item: what to do.")]


class JobItemsOut(BaseModel):
    """The items of a job."""

    total: Annotated[int, Field(description="Total number, in the requested state if there is one.")]
    items: Annotated[list[JobItemOut], Field(description="The requested items, in order.")]
