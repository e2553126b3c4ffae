"""Extractions: what an extractor read in a chunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from filigraph.graph.model.arrays import Span

Origin = Literal["explicit", "implied", "cooccurrence", "own"]  # own: a person states it of a sentence
PremiseMark = Literal["", "text", "title", "head", "end"]  # see Hop


@dataclass(frozen=True, kw_only=True)
class Triplet:
    """What an extractor read in a chunk, as written there."""

    subject: str
    predicate: str
    object: str
    start: int  # the sentence that says it: chunk.text[start:end]
    end: int
    subject_type: str = ""  # only where an LLM or a schema gave it: a type is a guard in resolution
    object_type: str = ""
    origin: Origin = "explicit"
    according_to: str = ""  # who in the text asserts it, as written; "" where the text itself does
    premises: tuple[Span, ...] = ()  # of an implied one: the other sentences it follows from
    when: str = ""  # the date of what it says, as written: "12 March 1912", "le lendemain"; "" where none is said
    when_date: str = ""  # that date as ISO 8601: 1912-03-12, 1912-03, 1912; --03-12 without its year; "" if relative


@dataclass(frozen=True, kw_only=True)
class Alias:
    """Two names that a document itself says are one: "The Claw, dite La Griffe". Holds within that document."""

    first: str
    second: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class CodeUnit:
    """The syntactic unit of a chunk of source code."""

    kind: str  # function, method, class, type, or module: what is between those
    name: str  # in its file: "Client.send"
    signature: str  # on one line
    docstring: str  # or the comment above it
    complexity: int  # cyclomatic; 0 of a module


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """Everything that one extractor read in one chunk, stored under `key`, so that no call is paid twice."""

    key: str  # hash of (text, what came before it, extractor with model, prompt and schema); "": nothing was read
    extractor: str  # "llm:mistral", "local", "triples"
    triplets: tuple[Triplet, ...] = ()
    aliases: tuple[Alias, ...] = ()
    names: tuple[str, ...] = ()  # names seen that take part in no triplet, as written
    types: Mapping[str, str] = field(default_factory=dict)  # of names that no triplet types, where an LLM gave it
    note: str = ""  # why there are no triplets, or not all; "" where there is nothing to say
    counts: Mapping[str, int] = field(default_factory=dict)  # what was dropped or is unusual, and how often
    unit: CodeUnit | None = None  # of source code
