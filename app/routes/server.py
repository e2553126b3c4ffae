"""The server itself: how it is, what works, which workspaces there are."""

from __future__ import annotations

import os

from fastapi import APIRouter, Request

from filigraph.app.gate import presented
from filigraph.app.routes.common import CallerDep, ServiceDep, errors
from filigraph.app.routes.schemas import CheckOut, DoctorOut, HealthOut, WorkspaceOut, WorkspacesOut
from filigraph.app.version import installed_version

router = APIRouter(tags=["server"])


@router.get("/health", summary="Is the server live and ready?", responses=errors())
def health(request: Request, service: ServiceDep) -> HealthOut:
    """Waits for nothing. `ready` turns true when Neo4j answers and the models are loaded. Needs no key; whoever comes
    without one is not told what is wrong, nor where Neo4j Browser is."""
    now = service.health()
    trusted = service.keys.trusts(presented(request.scope))
    return HealthOut(
        ready=now.ready,
        problem=now.problem if trusted or not now.problem else "It is not ready; its log says why.",
        version=installed_version(),
        pid=os.getpid(),
        max_upload_bytes=service.runtime.settings.max_upload_mb << 20,
        neo4j_browser=now.neo4j_browser if trusted else None,
    )


@router.get("/doctor", summary="What works here, and what does not?", responses=errors())
def doctor(service: ServiceDep) -> DoctorOut:
    """Looks at Neo4j, the models, the LLM and the disk, and names the cure of what does not work."""
    return DoctorOut(checks=[CheckOut.model_validate(check) for check in service.doctor()])


@router.get("/workspaces", summary="Which workspaces are there?", responses=errors(503))
def workspaces(service: ServiceDep, caller: CallerDep) -> WorkspacesOut:
    """All workspaces that the caller may see, by name. One is made by the first ingest into it."""
    rows = [row for row in service.workspaces() if caller.sees(row.name)]
    return WorkspacesOut(workspaces=[WorkspaceOut.model_validate(row) for row in rows])
