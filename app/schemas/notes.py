"""Requests and responses of the routes of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In

if TYPE_CHECKING:
    from filigraph.graph.annotations.notes import PlacedNote

NoteKindName = Literal["passage", "fact", "entity", "answer", "document"]
NoteLossName = Literal["", "sentence_gone", "document_deleted", "name_gone", "fact_gone", "fact_unread", "answer_gone"]
NoteText = Annotated[str, Field(max_length=20_000, description="The text of the note.")]
Tag = Annotated[str, Field(max_length=60)]


class NotePlaceIn(In):
    """The subject of a note: one of these."""

    chunk: Annotated[str, Field(max_length=80, description="A passage: the chunk, with `start` and `end`.")] = ""
    start: Annotated[int | None, Field(ge=0, description="Start of the sentence in the chunk.")] = None
    end: Annotated[
        int | None, Field(ge=0, description="End of the sentence. Without both: the first sentence of the chunk.")
    ] = None
    document: Annotated[str, Field(max_length=4096, description="A document: its id or source.")] = ""
    sentence: Annotated[str, Field(max_length=5000, description="A sentence of that document, word by word.")] = ""
    fact: Annotated[str, Field(max_length=80, description="A fact's id, as in hops and lists.")] = ""
    entity: Annotated[
        str, Field(max_length=200, description="An entity: its id, or a name that only this entity has.")
    ] = ""
    trace: Annotated[str, Field(max_length=80, description="An answer, by the id of its trace.")] = ""


class NoteIn(In):
    """A new note: a text, tags or a star on one subject."""

    at: Annotated[NotePlaceIn, Field(description="The place of the note.")]
    text: NoteText = ""
    tags: Annotated[list[Tag], Field(max_length=50, description="Free words, ignoring case.")] = []  # noqa: RUF012
    starred: Annotated[bool, Field(description="Whether it has a star.")] = False


class NoteChangeIn(In):
    """The fields to change; omitted fields stay."""

    text: Annotated[str | None, Field(max_length=20_000, description="The text of the note.")] = None
    tags: Annotated[list[Tag] | None, Field(max_length=50, description="All its tags.")] = None
    starred: Annotated[bool | None, Field(description="Whether it has a star.")] = None


class NoteOut(BaseModel):
    """A person's note, and the current place of its subject. No text states it: it is never evidence."""

    id: Annotated[str, Field(description="The note's id.")]
    kind: Annotated[NoteKindName, Field(description="The kind of its place.")]
    text: Annotated[str, Field(description="The text of the note.")]
    tags: Annotated[list[str], Field(description="Its tags, sorted.")]
    starred: Annotated[bool, Field(description="Whether it has a star.")]
    by: Annotated[str, Field(description="The author's key; empty without keys.")]
    at: Annotated[str, Field(description="Time, as ISO 8601, UTC.")]
    changed: Annotated[str, Field(description="Time of the last change.")]
    lost: Annotated[str, Field(description="Why its place is gone; empty if it is not.")]
    lost_code: Annotated[NoteLossName, Field(description="The same as a code; empty if it is not.")]
    entity_id: Annotated[str, Field(description="The entity, or the subject of the fact; empty if there is none.")]
    entity: Annotated[str, Field(description="Its name.")]
    predicate: Annotated[str, Field(description="The predicate of the fact.")]
    other_id: Annotated[str, Field(description="The object of the fact.")]
    other: Annotated[str, Field(description="Its name.")]
    fact_id: Annotated[str, Field(description="The current id of the fact.")]
    document_id: Annotated[str, Field(description="The id of the document, or of the document with the sentence.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph of the sentence, if there are any.")]
    chunk_id: Annotated[str, Field(description="The chunk that contains the sentence now.")]
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the sentence.")]
    sentence: Annotated[str, Field(description="The sentence at the time of the note.")]
    trace_id: Annotated[str, Field(description="The trace of the answer.")]
    question: Annotated[str, Field(description="The question of the answer.")]

    @classmethod
    def of(cls, placed: PlacedNote) -> NoteOut:
        note, anchor = placed.note, placed.note.anchor
        of_anchor = {name: getattr(anchor, name) for name in ("kind", "predicate", "sentence", "trace_id", "question")}
        named = {
            "lost": placed.why_lost,
            "lost_code": placed.lost,
            "entity": placed.entity or anchor.name,
            "other": placed.other or anchor.other,
            "document_id": placed.document_id or anchor.document_id,
            "source": placed.source or anchor.source,
        }
        return cls.model_validate(vars(note) | vars(placed) | of_anchor | named)


class NotesOut(BaseModel):
    """Notes of persons."""

    total: Annotated[int, Field(description="Total number.")]
    tags: Annotated[dict[str, int], Field(description="Number of notes with each tag.")]
    notes: Annotated[list[NoteOut], Field(description="The last changed one first.")]


class DeletedNoteOut(BaseModel):
    """A deleted note."""

    deleted: Annotated[str, Field(description="Its id.")]
