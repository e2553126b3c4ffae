"""What an LLM read in many passages at once: who is who, contradictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PairVerdict = Literal["contradiction", "not", "unsure"]  # on two sentences, by an LLM


@dataclass(frozen=True, kw_only=True)
class CastMember:
    """Names of one document that an LLM says are one person's, or one thing's."""

    names: tuple[str, ...]  # as keys
    reason: str = ""  # the sentence of the document that shows it
    further: tuple[str, ...] = ()  # those of them that no chunk was read to have, as the document has them


@dataclass(frozen=True, kw_only=True)
class CastPair:
    """Two names of one document of which an LLM says what their words do not show."""

    first: str  # a key
    second: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class CastReading:
    """The reply of one LLM call about the cast of a document."""

    key: str  # hash of what was asked, and of whom
    members: tuple[CastMember, ...] = ()
    contrasts: tuple[CastPair, ...] = ()  # different people, though their names are similar
    identities: tuple[CastPair, ...] = ()  # one person, though their names are those of two


@dataclass(frozen=True, kw_only=True)
class SentencePlace:
    """A sentence in a chunk."""

    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ReadPair:
    """Two sentences that an LLM read side by side."""

    verdict: PairVerdict
    first: SentencePlace
    other: SentencePlace
    what: str  # what they differ in, or why they do not contradict each other, in its words


@dataclass(frozen=True, kw_only=True)
class ContradictionReading:
    """The reply of one LLM call about contradictions among some passages."""

    key: str  # hash of what was asked, and of whom
    model: str
    recipe: str  # how it was asked for
    chunk_ids: tuple[str, ...]  # of the passages, sorted
    pairs: tuple[ReadPair, ...] = ()
