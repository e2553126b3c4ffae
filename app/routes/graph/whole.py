"""The whole graph at a glance: the heaviest entities and facts, their communities and positions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from filigraph.app.routes.common import Count, First, ServiceDep, ViewDep, WorkspaceDep, errors
from filigraph.app.schemas.graph.whole import TimelineOut, WholeLinkOut, WholeNodeOut, WholeOut

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["entities"])

MOST_ENTITIES = 2_000
MOST_FACTS = 10_000


@router.get("/timeline", summary="Get a time line", responses=errors(404, 422))
def timeline(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    entity: Annotated[str, Query(max_length=64, description="Only facts about this entity (id).")] = "",
    begin: Annotated[
        str, Query(alias="from", max_length=100, description="From this day, month or year on: ISO 8601.")
    ] = "",
    end: Annotated[str, Query(alias="to", max_length=100, description="To the end of this day, month or year.")] = "",
    first: First = 0,
    count: Count = 100,
) -> TimelineOut:
    """The facts whose sentence names a date with its year, by date, then in reading order, and the documents that have
    a date. Sentences about the edition (colophon, copyright, licence, publication) are left out, and so is the date
    that the file of a book gives itself."""
    return TimelineOut.of(service.browse.timeline(workspace, entity, begin=begin, end=end, view=view), first, count)


@router.get("/graph", summary="Draw the whole graph", responses=errors(404, 422))
def whole(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    entities: Annotated[int, Query(ge=1, le=MOST_ENTITIES, description="Maximum number of entities.")] = 500,
    facts: Annotated[int, Query(ge=0, le=MOST_FACTS, description="Maximum number of facts between them.")] = 2_500,
    document: Annotated[
        str | None, Query(max_length=64, description="Only facts that this document states (id).")
    ] = None,
) -> WholeOut:
    """The most mentioned entities and the best supported facts between them, without names that only occur together.
    Communities by Louvain, positions by ForceAtlas2: the same graph gives the same picture."""
    content, drawn = service.browse.whole(workspace, entities=entities, facts=facts, document_id=document, view=view)
    return WholeOut(
        total_entities=content.total_entities,
        total_facts=content.total_facts,
        nodes=[WholeNodeOut.of(node) for node in drawn.placed],
        links=[WholeLinkOut.of(link) for link in drawn.links],
    )
