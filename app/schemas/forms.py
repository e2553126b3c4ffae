"""What the routes of forms take and give."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.app.schemas.documents import UsageOut
from filigraph.graph.records.entities import NamedFact
from filigraph.graph.records.forms import FilledField, FilledForm, FormRow
from filigraph.graph.transfer.forms import ShownState, state_of

Writer = Annotated[
    Literal["auto", "llm", "facts"],
    Field(description="An LLM, the facts (proposals), or the LLM if one answers."),
]
About = Annotated[
    str, Field(max_length=200, description="The person or thing that the form is about, if it needs one.")
]
Language = Annotated[
    str,
    Field(max_length=2, pattern="^([a-z]{2})?$", description="Of the questions; empty: that of most documents."),
]


class FormIn(In):
    """A form."""

    form: Annotated[str, Field(max_length=64_000, description="YAML or JSON: docs/forms.md.")]


class FillIn(In):
    """How a form is to be filled."""

    about: About = ""
    writer: Writer = "auto"
    language: Language = ""
    priority: Annotated[int, Field(ge=-100, le=100, description="The highest goes first.")] = 0


class ValueIn(In):
    """A person's own value."""

    values: Annotated[
        list[Annotated[str, Field(max_length=2000)]],
        Field(max_length=100, description="One, or several for a list; none: the field is empty."),
    ]
    about: About = ""


class FillOut(Out):
    """What a form was filled for."""

    about: Annotated[str, Field(description="The person or thing; empty: all the documents.")]
    states: Annotated[list[ShownState], Field(description="Of its values.")]


class FormRowOut(BaseModel):
    """A form in short."""

    name: Annotated[str, Field(description="Its name.")]
    title: Annotated[str, Field(description="Its title.")]
    fields: Annotated[int, Field(description="How many fields it has.")]
    ready: Annotated[bool, Field(description="It comes with Filigraph.")]
    about_one: Annotated[bool, Field(description="It is about one person or thing, which is named when it is filled.")]
    fills: Annotated[list[FillOut], Field(description="What it was filled for.")]

    @classmethod
    def of(cls, row: FormRow) -> FormRowOut:
        """A form of a workspace."""
        return cls(
            name=row.form.name,
            title=row.form.title,
            fields=len(row.form.fields),
            ready=row.ready,
            about_one=row.form.about_one,
            fills=[FillOut.model_validate(fill) for fill in row.fills],
        )


class FormsOut(BaseModel):
    """The forms of a workspace."""

    forms: Annotated[list[FormRowOut], Field(description="By name.")]


class FieldEntityOut(BaseModel):
    """An entity that a value names."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]


class FieldPlaceOut(Out):
    """A sentence that a value rests on."""

    chunk_id: Annotated[str, Field(description="The passage.")]
    start: Annotated[int, Field(description="Where it begins in the passage.")]
    end: Annotated[int, Field(description="Where it ends.")]
    text: Annotated[str, Field(description="The sentence.")]
    place: Annotated[str, Field(description="The page or chapter.")]
    document_id: Annotated[str, Field(description="The document.")]
    title: Annotated[str, Field(description="Its title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    entities: Annotated[list[FieldEntityOut], Field(description="The entities that the value names there.")]
    facts: Annotated[list[NamedFact], Field(description="The facts that the sentence states: its path.")]


class FieldOut(Out):
    """A field with what it holds."""

    id: Annotated[str, Field(description="The field's id.")]
    question: Annotated[str, Field(description="What it asks.")]
    type: Annotated[Literal["text", "date", "number", "enum", "list", "entity"], Field(description="What it holds.")]
    required: Annotated[bool, Field(description="The form is not complete without it.")]
    group: Annotated[str, Field(description="Its group.")]
    help: Annotated[str, Field(description="What is meant.")]
    options: Annotated[list[str], Field(description="The values of an enum.")]
    state: Annotated[
        ShownState,
        Field(
            description="open: not asked yet; not_found: the texts do not say it, or the value stood in none; "
            "proposed: read off the facts; passages: no value, but where to look; corrected: a person's own value."
        ),
    ]
    values: Annotated[list[str], Field(description="What it holds; of a list several.")]
    normalized: Annotated[str, Field(description="A date as ISO 8601, a number with its unit.")]
    original: Annotated[list[str], Field(description="Of a corrected one: what it held before.")]
    note: Annotated[str, Field(description="What a reader must know, or why there is no value.")]
    recipe: Annotated[str, Field(description="Who filled it.")]
    evidence: Annotated[list[FieldPlaceOut], Field(description="The sentences that say it, or where to look.")]

    @classmethod
    def of(cls, filled: FilledField) -> FieldOut:
        """A field of a form."""
        value, places = filled.value, []
        for place in filled.places:
            named = {name: getattr(place, name) for name in FieldPlaceOut.model_fields if name != "entities"}
            entities = [FieldEntityOut(id=id_, name=name) for id_, name in place.entities]
            places.append(FieldPlaceOut.model_validate({**named, "entities": entities}, from_attributes=True))
        corrected = value is not None and value.corrected is not None
        return cls(
            id=filled.field.id,
            question=filled.field.question,
            type=filled.field.type,
            required=filled.field.required,
            group=filled.field.group,
            help=filled.field.help,
            options=list(filled.field.values),
            state=state_of(filled),
            values=list(value.shown) if value else [],
            normalized=value.normalized if value and not corrected else "",
            original=list(value.values) if value and corrected else [],
            note=value.note if value else "",
            recipe=value.recipe if value else "",
            evidence=places,
        )


class FormOut(BaseModel):
    """A form with what its fields hold."""

    name: Annotated[str, Field(description="Its name.")]
    title: Annotated[str, Field(description="Its title.")]
    about: Annotated[str, Field(description="The person or thing that it is about; empty: all the documents.")]
    text: Annotated[str, Field(description="The form itself, YAML or JSON.")]
    fields: Annotated[list[FieldOut], Field(description="Its fields, in order.")]

    @classmethod
    def of(cls, filled: FilledForm) -> FormOut:
        """A filled form."""
        form = filled.form
        fields = [FieldOut.of(field) for field in filled.fields]
        return cls(name=form.name, title=form.title, about=filled.about, text=form.text, fields=fields)


class FillEstimateOut(BaseModel):
    """What filling a form would take."""

    writer: Annotated[str, Field(description="Who would fill it.", examples=["llm:mistral"])]
    fields: Annotated[int, Field(description="How many fields it has.")]
    kept: Annotated[int, Field(description="Of them, those that are up to date or a person's own.")]
    usage: Annotated[UsageOut, Field(description="What would be asked of the LLM for the rest.")]
    cost: Annotated[float | None, Field(description="By the prices that are set; null where none is.")]
