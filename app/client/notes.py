"""Notes of persons in a workspace."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

from filigraph.app.client.addresses import path
from filigraph.app.client.rest import Client
from filigraph.app.schemas.notes import NoteOut, NotesOut


class NoteFilters(TypedDict, total=False):
    """Which notes are listed; what is left out restricts nothing."""

    kind: str  # passage, fact, entity, answer, document
    tag: builtins.list[str]  # all of them
    starred: bool
    by: str  # the name of a key
    text: str  # words in it, or in what it is at
    document: str  # id or source
    entity: str  # id
    fact: str
    trace: str
    lost: bool


class NotePlace(TypedDict, total=False):
    """What a note is at: one of these."""

    chunk: str  # with `start` and `end`
    start: int
    end: int
    document: str  # id or source, with a `sentence` of it if you like
    sentence: str
    fact: str
    entity: str  # id, or a name that it alone has
    trace: str  # of an answer


class Notes:
    """Texts, tags and stars at passages, facts, entities, answers and documents. No question sees them."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._client = client
        self._workspace = workspace

    def list(self, *, first: int = 0, count: int = 50, **filters: Unpack[NoteFilters]) -> NotesOut:
        """Notes with where they are now, the one that was changed last first."""
        params: dict[str, Any] = {**filters, "first": first, "count": count}
        return NotesOut.model_validate(self._client.get(path(self._workspace, "notes"), **params))

    def add(
        self, text: str = "", *, tags: Sequence[str] = (), starred: bool = False, **place: Unpack[NotePlace]
    ) -> NoteOut:
        """Note something: `notes.add("Check the date.", entity="Jules Delmas", tags=["dates"])`."""
        body = {"at": dict(place), "text": text, "tags": [*tags], "starred": starred}
        return NoteOut.model_validate(self._client.post(path(self._workspace, "notes"), body))

    def change(
        self,
        note_id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        starred: bool | None = None,
    ) -> NoteOut:
        """Change what is not None."""
        body = {"text": text, "tags": None if tags is None else [*tags], "starred": starred}
        return NoteOut.model_validate(self._client.put(path(self._workspace, "notes", note_id), body))

    def delete(self, note_id: str) -> None:
        """Delete a note."""
        self._client.delete(path(self._workspace, "notes", note_id))
