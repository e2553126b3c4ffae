"""Entities, mentions and names as the store keeps and finds them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NamedEnds:
    """A fact with the names of its entities."""

    subject_id: str
    subject: str
    predicate: str
    object_id: str
    object: str


@dataclass(frozen=True, kw_only=True)
class NamedFact(NamedEnds):
    """A fact by its id, with the names of its entities."""

    fact_id: str


@dataclass(frozen=True, kw_only=True)
class ScannedRow:
    """A mention that only the scan found."""

    id: str
    form: str
    language: str
    places: tuple[tuple[str, str], ...]  # the text at each, and the language of its chunk


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
    looked_up: str  # the form in which its name was last looked for in all chunks, "" where it was not
    count: int  # occurrences; 0 until the next sweep where it occurs nowhere any more
    entity_id: str  # "" if it refers to none yet
    part_of: str = ""  # the mention from which a person split this one off


@dataclass(frozen=True, kw_only=True)
class EntityRow:
    """An entity without its vector."""

    name: str
    aliases: tuple[str, ...]
    type: str


@dataclass(frozen=True, kw_only=True)
class EntityHit:
    """An entity whose name is like another."""

    entity_id: str
    name: str
    chunks: int  # how many mention it
    cosine: float


@dataclass(frozen=True, kw_only=True)
class NamedEntity:
    """An entity with a name."""

    key: str
    entity_id: str
    name: str
    chunks: int  # how many chunks mention it


@dataclass(frozen=True, kw_only=True)
class AlikeNames:
    """Two entities whose names are alike, and may be one's, after so many facts of a chain."""

    after: int
    first_id: str
    first: str
    other_id: str
    other: str


@dataclass(frozen=True, kw_only=True)
class NamedBeside:
    """An entity that the sentence of a fact names beside its ends."""

    fact: int  # its number in the chain, from 0
    id: str
    name: str


@dataclass(frozen=True, kw_only=True)
class ListedEntity:
    """An entity that is named in a list."""

    id: str
    name: str
    chunks: int  # that mention it


@dataclass(frozen=True, kw_only=True)
class FoundEntity:
    """An entity that was looked for by a name."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    chunks: int  # how many mention it
    facts: int


@dataclass(frozen=True, kw_only=True)
class FirstPlace:
    """The first place of a name in its document: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class NameForm:
    """A name of an entity, as one document writes it."""

    id: str  # of the mention
    form: str
    count: int  # how often
    document_id: str
    title: str
    source: str
    first: FirstPlace


@dataclass(frozen=True, kw_only=True)
class NamePlace:
    """A name as one document uses it, with the sentence in which it occurs first. Only `id` and `form` are known of one
    that occurs nowhere any more."""

    id: str  # of the mention
    form: str = ""
    type: str = ""
    count: int = 0  # places
    document_id: str = ""
    title: str = ""
    source: str = ""
    entity_id: str = ""
    entity: str = ""  # its name
    chunk_id: str = ""
    start: int = 0  # of the sentence in the chunk
    end: int = 0
    sentence: str = ""
    place: str = ""  # of the sentence


@dataclass(frozen=True, kw_only=True)
class PlaceRow:
    """Where a name of an entity occurs: `chunk.text[start:end]`."""

    mention_id: str
    form: str  # as it is written there
    document_id: str
    source: str
    chunk_id: str
    start: int
    end: int
    sentence: str
    place: str  # of the sentence


@dataclass(frozen=True, kw_only=True)
class MentioningChunk:
    """A chunk that mentions some entities, without its text."""

    chunk_id: str
    document_id: str
    source: str
    title: str
    start: int  # in the document
    end: int
    occurrences: tuple[tuple[str, int, int], ...]  # entity, where its name is in the chunk; in their order


@dataclass(frozen=True, kw_only=True)
class NameDecision:
    """A decision about a name of an entity and another name."""

    form: str
    other: str
    same: bool
    rule: str
    score: float
    by: str  # "rule" or "person"
    id: str  # of the person's decision; "" of a rule's
    review: bool  # a near miss, which a person should look at
    other_id: str  # the entity that the other name refers to; the same one where they are the same
    other_name: str
    reason: str = ""  # the sentence that an LLM gave for it


@dataclass(frozen=True, kw_only=True)
class EntityNames:
    """Why the names of an entity are one."""

    forms: tuple[NameForm, ...]  # the most frequent first
    decisions: tuple[NameDecision, ...]  # those that joined first
