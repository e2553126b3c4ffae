"""Predicates, and their folds: predicates with the same meaning become one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import First, ServiceDep, WorkspaceDep, answered, errors
from filigraph.app.schemas.graph.corrections import (
    FoldIn,
    FoldOut,
    PredicatesOut,
    PredicateSuggestionsOut,
    StoredCorrectionOut,
)
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}/predicates", tags=["corrections"])


@router.get("", summary="List predicates", responses=errors(404, 422))
def predicates(
    workspace: WorkspaceDep,
    service: ServiceDep,
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=10_000, description="How many.")] = 100,
) -> PredicatesOut:
    """Every predicate, most frequent first, and the folds."""
    rows, table = service.corrections.predicates(workspace)
    return PredicatesOut(
        total=len(rows),
        predicates=list(rows[first : first + count]),
        folds=[FoldOut(id=row.id, into=row.name, forms=list(row.forms), note=row.note) for row in table],
    )


@router.get("/suggestions", summary="Suggest similar predicates", responses=answered(PredicateSuggestionsOut, 404, 422))
def suggestions(
    workspace: WorkspaceDep,
    service: ServiceDep,
    count: Annotated[int, Query(ge=1, le=1000, description="How many.")] = 50,
) -> Response:
    """Pairs with similar vectors. A person must check them, because opposites are similar as well."""

    def job(_: Emit, cancelled: ShouldStop) -> PredicateSuggestionsOut:
        rows = service.corrections.suggest_folds(workspace, count, cancelled)
        return PredicateSuggestionsOut(suggestions=rows)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.post("/fold", summary="Fold predicates into one", responses=errors(404, 409, 422))
def fold(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: FoldIn) -> StoredCorrectionOut:
    """Their facts have the one predicate from now on. `DELETE .../corrections/{correction_id}` undoes it."""
    record_subjects(request.scope, f"{body.into} <-", *body.forms)
    correction = service.corrections.fold(workspace, body.into, body.forms, note=body.note)
    return StoredCorrectionOut.model_validate(correction)
