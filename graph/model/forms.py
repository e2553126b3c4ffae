"""Forms, their fields and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["text", "date", "number", "enum", "list", "entity"]
FieldState = Literal["open", "found", "not_found", "proposed", "passages"]  # see FieldValue


@dataclass(frozen=True, kw_only=True)
class FormField:
    """A field of a form, in one language."""

    id: str
    question: str
    type: FieldType
    required: bool = False
    group: str = ""
    help: str = ""
    values: tuple[str, ...] = ()  # of an enum


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form, in one language."""

    name: str
    title: str
    fields: tuple[FormField, ...]
    text: str  # the file, in all its languages
    about_one: bool = False  # its questions are about one thing, named when it is filled: "Where was {about} born?"


@dataclass(frozen=True, kw_only=True)
class FieldEvidence:
    """The sentence that a value rests on: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int
    value_start: int = 0  # where the value occurs in the chunk; the same twice where it does not, word for word
    value_end: int = 0


@dataclass(frozen=True, kw_only=True)
class FieldValue:
    """What a field of a form holds.

    open        it was not asked yet, or what it rested on is gone
    found       the LLM's value, supported by its evidence
    not_found   the texts do not say it, or the LLM's value occurs in no text
    proposed    read off the facts, without an LLM: a proposal
    passages    no value; its evidence are the passages nearest to the question
    """

    form: str
    about: str  # what the form is about; "" where that is all the documents
    field: str
    state: FieldState
    values: tuple[str, ...] = ()  # one; of a list several
    normalized: str = ""  # a date as ISO 8601 has it, a number with its unit: "900 FRF"
    note: str = ""
    key: str = ""  # hash of what was asked, of whom, and of the passages: the same is never paid for twice
    recipe: str = ""  # who filled it: "llm:mistral:5f0c", "facts:1"
    evidence: tuple[FieldEvidence, ...] = ()
    corrected: tuple[str, ...] | None = None  # a person's own value, which prevails; None: nobody corrected it

    @property
    def shown(self) -> tuple[str, ...]:
        return self.values if self.corrected is None else self.corrected
