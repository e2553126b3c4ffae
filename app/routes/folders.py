"""Folders of the server's machine whose new files become documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from filigraph.app.http.audit import record_subjects
from filigraph.app.routes.common import ReaderDep, ServiceDep, WorkspaceDep, errors
from filigraph.app.schemas.folders import WatchedFolderOut, WatchedFoldersOut, WatchFolderIn
from filigraph.app.service.folders import FolderEntry, FolderState

router = APIRouter(prefix="/v1/workspaces/{workspace}/folders", tags=["jobs"])
MOST_GONE = 100


@router.get("", summary="List watched folders", responses=errors(404, 422))
def folders(workspace: WorkspaceDep, service: ServiceDep) -> WatchedFoldersOut:
    """The folders that this server watches for the workspace: the last look, what was sent, what is gone."""
    return WatchedFoldersOut(folders=[_folder_out(*row) for row in service.folders.listed(workspace)])


@router.post("", status_code=201, summary="Watch a folder", responses=errors(403, 422))
def watch_folder(
    workspace: WorkspaceDep, request: Request, body: WatchFolderIn, service: ServiceDep, reader: ReaderDep
) -> WatchedFolderOut:
    """The server looks at the folder (Maildir, too) every ten seconds, also after a restart, and ingests new and
    changed files as jobs. It must be within FILIGRAPH_FOLDERS. If a file is deleted, its document stays and is listed.
    """
    entry = service.folders.add(workspace, body.path, extractor=body.extractor, by=reader.name)
    record_subjects(request.scope, entry.path)
    return next(_folder_out(*row) for row in service.folders.listed(workspace) if row[0].id == entry.id)


@router.delete("/{folder_id}", summary="Stop watching a folder", responses=errors(404, 422))
def unwatch_folder(
    workspace: WorkspaceDep,
    request: Request,
    folder_id: Annotated[str, Path(max_length=64, description="The `id` of a watched folder.")],
    service: ServiceDep,
) -> WatchedFoldersOut:
    """Its documents stay. Returns the folders that are left."""
    entry = service.folders.remove(workspace, folder_id)
    record_subjects(request.scope, entry.path)
    return folders(workspace, service)


def _folder_out(entry: FolderEntry, state: FolderState) -> WatchedFolderOut:
    entry_fields = {name: getattr(entry, name) for name in ("id", "path", "extractor", "added", "by")}
    state_fields = {name: getattr(state, name) for name in ("looked", "sent", "job", "problem", "skipped")}
    return WatchedFolderOut.model_validate(entry_fields | state_fields | {"gone": list(state.gone[:MOST_GONE])})
