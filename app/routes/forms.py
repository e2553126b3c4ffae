"""Forms: fields with questions, filled from the documents."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.common import (
    FOR_UNLIMITED_KEYS,
    ServiceDep,
    ViewDep,
    WorkspaceDep,
    answered,
    errors,
    watcher,
)
from filigraph.app.routes.jobs import accepted
from filigraph.app.schemas.forms import (
    FillEstimateOut,
    FillIn,
    FormIn,
    FormOut,
    FormRowOut,
    FormsOut,
    ValueIn,
    Writer,
)
from filigraph.app.schemas.jobs import JobOut
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.transfer import docx
from filigraph.graph.transfer.forms import FormFormat, export_form

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "docx": docx.MEDIA_TYPE,
}
SUFFIXES = {"json": "json", "csv": "csv", "markdown": "md", "docx": "docx"}

# A limited key sees no forms: people may write hidden information into forms and their fields.
router = APIRouter(prefix="/v1/workspaces/{workspace}/forms", tags=["forms"])

Name = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[\w.-]+$", description="The form's name.")]
FieldId = Annotated[str, Path(max_length=40, description="The field's id.")]
About = Annotated[str, Query(max_length=200, description="The person or thing that the form is about.")]
Language = Annotated[
    str,
    Query(
        max_length=2,
        pattern="^([a-z]{2})?$",
        description="Language of the questions; empty: the language of most documents.",
    ),
]


@router.get("", summary="List forms", responses=errors(404, 422), dependencies=[FOR_UNLIMITED_KEYS])
def forms(workspace: WorkspaceDep, service: ServiceDep, view: ViewDep, language: Language = "") -> FormsOut:
    """The workspace's own forms and the built-in ones, with what they were filled for; in a view, where it has a
    value."""
    return FormsOut(forms=[FormRowOut.of(row) for row in service.forms.list_forms(workspace, language, view=view)])


@router.get("/{name}", summary="Get a form", responses=errors(404, 422), dependencies=[FOR_UNLIMITED_KEYS])
def form(
    workspace: WorkspaceDep, name: Name, service: ServiceDep, view: ViewDep, about: About = "", language: Language = ""
) -> FormOut:
    """Its fields with their values, each with the sentences that support it and the facts that these state. In a view
    a field is open where its value rests on something hidden."""
    return FormOut.of(service.forms.filled(workspace, name, about, language, view=view))


@router.put("/{name}", summary="Save a form", responses=errors(409, 422))
def put_form(workspace: WorkspaceDep, name: Name, request: Request, service: ServiceDep, body: FormIn) -> FormRowOut:
    """Saves a form under a name and replaces any form with that name. Its values stay until it is filled again; then
    only changed fields are asked."""
    stored = service.forms.set_form(workspace, name, body.form)
    record_subjects(request.scope, name)
    return FormRowOut(
        name=name, title=stored.title, fields=len(stored.fields), ready=False, about_one=stored.about_one, fills=[]
    )


@router.delete("/{name}", summary="Delete a form", responses=errors(404, 422))
def delete_form(workspace: WorkspaceDep, name: Name, request: Request, service: ServiceDep) -> FormsOut:
    """Deletes a form and its values; of a built-in form only the values."""
    service.forms.remove_form(workspace, name)
    record_subjects(request.scope, name)
    return FormsOut(forms=[FormRowOut.of(row) for row in service.forms.list_forms(workspace, "")])


@router.post("/{name}/fill", status_code=202, summary="Fill a form as a job", responses=errors(404, 409, 422))
def fill(workspace: WorkspaceDep, name: Name, request: Request, service: ServiceDep, body: FillIn) -> JobOut:
    """Returns at once; `GET /v1/jobs/{job_id}` shows the progress. The job's items are batches of at most five
    fields of one group, each with one retrieval and one call. Fields whose passages have not changed are not asked
    again, and a person's values stay. A value counts only if its evidence supports it."""
    row = service.forms.submit_fill(
        workspace,
        name,
        about=body.about,
        writer=body.writer,
        language=body.language,
        priority=body.priority,
    )
    return accepted(request, row, name)


@router.get("/{name}/fill/estimate", summary="Estimate filling a form", responses=answered(FillEstimateOut, 404, 422))
def estimate(
    workspace: WorkspaceDep,
    name: Name,
    service: ServiceDep,
    about: About = "",
    writer: Writer = "auto",
    language: Language = "",
) -> Response:
    """Calls, tokens and cost of filling a form. Calls no LLM and writes nothing."""

    def job(emit: Emit, cancelled: ShouldStop) -> FillEstimateOut:
        by, estimated, cost = service.forms.estimate(
            workspace, name, about=about, writer=writer, language=language, watcher=watcher(emit, cancelled)
        )
        usage = estimated.usage
        return FillEstimateOut(writer=by, fields=estimated.fields, kept=estimated.kept, usage=usage, cost=cost)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.put("/{name}/fields/{field}", summary="Set a field's value", responses=errors(404, 422))
def correct(
    workspace: WorkspaceDep, name: Name, field: FieldId, request: Request, service: ServiceDep, body: ValueIn
) -> FormOut:
    """Stores a person's own value. It stays, however often the form is filled, until it is undone."""
    filled = service.forms.correct(workspace, name, field, about=body.about, values=body.values)
    record_subjects(request.scope, name, field)
    return FormOut.of(filled)


@router.delete("/{name}/fields/{field}", summary="Undo a field's value", responses=errors(404, 422))
def undo(
    workspace: WorkspaceDep, name: Name, field: FieldId, request: Request, service: ServiceDep, about: About = ""
) -> FormOut:
    """Restores the field's previous value."""
    filled = service.forms.correct(workspace, name, field, about=about, values=None)
    record_subjects(request.scope, name, field)
    return FormOut.of(filled)


@router.get(
    "/{name}/export",
    summary="Export a filled form",
    responses={
        200: {"description": "The file.", "content": {kind: {} for kind in MEDIA_TYPES.values()}},
        **errors(404, 422),
    },
    response_class=Response,
    dependencies=[FOR_UNLIMITED_KEYS],
)
def export(
    workspace: WorkspaceDep,
    name: Name,
    service: ServiceDep,
    view: ViewDep,
    about: About = "",
    language: Language = "",
    format: Annotated[FormFormat, Query(description="The kind of file.")] = "json",
) -> Response:
    """The form as a file, with the sentences as notes."""
    content = export_form(service.forms.filled(workspace, name, about, language, view=view), format)
    file = quote(f"{workspace}-{name}.{SUFFIXES[format]}")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{file}"}
    return Response(content, media_type=MEDIA_TYPES[format], headers=headers)
