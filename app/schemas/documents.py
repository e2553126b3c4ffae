"""What the routes of documents take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out, ReadDocumentOut, SourceName
from filigraph.graph.records.documents import PhrasePlace, Piece, TextPlace
from filigraph.graph.records.summaries import MissingSummaries


class SkippedOut(Out):
    """A source that could not be used, and why."""

    source: Annotated[str, Field(description="Its name.")]
    cause: Annotated[str, Field(description="Why.")]
    cure: Annotated[str, Field(description="What to do about it.")]


class UsageOut(Out):
    """What was asked of an LLM."""

    calls: Annotated[int, Field(description="How many calls.")] = 0
    tokens_in: Annotated[int, Field(description="Tokens sent.")] = 0
    tokens_out: Annotated[int, Field(description="Tokens written, thinking included.")] = 0


class IngestOut(Out):
    """What one run did."""

    added: Annotated[list[str], Field(description="New documents.")]
    updated: Annotated[list[str], Field(description="Documents whose content had changed.")]
    unchanged: Annotated[list[str], Field(description="Documents that were there already, as they are.")]
    skipped: Annotated[list[SkippedOut], Field(description="What could not be used, with its cause.")]
    problems: Annotated[list[str], Field(description="What was read, but not all of it.")]
    remarks: Annotated[list[str], Field(description="What is to know of what was read: a guess, names left out.")]
    chunks: Annotated[int, Field(description="Chunks read in this run.")]
    kept_extractions: Annotated[int, Field(description="Chunks whose extraction was there already.")]
    extracted: Annotated[int, Field(description="Chunks that the extractor was asked for.")] = 0
    triplets: Annotated[int, Field(description="Triplets read in these chunks.")]
    empty_chunks: Annotated[int, Field(description="Chunks in which the extractor found nothing.")]
    failed_chunks: Annotated[int, Field(description="Chunks that could not be read; `retry` reads them.")]
    notes: Annotated[dict[str, int], Field(description="Why chunks have no facts, and how many chunks.")]
    counts: Annotated[dict[str, int], Field(description="What was dropped, or fell outside the schema, and how often.")]
    usage: Annotated[UsageOut, Field(description="What was asked of the LLM.")]
    cost: Annotated[float | None, Field(description="Of that, by the prices that are set; null where none is.")] = None
    entities: Annotated[int, Field(description="Entities in the workspace, afterwards.")]
    facts: Annotated[int, Field(description="Facts in the workspace, afterwards.")]
    unsummarized: Annotated[
        int,
        Field(description="Documents without summaries up to date, where the workspace had any; `summarize` helps."),
    ] = 0
    seconds: Annotated[dict[str, float], Field(description="By stage.")]


class DocumentOut(Out):
    """A document that was ingested."""

    id: Annotated[str, Field(description="Hash of workspace and source.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    sha256: Annotated[str, Field(description="Of its bytes: its version.")]
    language: Annotated[str, Field(description="ISO 639-1; empty if unknown.")]
    media_type: Annotated[str, Field(description="What it is.")]
    status: Annotated[Literal["partial", "complete"], Field(description="partial: not all of it was read, or stored.")]
    unread: Annotated[
        int | None, Field(description="Chunks that could not be read; `retry` reads them. Null: ingest it again.")
    ]
    chunks: Annotated[int, Field(description="How many chunks it has.")]
    facts: Annotated[int, Field(description="How many facts its chunks support.")]
    warnings: Annotated[list[str], Field(description="What could not be read of it.")]
    metadata: Annotated[dict[str, str], Field(description="As sent with it, or as read from it.")]


class DocumentPlaceOut(Out):
    """A page or a chapter of a document."""

    kind: Annotated[Literal["page", "chapter", "section"], Field(description="What it is.")]
    label: Annotated[str, Field(description="As the document names it.")]
    until: Annotated[str, Field(description="How `until` of a view names it, behind the document and a colon.")]
    begin: Annotated[float, Field(description="Where it begins, in percent of the text.")]
    end: Annotated[float, Field(description="Where it ends: `begin-end %` is it for `within` of a view.")]
    parts: Annotated[list[str], Field(description="The parts that it is in, the largest first.")]


class ThreadMailOut(Out):
    """A mail of a thread."""

    id: Annotated[str, Field(description="Its document.")]
    source: Annotated[str, Field(description="The name of its file.")]
    sender: Annotated[str, Field(description="Who wrote it, as its head says.")]
    date: Annotated[str, Field(description="When, in ISO 8601 where it can be told.")]


class DocumentDetailOut(DocumentOut):
    """A document with its pages and chapters."""

    places: Annotated[list[DocumentPlaceOut], Field(description="In the order of reading; none where it has none.")]
    thread: Annotated[
        list[ThreadMailOut],
        Field(description="All mails of the thread that it is of, by date; none of other documents."),
    ] = []  # noqa: RUF012


class DocumentsOut(BaseModel):
    """The documents of a workspace."""

    total: Annotated[int, Field(description="How many there are.")]
    documents: Annotated[list[DocumentOut], Field(description="Those asked for, by source.")]
    threads: Annotated[
        list[list[str]],
        Field(description="Threads of two mails or more, whatever `first` and `count`: ids of documents by date."),
    ]
    missing_summaries: Annotated[MissingSummaries, Field(description="What has no summaries.")]


class DeleteIn(In):
    """Which documents are to go."""

    ids: Annotated[
        list[Annotated[str, Field(max_length=64)]],
        Field(default_factory=list, max_length=10_000, description="Documents by id."),
    ]
    sources: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="Or by source: one, or a folder that ends in /.",
        ),
    ]
    glob: Annotated[bool, Field(description="`*` and `?` in sources stand for any characters, or for one.")] = False


class DocumentTextOut(ReadDocumentOut):
    """A part of a document's text."""

    chunks: Annotated[int, Field(description="How many pieces the document has.")]
    pieces: Annotated[list[Piece], Field(description="Those asked for, in order.")]


class FoundPhraseOut(BaseModel):
    """Where the texts of a workspace hold a phrase."""

    total: Annotated[int, Field(description="How many places there are.")]
    documents: Annotated[int, Field(description="In how many documents.")]
    places: Annotated[list[PhrasePlace], Field(description="Those asked for, in the order of reading.")]


class FoundTextOut(BaseModel):
    """Where a document holds a text."""

    total: Annotated[int, Field(description="How many places there are.")]
    places: Annotated[list[TextPlace], Field(description="The first ones.")]


class DeletedOut(BaseModel):
    """A document that was deleted."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]


class DeletedDocumentOut(DeletedOut):
    """What was deleted, and what is to be done."""

    missing_summaries: Annotated[MissingSummaries, Field(description="What has no summaries now.")]


class DeletedManyOut(BaseModel):
    """What was deleted, and what is to be done."""

    deleted: Annotated[list[DeletedOut], Field(description="By source.")]
    missing_summaries: Annotated[MissingSummaries, Field(description="What has no summaries now.")]
