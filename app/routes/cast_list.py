"""Cast lists: the persons of a document or workspace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import Count, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.cast_list import CastOrder, CastOut

router = APIRouter(prefix="/v1/workspaces/{workspace}/cast", tags=["entities"])


@router.get("", summary="List the cast", responses=errors(404, 422))
def cast(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    document: Annotated[str, Query(max_length=64, description="Only the persons of this document (id).")] = "",
    order: Annotated[
        CastOrder, Query(description="By passages (those that most passages name first) or by first appearance.")
    ] = "passages",
    first: First = 0,
    count: Count = 50,
) -> CastOut:
    """The persons of a document, or of all documents: where each is named first, in how many passages, with whom most,
    other names, and a fact that says who it is. An entity without a type is a person if its name
    is a title alone ("the Judge"). Calls no language model."""
    members, total = service.people.cast(
        workspace, document_id=document or None, order=order, first=first, count=count, view=view
    )
    return CastOut.model_validate({"total": total, "members": members})
