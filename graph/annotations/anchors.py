"""Find the current place of a note, in a workspace or a view of it.

A passage is found by its sentence, an entity by its names, a fact by the names of its ends and its predicate. So notes
follow new readings, merges and splits; a note whose place is gone says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from filigraph.graph.annotations.notes import Anchor, Note, NoteLoss, PlacedNote
from filigraph.graph.model.names import CorrectedName
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.records.documents import DocumentName, Piece
from filigraph.graph.records.entities import MentionRow, NamedEntity
from filigraph.graph.records.facts import DetailFact
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.text.find import find_within, text_of_pieces
from filigraph.graph.text.names.parse import name_key
from filigraph.graph.text.places import place_of

MAX_NAMES = 20  # of an entity in an anchor
CONTEXT_CHARS = 80  # characters before a sentence in an anchor
MAX_FACTS = 1000  # of two entities
MAX_PIECES = 100_000  # of a document


class AnchorGraph(Protocol):
    """The reads of a workspace or a view that placing notes needs."""

    def document_names(self) -> Sequence[DocumentName]: ...
    def mentions(self) -> Mentions: ...
    def entities_named(self, keys: Sequence[str]) -> Sequence[NamedEntity]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...
    def pieces(self, document_id: str, *, chunk_id: str = "", first: int = 0, count: int) -> Sequence[Piece]: ...
    def facts_between(self, first: str, second: str, *, count: int) -> Sequence[DetailFact]: ...


# ---- Anchors


def passage_anchor(passage: Passage, start: int, end: int) -> Anchor:
    """The anchor of the sentence `passage.text[start:end]`."""
    text = passage.text
    return Anchor(
        kind="passage",
        document_id=passage.document_id,
        source=passage.source,
        chunk_id=passage.id,
        start=start,
        sentence=text[start:end],
        before=text[max(0, start - CONTEXT_CHARS) : start],
    )


def entity_anchor(name: str, rows: Iterable[MentionRow]) -> Anchor:
    """The anchor of the entity of these mentions, which is called `name`."""
    return Anchor(kind="entity", name=name, names=_names_to_keep(name, rows))


def fact_anchor(fact: DetailFact, mentions: Mentions, sentence: Anchor | None) -> Anchor:
    """The anchor of a fact; `sentence` is that of its first sentence."""
    return replace(
        sentence or Anchor(kind="fact"),
        kind="fact",
        names=_names_to_keep(fact.subject, mentions.of_entity.get(fact.subject_id, ())),
        others=_names_to_keep(fact.object, mentions.of_entity.get(fact.object_id, ())),
        name=fact.subject,
        predicate=fact.predicate,
        other=fact.object,
    )


def _names_to_keep(name: str, rows: Iterable[MentionRow]) -> tuple[CorrectedName, ...]:
    """Some of the mentions: those that have the name first, then by frequency."""
    ordered = sorted(rows, key=lambda row: (row.form != name, -row.count, row.id))[:MAX_NAMES]
    return tuple(
        CorrectedName(id=row.id, document_id=row.document_id, key="" if row.part_of else row.key, form=row.form)
        for row in ordered
    )


def current_name(graph: AnchorGraph, entity_id: str, otherwise: str) -> str:
    keys = dict.fromkeys(row.key for row in graph.mentions().of_entity.get(entity_id, ()))
    named = graph.entities_named(list(keys)[:MAX_NAMES])
    return next((row.name for row in named if row.entity_id == entity_id), otherwise)


# ---- Current places


class Placing:
    """Places notes in a graph; reads shared data once."""

    def __init__(self, graph: AnchorGraph, answered: Callable[[str], bool]) -> None:
        """`answered`: whether the answer of a trace is still kept, and may be shown."""
        self._graph = graph
        self._answered = answered
        self._documents: dict[str, DocumentName] = {row.id: row for row in graph.document_names()}
        self._texts: dict[str, tuple[Sequence[Piece], str]] = {}  # of documents that were read again
        self._passages: dict[str, Passage] = {}

    def place(self, notes: Sequence[Note]) -> list[PlacedNote]:
        """Each note with its place, in their order."""
        chunks = {note.anchor.chunk_id for note in notes if note.anchor.chunk_id}
        self._passages = dict(self._graph.passages(sorted(chunks))) if chunks else {}
        return [self._place_note(note) for note in notes]

    def _place_note(self, note: Note) -> PlacedNote:
        match note.anchor.kind:
            case "passage":
                return self._at_sentence(note) or _lost_note(note, "sentence_gone")
            case "document":
                return self._at_document(note)
            case "entity":
                return self._at_entity(note)
            case "fact":
                return self._at_fact(note)
        answer = self._answered(note.anchor.trace_id)
        return PlacedNote(note=note) if answer else _lost_note(note, "answer_gone")

    def _at_document(self, note: Note) -> PlacedNote:
        row = self._documents.get(note.anchor.document_id)
        if row is None:
            return _lost_note(note, "document_deleted")
        return PlacedNote(note=note, document_id=row.id, source=row.source)

    def _at_entity(self, note: Note) -> PlacedNote:
        entity_id = self._entity(note.anchor.names, note.anchor.name)
        if not entity_id:
            return _lost_note(note, "name_gone")
        return PlacedNote(note=note, entity_id=entity_id, entity=current_name(self._graph, entity_id, note.anchor.name))

    def _at_fact(self, note: Note) -> PlacedNote:
        anchor = note.anchor
        subject_id, object_id = self._entity(anchor.names, anchor.name), self._entity(anchor.others, anchor.other)
        placed = self._at_sentence(note)
        facts = (
            self._graph.facts_between(subject_id, object_id, count=MAX_FACTS)
            if subject_id and object_id and subject_id != object_id
            else []
        )
        for fact in facts:
            if (fact.subject_id, fact.predicate, fact.object_id) == (subject_id, anchor.predicate, object_id):
                return replace(
                    placed or _at_first_sentence(note, fact),
                    fact_id=fact.fact_id,
                    entity_id=subject_id,
                    entity=fact.subject,
                    other_id=object_id,
                    other=fact.object,
                )
        if placed:  # the text still states it, although the fact is not extracted there any more
            return replace(placed, lost="fact_unread")
        return _lost_note(note, "fact_gone")

    def _entity(self, names: Sequence[CorrectedName], name: str) -> str:
        """The entity of the first of the names that still exists; else the entity called `name`; "" if there is
        none."""
        mentions = self._graph.mentions()
        for id_ in mentions.there(names):
            if entity := mentions.by_id[id_].entity_id:
                return entity
        named = self._graph.entities_named([key]) if (key := name_key(name)) else []
        return named[0].entity_id if named else ""

    def _at_sentence(self, note: Note) -> PlacedNote | None:
        """The place of a note's sentence: in its chunk, else anywhere in its document."""
        anchor = note.anchor
        passage = self._passages.get(anchor.chunk_id)
        end = anchor.start + len(anchor.sentence)
        if anchor.sentence and passage and passage.text[anchor.start : end] == anchor.sentence:
            return PlacedNote(
                note=note,
                document_id=passage.document_id,
                source=passage.source,
                title=passage.title,
                place=place_of(passage.places, anchor.start, end, otherwise=passage.place),
                chunk_id=passage.id,
                start=anchor.start,
                end=end,
            )
        return self._in_document(note) if anchor.sentence and anchor.document_id in self._documents else None

    def _in_document(self, note: Note) -> PlacedNote | None:
        anchor = note.anchor
        pieces, whole = self._document_text(anchor.document_id)
        spans = find_within(whole, anchor.sentence)
        if not spans:
            return None
        start, end = max(
            spans, key=lambda span: _matching_end_chars(whole[max(0, span[0] - CONTEXT_CHARS) : span[0]], anchor.before)
        )
        piece = pieces[bisect_right([chunk.start for chunk in pieces], start) - 1]
        at, to = start - piece.start, min(end - piece.start, len(piece.text))
        return PlacedNote(
            note=note,
            document_id=anchor.document_id,
            source=self._documents[anchor.document_id].source,
            place=place_of(piece.places, at, to, otherwise=piece.place),
            chunk_id=piece.id,
            start=at,
            end=to,
        )

    def _document_text(self, document_id: str) -> tuple[Sequence[Piece], str]:
        if document_id not in self._texts:
            pieces = self._graph.pieces(document_id, count=MAX_PIECES)
            self._texts[document_id] = pieces, text_of_pieces((piece.start, piece.text) for piece in pieces)
        return self._texts[document_id]


def _matching_end_chars(text: str, before: str) -> int:
    """The number of characters that two texts share at their ends."""
    count = 0
    for one, two in zip(reversed(text), reversed(before), strict=False):
        if one != two:
            return count
        count += 1
    return count


def _at_first_sentence(note: Note, fact: DetailFact) -> PlacedNote:
    if not fact.sentences:
        return PlacedNote(note=note)
    sentence = fact.sentences[0]
    return PlacedNote(
        note=note,
        document_id=sentence.document_id,
        source=sentence.source,
        place=sentence.place,
        chunk_id=sentence.chunk_id,
        start=sentence.start,
        end=sentence.end,
    )


def _lost_note(note: Note, why: NoteLoss) -> PlacedNote:
    return PlacedNote(note=note, lost=why, source=note.anchor.source, entity=note.anchor.name)
