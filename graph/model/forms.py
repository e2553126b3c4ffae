"""Forms, their fields and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["text", "date", "number", "enum", "list", "entity"]
FieldState = Literal["open", "found", "not_found", "proposed", "passages"]  # see FieldValue


@dataclass(frozen=True, kw_only=True)
class FormField:
    id: str
    question: str
    type: FieldType
    required: bool = False
    group: str = ""
    help: str = ""
    values: tuple[str, ...] = ()  # of an enum


@dataclass(frozen=True, kw_only=True)
class Form:
    name: str
    title: str
    fields: tuple[FormField, ...]
    text: str  # the file, in all its languages
    about_one: bool = False  # its questions have a subject, given when it is filled: "Where was {about} born?"


@dataclass(frozen=True, kw_only=True)
class FieldEvidence:
    """The sentence that supports a value: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int
    value_start: int = 0  # where the value occurs in the chunk; equal if it does not occur word for word
    value_end: int = 0


@dataclass(frozen=True, kw_only=True)
class FieldValue:
    """The value of a field of a form.

    open        it was not asked yet, or its evidence was deleted
    found       the LLM's value, supported by its evidence
    not_found   the texts do not say it, or the LLM's value occurs in no text
    proposed    a proposal from the facts, without an LLM
    passages    no value; its evidence is the passages nearest to the question
    """

    form: str
    about: str  # the subject of the form; "" for all documents
    field: str
    state: FieldState
    values: tuple[str, ...] = ()  # one; several of a list
    normalized: str = ""  # a date as ISO 8601, a number with its unit: "900 FRF"
    note: str = ""
    key: str = ""  # hash of the question, the model and the passages: nothing is paid for twice
    recipe: str = ""  # who filled it: "llm:mistral:5f0c", "facts:1"
    evidence: tuple[FieldEvidence, ...] = ()
    corrected: tuple[str, ...] | None = None  # a person's own value, which prevails; None: not corrected

    @property
    def shown(self) -> tuple[str, ...]:
        return self.values if self.corrected is None else self.corrected
