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
    """A statement that an extractor read in a chunk, as written there."""

    subject: str
    predicate: str
    object: str
    start: int  # the sentence that states it: chunk.text[start:end]
    end: int
    subject_type: str = ""  # only if an LLM or a schema gave it: a type is a guard in resolution
    object_type: str = ""
    origin: Origin = "explicit"
    according_to: str = ""  # who in the text asserts it, as written; "" if the text itself does
    premises: tuple[Span, ...] = ()  # the other sentences that an implied triplet follows from
    when: str = ""  # the date of the statement, as written: "12 March 1912", "le lendemain"; "" if there is none
    when_date: str = ""  # that date as ISO 8601: 1912-03-12, 1912-03, 1912; --03-12 without its year; "" if relative


@dataclass(frozen=True, kw_only=True)
class Alias:
    """Two names that a document states to be one: "The Claw, dite La Griffe". Valid within that document."""

    first: str
    second: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class CodeUnit:
    """The syntactic unit of a chunk of source code."""

    kind: str  # function, method, class, type, or module: the code between those
    name: str  # in its file: "Client.send"
    signature: str  # on one line
    docstring: str  # or the comment above it
    complexity: int  # cyclomatic; 0 for a module


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """All that an extractor read in a chunk, stored under `key`, so that no call is paid twice."""

    key: str  # hash of (text, context, extractor with model, prompt and schema); "": nothing was read
    extractor: str  # "llm:mistral", "local", "triples"
    triplets: tuple[Triplet, ...] = ()
    aliases: tuple[Alias, ...] = ()
    names: tuple[str, ...] = ()  # names in no triplet, as written
    types: Mapping[str, str] = field(default_factory=dict)  # of names that no triplet types, if an LLM gave it
    note: str = ""  # why there are no triplets, or not all; "" if there is nothing to report
    counts: Mapping[str, int] = field(default_factory=dict)  # what was dropped or is unusual, and how often
    unit: CodeUnit | None = None  # of source code
