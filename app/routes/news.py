"""The changes by the newest documents, and how earlier answers change with them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from filigraph.app.http.permissions import limited_to_part_error
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import Count, ReaderDep, ServiceDep, WorkspaceDep, answered
from filigraph.app.schemas.graph.contradictions import MatterOut
from filigraph.app.schemas.graph.views import ComparisonOut
from filigraph.app.schemas.news import AnswerChangesOut, AskChangesIn, NewsOut
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["questions"])


@router.get("/news", summary="List what is new", responses=answered(NewsOut, 404, 422))
def news(
    workspace: WorkspaceDep,
    service: ServiceDep,
    reader: ReaderDep,
    since: Annotated[
        datetime | None,
        Query(
            description="A date or time, in UTC unless it names another zone; by default a day before the last arrival."
        ),
    ] = None,
    job: Annotated[str, Query(max_length=64, description="Or: since this job (id) was submitted.")] = "",
    count: Count = 50,
) -> Response:
    """The documents that came or changed since a moment, and how the graph differs from one without them: names,
    facts and contradictions that came, names joined and separated. Both graphs are derived in memory. Deleted
    documents are gone without a trace."""
    if job and reader.view:
        raise limited_to_part_error(reader)
    moment = since.replace(tzinfo=UTC) if since and since.tzinfo is None else since

    def work(_: Emit, cancelled: ShouldStop) -> NewsOut:
        result = service.news.news(workspace, since=moment, job=job, reader=reader)
        return NewsOut(
            since=result.since,
            total=len(result.documents),
            documents=list(result.documents[:count]),
            changes=ComparisonOut.of(result.comparison, count) if result.comparison else None,
            contradictions_total=len(result.contradictions),
            contradictions=[MatterOut.of(matter) for matter in result.contradictions[:count]],
        )

    return WorkResponse(work, stopping=service.runtime.stopping.is_set)


@router.post("/ask/again", summary="Ask earlier questions again", responses=answered(AnswerChangesOut, 404, 422))
def ask_again(workspace: WorkspaceDep, body: AskChangesIn, service: ServiceDep, reader: ReaderDep) -> Response:
    """Asks questions again whose last answer is older than a document, newest first, up to the budget, and compares
    the answers. They are kept like all others. A client that disconnects stops the work; what was answered stays."""

    def work(_: Emit, cancelled: ShouldStop) -> AnswerChangesOut:
        rows = service.news.outdated(workspace, reader=reader)
        again = service.news.ask_again(workspace, rows[: body.budget], llm=body.llm, cancelled=cancelled, reader=reader)
        answers = list(again)
        return AnswerChangesOut(asked=len(answers), left=len(rows) - len(answers), answers=answers)

    return WorkResponse(work, stopping=service.runtime.stopping.is_set)
