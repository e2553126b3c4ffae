"""Export a workspace to a file, import one from it, move it, swap its embedder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO, Literal
from urllib.parse import quote

from fastapi import APIRouter, File, Query, Request, UploadFile
from starlette.background import BackgroundTask
from starlette.responses import Response, StreamingResponse

from filigraph.app.http.audit import record_subjects
from filigraph.app.http.stream import NDJSON, Emit, WorkResponse
from filigraph.app.routes.common import STREAMED, ServiceDep, ViewDep, WorkspaceDep, answered, errors, watcher
from filigraph.app.schemas.notes import NoteOut
from filigraph.app.schemas.server import Moved, MoveIn, ReembedIn, ReembedOut
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.workspaces import Exported, Imported

PIECE_BYTES = 1 << 18  # bytes sent at once
MEDIA_TYPES = {"canonical": NDJSON, "graphml": "application/graphml+xml", "csv": "application/zip"}
SUFFIXES = {"canonical": "jsonl", "graphml": "graphml", "csv": "zip"}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file. Of a canonical export, `ETag` is its sha256.",
        "content": {
            NDJSON: {"schema": {"type": "string", "description": "One JSON object a line."}},
            MEDIA_TYPES["graphml"]: {"schema": {"type": "string"}},
            MEDIA_TYPES["csv"]: {"schema": {"type": "string", "format": "binary"}},
        },
    },
    **errors(404, 422, 499),
}

router = APIRouter(prefix="/v1/workspaces/{workspace}", tags=["export"])


@router.get("/export", summary="Export a workspace", responses=_FILE, response_class=Response)
def export(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    format: Annotated[
        Literal["canonical", "graphml", "csv"],
        Query(description="canonical: everything, for an import. Others: entities and facts for other programs."),
    ] = "canonical",
) -> Response:
    """canonical: what was read, decided and derived, as sorted lines of JSON, identical if the content is. graphml:
    entities and facts as a graph. csv: a zip of entities.csv, facts.csv and, if there are any, people's notes.csv, but
    not for a limited key. The canonical export of a view is that of a workspace that read its documents alone; only
    views of whole documents have one. The export is complete before the first byte is sent, so every error has its
    proper status. A client that disconnects stops the work."""
    file = TemporaryFile()  # noqa: SIM115 - it is closed when all of it is sent

    def job(_: Emit, cancelled: ShouldStop) -> Response:
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(f'{workspace}.{SUFFIXES[format]}')}"}
        if format == "canonical":
            digest = hashlib.sha256()  # of the file: notes count, as they do not in the hash of a workspace

            def write(data: bytes) -> None:
                digest.update(data)
                file.write(data)

            service.transfer.export(workspace, write, cancelled, view=view)
            headers["etag"] = f'"{digest.hexdigest()}"'
        else:
            placed = service.notes.all_of(workspace, view) if format == "csv" and not view.limit else []
            notes = [NoteOut.of(note).model_dump() for note in placed]
            service.transfer.export_tables(workspace, file, format, cancelled, notes=notes, view=view)
        headers["content-length"] = str(file.tell())
        file.seek(0)
        return StreamingResponse(_pieces(file), media_type=MEDIA_TYPES[format], headers=headers)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set, background=BackgroundTask(file.close))


@router.get(
    "/export/hash",
    summary="Hash a workspace",
    responses=answered(Exported, 404, 422),
)
def export_hash(workspace: WorkspaceDep, service: ServiceDep, view: ViewDep) -> Response:
    """The SHA-256 of the canonical export: the same for workspaces with the same content, and for a view and a
    workspace that read its documents alone."""

    def job(_: Emit, cancelled: ShouldStop) -> Exported:
        return service.transfer.export(workspace, lambda _: None, cancelled, view=view)

    return WorkResponse(job, stopping=service.runtime.stopping.is_set)


@router.post("/import", summary="Import a workspace", responses=STREAMED, response_class=Response)
def import_workspace(
    workspace: WorkspaceDep,
    request: Request,
    service: ServiceDep,
    file: Annotated[UploadFile, File(description="A canonical export.")],
) -> Response:
    """Fills the workspace, which must be new or empty, from a canonical export. Vectors are recomputed; no LLM is
    called. The whole file is checked before anything is written. The workspace appears once it is complete; if the
    client disconnects, it does not."""
    record_subjects(request.scope, file.filename or "")

    def job(emit: Emit, cancelled: ShouldStop) -> Imported:
        return service.transfer.import_(workspace, file.file, watcher=watcher(emit, cancelled))

    return WorkResponse(job, events=True, last="imported", stopping=service.runtime.stopping.is_set)


@router.post("/reembed", summary="Change the embedder of a workspace", responses=STREAMED, response_class=Response)
def reembed(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: ReembedIn) -> Response:
    """Computes new vectors beside the old ones, which answer questions meanwhile; questions are refused only for the
    seconds of the swap. If interrupted, the next request resumes it."""
    record_subjects(request.scope, body.embedder)

    def job(emit: Emit, cancelled: ShouldStop) -> ReembedOut:
        computed = service.transfer.reembed(
            workspace,
            body.embedder,
            watcher=watcher(emit, cancelled),
        )
        return ReembedOut(computed=computed)

    return WorkResponse(job, events=True, last="reembedded", stopping=service.runtime.stopping.is_set)


@router.post("/move", summary="Move a workspace to another Neo4j server", responses=STREAMED, response_class=Response)
def move(workspace: WorkspaceDep, request: Request, service: ServiceDep, body: MoveIn) -> Response:
    """Copies the workspace to another shard of FILIGRAPH_NEO4J_SHARDS, by export and import: vectors are recomputed;
    no LLM is called. Questions are answered meanwhile; changes wait. The old copy is deleted when the questions that
    began on it have ended. If the client disconnects before the copy is complete, nothing changes."""
    record_subjects(request.scope, body.shard)

    def job(emit: Emit, cancelled: ShouldStop) -> Moved:
        return service.transfer.move(workspace, body.shard, watcher=watcher(emit, cancelled))

    return WorkResponse(job, events=True, last="moved", stopping=service.runtime.stopping.is_set)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE_BYTES):
        yield piece
