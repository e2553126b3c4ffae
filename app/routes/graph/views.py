"""Named views of a workspace: what was read as of a day, up to a place, or without a document."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import Count, ServiceDep, WorkspaceDep, answered, errors, read_view
from filigraph.app.schemas.graph.views import (
    ComparisonOut,
    DeletedViewOut,
    KeptViewOut,
    NamedViewOut,
    NamedViewsOut,
    ViewComparisonOut,
    ViewOut,
)
from filigraph.app.schemas.questions import ViewIn
from filigraph.app.service.graph.views import view_of
from filigraph.graph.ids import WORKSPACE_NAME
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import View

ViewName = Annotated[str, Path(pattern=WORKSPACE_NAME, description="The view's name.", examples=["before-the-fire"])]

router = APIRouter(prefix="/v1/workspaces/{workspace}/views", tags=["views"])


@router.get("", summary="List named views", responses=errors(404, 422))
def views(workspace: WorkspaceDep, service: ServiceDep) -> NamedViewsOut:
    """The named views of the workspace. Questions and read requests take one as `{"named": NAME}`."""
    named = service.views.named_views(workspace)
    sizes = service.views.sizes(workspace, named)
    views = [
        NamedViewOut(name=name, view=ViewOut.model_validate(view), memory_bytes=sizes[name])
        for name, view in named.items()
    ]
    return NamedViewsOut(views=views, memory_limit_bytes=service.views.memory_limit)


@router.get("/diff", summary="Compare two views", responses=answered(ViewComparisonOut, 404, 422))
def compare(
    workspace: WorkspaceDep,
    service: ServiceDep,
    before: Annotated[
        str,
        Query(
            max_length=100_000,
            description="The name of a view, or a view as JSON; empty: the whole workspace.",
            examples=['{"without_decisions": ["3f2a"]}'],
        ),
    ] = "",
    after: Annotated[str, Query(max_length=100_000, description="Another view.")] = "",
    count: Count = 50,
    questions: Annotated[int, Query(ge=0, le=100, description="How many earlier questions to compare, at most.")] = 10,
) -> Response:
    """From one to the other: entities joined, separated, renamed, added and removed; facts added and removed, each
    with its sentence; and the last questions, each searched in both: answers that change, paths that break. Both
    graphs are derived in memory, and no LLM reads."""
    first, second = _compared_view(before, "before"), _compared_view(after, "after")

    def work(_: Emit, cancelled: ShouldStop) -> ViewComparisonOut:
        comparison = service.comparisons.compare(workspace, first, second, cancelled)
        answers = service.comparisons.answers(workspace, first, second, most=questions, cancelled=cancelled)
        return ViewComparisonOut(**dict(ComparisonOut.of(comparison, count)), answers=answers)

    return WorkResponse(work, stopping=service.runtime.stopping.is_set)


def _compared_view(text: str, parameter: str) -> View:
    return read_view(text, parameter) if text.startswith("{") else View(named=text)


@router.put("/{name}", summary="Save a named view", responses=errors(404, 409, 422))
def keep_view(
    workspace: WorkspaceDep, name: ViewName, request: Request, service: ServiceDep, body: ViewIn
) -> KeptViewOut:
    """Stores only the definition; what is visible follows the workspace as it changes. Replaces a view with the same
    name."""
    record_subjects(request.scope, name)
    view = view_of({"view": body.model_dump()})
    opened = service.views.keep(workspace, name, view)
    stats = opened.stats()
    counts = {count: getattr(stats, count) for count in ("documents", "chunks", "entities", "facts")}
    return KeptViewOut(name=name, view=ViewOut.model_validate(view), memory_bytes=opened.size, **counts)


@router.delete("/{name}", summary="Delete a named view", responses=errors(404, 409, 422))
def delete_view(workspace: WorkspaceDep, name: ViewName, request: Request, service: ServiceDep) -> DeletedViewOut:
    """Deletes the name; documents and graph stay."""
    record_subjects(request.scope, name)
    service.views.delete(workspace, name)
    return DeletedViewOut(deleted=name)
