"""Saved searches: each run shows new passages first."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from filigraph.app.routes.common import ReaderDep, ServiceDep, WorkspaceDep, errors
from filigraph.app.schemas.searches import (
    DeletedSearchOut,
    RunSearchIn,
    SavedSearchesOut,
    SavedSearchOut,
    SaveSearchIn,
    SearchHitsOut,
)

SearchName = Annotated[str, Path(max_length=100, description="The name of the search.")]

router = APIRouter(prefix="/v1/workspaces/{workspace}/searches", tags=["entities"])


@router.get("", summary="List saved searches", responses=errors(404, 422))
def searches(workspace: WorkspaceDep, service: ServiceDep, reader: ReaderDep) -> SavedSearchesOut:
    """The saved searches of the key that asks."""
    rows = service.searches.listed(workspace, caller=reader)
    return SavedSearchesOut(searches=[SavedSearchOut.of(row) for row in rows])


@router.post("", summary="Save a search", responses=errors(404, 422))
def save_search(workspace: WorkspaceDep, service: ServiceDep, reader: ReaderDep, body: SaveSearchIn) -> SavedSearchOut:
    """Saves it for the key that asks, and replaces what that key saved under the same name. Its current hits count as
    seen."""
    saved = service.searches.save(workspace, body.name, body.query, view=body.view, caller=reader)
    return SavedSearchOut.of(saved)


@router.post("/{name}/run", summary="Run a saved search", responses=errors(404, 422))
def run_search(
    workspace: WorkspaceDep, name: SearchName, service: ServiceDep, reader: ReaderDep, body: RunSearchIn
) -> SearchHitsOut:
    """What it finds now, passages with a new sentence first. A sentence is new if the search did not find it, in that
    document, when its hits were shown last: reading the same text again makes nothing new. Afterwards the hits that are
    shown from the first on count as seen; with `first` the same look continues.
    """
    return service.searches.run(
        workspace, name, first=body.first, count=body.count, only_new=body.new, view=body.view, caller=reader
    )


@router.delete("/{name}", summary="Delete a saved search", responses=errors(404, 422))
def delete_search(
    workspace: WorkspaceDep, name: SearchName, service: ServiceDep, reader: ReaderDep
) -> DeletedSearchOut:
    """Deletes a saved search of the key that asks."""
    service.searches.delete(workspace, name, caller=reader)
    return DeletedSearchOut(deleted=name)
