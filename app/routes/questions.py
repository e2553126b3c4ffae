"""Ask, retrieve, and examine answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from filigraph.app.access.keys import LOCAL, Caller
from filigraph.app.http.envelope import request_id_of
from filigraph.app.http.stream import NDJSON, Emit, WorkResponse
from filigraph.app.routes.common import (
    Count,
    First,
    ReaderDep,
    ServiceDep,
    ViewDep,
    WorkspaceDep,
    answered,
    errors,
)
from filigraph.app.schemas.answers import (
    KeptAnswerOut,
    QuestionSuggestionsOut,
    RenameThreadIn,
    ThreadDetailOut,
    ThreadsOut,
    TracesOut,
)
from filigraph.app.schemas.questions import AskIn, RetrieveIn
from filigraph.app.schemas.receipts import Receipt, VerifiedOut
from filigraph.app.schemas.serialize import from_json, to_json
from filigraph.app.service.report import MEDIA_TYPES, ReportFormat, report
from filigraph.app.service.service import Service
from filigraph.graph.model.answers import Answer, AnswerDependency, Look, Round
from filigraph.graph.model.retrieval import Evidence, Retrieved
from filigraph.graph.model.traces import Trace
from filigraph.graph.process.cancel import ShouldStop

ThreadId = Annotated[str, Path(description="The `id` of a thread.")]
TraceId = Annotated[str, Path(description="The `id` of an answer's trace.")]
FormatQuery = Annotated[ReportFormat, Query(description="The kind of file: Word or PDF.")]

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["questions"])

_ASK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": Answer,
        "description": "The answer; with `stream`, lines of JSON, each with its kind in `event`: `retrieved`, `token`, "
        "`round` (what the LLM looks for after a reading), `found` (what one look brought), `alive`, and as the last "
        "one `answer` or `error`.",
        "content": {NDJSON: {"schema": {"type": "string", "description": "One JSON object a line."}}},
    },
    **errors(404, 409, 422, 499, 502),
}


@router.post("/ask", summary="Ask a question", responses=_ASK_RESPONSES)
def ask(workspace: WorkspaceDep, body: AskIn, request: Request, service: ServiceDep, reader: ReaderDep) -> Response:
    """Answers from the workspace's documents, with the paths and the sentence behind each hop. A client that
    disconnects stops the work; what was read so far is kept with its trace."""

    def job(emit: Emit, cancelled: ShouldStop) -> Answer:
        def on_retrieved(retrieved: Retrieved) -> None:
            shown = to_json(retrieved)
            emit(
                "retrieved",
                {key: shown[key] for key in ("language", "evidence", "paths")} | {"trace_id": retrieved.trace.id},
            )

        return service.questions.ask(
            workspace,
            body.question,
            settings=body.settings() | {"compare": body.compare},
            on_retrieved=on_retrieved,
            on_token=lambda text: emit("token", {"text": text}),
            on_round=lambda one: emit("round", to_json(one)),
            on_found=lambda one, look, evidence: emit("found", found_event(one, look, evidence)),
            cancelled=cancelled,
            trace_id=request_id_of(request.scope),
            thread=body.thread,
            reader=reader,
        )

    return WorkResponse(job, events=body.stream, last="answer", stopping=service.runtime.stopping.is_set)


def found_event(reading: Round, look: Look, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """The results of one search; `evidence` are the new extracts."""
    return {
        "round": reading.number,
        "look": to_json(look),
        "evidence": [to_json(item) for item in evidence],
    }


@router.post("/ask/{trace_id}/cancel", status_code=202, summary="Cancel a question", responses=errors(404, 422))
def cancel(workspace: WorkspaceDep, trace_id: TraceId, service: ServiceDep, reader: ReaderDep) -> None:
    """Ends the running question with this id: its request returns what was read so far, with `ended` cancelled, or
    an error if nothing was read yet. The id is the `trace_id` of the event `retrieved`."""
    service.questions.cancel(workspace, trace_id, reader=reader)


@router.post("/retrieve", summary="Find evidence and paths", responses=answered(Retrieved, 404, 409, 422))
def retrieve(
    workspace: WorkspaceDep, body: RetrieveIn, request: Request, service: ServiceDep, reader: ReaderDep
) -> Response:
    """The evidence for an answer, without the answer. A client that disconnects stops the work."""

    def job(_: Emit, cancelled: ShouldStop) -> Retrieved:
        trace_id = request_id_of(request.scope)
        return service.questions.retrieve(
            workspace,
            body.question,
            settings=body.settings(),
            cancelled=cancelled,
            trace_id=trace_id,
            reader=reader,
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get("/traces", summary="List traces", responses=errors(404, 422))
def traces(
    workspace: WorkspaceDep,
    service: ServiceDep,
    reader: ReaderDep,
    first: First = 0,
    count: Count = 20,
) -> TracesOut:
    """The traces of the last answers, newest first; a key that is limited to a view sees its own."""
    rows, total = service.questions.traces(workspace, first=first, count=count, reader=reader)
    return TracesOut(total=total, traces=list(rows))


@router.get("/traces/{trace_id}", summary="Get a trace", responses=errors(404, 422))
def trace(workspace: WorkspaceDep, trace_id: TraceId, service: ServiceDep, reader: ReaderDep) -> Trace:
    """Every step of an answer, with inputs, outputs, scores and milliseconds. FILIGRAPH_TRACE_DAYS limits how long
    it is kept."""
    return service.questions.trace(workspace, trace_id, reader=reader)


@router.get("/traces/{trace_id}/answer", summary="Get a stored answer", responses=errors(404, 422))
def kept_answer(workspace: WorkspaceDep, trace_id: TraceId, service: ServiceDep, reader: ReaderDep) -> KeptAnswerOut:
    """An answer as it was given, with the documents as they were then. It is kept as long as its trace."""
    return _stored_answer_out(service, workspace, trace_id, reader)


_BINARY = {"schema": {"type": "string", "format": "binary"}}
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": dict.fromkeys(MEDIA_TYPES.values(), _BINARY)},
    **errors(404, 422),
}


@router.get(
    "/traces/{trace_id}/report", summary="Export an answer as a report", responses=_REPORT, response_class=Response
)
def answer_report(
    workspace: WorkspaceDep,
    trace_id: TraceId,
    service: ServiceDep,
    reader: ReaderDep,
    format: FormatQuery = "docx",
) -> Response:
    """A stored answer as a Word file (DOCX) or a PDF: its paths drawn, each hop with its sentence, people's notes about
    it (not for a limited key), sources with place and hash."""
    answers = [_stored_answer_out(service, workspace, trace_id, reader)]
    notes = {} if reader.view else service.notes.about(workspace, answers)
    return _file(trace_id, report(answers, notes=notes, format=format), format)


@router.get(
    "/traces/{trace_id}/dependency",
    summary="Find what an answer depends on",
    responses=answered(AnswerDependency, 404, 422),
)
def dependency(workspace: WorkspaceDep, trace_id: TraceId, service: ServiceDep, reader: ReaderDep) -> Response:
    """The smallest sets of documents without which the path of a stored answer breaks, and the responsibility of each
    document. Each set is tried on the graph that is left without it; no model is called."""

    def job(_: Emit, cancelled: ShouldStop) -> AnswerDependency:
        return service.views.dependency(
            workspace, _stored_answer_out(service, workspace, trace_id, reader), reader, cancelled
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get("/traces/{trace_id}/receipt", summary="Write a receipt", responses=answered(Receipt, 404, 422))
def receipt(workspace: WorkspaceDep, trace_id: TraceId, service: ServiceDep) -> Response:
    """A stored answer with its evidence: paths, sentences, the hashes of documents, people's decisions about their
    names, and the hash of the workspace; signed if the server has a key (FILIGRAPH_SIGNING_KEY)."""

    def job(_: Emit, cancelled: ShouldStop) -> Receipt:
        return service.receipts.receipt(workspace, _stored_answer_out(service, workspace, trace_id, LOCAL), cancelled)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.post("/receipts/verify", summary="Verify a receipt", responses=answered(VerifiedOut, 404, 422))
def verify(workspace: WorkspaceDep, body: Receipt, service: ServiceDep) -> Response:
    """Checks hop by hop what of a receipt still holds in this workspace. The workspace may have another name or be
    on another machine: an import of an export has the same hash."""

    def job(_: Emit, cancelled: ShouldStop) -> VerifiedOut:
        return service.receipts.verify(workspace, body, cancelled)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get("/suggestions", summary="Suggest questions", responses=answered(QuestionSuggestionsOut, 404, 422))
def suggestions(workspace: WorkspaceDep, service: ServiceDep, view: ViewDep) -> Response:
    """Up to three questions that the graph can answer by a path."""

    def job(_: Emit, cancelled: ShouldStop) -> QuestionSuggestionsOut:
        return QuestionSuggestionsOut(
            questions=service.questions.suggestions(workspace, view=view, cancelled=cancelled)
        )

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.get("/threads", summary="List threads", responses=errors(404, 422))
def threads(
    workspace: WorkspaceDep, service: ServiceDep, reader: ReaderDep, first: First = 0, count: Count = 20
) -> ThreadsOut:
    """Threads of questions, most recently asked first. They are kept as long as their traces."""
    rows, total = service.questions.threads(workspace, first=first, count=count, reader=reader)
    return ThreadsOut(total=total, threads=list(rows))


@router.get("/threads/{thread_id}", summary="Get a thread", responses=errors(404, 422))
def thread(workspace: WorkspaceDep, thread_id: ThreadId, service: ServiceDep, reader: ReaderDep) -> ThreadDetailOut:
    """Its questions in order."""
    return _thread(service, workspace, thread_id, reader)


@router.get(
    "/threads/{thread_id}/report", summary="Export a thread as a report", responses=_REPORT, response_class=Response
)
def thread_report(
    workspace: WorkspaceDep,
    thread_id: ThreadId,
    service: ServiceDep,
    reader: ReaderDep,
    format: FormatQuery = "docx",
) -> Response:
    """All stored answers of a thread, in order, as one Word file (DOCX) or PDF."""
    row, turns = service.questions.thread(workspace, thread_id, reader=reader)
    answers = [_stored_answer_out(service, workspace, turn.row.id, reader) for turn in turns if turn.row.answered]
    notes = {} if reader.view else service.notes.about(workspace, answers)
    return _file(thread_id, report(answers, title=row.title, notes=notes, format=format), format)


@router.put("/threads/{thread_id}", summary="Rename a thread", responses=errors(404, 422))
def rename_thread(
    workspace: WorkspaceDep, thread_id: ThreadId, body: RenameThreadIn, service: ServiceDep
) -> ThreadDetailOut:
    """Gives the thread a title."""
    service.questions.rename_thread(workspace, thread_id, body.title.strip())
    return _thread(service, workspace, thread_id)


@router.delete("/threads/{thread_id}", summary="Delete a thread", responses=errors(404, 422))
def delete_thread(workspace: WorkspaceDep, thread_id: ThreadId, service: ServiceDep) -> ThreadDetailOut:
    """Deletes its answers and their traces."""
    deleted = _thread(service, workspace, thread_id)
    service.questions.delete_thread(workspace, thread_id)
    return deleted


def _thread(service: Service, workspace: str, thread_id: str, reader: Caller = LOCAL) -> ThreadDetailOut:
    row, turns = service.questions.thread(workspace, thread_id, reader=reader)
    return ThreadDetailOut(**vars(row), turns=tuple(turn.row for turn in turns))


def _stored_answer_out(service: Service, workspace: str, trace_id: str, reader: Caller) -> KeptAnswerOut:
    stored = service.questions.answer(workspace, trace_id, reader=reader)
    more = {"trace": stored.trace, "at": stored.at, "asked": stored.asked, "thread": stored.thread}
    more |= {"newer_documents": stored.newer_documents}
    return from_json(KeptAnswerOut, {**stored.body, **more})


def _file(trace_id: str, content: bytes, format: ReportFormat) -> Response:
    headers = {"content-disposition": f"attachment; filename=filigraph-{trace_id[:8]}.{format}"}
    return Response(content, media_type=MEDIA_TYPES[format], headers=headers)
