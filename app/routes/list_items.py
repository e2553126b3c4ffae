"""Lists: all things of a kind, with the sentences that name them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import Count, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.list_items import ListItemsOut, ListOrder

router = APIRouter(prefix="/v1/workspaces/{workspace}/items", tags=["questions"])


@router.get("", summary="List things of a kind", responses=errors(404, 422))
def list_items(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    text: Annotated[
        str,
        Query(
            min_length=1,
            max_length=2000,
            description='What to list, in English or French: "payments over 100 pounds in March 1904", or a question.',
        ),
    ],
    order: Annotated[
        ListOrder, Query(description="Order by document, date, amount (largest first) or score.")
    ] = "document",
    first: First = 0,
    count: Count = 50,
) -> ListItemsOut:
    """Every sentence or table row that mentions such a thing, with its place. Amounts, quantities and dates are
    conditions. Calls no language model: the list may be incomplete, and may contain items that do not belong."""
    question, listing = service.browse.list_items(workspace, text, view=view)
    return ListItemsOut.of(question, listing, order=order, first=first, count=count)
