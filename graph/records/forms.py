"""Forms and their values in the store."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.model.forms import FieldValue, Form, FormField
from filigraph.graph.records.entities import NamedFact


@dataclass(frozen=True, kw_only=True)
class FillRow:
    """The subject for which a form was filled."""

    form: str
    about: str
    states: tuple[str, ...]  # of its values; "corrected" if a person's own value prevails


@dataclass(frozen=True, kw_only=True)
class FieldPlace:
    """A sentence that supports a value."""

    chunk_id: str
    start: int  # offset in the chunk
    end: int
    text: str
    place: str
    document_id: str
    title: str
    source: str
    entities: tuple[tuple[str, str], ...]  # entities that the value names: id, name
    facts: tuple[NamedFact, ...]


@dataclass(frozen=True, kw_only=True)
class FilledField:
    """A field with its value."""

    field: FormField
    value: FieldValue | None  # None: not asked yet
    places: tuple[FieldPlace, ...]


@dataclass(frozen=True, kw_only=True)
class FilledForm:
    """A form with the values of its fields."""

    form: Form
    about: str
    fields: tuple[FilledField, ...]


@dataclass(frozen=True, kw_only=True)
class FormRow:
    """A form of a workspace."""

    form: Form
    ready: bool  # it comes with Filigraph
    fills: tuple[FillRow, ...]
