"""Ingest documents, and read them."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Path, Query, Request, UploadFile
from pydantic import TypeAdapter, ValidationError
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.envelope import validation_cause
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import (
    STREAMED,
    AliasesForm,
    CastForm,
    Count,
    CutForm,
    EntityId,
    ExtractorForm,
    FilesForm,
    First,
    ServiceDep,
    SourcesQuery,
    TriplesForm,
    ViewDep,
    WhereQuery,
    WorkspaceDep,
    conditions,
    errors,
    watcher,
)
from filigraph.app.schemas.documents import (
    DeletedDocumentOut,
    DeletedManyOut,
    DeletedOut,
    DeleteIn,
    DocumentDetailOut,
    DocumentOut,
    DocumentsOut,
    DocumentTextOut,
    FoundPhraseOut,
    FoundTextOut,
)
from filigraph.app.schemas.graph.entities import EntityOut, FactsOut, ListedEntitiesOut, TypesOut
from filigraph.app.schemas.server import StatsOut, WorkspaceUsage
from filigraph.app.service.ingestion import IngestRequest
from filigraph.app.service.service import Service
from filigraph.app.uploads.aliases import read_aliases
from filigraph.graph.errors import InputError
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.model.documents import Source
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.summaries import MissingSummaries
from filigraph.graph.view import ALL, View

DocumentId = Annotated[str, Path(description="A document's `id`.")]

_METADATA = TypeAdapter(dict[str, str])

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["documents"])


@router.post("/ingest", summary="Ingest documents", responses=STREAMED, response_class=Response)
def ingest(
    workspace: WorkspaceDep,
    service: ServiceDep,
    cut: CutForm,
    sent: FilesForm,
    extractor: ExtractorForm = "auto",
    triples: TriplesForm = None,
    aliases: AliasesForm = None,
    cast: CastForm = None,
) -> Response:
    """Ingests documents into the workspace, and creates it if necessary. Unchanged documents are not read again. A
    file that cannot be used is reported in `skipped`; the others are ingested. A client that disconnects stops the
    work; what was read is kept, and sending the same files again resumes it."""
    ready = triples.file.read() if triples else None
    groups = read_aliases(aliases.file.read()) if aliases else []

    def job(emit: Emit, cancelled: ShouldStop) -> IngestReport:
        request = IngestRequest(
            sources=sent.sources(),
            names=sent.names,
            kind=extractor,
            **cut.fields(),
            triples=ready,
            aliases=groups,
            cast=cast,
        )
        return service.ingestion.ingest(workspace, request, watcher(emit, cancelled))

    return WorkResponse(job, events=True, last="report", stopping=service.runtime.stopping.is_set)


@router.get("/documents", summary="List documents", responses=errors(404, 422))
def documents(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    source: SourcesQuery = [],  # noqa: B006 - FastAPI's own way
    where: WhereQuery = [],  # noqa: B006
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=10_000, description="How many.")] = 1000,
) -> DocumentsOut:
    """The documents of the workspace, by source."""
    listing = service.documents.list_documents(
        workspace, sources=source, where=conditions(where), first=first, count=count, view=view
    )
    return DocumentsOut(
        total=listing.total,
        documents=[DocumentOut.model_validate(row) for row in listing.rows],
        threads=[[mail.id for mail in thread] for thread in listing.threads],
        missing_summaries=_missing_summaries(workspace, service, view),
    )


@router.get("/documents/{document_id}", summary="Get a document", responses=errors(404, 422))
def document(workspace: WorkspaceDep, document_id: DocumentId, service: ServiceDep, view: ViewDep) -> DocumentDetailOut:
    """One document with its metadata, pages and chapters; for a mail also the others of its thread."""
    row = service.documents.document(workspace, document_id, view=view)
    places = [vars(place) for place in service.documents.places(workspace, row, view=view)]
    thread = [
        {
            "id": mail.id,
            "source": mail.source,
            "sender": mail.metadata.get("from", ""),
            "date": mail.metadata.get("date", ""),
        }
        for mail in service.documents.thread(workspace, row, view=view)
    ]
    return DocumentDetailOut.model_validate({**vars(row), "places": places, "thread": thread})


@router.put("/documents/{document_id}", summary="Update a document", responses=STREAMED, response_class=Response)
def update_document(
    workspace: WorkspaceDep,
    document_id: DocumentId,
    request: Request,
    service: ServiceDep,
    file: Annotated[UploadFile, File(description="The current version of the document.")],
    extractor: Annotated[
        Literal["auto", "local", "llm"] | None,
        Form(description="Extractor, as for an ingest. Default: the one used before."),
    ] = None,
    metadata: Annotated[
        str,
        Form(
            description="A JSON object that replaces the former metadata. Without it, they remain.",
            examples=['{"date": "1912-03-04"}'],
        ),
    ] = "",
) -> Response:
    """Reads the document again under its source and with its chunking. The same content changes only the metadata;
    otherwise only chunks whose text or context has changed are read."""
    row = service.documents.document(workspace, document_id)
    record_subjects(request.scope, row.source)
    source = Source(
        name=row.source,
        content=file.file.read(),
        media_type=file.content_type or "",
        metadata=_metadata(metadata) if metadata else {},
    )

    def job(emit: Emit, cancelled: ShouldStop) -> IngestReport:
        return service.ingestion.update(workspace, row, source, kind=extractor, watcher=watcher(emit, cancelled))

    return WorkResponse(job, events=True, last="report", stopping=service.runtime.stopping.is_set)


def _metadata(text: str) -> dict[str, str]:
    try:
        return _METADATA.validate_json(text)
    except ValidationError as error:
        raise InputError(f"The field `metadata`: {validation_cause(error.errors())}", cure="See /docs.") from None


@router.get("/documents/{document_id}/text", summary="Read a document's text", responses=errors(404, 422))
def document_text(
    workspace: WorkspaceDep,
    document_id: DocumentId,
    service: ServiceDep,
    view: ViewDep,
    chunk: Annotated[str, Query(description="Begin shortly before this chunk.")] = "",
    first: Annotated[int, Query(ge=0, description="Without a chunk: the number of the first piece, from 0.")] = 0,
    count: Annotated[int, Query(ge=1, le=100, description="How many pieces.")] = 10,
) -> DocumentTextOut:
    """A part of a document's text, in pieces."""
    row, pieces = service.documents.document_text(
        workspace, document_id, chunk_id=chunk, first=first, count=count, view=view
    )
    return DocumentTextOut.model_validate({**dataclasses.asdict(row), "pieces": pieces})


@router.get(
    "/documents/{document_id}/entities", summary="List entities of a document's part", responses=errors(404, 422)
)
def document_entities(
    workspace: WorkspaceDep,
    document_id: DocumentId,
    service: ServiceDep,
    view: ViewDep,
    first: Annotated[int, Query(ge=0, description="Number of the first piece, from 0.")] = 0,
    count: Annotated[int, Query(ge=1, le=100, description="How many pieces.")] = 10,
) -> ListedEntitiesOut:
    """The entities that a part of a document mentions."""
    rows = service.documents.entities_in(workspace, document_id, first=first, count=count, view=view)
    return ListedEntitiesOut(entities=list(rows))


@router.get("/documents/{document_id}/find", summary="Find text in a document", responses=errors(404, 422))
def find_text(
    workspace: WorkspaceDep,
    document_id: DocumentId,
    service: ServiceDep,
    view: ViewDep,
    text: Annotated[
        str,
        Query(min_length=1, max_length=2000, description="The text; its first and last word may be parts of words."),
    ],
    count: Annotated[int, Query(ge=1, le=1000, description="How many places.")] = 100,
) -> FoundTextOut:
    """The places where a document contains a text. Case, accents, apostrophes, quotation marks, hyphens and line
    ends are ignored."""
    rows, total = service.documents.find_text(workspace, document_id, text, count=count, view=view)
    return FoundTextOut(total=total, places=list(rows))


@router.get("/find", summary="Find a phrase", responses=errors(404, 422))
def find_phrase(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    text: Annotated[str, Query(min_length=1, max_length=1000, description="Words, in this order.")],
    first: First = 0,
    count: Count = 50,
) -> FoundPhraseOut:
    """Every place in all documents that contains these words in this order. Case, accents, apostrophes, quotation
    marks, hyphens and line ends are ignored."""
    rows, total, documents = service.documents.find_phrase(workspace, text, first=first, count=count, view=view)
    places = list(rows)
    return FoundPhraseOut(total=total, documents=documents, places=places)


@router.delete("/documents/{document_id}", summary="Delete a document", responses=errors(404, 409, 422))
def delete_document(
    workspace: WorkspaceDep, document_id: DocumentId, request: Request, service: ServiceDep
) -> DeletedDocumentOut:
    """Deletes a document and the facts that only it supports. Calls no model: summaries of folders that an LLM wrote
    are deleted too; those made of sentences are made again."""
    (row,) = service.documents.delete_documents(workspace, ids=[document_id])
    record_subjects(request.scope, row.source)
    return DeletedDocumentOut(id=row.id, source=row.source, missing_summaries=_missing_summaries(workspace, service))


@router.delete("/documents", summary="Delete many documents", responses=errors(404, 409, 422))
def delete_documents(workspace: WorkspaceDep, body: DeleteIn, request: Request, service: ServiceDep) -> DeletedManyOut:
    """Deletes the documents and the facts that only they support. If one of them does not exist, nothing is deleted.
    Calls no model. If the server ends meanwhile, it finishes the deletion when it starts."""
    record_subjects(request.scope, *body.sources, *body.ids)
    rows = service.documents.delete_documents(workspace, ids=body.ids, sources=body.sources, glob=body.glob)
    record_subjects(request.scope, *(row.source for row in rows))
    deleted = [DeletedOut(id=row.id, source=row.source) for row in rows]
    return DeletedManyOut(deleted=deleted, missing_summaries=_missing_summaries(workspace, service))


def _missing_summaries(workspace: str, service: Service, view: View = ALL) -> MissingSummaries:
    return service.documents.missing_summaries(workspace, view=view)


@router.get("/facts", summary="List facts", responses=errors(404, 422))
def facts(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    entity: Annotated[str | None, Query(max_length=64, description="Only facts of this entity (id).")] = None,
    predicate: Annotated[
        str | None,
        Query(max_length=200, description="Only facts with this predicate, or with the predicates of this relation."),
    ] = None,
    document: Annotated[
        str | None, Query(max_length=64, description="Only facts that this document states (id).")
    ] = None,
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=1000, description="How many.")] = 100,
) -> FactsOut:
    """The facts of the workspace, best supported first. An entity's route has their sentences."""
    rows, total = service.browse.facts(
        workspace, entity_id=entity, predicate=predicate, document_id=document, first=first, count=count, view=view
    )
    return FactsOut(total=total, facts=list(rows))


@router.get("/stats", summary="Count documents, chunks, entities and facts", responses=errors(404, 422))
def stats(workspace: WorkspaceDep, service: ServiceDep, view: ViewDep) -> StatsOut:
    """Counts of the workspace's documents, chunks, mentions, entities, facts and decisions."""
    counts = dataclasses.asdict(service.browse.stats(workspace, view=view))
    return StatsOut(workspace=workspace, stats=counts, missing_summaries=_missing_summaries(workspace, service, view))


@router.get("/types", summary="List entity types", responses=errors(404, 422))
def types_found(workspace: WorkspaceDep, service: ServiceDep, view: ViewDep) -> TypesOut:
    """The types of the entities, largest first, each with its most mentioned entities. Only an LLM or a schema gives
    types; entities without one have an empty type."""
    return TypesOut(types=list(service.browse.types_found(workspace, view=view)))


@router.get("/usage", summary="Count LLM tokens", responses=errors(404, 422))
def usage(workspace: WorkspaceDep, service: ServiceDep) -> WorkspaceUsage:
    """The LLM tokens that this workspace has used so far, and today; and which LLM answers now."""
    return service.workspaces.usage(workspace)


@router.get("/entities/{entity_id}", summary="Get an entity", responses=errors(404, 422))
def entity(workspace: WorkspaceDep, entity_id: EntityId, service: ServiceDep, view: ViewDep) -> EntityOut:
    """Its names and its facts, each with the sentences that say it."""
    return EntityOut(entity=dataclasses.asdict(service.browse.entity(workspace, entity_id, view=view)))
