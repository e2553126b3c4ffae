"""The audit log, and metrics for Prometheus."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from filigraph.app.routes.common import ServiceDep, errors
from filigraph.app.schemas.keys import AuditEntryOut, AuditOut
from filigraph.app.telemetry.metrics import CONTENT_TYPE

router = APIRouter(prefix="/v1", tags=["server"])


@router.get("/audit", summary="List the audit log", responses=errors(422))
def audit(
    service: ServiceDep,
    workspace: Annotated[str | None, Query(description="Only entries about this workspace.")] = None,
    by: Annotated[str | None, Query(description="Only entries by this key.")] = None,
    before: Annotated[
        datetime | None, Query(description="Only entries before this moment: the `at` of the last entry received.")
    ] = None,
    before_id: Annotated[
        str | None,
        Query(
            max_length=64,
            description="Among entries of that moment, only those after this one: the `id` of the last entry received.",
        ),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of entries.")] = 100,
) -> AuditOut:
    """Every request that changed something, newest first, for FILIGRAPH_AUDIT_DAYS. Requires an admin key."""
    moment = (before if before.tzinfo else before.replace(tzinfo=UTC)) if before else datetime.max.replace(tzinfo=UTC)
    entries = service.audit.newest(before=moment, before_id=before_id, limit=limit, by=by, workspace=workspace)
    return AuditOut(entries=[AuditEntryOut.model_validate(entry) for entry in entries])


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={
        200: {
            "description": "In the text format of Prometheus.",
            "content": {CONTENT_TYPE.partition(";")[0]: {"schema": {"type": "string"}}},
        },
        **errors(),
    },
)
def metrics(service: ServiceDep) -> Response:
    """Requests by route and status, seconds of stages, calls and tokens of the LLM, whether Neo4j answers."""
    return Response(service.metrics.text(), media_type=CONTENT_TYPE)
