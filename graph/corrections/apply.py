"""Apply a person's corrections: look up names -> check each -> write the valid ones -> derive once, without an LLM.

A correction is stored as one record or more (`StoredCorrection`), and the graph is derived from the records, so undo
leaves no trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from filigraph.graph.corrections.batch import MAX_MENTIONS_PER_SIDE, MAX_NAME_CHARS, Editor, MergeGraph, find_mentions
from filigraph.graph.derive import derive
from filigraph.graph.errors import FiligraphError, InputError, NotFound
from filigraph.graph.model.names import CorrectionKind, Occurrence, StoredCorrectionKind
from filigraph.graph.model.retrieval import Passage
from filigraph.graph.models.embed import Embedder
from filigraph.graph.records.corrections import Outcome, Refused
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.records.facts import FactEnds
from filigraph.graph.text.names.parse import name_key

MOST_PREDICATE = 200  # characters
MOST_TYPE = 60


class CorrectedGraph(MergeGraph, Protocol):
    """Store of a workspace for corrections of names and facts."""

    def fact_ends(self, fact_ids: Sequence[str]) -> Mapping[str, FactEnds]: ...
    def passages(self, chunk_ids: Sequence[str]) -> Mapping[str, Passage]: ...


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A correction of two names or entities, of one entity, or of a fact; or a fact that a person states."""

    kind: CorrectionKind
    about: str  # id of a mention or entity, or a name; kinds rejected and relabelled: id of a fact
    other: str = ""  # kinds same, distinct and stated: as `about`
    value: str = ""  # kinds name, type, relabelled and stated: the name, the type, the predicate
    names: Sequence[str] = ()  # kind split: ids of the mentions that become an entity of their own
    places: Sequence[Occurrence] = ()  # kind split: become mentions of their own; stated: the sentence that says it
    note: str = ""


def correct(corrections: Sequence[Correction], *, graph: CorrectedGraph, embedder: Embedder) -> Outcome:
    """Store the valid corrections, then derive once. The others are reported in `refused`.

    Raises the first error (InputError, NotFound, AlreadyDecided) if no correction is valid.
    """
    editor = Editor(graph)
    facts = graph.fact_ends([row.about for row in corrections if row.kind in ("rejected", "relabelled")])
    refused: list[tuple[Refused, FiligraphError]] = []
    for number, row in enumerate(corrections, start=1):
        before = len(editor.new)
        try:
            if row.kind in ("same", "distinct"):
                _join(row, editor)
            elif row.kind == "split":
                _split(row, editor)
            elif row.kind in ("name", "type"):
                _apply(row, editor)
            elif row.kind == "stated":
                _state(row, graph, editor)
            else:
                _correct_fact(row, facts, editor)
        except InputError as error:
            del editor.new[before:]  # a split may take several records: all or none
            refused.append((Refused(number=number, code=error.code, cause=error.cause, cure=error.cure), error))
    if refused and not editor.new:
        raise refused[0][1]
    editor.write(embedder)
    return Outcome(corrections=tuple(editor.new), refused=tuple(row for row, _ in refused))


def undo(correction_ids: Sequence[str], *, graph: CorrectedGraph, embedder: Embedder) -> None:
    """Remove corrections and derive the graph without them. Raises NotFound."""
    for correction_id in correction_ids:
        graph.undo(correction_id)
    derive(graph, embedder=embedder)


def _join(row: Correction, editor: Editor) -> None:
    first, second = find_mentions(row.about, editor.mentions), find_mentions(row.other, editor.mentions)
    kind: StoredCorrectionKind = "same" if row.kind == "same" else "distinct"
    if _overlap(first, second) and kind == "distinct":  # of one entity: separate the names themselves
        first, second = _mentions_named(row.about, first), _mentions_named(row.other, second)
    if _overlap(first, second):
        raise InputError(
            f"{row.about[:80]!r} and {row.other[:80]!r} are one already: there is nothing to decide.",
            cure="Give two names, or ids of mentions.",
        )
    if kind == "same":
        first, second = most_frequent(first), most_frequent(second)
    editor.take(kind, first, second, note=row.note)


def _overlap(first: Sequence[MentionRow], second: Sequence[MentionRow]) -> bool:
    return not {mention.id for mention in first}.isdisjoint(mention.id for mention in second)


def _mentions_named(reference: str, mentions: Sequence[MentionRow]) -> list[MentionRow]:
    """The mentions whose name is the reference; all of them if there is none, as for an id."""
    key = name_key(reference[:MAX_NAME_CHARS])
    return [mention for mention in mentions if mention.key == key] or list(mentions)


def _split(row: Correction, editor: Editor) -> None:
    members = {member.id: member for member in find_mentions(row.about, editor.mentions)}
    strangers = [name for name in row.names if name not in members]
    if strangers:
        raise NotFound(
            f"{strangers[0]} is not a name of this entity.",
            cure=("`filigraph corrections names` shows its names with their ids."),
        )
    whole = set(row.names)
    apart = [members[name] for name in dict.fromkeys(row.names)]
    chosen = editor.parts(members, row.places, whole)
    if not apart and not chosen:
        raise InputError("The split names nothing to split off.", cure="Choose names, or places of names.")
    rest = [member for member in members.values() if member.id not in whole]
    if not rest:
        raise InputError("The entity would have no names left.", cure="Leave at least one of its names.")
    if apart:
        editor.take("distinct", apart, rest, note=row.note)
    for member, own in chosen:
        editor.take("split_off", [member], (), places=own, note=row.note)


def _apply(row: Correction, editor: Editor) -> None:
    kind: StoredCorrectionKind = "name" if row.kind == "name" else "type"
    value = _checked_value(row, MAX_NAME_CHARS if kind == "name" else MOST_TYPE)
    # an undo does not change what these mean
    named = _mentions_named(row.about, find_mentions(row.about, editor.mentions))
    editor.take(kind, most_frequent(named), (), name=value, note=row.note)


def _correct_fact(row: Correction, facts: Mapping[str, FactEnds], editor: Editor) -> None:
    fact = facts.get(row.about)
    if fact is None:
        raise NotFound(
            f"There is no fact {row.about[:80]}: it was corrected, or its sentence was deleted.",
            cure="Look it up again.",
        )
    by_id, of_entity = editor.mentions.by_id, editor.mentions.of_entity
    near = {id_ for id_ in fact.mention_ids if id_ in by_id}  # mentions in the sentences of the fact
    subjects, objects = (most_frequent(of_entity[end], near) for end in (fact.subject_id, fact.object_id))
    if row.kind == "rejected":
        editor.take("rejected", subjects, objects, name=fact.predicate, note=row.note)
        return
    value = _checked_value(row, MOST_PREDICATE)
    if value == fact.predicate:
        raise InputError(f"The fact has the predicate {value!r} already.", cure="Give another predicate.")
    editor.take("relabelled", subjects, objects, name=value, forms=[fact.predicate], note=row.note)


def _state(row: Correction, graph: CorrectedGraph, editor: Editor) -> None:
    subject, object_ = (find_mentions(name, editor.mentions) for name in (row.about, row.other))
    if _overlap(subject, object_):
        raise InputError("Both ends are one entity.", cure="Name two.")
    place = row.places[0] if len(row.places) == 1 else None
    passages = graph.passages([place.chunk_id]) if place else {}
    if place is None or place.chunk_id not in passages:
        raise InputError("The fact has no sentence.", cure=("Give the place of the sentence: chunk, start and end."))
    text = passages[place.chunk_id].text
    if not 0 <= place.start < place.end <= len(text) or not text[place.start : place.end].strip():
        raise InputError("The sentence is not within its chunk.", cure=f"The chunk has {len(text)} characters.")
    sides = (
        most_frequent(side, _ids_in_document(side, passages[place.chunk_id].document_id)) for side in (subject, object_)
    )
    editor.take("stated", *sides, places=[place], name=_checked_value(row, MOST_PREDICATE), note=row.note)


def _ids_in_document(mentions: Sequence[MentionRow], document_id: str) -> set[str]:
    """The ids of the mentions of a document; an undo does not change them."""
    return {mention.id for mention in mentions if mention.document_id == document_id}


def _checked_value(row: Correction, most: int) -> str:
    value = " ".join(row.value.split())
    if not name_key(value) or len(value) > most:
        what = {"name": "name", "type": "type"}.get(row.kind, "predicate")
        raise InputError(f"{value[:40]!r} is not a {what}.", cure=f"Give 1 to {most} characters, with a letter.")
    return value


def most_frequent(rows: Sequence[MentionRow], first: Set[str] = frozenset()) -> list[MentionRow]:
    """At most MOST_NAMES mentions of an entity to store with a correction: those in `first`, then by frequency."""
    return sorted(rows, key=lambda row: (row.id not in first, -row.count, row.id))[:MAX_MENTIONS_PER_SIDE]
