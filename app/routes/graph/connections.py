"""How names are connected: the best chains of facts between each two, or that nothing joins them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.graph.connections import ConnectionsBetweenOut

router = APIRouter(prefix="/v1/workspaces/{workspace}/connections", tags=["entities"])

MOST_NAMES = 10
Name = Annotated[str, Query(min_length=1, max_length=200)]


@router.get("", summary="Connect names", responses=errors(404, 422))
def names_connected(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    name: Annotated[
        list[Name],
        Query(min_length=2, max_length=MOST_NAMES, description="Two or more names, or ids of entities, repeated."),
    ],
    hops: Annotated[int, Query(ge=1, le=6, description="Maximum number of facts in a chain.")] = 6,
    count: Annotated[int, Query(ge=1, le=20, description="Maximum number of chains.")] = 3,
) -> ConnectionsBetweenOut:
    """The best chains of facts between each two consecutive names, each chain through other entities. Short chains
    of well supported facts and rarely named entities come first. `verdict` is `text` if no facts but those
    over `hubs` join the two, but names that a text has near each other do (weaker steps, `only_near`), `hubs` if
    only places and dates with many facts do, `none` if nothing does, `same` if both are one entity. A name of several
    entities means each of them; a description means the entity whose name is most similar."""
    connections = service.browse.between(workspace, name, hops=hops, count=count, view=view)
    return ConnectionsBetweenOut.model_validate({"connections": connections})
