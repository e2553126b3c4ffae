"""Entities, mentions and names in the store, and results of searches for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

DecidedBy = Literal["rule", "person"]


@dataclass(frozen=True, kw_only=True)
class NamedEnds:
    """The predicate of a fact and the names of its ends."""

    subject_id: Annotated[str, Field(description="The entity it is said of.")]
    subject: Annotated[str, Field(description="Its name.")]
    predicate: Annotated[str, Field(description="What is said.")]
    object_id: Annotated[str, Field(description="The other entity.")]
    object: Annotated[str, Field(description="Its name.")]


@dataclass(frozen=True, kw_only=True)
class NamedFact(NamedEnds):
    """A fact, with the names of its entities."""

    fact_id: Annotated[str, Field(description="The fact's id.")]


@dataclass(frozen=True, kw_only=True)
class ScannedRow:
    """A mention that only the scan found."""

    id: str
    form: str
    language: str
    places: tuple[tuple[str, str], ...]  # the text of each place, and the language of its chunk


@dataclass(frozen=True, kw_only=True)
class MentionRow:
    """A mention without its places."""

    id: str
    document_id: str
    key: str
    form: str
    type: str
    language: str
    scanned: bool  # found only by the scan for known names
    looked_up: str  # the form that the scan last looked for in all chunks, "" if it did not
    count: int  # occurrences; 0 until the next sweep if it occurs nowhere any more
    entity_id: str  # "" if it does not refer to one yet
    part_of: str = ""  # the mention of which it is a `Part`


@dataclass(frozen=True, kw_only=True)
class EntityRow:
    """An entity without its vector."""

    name: str
    aliases: tuple[str, ...]
    type: str


@dataclass(frozen=True, kw_only=True)
class EntityHit:
    """An entity with a name similar to another."""

    entity_id: str
    name: str
    chunks: int  # number that mention it
    cosine: float


@dataclass(frozen=True, kw_only=True)
class EndEntity:
    """An entity that a name may mean."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]


@dataclass(frozen=True, kw_only=True)
class NamedEntity:
    key: str
    entity_id: str
    name: str
    chunks: int  # number of chunks that mention it


@dataclass(frozen=True, kw_only=True)
class AlikeNames:
    """Two entities with similar names, which may be one."""

    after: Annotated[int, Field(description="After so many facts of the chain.")]
    first_id: Annotated[str, Field(description="The one entity's id.")]
    first: Annotated[str, Field(description="Its name.")]
    other_id: Annotated[str, Field(description="The other's id.")]
    other: Annotated[str, Field(description="Its name.")]


@dataclass(frozen=True, kw_only=True)
class NamedBeside:
    """An entity other than the ends of a fact that its sentence names."""

    fact: Annotated[int, Field(description="The fact's number in the chain, from 0.")]
    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]


@dataclass(frozen=True, kw_only=True)
class ListedEntity:
    """An entity in a list of names."""

    id: Annotated[str, Field(description="Its id.")]
    name: Annotated[str, Field(description="Its name.")]
    chunks: Annotated[int, Field(description="How many passages mention it.")]


@dataclass(frozen=True, kw_only=True)
class FoundEntity:
    """A result of a search by name."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty if unknown.")]
    aliases: Annotated[tuple[str, ...], Field(description="Every form of its name.")]
    chunks: Annotated[int, Field(description="How many chunks mention it.")]
    facts: Annotated[int, Field(description="How many facts it takes part in.")]


@dataclass(frozen=True, kw_only=True)
class FirstPlace:
    """The first place of a name in its document."""

    chunk_id: Annotated[str, Field(description="In this chunk.")]
    start: Annotated[int, Field(description="Where it begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]


@dataclass(frozen=True, kw_only=True)
class NameForm:
    """A name of an entity in one document."""

    id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As it is written.")]
    count: Annotated[int, Field(description="How often.")]
    document_id: Annotated[str, Field(description="In this document.")]
    title: Annotated[str, Field(description="The document's title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    first: Annotated[FirstPlace, Field(description="Where it occurs first.")]


@dataclass(frozen=True, kw_only=True)
class NamePlace:
    """A name in one document, with its first sentence. If it occurs nowhere any more, only `id` and `form` are
    known.
    """

    __pydantic_config__ = ConfigDict(json_schema_serialization_defaults_required=True)  # a response has all fields

    id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As written.")] = ""
    type: Annotated[str, Field(description="From an LLM or a schema; may be empty.")] = ""
    count: Annotated[int, Field(description="Number of occurrences in its document.")] = 0
    document_id: Annotated[str, Field(description="The document's id.")] = ""
    title: Annotated[str, Field(description="The document's title.")] = ""
    source: Annotated[str, Field(description="The name under which it was ingested.")] = ""
    entity_id: Annotated[str, Field(description="The id of its entity.")] = ""
    entity: Annotated[str, Field(description="That entity's name.")] = ""
    chunk_id: Annotated[str, Field(description="The first chunk with it.")] = ""
    start: Annotated[int, Field(description="Start of the sentence in the chunk, in code points.")] = 0
    end: Annotated[int, Field(description="End of the sentence.")] = 0
    sentence: Annotated[str, Field(description="The first sentence with it.")] = ""
    place: Annotated[
        str, Field(description="Page, chapter and paragraph of the sentence, if the document has them.")
    ] = ""


@dataclass(frozen=True, kw_only=True)
class PlaceRow:
    """A place of an entity's name: `chunk.text[start:end]`."""

    mention_id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As written there.")]
    document_id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    chunk_id: Annotated[str, Field(description="The chunk's id.")]
    start: Annotated[int, Field(description="Start of the name in the chunk, in code points.")]
    end: Annotated[int, Field(description="End of the name.")]
    sentence: Annotated[str, Field(description="The sentence around it.")]
    place: Annotated[
        str, Field(description="Page, chapter and paragraph of the sentence, if the document has them.")
    ] = ""


@dataclass(frozen=True, kw_only=True)
class MentioningChunk:
    """A chunk that mentions some entities, without its text."""

    chunk_id: str
    document_id: str
    source: str
    title: str
    start: int  # in the document
    end: int
    occurrences: tuple[tuple[str, int, int], ...]  # entity, start and end of its name in the chunk; in order


@dataclass(frozen=True, kw_only=True)
class NameDecision:
    """A decision about two names."""

    form: Annotated[str, Field(description="A name of the entity.")]
    other: Annotated[str, Field(description="The other name.")]
    same: Annotated[bool, Field(description="Whether they are one.")]
    rule: Annotated[str, Field(description="By which rule: exact, contained, vector, document-alias, guard:…")]
    score: Annotated[float, Field(description="1 for exact and persons, else the cosine of the names.")]
    by: Annotated[DecidedBy, Field(description="By whom.")]
    id: Annotated[str, Field(description="Of a person's decision: what undoes it; empty of a rule's.")]
    review: Annotated[bool, Field(description="A near miss, which a person should look at.")]
    other_id: Annotated[str, Field(description="The entity that the other name refers to.")]
    other_name: Annotated[str, Field(description="That entity's name.")]
    reason: Annotated[str, Field(description="The sentence that an LLM gave for it (rule reader).")] = ""


@dataclass(frozen=True, kw_only=True)
class EntityNames:
    """The names of an entity, and the decisions that join them."""

    forms: Annotated[tuple[NameForm, ...], Field(description="The most frequent first.")]
    decisions: Annotated[tuple[NameDecision, ...], Field(description="Those that joined first.")]
