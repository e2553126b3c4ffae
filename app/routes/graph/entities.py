"""Find an entity, its names, and its neighbours."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import Count, EntityId, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.graph.entities import (
    ConnectionsOut,
    FactPathOut,
    FoundEntitiesOut,
    NeighbourhoodOut,
)
from filigraph.graph.records.entities import EntityNames

router = APIRouter(prefix="/v1/workspaces/{workspace}/entities", tags=["entities"])


@router.get("", summary="Find entities by name", responses=errors(404, 422))
def find_entities(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    name: Annotated[str, Query(max_length=200, description="A name, or parts of it; accents are ignored.")] = "",
    first: First = 0,
    count: Count = 20,
) -> FoundEntitiesOut:
    """Entities with this name, best match first. Without a name: those that most chunks mention."""
    rows, total = service.browse.find_entities(workspace, name, first=first, count=count, view=view)
    return FoundEntitiesOut(total=total, entities=list(rows))


@router.get("/{entity_id}/names", summary="List an entity's names", responses=errors(404, 422))
def entity_names(workspace: WorkspaceDep, entity_id: EntityId, service: ServiceDep, view: ViewDep) -> EntityNames:
    """Its names as each document writes them, what rules and people decided about them, and near misses."""
    return service.browse.entity_names(workspace, entity_id, view=view)


@router.get("/{entity_id}/neighbourhood", summary="Get the neighbourhood of an entity", responses=errors(404, 422))
def neighbourhood(
    workspace: WorkspaceDep,
    entity_id: EntityId,
    service: ServiceDep,
    view: ViewDep,
    hops: Annotated[int, Query(ge=1, le=2, description="Number of hops.")] = 1,
    limit: Annotated[int, Query(ge=1, le=500, description="Maximum number of facts.")] = 200,
    together: Annotated[bool, Query(description="Also include entities that are only named together.")] = False,
) -> NeighbourhoodOut:
    """The facts of an entity, best supported first; with two hops, then those of its neighbours."""
    near = service.browse.neighbourhood(workspace, entity_id, hops=hops, limit=limit, together=together, view=view)
    return NeighbourhoodOut(facts=list(near))


@router.get("/{entity_id}/between", summary="List facts between two entities", responses=errors(404, 422))
def between(
    workspace: WorkspaceDep,
    entity_id: EntityId,
    service: ServiceDep,
    view: ViewDep,
    to: Annotated[str, Query(max_length=64, description="The other entity's id.")],
    count: Annotated[int, Query(ge=1, le=100, description="Maximum number of facts.")] = 20,
) -> FactPathOut:
    """The facts between two entities, best supported first, each with its first sentence."""
    facts = service.browse.facts_between(workspace, entity_id, to, count=count, view=view)
    return FactPathOut.model_validate({"facts": facts})


@router.get("/{entity_id}/paths", summary="Connect two entities", responses=errors(404, 422))
def connections(
    workspace: WorkspaceDep,
    entity_id: EntityId,
    service: ServiceDep,
    view: ViewDep,
    to: Annotated[str, Query(description="The other entity's id.")],
    hops: Annotated[int, Query(ge=1, le=6, description="Maximum number of facts in a chain.")] = 6,
    count: Annotated[int, Query(ge=1, le=20, description="Maximum number of chains.")] = 3,
) -> ConnectionsOut:
    """The best chains of facts from one to the other, each fact with its sentence, each chain through other
    entities. Short chains of well supported facts and rarely named entities come first. Chains pass a place or date
    with many facts only if there is no other way; `hubs` then names it. Being named in one sentence does not connect
    two entities. If there is no chain within `hops`, the list is empty."""
    chains = service.browse.connections(workspace, entity_id, to, hops=hops, count=count, view=view)
    return ConnectionsOut.model_validate({"paths": chains})
