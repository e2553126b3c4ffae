"""People's notes and saved searches. The workspace's revision and hash ignore them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from filigraph.graph.annotations.notes import Anchor, Note, note_json, note_of
from filigraph.graph.annotations.searches import SavedSearch
from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.ids import content_part, search_id, workspace_tag
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.workspace.export import line_of
from filigraph.graph.store.workspace.graph_part import GraphPart, write_rows

MAX_NOTES = 100_000  # of a workspace


class NotePart(GraphPart):
    """The notes of a workspace, and its saved searches."""

    def notes(self) -> list[Note]:
        """All notes, the latest change first."""
        return [self._note(row) for row in self._rows("notes", limit=MAX_NOTES)]

    def note(self, note_id: str) -> Note:
        """One note. Raises NotFound."""
        rows = self._rows("note", id=note_id)
        if not rows:
            raise NotFound(f"There is no note {note_id[:80]}.", cure="`filigraph notes list` shows all.")
        return self._note(rows[0])

    def add_note(self, anchor: Anchor, *, text: str, tags: Sequence[str], starred: bool, by: str) -> Note:
        """Store a note. Raises InputError if there are too many."""
        if self._rows("count_notes")[0]["total"] >= MAX_NOTES:
            raise InputError(f"The workspace has {MAX_NOTES:,} notes.", cure="Delete some that are not needed.")
        id_, now = uuid.uuid4().hex + workspace_tag(self._name), _now()
        note = Note(id=id_, anchor=anchor, text=text, tags=tuple(tags), starred=starred, by=by, at=now, changed=now)
        self._write([note])
        return note

    def change_note(self, note: Note) -> Note:
        changed = replace(note, changed=_now())
        self._write([changed])
        return changed

    def delete_note(self, note_id: str) -> None:
        """Delete a note. Raises NotFound."""
        if not self._change("delete_note", id=note_id)[0]["deleted"]:
            self.note(note_id)

    # ---- saved searches

    def searches(self, owners: Sequence[str] | None = None) -> list[SavedSearch]:
        """The searches of some persons, or of all, by name."""
        return [_search(json.loads(row["body"])) for row in self._rows("searches", owners=owners)]

    def write_searches(self, searches: Sequence[SavedSearch]) -> None:
        """Store searches, each in place of the one with its owner and name."""
        rows: list[Row] = [
            {
                "id": search_id(self._name, search.owner, search.name),
                "name": search.name,
                "owner": search.owner,
                "body": _search_json(search),
            }
            for search in searches
        ]
        self.database.write_batches(
            rows, lambda run, batch: write_rows(run, "write_searches", batch, workspace=self._name)
        )

    def look_at_search(self, search: SavedSearch, shown: SavedSearch) -> None:
        """Store the state of a search after it was run (`shown`). Nothing changes if it was saved again, deleted or run
        since it was read.
        """
        id_ = search_id(self._name, search.owner, search.name)
        self._change("look_at_search", id=id_, before=_search_json(search), body=_search_json(shown))

    def delete_search(self, search: SavedSearch) -> None:
        self._change("delete_search", id=search_id(self._name, search.owner, search.name))

    # ---- export

    def dump_notes(self) -> Iterator[str]:
        """Notes, then saved searches, as sorted lines of an export; the workspace's name does not matter."""
        for note in sorted(self.notes(), key=lambda note: note.id):
            yield line_of("notes", {"id": content_part(note.id), "body": json.loads(note_json(note))})
        by_id = {content_part(search_id(self._name, saved.owner, saved.name)): saved for saved in self.searches()}
        for id_, search in sorted(by_id.items()):
            yield line_of("searches", {"id": id_, "body": asdict(search)})

    def import_notes(self, bodies: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Store the notes of an export: id without the workspace's part, body."""
        tag = workspace_tag(self._name)
        self._write([note_of(id_ + tag, body, self._name) for id_, body in bodies])

    def import_searches(self, bodies: Sequence[dict[str, Any]]) -> None:
        """Store the searches of an export."""
        self.write_searches([_search(body) for body in bodies])

    def _write(self, notes: Sequence[Note]) -> None:
        rows: list[Row] = [{"id": note.id, "body": note_json(note), "changed": note.changed} for note in notes]
        if rows:
            self.database.write_batches(
                rows, lambda run, batch: write_rows(run, "write_notes", batch, workspace=self._name)
            )

    def _note(self, row: Row) -> Note:
        return note_of(row["id"], json.loads(row["body"]), self._name)


def _search(body: dict[str, Any]) -> SavedSearch:
    return SavedSearch(**body | {name: tuple(body[name]) for name in ("seen", "fresh")})


def _search_json(search: SavedSearch) -> str:
    return json.dumps(asdict(search), ensure_ascii=False, sort_keys=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")  # notes of one second are listed in their order
