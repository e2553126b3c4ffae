"""What facts, joins of names and documents depend on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import Count, ServiceDep, ViewDep, WorkspaceDep, answered
from filigraph.app.routes.documents import DocumentId
from filigraph.app.schemas.graph.views import ComparisonOut
from filigraph.graph.errors import InputError
from filigraph.graph.model.answers import AnswerDependency
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["views"])

Name = Annotated[str, Query(max_length=200)]


@router.get(
    "/dependency",
    summary="Find what a fact or a join depends on",
    responses=answered(AnswerDependency, 404, 422),
)
def dependency(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    fact: Annotated[str, Query(max_length=200, description="A fact, as hops and lists name it.")] = "",
    name: Annotated[list[Name], Query(max_length=2, description="Or: two names of one entity.")] = [],  # noqa: B006
) -> Response:
    """The smallest sets of documents without which no sentence says a fact, or two names are not one entity, and the
    responsibility of each document. Each set is tried on the graph that remains without it; no model is called.
    """
    if bool(fact) == bool(name) or len(name) == 1:
        raise InputError("Name a fact, or two names of one entity.", cure="Give `fact`, or `name` twice.")

    def job(_: Emit, cancelled: ShouldStop) -> AnswerDependency:
        if fact:
            return service.views.fact_dependency(workspace, fact, view, cancelled)
        return service.views.join_dependency(workspace, name[0], name[1], view, cancelled)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get(
    "/documents/{document_id}/dependency",
    summary="Find what depends on a document",
    responses=answered(ComparisonOut, 404, 422),
)
def document_dependency(
    workspace: WorkspaceDep,
    document_id: DocumentId,
    service: ServiceDep,
    view: ViewDep,
    count: Count = 50,
) -> Response:
    """From the graph without a document to the graph with it: names and facts that come, names that are joined or
    separated. Both graphs are derived in memory."""

    def job(_: Emit, cancelled: ShouldStop) -> ComparisonOut:
        return ComparisonOut.of(service.views.document_dependency(workspace, document_id, view, cancelled), count)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)
