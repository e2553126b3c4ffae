"""Which statements may disagree: the same things, by different voices."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import Count, First, ServiceDep, WorkspaceDep, answered, errors
from filigraph.app.routes.jobs import accepted
from filigraph.app.schemas.contradictions import (
    ContradictionEstimateOut,
    ContradictionKind,
    ContradictionOut,
    ContradictionsOut,
    ReadContradictionsIn,
)
from filigraph.app.schemas.documents import UsageOut
from filigraph.app.schemas.jobs import JobOut
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}/contradictions", tags=["entities"])


@router.get("", summary="Who says what against whom?", responses=errors(404, 422))
def contradictions(
    workspace: WorkspaceDep,
    service: ServiceDep,
    entity: Annotated[str, Query(max_length=64, description="Only what is said of this entity (id).")] = "",
    kind: Annotated[ContradictionKind | None, Query(description="Only those of this kind.")] = None,
    first: First = 0,
    count: Count = 50,
) -> ContradictionsOut:
    """Pairs of statements by different voices that may disagree, each with both sentences: first what an LLM calls
    contradictions, where one has read (`POST .../contradictions/read`), then what rules found, the likeliest first.

    A voice is who asserts it in the text, else the author of the document, else the document. No language model is
    asked now. Where none has judged a pair, a change, a joke or an estimate may look like a contradiction.
    """
    found = service.browse.contradictions(workspace, entity_id=entity, kind=kind or "")
    rows = [ContradictionOut.of(one) for one in found[first : first + count]]
    return ContradictionsOut(total=len(found), contradictions=rows)


@router.post("/read", status_code=202, summary="Have an LLM read contradictions", responses=errors(404, 409, 422))
def read(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: ReadContradictionsIn) -> JobOut:
    """Answers at once; `GET /v1/jobs/{job_id}` says how far it is. Passages by several voices that name the same are
    read together, some 6,000 tokens a call. Each reply is kept, and goes with the documents that were read for it; what
    was read together is not read together again."""
    return accepted(request, service.contradictions.submit(workspace, budget=body.budget, priority=body.priority))


@router.get(
    "/read/estimate",
    summary="What will reading contradictions cost?",
    responses=answered(ContradictionEstimateOut, 404, 422),
)
def estimate(
    workspace: WorkspaceDep,
    service: ServiceDep,
    budget: Annotated[int, Query(ge=0, le=100_000, description="Calls at most; 0: no limit.")] = 0,
) -> Response:
    """Calls, tokens and cost of what is not read yet; nothing is asked or written."""

    def job(emit: Emit, cancelled: ShouldStop) -> ContradictionEstimateOut:
        priced = service.contradictions.estimate(workspace, budget=budget)
        found = priced.estimate
        return ContradictionEstimateOut(
            model=priced.model,
            passages=found.passages,
            kept=found.kept,
            left=found.left,
            usage=UsageOut.model_validate(found.usage),
            cost=priced.cost,
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
