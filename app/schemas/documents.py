"""Requests and responses of the routes of documents."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out, ReadDocumentOut, SourceName
from filigraph.graph.records.documents import PhrasePlace, Piece, TextPlace
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.views.outline import NamedPlace


class DocumentOut(Out):
    """A document that was ingested."""

    id: Annotated[str, Field(description="Hash of workspace and source.")]
    source: Annotated[str, Field(description="The source under which it was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    sha256: Annotated[str, Field(description="SHA-256 of its bytes: its version.")]
    language: Annotated[str, Field(description="ISO 639-1; empty if unknown.")]
    media_type: Annotated[str, Field(description="Its media type.")]
    status: Annotated[Literal["partial", "complete"], Field(description="partial: not all of it was read or stored.")]
    unread: Annotated[
        int | None, Field(description="Chunks that could not be read; `retry` reads them. Null: ingest it again.")
    ]
    chunks: Annotated[int, Field(description="Number of chunks.")]
    facts: Annotated[int, Field(description="Number of facts that its chunks support.")]
    warnings: Annotated[list[str], Field(description="Unreadable parts.")]
    metadata: Annotated[dict[str, str], Field(description="Metadata from the client and from the file.")]


class ThreadMailOut(Out):
    """A mail of a thread."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name of its file.")]
    sender: Annotated[str, Field(description="The sender.")]
    date: Annotated[str, Field(description="The date: ISO 8601 if it is readable.")]


class DocumentDetailOut(DocumentOut):
    """A document with its pages and chapters."""

    places: Annotated[list[NamedPlace], Field(description="In reading order; empty if the document has none.")]
    thread: Annotated[
        list[ThreadMailOut],
        Field(description="For a mail of a thread, all mails of the thread, by date; else empty."),
    ] = []  # noqa: RUF012


class DocumentsOut(BaseModel):
    """The documents of a workspace."""

    total: Annotated[int, Field(description="Total number.")]
    documents: Annotated[list[DocumentOut], Field(description="The requested documents, by source.")]
    threads: Annotated[
        list[list[str]],
        Field(
            description="Threads of two or more mails, independent of `first` and `count`: ids of documents by date."
        ),
    ]
    missing_summaries: Annotated[MissingSummaries, Field(description="Parts without current summaries.")]


class DeleteIn(In):
    """The documents to delete."""

    ids: Annotated[
        list[Annotated[str, Field(max_length=64)]],
        Field(default_factory=list, max_length=10_000, description="Documents by id."),
    ]
    sources: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="Or by source: a document, or a folder that ends in /.",
        ),
    ]
    glob: Annotated[bool, Field(description="`*` in sources matches any characters, `?` one.")] = False


class DocumentTextOut(ReadDocumentOut):
    """A part of a document's text."""

    chunks: Annotated[int, Field(description="Number of pieces of the document.")]
    pieces: Annotated[list[Piece], Field(description="The requested pieces, in order.")]


class FoundPhraseOut(BaseModel):
    """The places of a phrase in the texts of a workspace."""

    total: Annotated[int, Field(description="Number of places.")]
    documents: Annotated[int, Field(description="Number of documents.")]
    places: Annotated[list[PhrasePlace], Field(description="The requested places, in reading order.")]


class FoundTextOut(BaseModel):
    """The places of a text in a document."""

    total: Annotated[int, Field(description="Number of places.")]
    places: Annotated[list[TextPlace], Field(description="The first places.")]


class DeletedOut(BaseModel):
    """A document that was deleted."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The source under which it was ingested.")]


class DeletedDocumentOut(DeletedOut):
    """The deleted document, and what remains to be done."""

    missing_summaries: Annotated[MissingSummaries, Field(description="Parts that have no current summaries now.")]


class DeletedManyOut(BaseModel):
    """The deleted documents, and what remains to be done."""

    deleted: Annotated[list[DeletedOut], Field(description="The deleted documents, by source.")]
    missing_summaries: Annotated[MissingSummaries, Field(description="Parts that have no current summaries now.")]
