"""Passages that name several or state a fact, in one passage or in one document; entities side by side."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from filigraph.app.routes.common import (
    Count,
    First,
    ServiceDep,
    SourcesQuery,
    ViewDep,
    WhereQuery,
    WorkspaceDep,
    conditions,
    errors,
)
from filigraph.app.schemas.graph.comparison import EntityComparisonOut
from filigraph.app.schemas.passages import NamingPassagesOut
from filigraph.graph.errors import InputError

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["entities"])

MOST_NAMES = 10
Name = Annotated[str, Query(min_length=1, max_length=200)]


@router.get("/passages", summary="Find passages that name all", responses=errors(404, 422))
def passages_naming(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    name: Annotated[list[Name], Query(max_length=MOST_NAMES, description="Names or ids of entities, repeated.")] = [],  # noqa: B006
    type: Annotated[
        list[Name], Query(max_length=MOST_NAMES, description="Types, repeated: the passage names an entity of each.")
    ] = [],  # noqa: B006
    predicate: Annotated[
        str,
        Query(
            max_length=200,
            description="The passage states a fact with this predicate, about one of the names if there are any.",
        ),
    ] = "",
    within: Annotated[
        Literal["passage", "document"],
        Query(
            description=(
                "passage: one passage has all names. document: the document has all names; its passages with "
                "any of them are listed."
            )
        ),
    ] = "passage",
    text: Annotated[
        str, Query(max_length=1000, description="The passage also contains these words, in this order.")
    ] = "",
    source: SourcesQuery = [],  # noqa: B006 - FastAPI's own way
    where: WhereQuery = [],  # noqa: B006
    first: First = 0,
    count: Count = 50,
) -> NamingPassagesOut:
    """Every passage that names all of them, by any of their names, with the sentences that do; with a predicate, those
    that state it. A name of several entities means each of them. Text that two passages share is counted once."""
    if not (name or type or predicate):
        raise InputError("The request names nothing to search for.", cure="Give a name, a type or a predicate.")
    resolved, passages = service.browse.passages_naming(
        workspace,
        name,
        in_document=within == "document",
        types=type,
        predicate=predicate,
        phrase=text,
        sources=source,
        where=conditions(where),
        first=first,
        count=count,
        view=view,
    )
    return NamingPassagesOut.of(resolved, passages)


@router.get("/comparison", summary="Compare entities", responses=errors(404, 422))
def compare(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    name: Annotated[
        list[Name], Query(min_length=2, max_length=4, description="Two to four names, or ids of entities, repeated.")
    ],
    count: Annotated[int, Query(ge=0, le=100, description="Maximum number of passages that name two of them.")] = 10,
) -> EntityComparisonOut:
    """Two to four entities side by side: facts by predicate, first occurrences, entities related to several of them;
    of each two the facts between them and the passages that name both. A name of several entities means the one that
    most passages mention. Calls no model."""
    return EntityComparisonOut.of(service.browse.compare(workspace, name, passages=count, view=view))
