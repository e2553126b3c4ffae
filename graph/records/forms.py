"""Forms and their values in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.forms import FieldValue, Form, FormField
from filigraph.graph.records.entities import EndEntity, NamedFact


@dataclass(frozen=True, kw_only=True)
class FillRow:
    """The subject for which a form was filled."""

    form: str
    about: str
    states: tuple[str, ...]  # of its values; "corrected" if a person's own value prevails


@dataclass(frozen=True, kw_only=True)
class FieldPlace:
    """A sentence that supports a value."""

    chunk_id: Annotated[str, Field(description="The passage's id.")]
    start: Annotated[int, Field(description="Start of the sentence in the passage.")]
    end: Annotated[int, Field(description="End of the sentence.")]
    text: Annotated[str, Field(description="The sentence.")]
    place: Annotated[str, Field(description="The page or chapter.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    title: Annotated[str, Field(description="Its title.")]
    source: Annotated[str, Field(description="The source under which it was ingested.")]
    entities: Annotated[Sequence[EndEntity], Field(description="The entities that the value names there.")]
    facts: Annotated[Sequence[NamedFact], Field(description="The facts that the sentence states.")]


@dataclass(frozen=True, kw_only=True)
class FilledField:
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
