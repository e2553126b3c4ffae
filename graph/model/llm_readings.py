"""What an LLM found in many passages at once: who is who, contradictions, the items of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from filigraph.graph.model.usage import Usage

PairVerdict = Literal["contradiction", "not", "unsure"]  # on two sentences, by an LLM
# What an LLM says of names across documents: they are one person's; they are one person's, although they look like two
# persons'; they are two persons'. "call": the call was asked.
LinkKind = Literal["one", "alias", "two", "call"]


@dataclass(frozen=True, kw_only=True)
class CastMember:
    """Names of one document that an LLM says are one person's, or one thing's."""

    names: tuple[str, ...]  # as keys
    reason: str = ""  # the sentence of the document that shows it
    further: tuple[str, ...] = ()  # names that no extraction has, as the document writes them


@dataclass(frozen=True, kw_only=True)
class CastPair:
    """Two names of one document with an LLM's statement about them that their words do not show."""

    first: str  # a key
    second: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class CastReading:
    """The reply of one LLM call about the cast of a document."""

    key: str  # hash of the prompt and the model
    members: tuple[CastMember, ...] = ()
    contrasts: tuple[CastPair, ...] = ()  # different people, although their names are similar
    identities: tuple[CastPair, ...] = ()  # one person, although their names look like two people's


@dataclass(frozen=True, kw_only=True, order=True)
class NamePlace:
    """A name in a document, and a chunk that has it."""

    document_id: str
    key: str
    chunk_id: str
    side: int = 0  # of a link of kind "two": names of side 0 and of side 1 are two persons'


@dataclass(frozen=True, kw_only=True)
class CastLink:
    """Names of several documents that an LLM says are one person's, or two persons'."""

    key: str  # hash of the call and of the statement as it was made: names may go with their chunks
    call: str  # hash of the prompt and the model
    kind: LinkKind
    names: tuple[NamePlace, ...]  # sorted; none of kind "call"
    reads: tuple[str, ...]  # sorted: the chunks with the sentences that show it; of kind "call": all that were read
    reason: str = ""  # these sentences; of kind "call": why no reply could be read, "" if one was


@dataclass(frozen=True, kw_only=True)
class SentencePlace:
    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ReadPair:
    """Two sentences that an LLM compared."""

    verdict: PairVerdict
    first: SentencePlace
    other: SentencePlace
    what: str  # what they differ in, or why they do not contradict each other, in its words
    matter: str = ""  # what both are about, in its words; the pairs of a matter are in order, the most direct first


@dataclass(frozen=True, kw_only=True)
class ContradictionReading:
    """The reply of one LLM call about contradictions among some passages."""

    key: str  # hash of the prompt and the model
    model: str
    recipe: str  # the identity of prompt and model
    chunk_ids: tuple[str, ...]  # of the passages, sorted
    pairs: tuple[ReadPair, ...] = ()
    checks: bool = False  # it looked again at what other calls found


@dataclass(frozen=True, kw_only=True)
class ReadItem:
    """An item of a list, as an LLM calls it, and the words that say it."""

    item: str
    place: SentencePlace


@dataclass(frozen=True, kw_only=True)
class ListReading:
    """The reply of one LLM call about the items of a list in some passages."""

    key: str  # hash of the prompt
    model: str
    recipe: str  # the identity of prompt and model
    chunk_ids: tuple[str, ...]  # of the passages, sorted
    items: tuple[ReadItem, ...] = ()
    left_out: int = 0  # lines of the reply that cannot be believed


@dataclass(frozen=True, kw_only=True)
class ReadingEstimate:
    """The estimated cost of reading."""

    passages: Annotated[int, Field(description="Passages that would be looked at.")]
    of_passages: Annotated[int, Field(description="Number of passages in total.")]
    kept: Annotated[int, Field(description="Stored replies: their passages are not read again.")]
    left: Annotated[int, Field(description="Calls beyond the budget.")]
    usage: Annotated[Usage, Field(description="Expected LLM usage, if no call has to be repeated.")]
