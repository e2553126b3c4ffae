"""Requests and responses of the routes of forms."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import In, Out
from filigraph.graph.model.usage import Usage
from filigraph.graph.records.forms import FieldPlace, FilledField, FilledForm, FormRow
from filigraph.graph.transfer.forms import ShownState, state_of

Writer = Annotated[
    Literal["auto", "llm", "facts"],
    Field(description="llm: an LLM; facts: proposals from the facts; auto: the LLM if one answers."),
]
About = Annotated[
    str, Field(max_length=200, description="The person or thing that the form is about, if it needs one.")
]
Language = Annotated[
    str,
    Field(
        max_length=2,
        pattern="^([a-z]{2})?$",
        description="Language of the questions; empty: the language of most documents.",
    ),
]


class FormIn(In):
    """A form."""

    form: Annotated[str, Field(max_length=64_000, description="YAML or JSON: docs/forms.md.")]


class FillIn(In):
    """How to fill a form."""

    about: About = ""
    writer: Writer = "auto"
    language: Language = ""
    priority: Annotated[int, Field(ge=-100, le=100, description="The job with the highest priority runs first.")] = 0


class ValueIn(In):
    """A person's own value."""

    values: Annotated[
        list[Annotated[str, Field(max_length=2000)]],
        Field(max_length=100, description="One value, or several for a list; none leaves the field empty."),
    ]
    about: About = ""


class FillOut(Out):
    """The entity for which a form was filled."""

    about: Annotated[str, Field(description="The subject; empty: all documents.")]
    states: Annotated[list[ShownState], Field(description="The states of its values.")]


class FormRowOut(BaseModel):
    """A form in short."""

    name: Annotated[str, Field(description="Its name.")]
    title: Annotated[str, Field(description="Its title.")]
    fields: Annotated[int, Field(description="Number of fields.")]
    ready: Annotated[bool, Field(description="It comes with Filigraph.")]
    about_one: Annotated[bool, Field(description="It needs a subject, given when it is filled.")]
    fills: Annotated[list[FillOut], Field(description="The subjects for which it was filled.")]

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


class FieldOut(Out):
    """A field with its value."""

    id: Annotated[str, Field(description="The field's id.")]
    question: Annotated[str, Field(description="The question.")]
    type: Annotated[
        Literal["text", "date", "number", "enum", "list", "entity"], Field(description="The type of its value.")
    ]
    required: Annotated[bool, Field(description="The form is not complete without it.")]
    group: Annotated[str, Field(description="Its group.")]
    help: Annotated[str, Field(description="An explanation of the question.")]
    options: Annotated[list[str], Field(description="The values of an enum.")]
    state: Annotated[
        ShownState,
        Field(
            description=(
                "open: not asked yet; not_found: the texts do not say it, or the LLM's value is in no text; "
                "proposed: from the facts; passages: no value, only passages; corrected: a person's own "
                "value."
            )
        ),
    ]
    values: Annotated[list[str], Field(description="Its values; several for a list.")]
    normalized: Annotated[str, Field(description="A date as ISO 8601, a number with its unit.")]
    original: Annotated[list[str], Field(description="For a corrected field: the values before.")]
    note: Annotated[str, Field(description="A note, or the reason why there is no value.")]
    recipe: Annotated[str, Field(description="The model that filled it, or the facts.")]
    evidence: Annotated[
        list[FieldPlace], Field(description="The sentences that support the value, or the nearest passages.")
    ]

    @classmethod
    def of(cls, filled: FilledField) -> FieldOut:
        """A field of a form."""
        value = filled.value
        corrected = value is not None and value.corrected is not None
        result = {
            "options": filled.field.values,
            "state": state_of(filled),
            "values": value.shown if value else [],
            "normalized": value.normalized if value and not corrected else "",
            "original": value.values if value and corrected else [],
            "note": value.note if value else "",
            "recipe": value.recipe if value else "",
            "evidence": filled.places,
        }
        return cls.model_validate(vars(filled.field) | result)


class FormOut(BaseModel):
    """A form with the values of its fields."""

    name: Annotated[str, Field(description="Its name.")]
    title: Annotated[str, Field(description="Its title.")]
    about: Annotated[str, Field(description="The subject; empty: all documents.")]
    text: Annotated[str, Field(description="The text of the form, YAML or JSON.")]
    fields: Annotated[list[FieldOut], Field(description="Its fields, in order.")]

    @classmethod
    def of(cls, filled: FilledForm) -> FormOut:
        """A filled form."""
        form = filled.form
        fields = [FieldOut.of(field) for field in filled.fields]
        return cls(name=form.name, title=form.title, about=filled.about, text=form.text, fields=fields)


class FillEstimateOut(BaseModel):
    """The cost of filling a form."""

    writer: Annotated[str, Field(description="Who would fill it: an LLM or the facts.", examples=["llm:mistral"])]
    fields: Annotated[int, Field(description="Number of fields.")]
    kept: Annotated[int, Field(description="Of these, fields that are current or filled by a person.")]
    usage: Annotated[Usage, Field(description="Expected LLM usage for the others.")]
    cost: Annotated[float | None, Field(description="Cost at the configured prices; null without prices.")]
