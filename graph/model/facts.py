"""Entities and facts, derived from extractions and decisions."""

from __future__ import annotations

from dataclasses import dataclass

from filigraph.graph.model.arrays import Span
from filigraph.graph.model.extraction import Origin


@dataclass(frozen=True, kw_only=True)
class Entity:
    """The thing that a group of mentions refers to."""

    id: str  # hash(smallest member mention id)
    name: str  # the most frequent proper-name form without epithet; ties by code point
    aliases: tuple[str, ...]  # every form, sorted
    type: str
    mention_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Support:
    """The sentence that states a fact: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int
    origin: Origin
    according_to: str = ""  # as in Triplet
    premises: tuple[Span, ...] = ()  # as in Triplet
    when: str = ""  # as in Triplet
    when_date: str = ""  # as in Triplet


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One distinct (entity, predicate, entity), with every sentence that supports it."""

    id: str  # hash(subject entity, predicate, object entity)
    subject_id: str
    predicate: str  # normalized, as written in the chunk's language: "porte", "was born in"
    object_id: str
    text: str  # verbalized: "Jules porte chevalière"
    supports: tuple[Support, ...]


@dataclass(frozen=True, kw_only=True)
class CorrectedFact:
    """A fact of a chunk that a person corrected or stated, stored with the chunk so that an undo finds it."""

    subject_id: str
    original_predicate: str  # as read, before folds; "" if a person stated the fact
    object_id: str
    predicate: str  # the corrected predicate; "" if the fact is wrong
