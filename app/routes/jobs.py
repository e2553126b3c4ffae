"""Jobs: submit, read, watch, cancel, retry."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Path, Query, Request, UploadFile
from pydantic import ValidationError
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.envelope import error_body, validation_cause
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import (
    NDJSON_BODY,
    AliasesForm,
    CallerDep,
    CastForm,
    Count,
    CutForm,
    ExtractorForm,
    FilesForm,
    First,
    Priority,
    PriorityForm,
    ServiceDep,
    TriplesForm,
    WorkspaceDep,
    errors,
)
from filigraph.app.schemas.documents import DeleteIn
from filigraph.app.schemas.jobs import ItemState, JobItemOut, JobItemsOut, JobOut, JobsOut, JobState
from filigraph.app.schemas.questions import AnswerIn
from filigraph.app.schemas.summaries import SummarizeIn
from filigraph.app.uploads.aliases import read_aliases
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.store import JobRow


def _job(
    job_id: Annotated[str, Path(description="A job's `id`.")], request: Request, service: ServiceDep, caller: CallerDep
) -> JobRow:
    """The job in the address. Raises NotFound, also if the caller may not see its workspace."""
    row = service.jobs.job(job_id)
    if not caller.sees(row.workspace):
        raise NotFound(f"There is no job {job_id}.", cure="`filigraph jobs list` shows all jobs.")
    record_subjects(request.scope, row.id, workspace=row.workspace)
    return row


JobDep = Annotated[JobRow, Depends(_job)]

router = APIRouter(prefix="/v1", tags=["jobs"])


@router.post(
    "/workspaces/{workspace}/jobs",
    status_code=202,
    summary="Ingest documents as a job",
    responses=errors(409, 422),
)
def submit(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    cut: CutForm,
    sent: FilesForm,
    extractor: ExtractorForm = "auto",
    batch: Annotated[
        bool, Form(description="Ask the LLM in batches of its provider: within a day, at a lower price.")
    ] = False,
    summarize: Annotated[bool, Form(description="Update the summaries afterwards.")] = False,
    priority: PriorityForm = 0,
    triples: TriplesForm = None,
    aliases: AliasesForm = None,
    cast: CastForm = None,
) -> JobOut:
    """Stores the files and returns at once. A workspace runs one job after the other, the server a few at once. If
    the server ends, it resumes them when it starts again, and nothing is read twice. With `batch` a job is `waiting`
    until the provider has answered."""
    from filigraph.graph.store import Upload

    attached = {name: file.file.read() for name, file in (("triples", triples), ("aliases", aliases)) if file}
    read_aliases(attached.get("aliases", b""))  # raises errors that would make the whole job fail
    uploads = [
        Upload(name=known.name, content=file.file, media_type=known.media_type, metadata=known.metadata)
        for file, known in zip(sent.files, sent.about, strict=True)
    ]
    options = {"extractor": extractor, **cut.fields(), "batch": batch, "summarize": summarize, "cast": cast}
    row = service.jobs.submit(workspace, "ingest", uploads, attached=attached, priority=priority, options=options)
    return accepted(request, row, *sent.names)


@router.post(
    "/workspaces/{workspace}/demo", status_code=202, summary="Ingest the demo's case file", responses=errors(409, 422)
)
def submit_demo(workspace: WorkspaceDep, request: Request, service: ServiceDep) -> JobOut:
    """As a job: the twelve letters and reports in French and English that come with Filigraph."""
    row = service.jobs.submit_demo(workspace)
    return accepted(request, row)


@router.post(
    "/workspaces/{workspace}/questions",
    status_code=202,
    summary="Answer questions as a job",
    responses=errors(404, 422),
)
def submit_questions(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    questions: Annotated[UploadFile, File(description='JSON lines with "question", or one question per line.')],
    settings: Annotated[
        str,
        Form(
            description="How to search and answer: the fields of a question without the question itself, as JSON.",
            examples=["{}"],
        ),
    ] = "{}",
    priority: PriorityForm = 0,
) -> JobOut:
    """Stores the questions and returns at once; they are answered one after the other. `GET
    /v1/jobs/{job_id}/answers` has each answer as soon as it is there."""
    try:
        options = AnswerIn.model_validate({**json.loads(settings)})
    except ValidationError as error:
        raise InputError(f"The field `settings`: {validation_cause(error.errors())}", cure="See /docs.") from None
    except (ValueError, TypeError, RecursionError):
        raise InputError("The field `settings` must be a JSON object.", cure="See /docs.") from None
    content = questions.file.read()
    row = service.jobs.submit_questions(workspace, content, priority=priority, settings=options.settings())
    return accepted(request, row, questions.filename or "")


@router.post(
    "/workspaces/{workspace}/deletions",
    status_code=202,
    summary="Delete documents as a job",
    responses=errors(404, 409, 422),
)
def submit_deletion(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    body: DeleteIn,
    priority: Priority = 0,
) -> JobOut:
    """Like `DELETE .../documents`, but returns at once. Calls no model."""
    row = service.documents.submit_deletion(
        workspace, ids=body.ids, sources=body.sources, glob=body.glob, priority=priority
    )
    return accepted(request, row, *body.sources, *body.ids)


@router.post(
    "/workspaces/{workspace}/summaries",
    status_code=202,
    summary="Summarize the documents as a job",
    responses=errors(404, 422),
)
def submit_summaries(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    body: SummarizeIn,
    priority: Priority = 0,
) -> JobOut:
    """Like `POST .../summarize`, but returns at once. If the server ends, it resumes the job when it starts again,
    and writes no summary twice."""
    row = service.jobs.submit_summaries(workspace, body.writer, priority=priority)
    return accepted(request, row)


@router.get(
    "/jobs/{job_id}/answers",
    summary="List a job's answers",
    responses={
        200: {"description": "A row for each question.", "content": {"text/csv": {"schema": {"type": "string"}}}},
        **errors(404, 422),
    },
    response_class=Response,
)
def answers(row: JobDep, service: ServiceDep) -> Response:
    """The answers of a job of questions so far, as CSV: the answer, the paths, the evidence with its sources, and
    the id of its trace."""
    return Response(service.jobs.answers(row.id), media_type="text/csv; charset=utf-8")


@router.get("/jobs", summary="List jobs", responses=errors(422))
def jobs(
    service: ServiceDep,
    caller: CallerDep,
    workspace: Annotated[str | None, Query(max_length=64, description="Only jobs of this workspace.")] = None,
    state: Annotated[JobState | None, Query(description="Only jobs in this state.")] = None,
    first: First = 0,
    count: Count = 100,
) -> JobsOut:
    """The jobs of all workspaces, newest first. A finished job is listed for 30 days."""
    if caller.workspace and workspace not in (None, caller.workspace):
        return JobsOut(total=0, jobs=[])
    workspace = caller.workspace or workspace
    rows, total = service.jobs.list_jobs(workspace=workspace, state=state, first=first, count=count)
    return JobsOut(total=total, jobs=[job_out(job) for job in rows])


@router.get("/jobs/{job_id}", summary="Get a job", responses=errors(404, 422))
def job(row: JobDep) -> JobOut:
    """Its state, its progress and its report."""
    return job_out(row)


@router.get("/jobs/{job_id}/items", summary="List the items of a job", responses=errors(404, 422))
def items(
    row: JobDep,
    service: ServiceDep,
    state: Annotated[ItemState | None, Query(description="Only items in this state, for example failed.")] = None,
    first: First = 0,
    count: Count = 100,
) -> JobItemsOut:
    """Its files or questions; failed ones with cause and cure."""
    rows, total = service.jobs.job_items(row.id, state=state, first=first, count=count)
    return JobItemsOut(total=total, items=[JobItemOut.model_validate(item) for item in rows])


@router.get(
    "/jobs/{job_id}/events",
    summary="Follow a job",
    responses={**NDJSON_BODY, **errors(404, 422)},
    response_class=Response,
)
def events(row: JobDep, service: ServiceDep) -> Response:
    """Lines of JSON: `progress` with the job whenever it changes, `alive`, and at the end `job`; or `error`, if the
    server ends first. A client that disconnects stops following the job, not the job."""

    def watch(emit: Emit, cancelled: ShouldStop) -> JobOut:
        def on_change(now: JobRow) -> None:
            emit("progress", {"job": job_out(now, report=False).model_dump(mode="json")})

        return job_out(service.jobs.watch(row.id, on_change=on_change, cancelled=cancelled))

    return WorkResponse(watch, events=True, last="job", stopping=service.runtime.stopping.is_set)


@router.post("/jobs/{job_id}/cancel", summary="Cancel a job", responses=errors(404, 422))
def cancel(row: JobDep, service: ServiceDep) -> JobOut:
    """The job ends within seconds, and its batches too. What was read is kept, and its document is `partial`;
    `retry` resumes it."""
    return job_out(service.jobs.cancel_job(row.id))


@router.post("/jobs/{job_id}/retry", summary="Retry a job", responses=errors(404, 422))
def retry(row: JobDep, service: ServiceDep) -> JobOut:
    """Repeats failed files and unread chunks and, for a cancelled job, does all that is left. Nothing else."""
    return job_out(service.jobs.retry_job(row.id))


@router.delete("/jobs/{job_id}", summary="Delete a job", responses=errors(404, 422))
def remove(row: JobDep, service: ServiceDep) -> JobOut:
    """Deletes a finished job with its stored files. What it read is kept."""
    return job_out(service.jobs.remove_job(row.id))


def accepted(request: Request, row: JobRow, *subjects: str) -> JobOut:
    """A new job, recorded in the audit log with its subject."""
    record_subjects(request.scope, row.id, *subjects)
    return job_out(row)


def job_out(row: JobRow, *, report: bool = True) -> JobOut:
    """A job as it is shown; its report names all of its files."""
    fields = {name: getattr(row, name) for name in JobOut.model_fields if name not in ("progress", "report", "error")}
    error = error_body(row.code, row.cause, row.cure, row.id)["error"] if row.code else None
    return JobOut.model_validate(
        {**fields, "progress": _progress(row), "report": row.report if report else None, "error": error}
    )


def _progress(row: JobRow) -> dict[str, Any] | None:
    """The progress. If a server has ended since it recorded a speed, the speed is left out."""
    if not row.progress or not row.interrupted:
        return dict(row.progress) or None
    message = "Waiting for a server to go on with it, within a minute."
    return {**row.progress, "message": message, "rate": None, "seconds_left": None}
