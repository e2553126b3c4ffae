"""Answers, with their traces, citations and the differences between views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from filigraph.graph.model.retrieval import Evidence, Path
from filigraph.graph.model.traces import Trace

LookKind = Literal["search", "facts", "between"]  # by words; what is known of a name; what joins two names
Ended = Literal["", "answered", "unanswered", "rounds", "tokens", "seconds", "repeats", "cancelled"]  # see Answer
UnsupportedKind = Literal["name", "number", "date", "citation"]


@dataclass(frozen=True, kw_only=True)
class Message:
    """An earlier question or answer of a conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, kw_only=True)
class Break:
    """A hop of a path that does not hold in a view."""

    hop: int  # from 1
    text: str  # what it says
    why: str  # "unsaid": no visible sentence says it; "left_out": the fact is; "parted": its ends are apart


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How the answer to a question changes without some documents or decisions."""

    path: Path | None  # the best one with them; None: there was none
    breaks: tuple[Break, ...]  # of `path`; () where it holds
    becomes: Path | None  # the best one without them
    lost: tuple[Evidence, ...]  # passages that were evidence and are not visible any more
    gained: tuple[Evidence, ...]  # passages that are evidence only without them
    changed: bool  # the path breaks, or evidence is lost


@dataclass(frozen=True, kw_only=True)
class Composed:
    """The composer's result for the generator: the evidence as one text, within a budget."""

    question: str
    language: str
    context: str  # paths, then extracts under headers [1], [2], ...; "" where there is no evidence at all
    cited: tuple[Evidence, ...]  # [1] is cited[0]
    paths: tuple[int, ...] = ()  # numbers of the paths in it: [P1] is the first one that was retrieved
    left_out: tuple[str, ...]  # what the budget had no room for, in words, with its id
    tokens: int  # of `context`, estimated

    def summary(self) -> dict[str, Any]:
        """For the trace."""
        return {"tokens": self.tokens, "cited": [item.id for item in self.cited], "left_out": list(self.left_out)}


@dataclass(frozen=True, kw_only=True)
class Unsupported:
    """A part of an answer that the evidence does not hold: `answer.text[start:end] == text`."""

    kind: UnsupportedKind  # citation: of a number that no evidence has
    text: str
    start: int  # characters
    end: int


@dataclass(frozen=True, kw_only=True)
class Generated:
    """A text for the reader: an answer of an LLM, or the passages themselves."""

    text: str
    generated: bool  # False: passages, not an answer
    unsupported: tuple[Unsupported, ...] = ()
    missing: str = ""
    answered: bool = True  # False: the model says that the evidence does not answer


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    """The part of a passage that is shown first."""

    number: int  # of the citation
    text: str  # whole sentences of it


@dataclass(frozen=True, kw_only=True)
class Look:
    """A search that a language model made after a reading, and its results."""

    kind: LookKind
    text: str
    extracts: tuple[int, ...] = ()  # numbers of the extracts that it brought; () before it ran
    repeated: bool = False  # it was asked for before, so it was not run


@dataclass(frozen=True, kw_only=True)
class Round:
    """A reading of a language model after which it looked for more."""

    number: int  # of the reading, from 1
    notes: str  # what it says is settled so far
    kept: tuple[int, ...]  # numbers of the extracts that it goes on with
    looks: tuple[Look, ...]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer with its citations: `text` cites evidence as [1], [2], in the order of `citations`.

    `ended` says why a language model read no further: it answered, or said that the texts do not (unanswered); or it
    had to answer and did not, after so many rounds, tokens or seconds, or since it looked for the same again (repeats).
    Who cancels it has what was read until then: the extracts, the rounds, and as `text` what the model had written.
    """

    question: str
    text: str
    generated: bool  # False: passages, not an answer
    model: str  # "" without an LLM
    citations: tuple[Evidence, ...]
    paths: tuple[Path, ...]
    unsupported: tuple[Unsupported, ...]  # of `text`, in its order; none overlap
    missing: str  # what the evidence does not say, "" if nothing
    trace: Trace
    vector_only: Answer | None = None  # with compare: what vector search alone would have answered
    cut_short: str = ""  # why the LLM ended in mid-answer, "" if it did not
    rests_on: tuple[str, ...] = ()  # ids of the paths that a language model named
    answered: bool = True  # False: the LLM says that the evidence does not answer, so there are no paths
    basis: str = ""  # where it cites summaries: which of its numbers are some, which the text, what to ask further
    nowhere: tuple[str, ...] = ()  # what the question names and no text holds
    remark: str = ""  # where it names a period: which documents that leaves, in its language
    rounds: tuple[Round, ...] = ()  # the readings after which a language model looked for more
    ended: Ended = ""  # "" without a language model
    excerpts: tuple[Excerpt, ...] = ()  # of the passages, where no language model words an answer
    difference: Difference | None = None  # from what was found with what the view leaves out by name
