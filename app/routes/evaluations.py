"""Evaluate a workspace with questions whose answers are known, and read earlier results."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from pydantic import Field, TypeAdapter, ValidationError
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.envelope import validation_cause
from filigraph.app.http.stream import NDJSON, Emit, WorkResponse
from filigraph.app.routes.common import Count, First, ServiceDep, WorkspaceDep, errors, watcher
from filigraph.app.schemas.evaluations import EvaluationOut, EvaluationsOut, IndexedIn
from filigraph.graph.errors import InputError
from filigraph.graph.model.retrieval import Method
from filigraph.graph.process.cancel import ShouldStop

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["evaluations"])

ALL: list[Method] = ["bm25", "dense", "hybrid", "filigraph"]
NONE: list[float] = []
_INDEXED = TypeAdapter(IndexedIn)
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of JSON, each with its kind in `event`: `waiting`, `progress` "
        "(stage, done, total, message), `alive`, and as the last one `evaluation` or `error`.",
        "content": {NDJSON: {"schema": {"type": "string", "description": "One JSON object a line."}}},
    },
    **errors(404, 422, 499),
}


@router.post("/evaluate", summary="Evaluate on questions with known answers", responses=_RESPONSES)
def evaluate(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    questions: Annotated[
        UploadFile,
        File(
            description='JSON lines: `{"id", "question", "type", "gold": [...]}`. Gold names documents or chunks of '
            "the workspace, or quotes sentences of them."
        ),
    ],
    methods: Annotated[list[Method], Form(description="How to look for the gold.")] = ALL,
    weights: Annotated[
        list[Annotated[float, Field(ge=0, le=1)]],
        Form(
            max_length=20,
            description="Also measure hybrid search with these weights of vectors, shown as `hybrid 0.7`.",
        ),
    ] = NONE,
    limit: Annotated[int | None, Form(ge=1, description="Ask only the first questions, this many.")] = None,
    indexed: Annotated[
        str,
        Form(
            description="Seconds and documents of the ingest, stored with the results. Default: those of the last run.",
            examples=['{"index_seconds": {"embed": 12.5}, "indexed_passages": 81}'],
        ),
    ] = "",
) -> Response:
    """Asks every question by every method, without an LLM, one at a time, and stores the results. A question that
    cannot be used is skipped and reported. A client that disconnects stops the work, and nothing is stored."""
    record_subjects(request.scope, questions.filename or "")
    content = questions.file.read()
    index = _indexed(indexed)

    def job(emit: Emit, cancelled: ShouldStop) -> EvaluationOut:
        run = service.evaluations.evaluate(
            workspace,
            content,
            methods=methods,
            weights=weights,
            limit=limit,
            indexed=index.model_dump() if index else None,
            watcher=watcher(emit, cancelled),
        )
        return EvaluationOut(id=run.id, at=run.at, **run.body)

    return WorkResponse(job, events=True, last="evaluation", stopping=service.runtime.stopping.is_set)


def _indexed(text: str) -> IndexedIn | None:
    try:
        return _INDEXED.validate_json(text) if text else None
    except ValidationError as error:
        raise InputError(f"The field `indexed`: {validation_cause(error.errors())}", cure="See /docs.") from None


@router.get("/evaluations", summary="List evaluations", responses=errors(404, 422))
def evaluations(workspace: WorkspaceDep, service: ServiceDep, first: First = 0, count: Count = 100) -> EvaluationsOut:
    """The evaluations of the workspace. Those with the same `question_set` can be compared."""
    runs, total = service.evaluations.list_evaluations(workspace, first=first, count=count)
    return EvaluationsOut(total=total, evaluations=[EvaluationOut(id=run.id, at=run.at, **run.body) for run in runs])
