"""Facts and their sentences in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from filigraph.graph.model.extraction import Origin
from filigraph.graph.records.entities import AlikeNames, NamedBeside, NamedEnds, NamedFact


@dataclass(frozen=True, kw_only=True)
class FactHit:
    """A fact that a search found."""

    fact_id: str
    cosine: float
    subject_id: str
    object_id: str
    text: str
    chunk_ids: tuple[str, ...]  # sorted


@dataclass(frozen=True, kw_only=True)
class FactSentence:
    """A sentence that states a fact, and its place."""

    chunk_id: str
    document_id: str
    source: str
    place: str
    sentence: str
    start: int
    end: int
    origin: Origin
    according_to: str = ""  # who in the text asserts it; "" if the text itself does
    premises: tuple[str, ...] = ()  # the other sentences that an implied fact follows from
    date: str = ""  # of the document
    when: str = ""  # date of the statement, as written; "" if there is none
    when_date: str = ""  # that date as ISO 8601


@dataclass(frozen=True, kw_only=True)
class DetailFact(NamedFact):
    """A fact with every sentence that supports it."""

    text: str
    weight: int
    denied: bool  # its predicate denies
    sentences: tuple[FactSentence, ...]

    @property
    def only_near(self) -> bool:
        """Whether it is not a fact, but two names near each other in a text: it has no id."""
        return not self.fact_id


@dataclass(frozen=True, kw_only=True)
class Statement(NamedFact):
    """A fact as stated by one sentence, with its voice."""

    subject_type: str
    object_type: str
    denied: bool  # its predicate denies
    sentence: str
    place: str
    chunk_id: str
    start: int
    end: int
    document_id: str
    source: str
    language: str
    author: str  # of the document, from its metadata; "" if unknown
    date: str  # of the document; "" if unknown
    according_to: str  # who in the text asserts it; "" if the text itself does
    when: str  # date of the statement, as written; "" if there is none
    when_date: str  # that date as ISO 8601

    @property
    def voice(self) -> str:
        """The voice: who asserts it in the text, else the author of the document, else the document."""
        return self.according_to or self.author or self.source


@dataclass(frozen=True, kw_only=True)
class SourcePassage:
    """A chunk with its voice and the entities that it names."""

    chunk_id: str
    document_id: str
    index: int
    start: int  # in the document
    text: str
    language: str
    source: str
    author: str
    date: str
    entities: tuple[str, ...]  # ids

    @property
    def voice(self) -> str:
        """The voice of statements that nobody in the text asserts."""
        return self.author or self.source


@dataclass(frozen=True, kw_only=True)
class NamedSentence:
    """A sentence with its voice and the entities that it names."""

    sentence: str
    language: str
    place: str
    document_id: str
    source: str
    author: str
    date: str
    entities: frozenset[str]  # ids


@dataclass(frozen=True, kw_only=True)
class Connection:
    """A chain of facts from one entity to another."""

    facts: tuple[DetailFact, ...]  # each with its first sentence
    hubs: tuple[str, ...]  # names of the hubs that it passes, if there is no other way
    alike: tuple[AlikeNames, ...] = ()  # gaps: no entity joins two facts, or an end and a fact
    named: tuple[NamedBeside, ...] = ()  # steps to an entity that the sentence of a fact names beside its ends

    @property
    def passes_text(self) -> bool:
        """Whether it passes names that are only near each other in a text."""
        return any(fact.only_near for fact in self.facts)


@dataclass(frozen=True, kw_only=True)
class Regrouped:
    """An entity of one view, and the entities of the other that have its names."""

    name: Annotated[str, Field(description="Its name.")]
    others: Annotated[tuple[str, ...], Field(description="Their names.")]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How the second of two views differs from the first."""

    joined: tuple[Regrouped, ...]  # entities of the second that are several in the first
    parted: tuple[Regrouped, ...]  # entities of the first that are several in the second
    renamed: tuple[Regrouped, ...]  # entities of the second that have another name in the first
    entities_came: tuple[str, ...]  # none of their names is in the first
    entities_gone: tuple[str, ...]
    facts_came: tuple[DetailFact, ...]  # the best supported first; without those that only name two together
    facts_gone: tuple[DetailFact, ...]


@dataclass(frozen=True, kw_only=True)
class EntityDetail:
    """An entity with all its details."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: int
    chunks: int
    facts: tuple[DetailFact, ...]  # most supported first


@dataclass(frozen=True, kw_only=True)
class ChainEnds:
    """Two facts that share an entity, with their other ends."""

    first_id: str
    first: str
    last_id: str
    last: str
    language: str  # language of the document with the first fact


@dataclass(frozen=True, kw_only=True)
class NearFact(NamedFact):
    """A fact near an entity."""

    weight: Annotated[int, Field(description="How many sentences support it.")]
    together: Annotated[bool, Field(description="The two are only named together.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    own: Annotated[bool, Field(description="No text says it: a person states it.")]
    dates: Annotated[
        list[str], Field(description="When it is so: ISO 8601, --03-12 without a year, as written where relative.")
    ]
    hop: Annotated[int, Field(description="1: of the entity itself; 2: of one of its neighbours.")]


@dataclass(frozen=True, kw_only=True)
class FactEnds:
    fact_id: str
    subject_id: str
    predicate: str
    object_id: str
    mention_ids: tuple[str, ...]  # of its two ends, at the places of the fact


@dataclass(frozen=True, kw_only=True)
class DatedFact(NamedFact):
    """A fact whose sentence names a date."""

    date: Annotated[str, Field(description="The day, month or year, as ISO 8601.")]
    own: Annotated[bool, Field(description="The sentence does not say it: a person states it.")] = False
    sentence: Annotated[str, Field(description="The sentence that names the date.")]
    place: Annotated[str, Field(description="Page, chapter, paragraph of the sentence, as far as it has them.")] = ""
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    document_id: Annotated[str, Field(description="That document.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]


@dataclass(frozen=True, kw_only=True)
class WholeEntity:
    """An entity in a picture of the whole graph."""

    id: str
    name: str
    type: str
    chunks: int  # that mention it: its weight
    facts: int


@dataclass(frozen=True, kw_only=True)
class WholeFact:
    """A fact in a picture of the whole graph."""

    id: str
    subject_id: str
    predicate: str
    object_id: str
    relation: str  # its relationship type in Neo4j
    weight: int
    denied: bool = False  # its predicate denies


@dataclass(frozen=True, kw_only=True)
class Whole:
    """The heaviest entities of a graph, and the best supported facts between them."""

    revision: str
    entities: tuple[WholeEntity, ...]
    facts: tuple[WholeFact, ...]
    total_entities: int  # that have a fact
    total_facts: int  # without facts that only name two together


@dataclass(frozen=True, kw_only=True)
class ListedFact(NamedEnds):
    """A fact in a list."""

    id: Annotated[str, Field(description="Its id.")]
    weight: Annotated[int, Field(description="How many sentences say it.")]
    text: Annotated[str, Field(description="The fact in words.")]
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")]
    own: Annotated[bool, Field(description="No text says it: a person states it.")]
    dates: Annotated[
        list[str], Field(description="When it is so: ISO 8601, --03-12 without a year, as written where relative.")
    ]
