"""Long texts as a whole: summaries in levels."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import STREAMED, ServiceDep, ViewDep, WorkspaceDep, answered, errors, watcher
from filigraph.app.schemas.summaries import (
    OutlineOut,
    ShareIn,
    SharesOut,
    SummarizeIn,
    SummaryEstimateOut,
    SummaryOut,
    Writer,
)
from filigraph.graph.model.retrieval import Profile
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.summaries import SummaryReport

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["summaries"])


@router.post("/summarize", summary="Summarize the documents", responses=STREAMED, response_class=Response)
def summarize(workspace: WorkspaceDep, service: ServiceDep, body: SummarizeIn) -> Response:
    """Updates the summaries: of windows of some two pages, chapters, documents, folders. Unchanged ones are not
    written again. If interrupted, what was written is kept for the next run; a document's summaries are shown once
    all are there."""

    def job(emit: Emit, cancelled: ShouldStop) -> SummaryReport:
        return service.summaries.summarize(workspace, body.writer, watcher(emit, cancelled))

    return WorkResponse(job, events=True, last="report", stopping=service.runtime.stopping.is_set)


@router.get("/summarize/estimate", summary="Estimate summaries", responses=answered(SummaryEstimateOut, 404, 422))
def estimate(workspace: WorkspaceDep, service: ServiceDep, writer: Writer = "auto") -> Response:
    """Calls, tokens and cost of updating the summaries; writes nothing."""

    def job(emit: Emit, cancelled: ShouldStop) -> SummaryEstimateOut:
        priced = service.summaries.estimate(workspace, writer, watcher(emit, cancelled))
        estimated = priced.estimate
        return SummaryEstimateOut(
            writer=priced.writer,
            summaries=estimated.summaries,
            kept=estimated.kept,
            levels=list(estimated.levels),
            usage=estimated.usage,
            cost=priced.cost,
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get("/outline", summary="Get the summaries", responses=errors(404, 422))
def outline(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    document_id: Annotated[str, Query(max_length=100, description="A document; empty: folders.")] = "",
    lowest: Annotated[int, Query(ge=1, le=100, description="The lowest level to show.")] = 1,
) -> OutlineOut:
    """The summaries of a document, or of the folders of the workspace. Empty: they are not written yet. A view has
    those of texts that are visible to the last passage; it counts none as missing."""
    entries = service.summaries.outline(workspace, document_id, lowest, view=view)
    missing = service.documents.missing_summaries(workspace, document_id, view=view)
    return OutlineOut(summaries=[SummaryOut.of(entry) for entry in entries], missing=missing)


@router.get("/shares", summary="Get the shares of summaries", responses=errors(404, 422))
def shares(workspace: WorkspaceDep, service: ServiceDep) -> SharesOut:
    """The workspace's shares, by profile; a question may set its own."""
    return SharesOut(shares=service.summaries.shares(workspace))


@router.put("/shares/{profile}", summary="Set the shares of summaries", responses=errors(404, 422))
def put_shares(
    workspace: WorkspaceDep,
    service: ServiceDep,
    profile: Annotated[Profile, Path(description="The profile of a question.")],
    body: ShareIn,
) -> SharesOut:
    """Sets the shares of a profile in this workspace; an empty body resets them. Shares that are not given shrink to
    make room."""
    service.summaries.set_shares(workspace, profile, body.chosen())
    return SharesOut(shares=service.summaries.shares(workspace))
