"""Lists: all things of a kind, with the sentences that name them."""

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
from filigraph.app.schemas.jobs import JobOut
from filigraph.app.schemas.list_items import ListItemsOut, ListOrder, ReadListIn
from filigraph.app.schemas.readings import PricedReading
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import ALL, View

router = APIRouter(prefix="/v1/workspaces/{workspace}/items", tags=["questions"])

ListText = Annotated[
    str,
    Query(
        min_length=1,
        max_length=2000,
        description='What to list, in English or French: "payments over 100 pounds in March 1904", or a question.',
    ),
]


@router.get("", summary="List things of a kind", responses=errors(404, 422))
def list_items(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    text: ListText,
    order: Annotated[
        ListOrder, Query(description="Order by document, date, amount (largest first) or score.")
    ] = "document",
    first: First = 0,
    count: Count = 50,
) -> ListItemsOut:
    """Every sentence or table row that mentions such a thing, with its place. Amounts, quantities and dates are
    conditions. In passages that an LLM has read for this text (`POST .../items/read`) its items alone count. This
    request calls no language model: the list may be incomplete, and may contain items that do not belong."""
    question, listing = service.lists.items(workspace, text, view=view)
    return ListItemsOut.of(question, listing, order=order, first=first, count=count)


@router.post("/read", status_code=202, summary="Read a list with an LLM", responses=errors(404, 409, 422))
def read(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: ReadListIn) -> JobOut:
    """Returns at once; `GET /v1/jobs/{job_id}` shows the progress, then `GET .../items` with the same text the list.
    The LLM reads all passages in a few calls, in a large workspace the nearest ones first. Each reply is stored,
    deleted with its documents, and never requested again for the same text and passages."""
    view = View.of(body.view.model_dump()) if body.view else ALL
    job = service.lists.submit(workspace, body.text, budget=body.budget, priority=body.priority, view=view)
    return accepted(request, job)


@router.get("/read/estimate", summary="Estimate reading a list", responses=answered(PricedReading, 404, 422))
def estimate(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    text: ListText,
    budget: Annotated[int, Query(ge=0, le=100_000, description="Calls at most; 0: no limit.")] = 0,
) -> Response:
    """Calls, tokens and cost of what is not read yet. Calls no LLM and writes nothing."""

    def job(emit: Emit, cancelled: ShouldStop) -> PricedReading:
        return service.lists.estimate(workspace, text, budget=budget, view=view)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
