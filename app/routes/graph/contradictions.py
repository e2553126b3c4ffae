"""Which statements may disagree: the same things, by different voices."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import (
    Count,
    First,
    ServiceDep,
    ViewDep,
    WorkspaceDep,
    answered,
    errors,
)
from filigraph.app.routes.jobs import accepted
from filigraph.app.schemas.graph.contradictions import (
    ContradictionKind,
    ContradictionsOut,
    MatterOut,
    ReadContradictionsIn,
)
from filigraph.app.schemas.jobs import JobOut
from filigraph.app.schemas.readings import PricedReading
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}/contradictions", tags=["entities"])


@router.get("", summary="List possible contradictions", responses=errors(404, 422))
def contradictions(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    entity: Annotated[str, Query(max_length=64, description="Only statements about this entity (id).")] = "",
    kind: Annotated[ContradictionKind | None, Query(description="Only those of this kind.")] = None,
    first: First = 0,
    count: Count = 50,
) -> ContradictionsOut:
    """Matters on which different voices may contradict each other, each with the sentences of both sides: first those
    that an LLM found, if one has read (`POST .../contradictions/read`), then those found by rules, likeliest first.
    Of a matter the two sentences that are most directly against each other come first, then what others say of it;
    with `entity` or `kind`, among the statements that are meant (`asked`).
    A voice is the person who asserts it in the text, else the author of the document, else the document. This
    request calls no language model. Unless one has judged a pair, it may be a change, a joke or an estimate. A view has
    only what rules find, because the LLM may have read hidden passages too."""
    matching = service.browse.contradictions(workspace, entity_id=entity, kind=kind or "", view=view)
    rows = [MatterOut.of(matter) for matter in matching[first : first + count]]
    pairs = sum(len(matter.pairs) for matter in matching)
    return ContradictionsOut(total=len(matching), total_pairs=pairs, matters=rows)


@router.post("/read", status_code=202, summary="Read contradictions with an LLM", responses=errors(404, 409, 422))
def read(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: ReadContradictionsIn) -> JobOut:
    """Returns at once; `GET /v1/jobs/{job_id}` shows the progress. Passages by several voices about the same names
    are read together, some 6,000 tokens a call; then what was found is checked once more. Each reply is stored,
    deleted with its documents, and never requested again for the same passages."""
    return accepted(request, service.contradictions.submit(workspace, budget=body.budget, priority=body.priority))


@router.get(
    "/read/estimate",
    summary="Estimate reading contradictions",
    responses=answered(PricedReading, 404, 422),
)
def estimate(
    workspace: WorkspaceDep,
    service: ServiceDep,
    budget: Annotated[int, Query(ge=0, le=100_000, description="Maximum number of calls; 0: no limit.")] = 0,
) -> Response:
    """Calls, tokens and cost of what is not read yet. Calls no LLM and writes nothing."""

    def job(emit: Emit, cancelled: ShouldStop) -> PricedReading:
        return service.contradictions.estimate(workspace, budget=budget)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
