"""The cost of an ingest, the schema of what to look for, and chunks without facts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import (
    STREAMED,
    CastForm,
    CutForm,
    ExtractorForm,
    FilesForm,
    First,
    ServiceDep,
    WorkspaceDep,
    errors,
    watcher,
)
from filigraph.app.schemas.reading import EstimateOut, GapsOut, RetryIn, SchemaIn, SchemaOut
from filigraph.graph.ingest.extract.schema import ExtractionSchema, ready_schemas
from filigraph.graph.ingest.incoming import PreparedDocument
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.summarize import PlacedDocument

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["reading"])


@router.post("/estimate", summary="Estimate an ingest", responses=STREAMED, response_class=Response)
def estimate(
    workspace: WorkspaceDep,
    service: ServiceDep,
    cut: CutForm,
    sent: FilesForm,
    extractor: ExtractorForm = "auto",
    batch: Annotated[bool, Form(description="Whether the LLM would get the calls in its provider's batches.")] = False,
    summarize: Annotated[
        bool, Form(description="Whether to include the summaries that would be written afterwards.")
    ] = False,
    cast: CastForm = None,
) -> Response:
    """Chunks, calls, tokens, time and cost of ingesting these documents; ingests nothing. What was read before
    counts as `kept`. If the speed of the extractor is unknown, it reads some chunks to measure it."""

    def job(emit: Emit, cancelled: ShouldStop) -> EstimateOut:
        follower = watcher(emit, cancelled)
        incoming: list[PlacedDocument] = []

        def prepared(document: PreparedDocument) -> None:
            if summarize:
                incoming.append(PlacedDocument.of(document.row, document.chunks))

        priced = service.ingestion.estimate(
            workspace,
            sent.sources(),
            kind=extractor,
            cut=cut,
            watcher=follower,
            cast=cast,
            batch=batch,
            on_prepared=prepared,
        )
        estimated = priced.estimate
        reply = EstimateOut(
            extractor=priced.extractor,
            documents=estimated.documents,
            unchanged=len(estimated.unchanged),
            skipped=list(estimated.skipped),
            chunks=estimated.chunks,
            kept=estimated.kept,
            usage=priced.usage,
            cast_usage=estimated.cast,
            seconds=priced.seconds,
            cost=priced.cost,
        )
        if summarize and (incoming or estimated.unchanged):
            summaries = service.summaries.estimate_incoming(workspace, incoming, estimated.unchanged, follower)
            reply.summary_writer, reply.summary_cost = summaries.writer, summaries.cost
            reply.summaries = summaries.estimate.summaries - summaries.estimate.kept
            reply.summary_usage = summaries.estimate.usage
        return reply

    return WorkResponse(job, events=True, last="estimate", stopping=service.runtime.stopping.is_set)


@router.post("/retry", summary="Retry unread chunks", responses=STREAMED, response_class=Response)
def retry(workspace: WorkspaceDep, service: ServiceDep, body: RetryIn) -> Response:
    """Reads the chunks for which the LLM gave no answer during ingest. The documents need not be sent."""

    def job(emit: Emit, cancelled: ShouldStop) -> IngestReport:
        return service.ingestion.retry(
            workspace,
            kind=body.extractor,
            watcher=watcher(emit, cancelled),
        )

    return WorkResponse(job, events=True, last="report", stopping=service.runtime.stopping.is_set)


@router.get("/gaps", summary="List chunks without facts", responses=errors(404, 422))
def gaps(
    workspace: WorkspaceDep,
    service: ServiceDep,
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=10_000, description="How many.")] = 1000,
) -> GapsOut:
    """Every chunk without facts, with its reason, in the order of the documents; and every document whose ingest
    ended too early."""
    rows, total = service.browse.gaps(workspace, first=first, count=count)
    return GapsOut(total=total, gaps=list(rows))


@router.get("/schema", summary="Get the schema", responses=errors(404, 422))
def schema(workspace: WorkspaceDep, service: ServiceDep) -> SchemaOut:
    """The workspace's schema: entity types, relations, examples."""
    return _schema_out(service.ingestion.schema(workspace))


@router.put("/schema", summary="Set the schema", responses=errors(409, 422))
def put_schema(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: SchemaIn) -> SchemaOut:
    """Sets the schema of the workspace, as a text or by the name of a built-in one. It applies to documents ingested
    from then on, and to existing ones when they are ingested again."""
    schema = service.ingestion.set_schema(workspace, body.schema_, body.mode)
    record_subjects(request.scope, schema.name)
    return _schema_out(schema)


@router.delete("/schema", summary="Remove the schema", responses=errors(404, 409, 422))
def delete_schema(workspace: WorkspaceDep, service: ServiceDep) -> SchemaOut:
    """Removes the workspace's schema; the general one applies."""
    return _schema_out(service.ingestion.set_schema(workspace, "", None))


def _schema_out(schema: ExtractionSchema) -> SchemaOut:
    return SchemaOut(name=schema.name, mode=schema.mode, yaml=schema.text, ready=sorted(ready_schemas()))
