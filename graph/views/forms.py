"""The fields of a form in a view: values with visible evidence only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from filigraph.graph.forms.check import occurrences
from filigraph.graph.model.forms import FieldValue
from filigraph.graph.records.entities import EndEntity, NamedFact
from filigraph.graph.records.forms import FieldPlace, FilledField
from filigraph.graph.store.workspace.forms import MAX_FACTS_PER_SENTENCE
from filigraph.graph.text.words import fold
from filigraph.graph.views.derived import DerivedView


def visible_fields(fields: Sequence[FilledField], derived: DerivedView) -> tuple[FilledField, ...]:
    """The fields with their visible values. A field is open if its evidence is hidden, if its value is a name that the
    view does not have, or if a person gave a value that no visible sentence contains. Notes are left out, because they
    may contain hidden information.
    """
    return tuple(_visible_field(entry, derived) for entry in fields)


def _visible_field(entry: FilledField, derived: DerivedView) -> FilledField:
    if entry.value is None:
        return entry
    places = tuple(_as_named(place, derived) for place in entry.places if place.chunk_id in derived.chunks)
    if not _is_visible_value(entry, entry.value, places, derived):
        return replace(entry, value=None, places=())
    value = replace(entry.value, note="")
    if value.corrected is not None:
        value = replace(value, values=(), normalized="")  # its earlier value may depend on something else
    return replace(entry, value=value, places=places)


def _is_visible_value(
    entry: FilledField, value: FieldValue, places: Sequence[FieldPlace], derived: DerivedView
) -> bool:
    """Whether a value follows from visible sentences only."""
    if value.corrected is not None:
        return bool(value.corrected) and _is_stated(value.corrected, places)
    if value.state == "passages":
        return bool(places)
    if len(places) < len(entry.places):
        return False
    if entry.field.type == "entity" or value.state == "proposed":  # with the name that the whole workspace uses
        return _is_stated(value.values, places) or _is_named(value.values, places, derived)
    return True


def _is_stated(values: Sequence[str], places: Sequence[FieldPlace]) -> bool:
    """Whether a sentence contains each of the values."""
    return all(any(occurrences(value, place.text) for place in places) for value in values)


def _is_named(values: Sequence[str], places: Sequence[FieldPlace], derived: DerivedView) -> bool:
    """Whether each value is a name of an entity in the sentences."""
    entities = [derived.entities[id_] for place in places for id_ in derived.named_in(place)]
    names = {fold(name) for entity in entities for name in (entity.name, *entity.aliases)}
    return all(fold(value) in names for value in values)


def _as_named(place: FieldPlace, derived: DerivedView) -> FieldPlace:
    """The sentence with the entities of its value and its facts in the view."""
    before = {fold(entity.name) for entity in place.entities}
    entities = [derived.entities[id_] for id_ in sorted(derived.named_in(place))]
    valued = {entity.id for entity in entities if {fold(name) for name in (entity.name, *entity.aliases)} & before}
    return replace(
        place,
        entities=tuple(EndEntity(id=entity.id, name=entity.name) for entity in entities if entity.id in valued),
        facts=tuple(_facts(place, derived)),
    )


def _facts(place: FieldPlace, derived: DerivedView) -> list[NamedFact]:
    stated = sorted(
        (start, fact.id)
        for start, end, fact in derived.facts_by_chunk.get(place.chunk_id, ())
        if start < place.end and place.start < end
    )
    facts = [derived.facts[id_].fact for id_ in dict.fromkeys(id_ for _, id_ in stated)][:MAX_FACTS_PER_SENTENCE]
    return [
        NamedFact(
            fact_id=fact.id,
            subject_id=fact.subject_id,
            subject=derived.entities[fact.subject_id].name,
            predicate=fact.predicate,
            object_id=fact.object_id,
            object=derived.entities[fact.object_id].name,
        )
        for fact in facts
    ]
