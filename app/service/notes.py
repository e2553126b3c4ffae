"""Notes of persons: store, list with their current places, change and delete them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from filigraph.app.access.keys import LOCAL, Caller
from filigraph.app.schemas.notes import NotePlaceIn
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.graph.views import Views
from filigraph.app.service.questions import Questions
from filigraph.graph.errors import ForbiddenError, InputError, NotFound
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.app.schemas.answers import KeptAnswerOut
    from filigraph.graph.annotations.notes import Anchor, Note, NoteKind, PlacedNote
    from filigraph.graph.store import Graph

MOST_SENTENCE = 5000  # characters of a passage that has a note


@dataclass(frozen=True, kw_only=True)
class NoteFilter:
    """The filter of a list of notes; empty fields restrict nothing."""

    kind: str = ""
    tags: Sequence[str] = ()  # all of them
    starred: bool = False
    by: str | None = None
    words: str = ""
    document: str = ""  # id or source
    entity: str = ""  # id
    fact: str = ""
    trace: str = ""
    lost: bool = False


class Notes:
    def __init__(self, context: ServiceContext, views: Views, questions: Questions) -> None:
        self._context = context
        self._views = views
        self._questions = questions

    def listed(
        self, workspace: str, note_filter: NoteFilter, *, first: int, count: int | None, view: View = ALL
    ) -> tuple[list[PlacedNote], int, dict[str, int]]:
        """Some of the notes, the last changed first (without a `count` all from `first` on); the number of notes, and
        of notes with each tag. In a view only notes at something visible."""
        with self._context.connected():
            graph = self._context.runtime.graph(workspace)
            notes = [note for note in graph.notes() if _is_asked(note, note_filter)]
            end = None if count is None else first + count
            tags = Counter(tag for note in notes for tag in note.tags)
            if not (view or note_filter.lost or note_filter.entity or note_filter.fact):
                return (
                    self._place(workspace, notes[first:end], view),
                    len(notes),
                    dict(sorted(tags.items())),
                )
            placed = [
                placed_note
                for placed_note in self._place(workspace, notes, view)
                if _is_there(placed_note, note_filter, bool(view))
            ]
            tags = Counter(tag for placed_note in placed for tag in placed_note.note.tags)
            return placed[first:end], len(placed), dict(sorted(tags.items()))

    def all_of(self, workspace: str, view: View) -> list[PlacedNote]:
        """All notes that `listed` lists, for a report or a table."""
        return self.listed(workspace, NoteFilter(), first=0, count=None, view=view)[0]

    def about(self, workspace: str, answers: Sequence[KeptAnswerOut]) -> dict[str, list[PlacedNote]]:
        """The notes at answers, at the facts and names of their paths and at passages that they cite, by the id of the
        answer's trace."""
        placed = self.all_of(workspace, ALL)
        noted: dict[str, list[PlacedNote]] = {}
        for answer in answers:
            hops = [hop for path in answer.paths for hop in path.hops]
            ids = {answer.trace.id, *(piece.id for piece in answer.citations)}
            ids.update(id_ for hop in hops for id_ in (hop.fact_id, hop.subject_id, hop.object_id))
            noted[answer.trace.id] = [note for note in placed if _id_of_anchor(note) in ids - {""}]
        return noted

    def add(
        self, workspace: str, place: NotePlaceIn, *, text: str, tags: Sequence[str], starred: bool, caller: Caller
    ) -> PlacedNote:
        """Raises InputError, NotFound."""
        tags = clean_tags(tags)
        if not (text.strip() or tags or starred):
            raise InputError("The note is empty.", cure="Give a text, a tag or a star.")
        with self._context.connected():
            graph = self._context.runtime.graph(workspace)
            anchor = self._anchor(workspace, graph, place)
            by = "" if caller == LOCAL else caller.name
            note = graph.add_note(anchor, text=text.strip(), tags=tags, starred=starred, by=by)
            return self._place(workspace, [note], ALL)[0]

    def change(
        self,
        workspace: str,
        note_id: str,
        *,
        text: str | None,
        tags: Sequence[str] | None,
        starred: bool | None,
        caller: Caller,
    ) -> PlacedNote:
        """Change what is not None. Raises InputError, NotFound, ForbiddenError."""
        with self._context.connected():
            graph = self._context.runtime.graph(workspace)
            note = _of_caller(graph.note(note_id), caller)
            changed = replace(
                note,
                text=note.text if text is None else text.strip(),
                tags=note.tags if tags is None else clean_tags(tags),
                starred=note.starred if starred is None else starred,
            )
            if not (changed.text or changed.tags or changed.starred):
                raise InputError("The note would be empty.", cure="Delete the note instead.")
            return self._place(workspace, [graph.change_note(changed)], ALL)[0]

    def delete(self, workspace: str, note_id: str, *, caller: Caller) -> None:
        """Raises NotFound, ForbiddenError."""
        with self._context.connected():
            graph = self._context.runtime.graph(workspace)
            graph.delete_note(_of_caller(graph.note(note_id), caller).id)

    def _place(self, workspace: str, notes: Sequence[Note], view: View) -> list[PlacedNote]:
        from filigraph.graph.annotations.anchors import Placing

        if not notes:
            return []
        shown = self._views.resolved(workspace, view)
        return Placing(self._views.graph(workspace, view), self._answered(workspace, shown)).place(notes)

    def _answered(self, workspace: str, view: View) -> Callable[[str], bool]:
        """A check whether an answer is stored and, in a view, was asked in that view."""

        def is_stored_in_view(trace_id: str) -> bool:
            try:
                trace = self._questions.trace(workspace, trace_id)
            except NotFound:
                return False
            view_fields = next((step.inputs for step in trace.steps if step.name == "view"), None)
            return not view or view_fields == view.fields()

        return is_stored_in_view

    # ---- The place of a new note

    def _anchor(self, workspace: str, graph: Graph, place: NotePlaceIn) -> Anchor:
        targets = [target for target in (place.chunk, place.document, place.fact, place.entity, place.trace) if target]
        if len(targets) != 1:
            raise InputError(
                "A note has exactly one place.",
                cure="Name a chunk, a document, a fact, an entity or the trace of an answer.",
            )
        if place.chunk:
            return _at_passage(graph, place)
        if place.document:
            return _at_document(graph, place)
        if place.fact:
            return _at_fact(graph, place.fact)
        if place.entity:
            return _at_entity(graph, place.entity)
        return self._at_answer(workspace, place.trace)

    def _at_answer(self, workspace: str, trace_id: str) -> Anchor:
        from filigraph.graph.annotations.notes import Anchor

        answer = self._questions.answer(workspace, trace_id)
        return Anchor(kind="answer", trace_id=trace_id, question=answer.asked)


def _at_passage(graph: Graph, place: NotePlaceIn) -> Anchor:
    from filigraph.graph.annotations.anchors import passage_anchor
    from filigraph.graph.text.sentences import sentences

    passage = graph.passages([place.chunk]).get(place.chunk)
    if passage is None:
        raise NotFound(
            f"There is no passage {place.chunk[:80]}: its document was changed.", cure="Search for it again."
        )
    start, end = place.start, place.end
    if start is None or end is None:
        start, end = next(iter(sentences(passage.text, passage.language)), (0, len(passage.text)))
    if not 0 <= start < end <= len(passage.text) or not passage.text[start:end].strip():
        raise InputError("The sentence is not within its chunk.", cure=f"The chunk has {len(passage.text)} characters.")
    return passage_anchor(passage, start, min(end, start + MOST_SENTENCE))


def _at_document(graph: Graph, place: NotePlaceIn) -> Anchor:
    from filigraph.graph.annotations.anchors import MAX_PIECES, passage_anchor
    from filigraph.graph.annotations.notes import Anchor
    from filigraph.graph.text.find import find_within

    row = next(
        (document for document in graph.document_names() if place.document in (document.id, document.source)), None
    )
    if row is None:
        raise NotFound(f"There is no document {place.document[:200]!r}.", cure="`filigraph documents list` shows all.")
    if not place.sentence:
        return Anchor(kind="document", document_id=row.id, source=row.source)
    for piece in graph.pieces(row.id, count=MAX_PIECES):
        if spans := find_within(piece.text, place.sentence):
            start, end = spans[0]
            return passage_anchor(graph.passages([piece.id])[piece.id], start, min(end, start + MOST_SENTENCE))
    raise NotFound(
        f"{row.source} does not hold {place.sentence[:80]!r}.", cure="Copy the sentence exactly as a passage has it."
    )


def _at_fact(graph: Graph, fact_id: str) -> Anchor:
    from filigraph.graph.annotations.anchors import MAX_FACTS, fact_anchor, passage_anchor

    ends = graph.fact_ends([fact_id]).get(fact_id)
    between = graph.facts_between(ends.subject_id, ends.object_id, count=MAX_FACTS) if ends else []
    fact = next((other for other in between if other.fact_id == fact_id), None)
    if fact is None:
        raise NotFound(f"There is no fact {fact_id[:80]}.", cure="`filigraph facts list` shows them with their ids.")
    statement = fact.sentences[0] if fact.sentences else None
    passage = graph.passages([statement.chunk_id]).get(statement.chunk_id) if statement else None
    sentence = passage_anchor(passage, statement.start, statement.end) if statement and passage else None
    return fact_anchor(fact, graph.mentions(), sentence)


def _at_entity(graph: Graph, reference: str) -> Anchor:
    from filigraph.graph.annotations.anchors import current_name, entity_anchor
    from filigraph.graph.corrections.batch import find_mentions

    rows = find_mentions(reference, graph.mentions())
    entity = rows[0].entity_id
    whole = graph.mentions().of_entity[entity]
    return entity_anchor(current_name(graph, entity, rows[0].form), whole)


# ---- The filter


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags without "#", extra blanks and duplicates, sorted. Tags that differ only in case are the same."""
    by_key: dict[str, str] = {}
    for tag in tags:
        plain = " ".join(tag.removeprefix("#").split())
        if plain:
            by_key.setdefault(plain.casefold(), plain)
    return tuple(sorted(by_key.values()))


def _is_asked(note: Note, note_filter: NoteFilter) -> bool:
    anchor = note.anchor
    own = {tag.casefold() for tag in note.tags}
    return (
        note_filter.kind in ("", anchor.kind)
        and all(tag.casefold() in own for tag in clean_tags(note_filter.tags))
        and (note.starred or not note_filter.starred)
        and (note_filter.by is None or note.by == note_filter.by)
        and (not note_filter.document or note_filter.document in (anchor.document_id, anchor.source))
        and note_filter.trace in ("", anchor.trace_id)
        and _has_words(note, note_filter.words)
    )


def _has_words(note: Note, words: str) -> bool:
    """Whether the note and the text at its place together contain every word."""
    from filigraph.graph.text.words import fold

    if not words.strip():
        return True
    anchor = note.anchor
    texts = (note.text, *note.tags, anchor.sentence, anchor.name, anchor.predicate, anchor.other, anchor.question)
    text = fold(" ".join((*texts, anchor.source)))
    return all(fold(word) in text for word in words.split())


def _id_of_anchor(placed: PlacedNote) -> str:
    """The id of the thing at a note's place; "" for a whole document, or if the place is gone."""
    ids: Mapping[NoteKind, str] = {
        "answer": placed.note.anchor.trace_id,
        "passage": placed.chunk_id,
        "fact": placed.fact_id,
        "entity": placed.entity_id,
    }
    return ids.get(placed.note.anchor.kind, "")


def _is_there(placed: PlacedNote, note_filter: NoteFilter, within_view: bool) -> bool:
    return (
        (not within_view or not placed.lost)
        and (not note_filter.lost or bool(placed.lost))
        and (not note_filter.entity or note_filter.entity in (placed.entity_id, placed.other_id))
        and (not note_filter.fact or note_filter.fact == placed.fact_id)
    )


def _of_caller(note: Note, caller: Caller) -> Note:
    """The note, if the caller may change it. Raises ForbiddenError if it is another person's and the caller is no
    admin."""
    if note.by and note.by != caller.name and not caller.may("admin"):
        raise ForbiddenError(
            f"The note is by {note.by}; the key {caller.name} may change only its own notes.",
            cure="Add a note of your own.",
        )
    return note
