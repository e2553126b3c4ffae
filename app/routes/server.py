"""The server itself: its health, its checks, its workspaces."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from filigraph.app.http.auth import presented_key
from filigraph.app.http.envelope import JSONText, response_to
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import CallerDep, First, ReaderDep, ServiceDep, WorkspaceDep, answered, errors
from filigraph.app.schemas.embedding import RerankIn, RerankOut
from filigraph.app.schemas.server import (
    DoctorOut,
    HealthOut,
    LiveOut,
    SettingsOut,
    WorkspaceOut,
    WorkspacesOut,
)
from filigraph.app.version import installed_version
from filigraph.graph.errors import UnavailableError
from filigraph.graph.process.cancel import ShouldStop

STARTING = "It is starting, or Neo4j is away."
NOT_READY = "It is not ready; its log says why."  # for requests without a key

router = APIRouter(prefix="/v1", tags=["server"])


@router.get("/health", summary="Is the server live and ready?", responses=errors())
async def health(request: Request, service: ServiceDep) -> HealthOut:
    """Returns at once. `ready` becomes true when Neo4j answers and the models are loaded. Needs no key; without one
    the response omits errors and the address of Neo4j Browser."""
    now = service.health()
    trusted = service.keys.trusts(presented_key(request.scope))
    return HealthOut(
        ready=now.ready,
        problem=now.problem if trusted or not now.problem else NOT_READY,
        starting=now.starting if trusted or not now.starting else STARTING,
        version=installed_version(),
        pid=os.getpid(),
        max_upload_bytes=service.runtime.settings.max_upload_mb << 20,
        neo4j_browser=now.neo4j_browser if trusted else None,
    )


@router.get("/health/live", summary="Is the server live?", responses=errors())
async def live() -> LiveOut:
    """Answers as long as the process runs. Needs no key."""
    return LiveOut()


@router.get("/health/ready", summary="Is the server ready?", responses=answered(LiveOut))
async def ready(request: Request, service: ServiceDep) -> Response:
    """503, with the reason, until Neo4j is connected and the models are loaded. Returns at once; needs no key."""
    now = service.health()
    if now.ready:
        return JSONText(LiveOut().model_dump())
    trusted = service.keys.trusts(presented_key(request.scope))
    cause = (now.problem or now.starting or STARTING) if trusted else NOT_READY
    return response_to(UnavailableError(cause, cure="Wait; `filigraph doctor` says what is missing."), request.scope)


@router.get("/doctor", summary="Check the installation", responses=errors())
def doctor(service: ServiceDep) -> DoctorOut:
    """Checks Neo4j, the models, the LLM and the disk, with a cure for each failure."""
    return DoctorOut(checks=list(service.doctor()))


@router.get("/settings", summary="List settings", responses=errors())
def settings(service: ServiceDep) -> SettingsOut:
    """The settings of the running server; secrets are hidden. Requires an admin key."""
    rows = service.runtime.settings.rows()
    return SettingsOut(settings=list(rows))


@router.get("/workspaces", summary="List workspaces", responses=errors(422))
def workspaces(
    service: ServiceDep,
    caller: CallerDep,
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=10_000, description="How many.")] = 1000,
) -> WorkspacesOut:
    """The workspaces that the caller may see, by name. The first ingest creates one."""
    rows = [row for row in service.workspaces.list_workspaces() if caller.sees(row.name)]
    shown = [WorkspaceOut.model_validate(row) for row in rows[first : first + count]]
    return WorkspacesOut(total=len(rows), workspaces=shown)


@router.get("/workspaces/{workspace}", summary="Get a workspace", responses=errors(404, 422))
def workspace(workspace: WorkspaceDep, service: ServiceDep, _: ReaderDep) -> WorkspaceOut:
    """One workspace."""
    return WorkspaceOut.model_validate(service.workspaces.workspace(workspace))


@router.put("/workspaces/{workspace}", summary="Create a workspace", responses=errors(409, 422))
def create_workspace(workspace: WorkspaceDep, service: ServiceDep) -> WorkspaceOut:
    """Creates a workspace for the server's embedder; an existing one stays as it is."""
    return WorkspaceOut.model_validate(service.workspaces.create_workspace(workspace))


@router.delete("/workspaces/{workspace}", summary="Delete a workspace", responses=errors(404, 422))
def delete_workspace(
    workspace: WorkspaceDep,
    service: ServiceDep,
    confirm: Annotated[
        str, Query(max_length=64, description="The workspace's name again, to confirm that all of it is deleted.")
    ] = "",
) -> WorkspaceOut:
    """Deletes a workspace with all its contents: documents, graph, decisions, traces, jobs. Running jobs are
    cancelled first."""
    return WorkspaceOut.model_validate(service.workspaces.delete_workspace(workspace, confirm=confirm))


@router.post("/rerank", summary="Rerank texts", responses=answered(RerankOut, 409, 422))
def rerank(body: RerankIn, service: ServiceDep) -> Response:
    """Scores of the cross-encoder that reorders evidence. If none is loaded, the error says how to load one."""

    def job(_: Emit, cancelled: ShouldStop) -> RerankOut:
        model, scores = service.questions.rerank(body.query, body.documents, cancelled)
        return RerankOut(model=model, scores=scores)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
