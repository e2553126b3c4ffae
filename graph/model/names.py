"""Mentions of names, corrections and decisions on them, and the resolution that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

StoredCorrectionKind = Literal[
    "same", "distinct", "split_off", "name", "type", "merge_predicates", "rejected", "relabelled", "stated"
]
CorrectionKind = Literal[  # split: stored as distinct and split_off
    "same", "distinct", "split", "name", "type", "rejected", "relabelled", "stated"
]
StoredKind = Literal["same", "apart", "part", "name", "type", "fold", "wrong", "restated", "stated"]
STORED_KINDS: dict[StoredCorrectionKind, StoredKind] = {  # in Neo4j, in exports, and in the hash that gives the id
    "same": "same",
    "distinct": "apart",
    "split_off": "part",
    "name": "name",
    "type": "type",
    "merge_predicates": "fold",
    "rejected": "wrong",
    "relabelled": "restated",
    "stated": "stated",
}


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A place of a name: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Mention:
    """One name, as one document uses it."""

    id: str  # hash(document, key, type)
    document_id: str
    key: str  # names.name_key(form)
    form: str  # as most often written in this document; ties by code point
    type: str  # "" unless an LLM or a schema gave one
    language: str
    occurrences: tuple[Occurrence, ...]
    scanned: bool = False  # found only by the scan for known names: Derived, not Read
    part_of: str = ""  # the mention of which it is a `Part`


UNTOLD = "untold"  # rule of a `Part` whose meaning the text does not show


@dataclass(frozen=True, kw_only=True)
class Part:
    """Places of a mention that become a separate mention: a person split them off, or the text shows whom they mean.

    If a person decided, `rule` and `bearers` are empty; otherwise they are the rule that decided, and a mention of the
    person meant. If nothing shows it, `bearers` are all persons whom the places may mean.
    """

    id: str  # of the part
    of: str  # the mention
    places: tuple[Occurrence, ...]
    rule: str = ""
    bearers: tuple[str, ...] = ()


class MentionLike(Protocol):
    """The fields of a mention that resolution needs."""

    @property
    def id(self) -> str: ...
    @property
    def document_id(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def count(self) -> int: ...  # places
    @property
    def part_of(self) -> str: ...  # the mention of which it is a `Part`; "" for all others


def are_alike(first: MentionLike, second: MentionLike) -> bool:
    """Whether two mentions are equal for all decisions."""
    return first is second or _compared_fields(first) == _compared_fields(second)


def _compared_fields(mention: MentionLike) -> tuple[str, str, str, str, str, int, str]:
    m = mention
    return m.id, m.document_id, m.key, m.form, m.type, m.count, m.part_of


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Two mentions are the same, or are not."""

    first: str  # mention ids, first < second
    second: str
    same: bool
    rule: str  # "exact", "contained", "vector", "document-alias", "alias-file", "person", "guard:<which>"
    score: float  # 1.0 for exact and persons; the cosine for vector
    by: Literal["rule", "person"] = "rule"
    id: str = ""  # of the person's correction that it follows from


@dataclass(frozen=True, kw_only=True)
class CorrectedName:
    """A reference to a mention in a person's correction."""

    id: str
    document_id: str
    key: str  # "" if only this mention is meant: it is a part of another
    form: str


@dataclass(frozen=True, kw_only=True)
class StoredCorrection:
    """A person's correction of names, predicates or facts: a record that is valid until it is undone.

    same        one of `names` and one of `others` are the same
    distinct    `names` are one, without any of `others`
    split_off   the `places` of the one mention in `names` become a separate mention
    name        the entity of the first of `names` is called `name`
    type        the entity of the first of `names` has the type `name`
    merge_predicates  the predicates `forms` mean the same as the predicate `name`
    rejected    the fact (entity of `names`, `name`, entity of `others`) is wrong
    relabelled  the fact with the one predicate in `forms` has the predicate `name`
    stated      the fact (entity of `names`, `name`, entity of `others`) is stated by the sentence at the one place
    """

    id: str  # hash of the decision: deciding it twice is deciding it once
    kind: StoredCorrectionKind
    names: tuple[CorrectedName, ...] = ()
    others: tuple[CorrectedName, ...] = ()
    places: tuple[Occurrence, ...] = ()
    name: str = ""
    forms: tuple[str, ...] = ()
    note: str = ""
    at: str = ""  # time of the decision, ISO 8601, UTC, from the store


@dataclass(frozen=True, kw_only=True)
class AliasGroup:
    """A person says that these names are one, in the whole workspace or in one document."""

    names: tuple[str, ...]
    document_id: str = ""
    id: str = field(default="", compare=False)  # from the store


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """Which entity every mention refers to, and why."""

    entity_of: Mapping[str, str]  # mention id -> entity id
    decisions: tuple[Decision, ...]  # by rule, accepted (same) or vetoed (not same)
    near_misses: tuple[Decision, ...]  # same=False, for a person to review
