"""Notes of persons at passages, facts, entities, answers and documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from filigraph.app.routes.common import (
    FOR_UNLIMITED_KEYS,
    CallerDep,
    Count,
    First,
    ServiceDep,
    ViewDep,
    WorkspaceDep,
    errors,
)
from filigraph.app.schemas.notes import DeletedNoteOut, NoteChangeIn, NoteIn, NoteKindName, NoteOut, NotesOut
from filigraph.app.service.notes import NoteFilter

NoteId = Annotated[str, Path(max_length=80, description="The note's id.")]

router = APIRouter(prefix="/v1/workspaces/{workspace}/notes", tags=["notes"])


@router.get(
    "", summary="List notes", responses=errors(404, 422), dependencies=[FOR_UNLIMITED_KEYS]
)  # people's notes at a passage may mention what a limited key does not see
def notes(
    workspace: WorkspaceDep,
    service: ServiceDep,
    view: ViewDep,
    kind: Annotated[NoteKindName | None, Query(description="Only notes at things of these kinds.")] = None,
    tag: Annotated[list[str], Query(max_length=50, description="Only notes with all of these tags.")] = [],  # noqa: B006
    starred: Annotated[bool, Query(description="Only notes with a star.")] = False,
    by: Annotated[
        str | None, Query(max_length=64, description="Only notes of this key; empty: notes without an author.")
    ] = None,
    text: Annotated[
        str,
        Query(max_length=200, description="Only notes with these words, in the note or in the text at its place."),
    ] = "",
    document: Annotated[str, Query(max_length=4096, description="Only notes in this document: id or source.")] = "",
    entity: Annotated[str, Query(max_length=80, description="Only notes at this entity (id) or its facts.")] = "",
    fact: Annotated[str, Query(max_length=80, description="Only notes at this fact.")] = "",
    trace: Annotated[str, Query(max_length=80, description="Only notes at the answer with this trace.")] = "",
    lost: Annotated[bool, Query(description="Only notes whose place is gone.")] = False,
    first: First = 0,
    count: Count = 50,
) -> NotesOut:
    """Notes with their current places: after new readings and corrections Filigraph finds a place again by its
    sentence or names. If a place is gone, `lost` says why. Answers never use notes."""
    note_filter = NoteFilter(
        kind=kind or "",
        tags=tag,
        starred=starred,
        by=by,
        words=text,
        document=document,
        entity=entity,
        fact=fact,
        trace=trace,
        lost=lost,
    )
    placed, total, tags = service.notes.listed(workspace, note_filter, first=first, count=count, view=view)
    return NotesOut(total=total, tags=tags, notes=[NoteOut.of(note) for note in placed])


@router.post("", summary="Add a note", responses=errors(404, 422))
def add_note(workspace: WorkspaceDep, service: ServiceDep, caller: CallerDep, body: NoteIn) -> NoteOut:
    """Adds a text, tags or a star, under the name of the key that writes it."""
    note = service.notes.add(workspace, body.at, text=body.text, tags=body.tags, starred=body.starred, caller=caller)
    return NoteOut.of(note)


@router.put("/{note_id}", summary="Change a note", responses=errors(404, 422))
def change_note(
    workspace: WorkspaceDep, note_id: NoteId, service: ServiceDep, caller: CallerDep, body: NoteChangeIn
) -> NoteOut:
    """Only its author and an administrator may change it."""
    changed = service.notes.change(
        workspace, note_id, text=body.text, tags=body.tags, starred=body.starred, caller=caller
    )
    return NoteOut.of(changed)


@router.delete("/{note_id}", summary="Delete a note", responses=errors(404, 422))
def delete_note(workspace: WorkspaceDep, note_id: NoteId, service: ServiceDep, caller: CallerDep) -> DeletedNoteOut:
    """Only its author and an administrator may delete it."""
    service.notes.delete(workspace, note_id, caller=caller)
    return DeletedNoteOut(deleted=note_id)
