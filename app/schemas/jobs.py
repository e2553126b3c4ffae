"""What the routes of jobs take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import ErrorDetail, Out
from filigraph.app.schemas.documents import IngestOut, UsageOut

JobKind = Literal["ingest", "ask", "fill", "delete", "summarize", "contradictions"]
JobState = Literal["queued", "running", "waiting", "done", "partial", "failed", "cancelled"]
ItemState = Literal["waiting", "done", "failed"]


class JobProgressOut(Out):
    """How far a job is."""

    stage: Annotated[str, Field(description="What it does now.", examples=["extract"])]
    message: Annotated[str, Field(description="What it waits for; empty where it does not wait.")]
    documents: Annotated[
        int,
        Field(
            description="Documents loaded or deleted, questions asked, batches of fields filled, or summaries up to "
            "date, in this attempt."
        ),
    ]
    documents_total: Annotated[int, Field(description="How many there are.")]
    chunks: Annotated[int, Field(description="Chunks read.")]
    chunks_total: Annotated[int, Field(description="Of the documents loaded so far.")]
    facts: Annotated[int, Field(description="Facts read in them.")]
    usage: Annotated[UsageOut, Field(description="What was asked of the LLM so far, to read them.")] = UsageOut()
    rate: Annotated[
        float | None,
        Field(description="Chunks that were not read before, documents, questions or summaries in a second."),
    ]
    seconds_left: Annotated[float | None, Field(description="Estimate; null while unknown.")]


class JobOut(Out):
    """Work that goes on by itself."""

    id: Annotated[str, Field(description="Its id.")]
    workspace: Annotated[str, Field(description="Where it works.")]
    kind: Annotated[JobKind, Field(description="What it does.")]
    state: Annotated[
        JobState,
        Field(
            description="waiting: a provider has to answer its batches first; partial: it has ended, and some files "
            "failed or chunks could not be read."
        ),
    ]
    priority: Annotated[int, Field(description="The highest goes first.")]
    created: Annotated[datetime, Field(description="When it was asked for.")]
    started: Annotated[datetime | None, Field(description="When it was begun first.")]
    finished: Annotated[datetime | None, Field(description="When it ended.")]
    items: Annotated[int, Field(description="How many files, questions, documents or batches of fields it has.")]
    names: Annotated[tuple[str, ...], Field(description="Of the first three: sources, questions.")] = ()
    failed: Annotated[int, Field(description="How many of them have failed.")]
    attempts: Annotated[
        int, Field(description="How often it was begun: more than once where a server ended meanwhile.")
    ]
    llm: Annotated[
        str | None,
        Field(description="The LLM that reads or answers; empty: none does; null: that is chosen when it begins."),
    ]
    cancelling: Annotated[bool, Field(description="Cancellation was requested.")]
    progress: Annotated[JobProgressOut | None, Field(description="How far it is; null before it began.")]
    report: Annotated[
        IngestOut | None,
        Field(
            description="Of an ingest: what it did so far, in all attempts. Null in a list, and while it is watched."
        ),
    ]
    error: Annotated[
        ErrorDetail | None, Field(description="What ended it, where that was no plan; or set it back the last time.")
    ]


class JobsOut(BaseModel):
    """Jobs."""

    total: Annotated[int, Field(description="How many there are.")]
    jobs: Annotated[list[JobOut], Field(description="Those asked for, the newest first.")]


class JobItemOut(Out):
    """A file, a question, a document, or a batch of fields of a job."""

    number: Annotated[int, Field(description="In the order in which they were sent, from 0.")]
    name: Annotated[str, Field(description="The file's name, the question, the document's source, or the fields.")]
    size: Annotated[int, Field(description="Of a file, in bytes.")]
    state: Annotated[ItemState, Field(description="How it ended, if it did.")]
    cause: Annotated[str, Field(description="Of one that failed: why.")]
    cure: Annotated[str, Field(description="Of one that failed: what to do about it.")]


class JobItemsOut(BaseModel):
    """What a job consists of."""

    total: Annotated[int, Field(description="How many there are, in that state if one was asked for.")]
    items: Annotated[list[JobItemOut], Field(description="Those asked for, in order.")]
