"""Families: who is whose parent, spouse, sibling."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.family import FamiliesOut

router = APIRouter(prefix="/v1/workspaces/{workspace}/family", tags=["entities"])


@router.get("", summary="List families", responses=errors(404, 422))
def family(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    name: Annotated[str, Query(max_length=200, description="Only the family of this person: a name or an id.")] = "",
    first: First = 0,
    count: Annotated[int, Query(ge=1, le=100, description="How many families.")] = 10,
) -> FamiliesOut:
    """Families from facts of kinship, in generations, each tie with its sentences. What a text denies is not a tie, nor
    what only somebody in it asserts (`alleged`). Parents that exclude each other are all shown, as open. Calls no
    language model."""
    return FamiliesOut.of(service.people.families(workspace, name, view=view), first, count)
