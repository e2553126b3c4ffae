"""People's notes: a text, tags, a star, at a passage, an entity, a fact or an answer.

Notes are neither read, decided nor derived: questions do not see them, and the hash of a workspace does not depend on
them. An anchor consists of words of the documents (a sentence, names), not of chunks, which a new reading replaces; see
`anchors.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from filigraph.graph.ids import content_part, workspace_tag
from filigraph.graph.model.names import CorrectedName

NoteKind = Literal["passage", "fact", "entity", "answer", "document"]
NoteLoss = Literal["sentence_gone", "document_deleted", "name_gone", "fact_gone", "fact_unread", "answer_gone"]
LOSSES: Mapping[NoteLoss, str] = {
    "sentence_gone": "The sentence is not in its document any more.",
    "document_deleted": "The document was deleted.",
    "name_gone": "No document names it any more.",
    "fact_gone": "The fact is not in the graph any more.",
    "fact_unread": "The fact is not in the graph any more; its sentence is there.",
    "answer_gone": "The answer is not kept any more.",
}
_IDS = ("document_id", "chunk_id")  # with a workspace part


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """The place of a note, in words that a new reading does not change; ids only say where to search first."""

    kind: NoteKind
    document_id: str = ""  # of a passage, a document, or the sentence of a fact
    source: str = ""
    chunk_id: str = ""
    start: int = 0  # of the sentence in that chunk
    sentence: str = ""  # of a passage; of a fact, the first sentence that states it
    before: str = ""  # the text before the sentence, which may occur twice
    names: tuple[CorrectedName, ...] = ()  # of an entity, its shown name first; of a fact's subject
    others: tuple[CorrectedName, ...] = ()  # of a fact's object
    name: str = ""  # the name of the entity, or of the subject, at that time
    predicate: str = ""
    other: str = ""
    trace_id: str = ""  # of an answer
    question: str = ""


@dataclass(frozen=True, kw_only=True)
class Note:
    """A person's note."""

    id: str
    anchor: Anchor
    text: str = ""
    tags: tuple[str, ...] = ()  # sorted
    starred: bool = False
    by: str = ""  # the name of a key; "" where there are none
    at: str = ""  # ISO 8601, UTC
    changed: str = ""


@dataclass(frozen=True, kw_only=True)
class PlacedNote:
    note: Note
    lost: NoteLoss | Literal[""] = ""  # why the place does not exist any more; "" if it does
    entity_id: str = ""  # of an entity; the subject of a fact
    entity: str = ""  # its current name
    other_id: str = ""  # the object of a fact
    other: str = ""
    fact_id: str = ""
    document_id: str = ""  # of the sentence, or the document
    source: str = ""
    title: str = ""
    place: str = ""  # of the sentence: page, chapter, paragraph
    chunk_id: str = ""
    start: int = 0  # of the sentence in the chunk
    end: int = 0

    @property
    def why_lost(self) -> str:
        """The reason, in words."""
        return LOSSES[self.lost] if self.lost else ""


def note_json(note: Note) -> str:
    """A note as JSON for the store and exports: ids are without their workspace part (see `ids.py`)."""
    body = asdict(note)
    del body["id"]
    anchor = body["anchor"]
    for record in (anchor, *anchor["names"], *anchor["others"]):
        for name in ("id", *_IDS):
            if name in record:
                record[name] = content_part(record[name])
    return json.dumps(body, ensure_ascii=False, sort_keys=True)


def note_of(id_: str, body: Mapping[str, Any], workspace: str) -> Note:
    """The note that `note_json` wrote, in a workspace."""
    tag = workspace_tag(workspace)

    def with_workspace_tag(record: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value + tag if name in ("id", *_IDS) and value else value for name, value in record.items()}

    names = {one.name for one in fields(Anchor)}
    anchor: dict[str, Any] = {
        name: value for name, value in with_workspace_tag(body["anchor"]).items() if name in names
    }
    for side in ("names", "others"):
        anchor[side] = tuple(CorrectedName(**with_workspace_tag(name)) for name in anchor[side])
    return Note(
        id=id_,
        anchor=Anchor(**anchor),
        tags=tuple(body["tags"]),
        **{name: body[name] for name in ("text", "starred", "by", "at", "changed")},
    )
