"""Answers, with their traces, citations and the differences between views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from filigraph.graph.model.retrieval import Evidence, Path
from filigraph.graph.model.traces import Trace

LookKind = Literal["search", "facts", "between"]  # by words; facts about a name; chains between two names
Ended = Literal["", "answered", "unanswered", "rounds", "tokens", "seconds", "repeats", "cancelled"]  # see Answer
UnsupportedKind = Literal["name", "number", "date", "citation"]


@dataclass(frozen=True, kw_only=True)
class Message:
    """An earlier question or answer of a conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, kw_only=True)
class Break:
    """A hop of a path that does not hold without the omitted documents or decisions."""

    hop: Annotated[int, Field(description="Which hop, from 1.")]
    text: Annotated[str, Field(description="What it says.")]
    why: Annotated[
        str,
        Field(
            description="unsaid: no visible fact says it; left_out: the fact is left out; parted: it does not join "
            "the hop before."
        ),
    ]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The differences if documents or decisions are left out."""

    path: Annotated[Path | None, Field(description="The best path with them; null: there is none.")]
    breaks: Annotated[tuple[Break, ...], Field(description="Where that path breaks without them; empty: it holds.")]
    becomes: Annotated[Path | None, Field(description="The best path without them.")]
    lost: Annotated[tuple[Evidence, ...], Field(description="Passages that were evidence and are not visible.")]
    gained: Annotated[tuple[Evidence, ...], Field(description="Passages that are evidence without them only.")]
    changed: Annotated[bool, Field(description="Whether the path breaks or evidence is lost.")]


@dataclass(frozen=True, kw_only=True)
class DocumentWeight:
    """How much an answer depends on a document."""

    document_id: Annotated[str, Field(description="Its id.")]
    source: Annotated[str, Field(description="Its name.")]
    weight: Annotated[float, Field(description="Its responsibility, 1 / (1 + k): k others must be gone as well.")]


@dataclass(frozen=True, kw_only=True)
class AnswerDependency:
    """The documents that an answer depends on."""

    path: Annotated[
        str,
        Field(description="The path that was examined. Empty: none holds; the first passage counts."),
    ]
    sets: Annotated[
        tuple[tuple[str, ...], ...],
        Field(
            description="Sets of at most 3 documents without which the path breaks, smallest first; none contains "
            "another."
        ),
    ]
    documents: Annotated[tuple[DocumentWeight, ...], Field(description="Documents of these sets, weightiest first.")]
    complete: Annotated[bool, Field(description="False: there may be more sets; 12 documents and 30 sets are tried.")]


@dataclass(frozen=True, kw_only=True)
class Composed:
    """The composer's result for the generator: the evidence as one text, within a budget."""

    question: str
    language: str
    context: str  # paths, then extracts under headers [1], [2], ...; "" if there is no evidence
    cited: tuple[Evidence, ...]  # [1] is cited[0]
    paths: tuple[int, ...] = ()  # numbers of the paths in it: [P1] is the first retrieved one
    left_out: tuple[str, ...]  # what had no room in the budget, in words, with ids
    tokens: int  # of `context`, estimated

    def summary(self) -> dict[str, Any]:
        """For the trace."""
        return {"tokens": self.tokens, "cited": [item.id for item in self.cited], "left_out": list(self.left_out)}


@dataclass(frozen=True, kw_only=True)
class Unsupported:
    """A part of an answer that occurs in no evidence."""

    kind: Annotated[
        UnsupportedKind,
        Field(description="number: also an amount or a time; citation: a number without evidence."),
    ]
    text: Annotated[str, Field(description="The words.")]
    start: Annotated[int, Field(description="Where they begin in the text, in characters (Unicode code points).")]
    end: Annotated[int, Field(description="Where they end.")]


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
    """The part of a passage that is shown at first."""

    number: Annotated[int, Field(description="Of the citation, from 1.")]
    text: Annotated[str, Field(description="Whole sentences of it.")]


@dataclass(frozen=True, kw_only=True)
class Look:
    """A search of an LLM after a reading."""

    kind: Annotated[
        LookKind,
        Field(description="search: by words; facts: what is known of a name; between: what joins `one | other`."),
    ]
    text: Annotated[str, Field(description="What it searched for.")]
    extracts: Annotated[tuple[int, ...], Field(description="Numbers of the extracts that this brought.")] = ()
    repeated: Annotated[bool, Field(description="The same search was made before, so it was not repeated.")] = False


@dataclass(frozen=True, kw_only=True)
class Round:
    """A reading of an LLM after which it looked for more."""

    number: Annotated[int, Field(description="Of the reading, from 1.")]
    notes: Annotated[str, Field(description="What the LLM says is settled so far; it cites extracts as [n].")]
    kept: Annotated[tuple[int, ...], Field(description="Numbers of the extracts that it keeps.")]
    looks: Annotated[tuple[Look, ...], Field(description="What it searched for next.")]


@dataclass(frozen=True, kw_only=True)
class AnswerStatement:
    """A sentence, with its voice."""

    voice: Annotated[str, Field(description="Who says it: in the text, else the author, else the document.")]
    sentence: Annotated[str, Field(description="The sentence, in the source's own words.")]
    denied: Annotated[bool, Field(description="It denies something.")]
    source: Annotated[str, Field(description="The name under which its document was ingested.")]
    place: Annotated[str, Field(description="Page, chapter and paragraph, where the document has them.")]
    date: Annotated[str, Field(description="Of the document; empty where it has none.")]
    when: Annotated[str, Field(description="When it is so, as written; empty where no date is given.")]
    document_id: Annotated[str, Field(description="That document.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    start: Annotated[int, Field(description="Where the sentence begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]
    side: Annotated[
        int, Field(description="1: as the sentence of the path; 2: against it; 3 and more: against both.")
    ] = 1


@dataclass(frozen=True, kw_only=True)
class PathContradiction:
    """A sentence that a path uses, and a contradicting sentence of another voice."""

    path_id: Annotated[str, Field(description="The path.")]
    hop: Annotated[int, Field(description="Which hop of it, from 1.")]
    kind: Annotated[
        str,
        Field(
            description="denial: said and denied; number, time, date, place: another one; object: only one may be; "
            "read: found by an LLM alone."
        ),
    ]
    said: Annotated[AnswerStatement, Field(description="What the path uses.")]
    against: Annotated[AnswerStatement, Field(description="What the other voice says.")]
    verdict: Annotated[
        Literal["contradiction", "unsure", ""],
        Field(description="Of an LLM that read both; empty: none has, they may disagree."),
    ]
    what: Annotated[str, Field(description="The difference, in the LLM's words.")]
    about: Annotated[str, Field(description="The question, in one line, as an LLM says it.")] = ""
    further: Annotated[
        tuple[AnswerStatement, ...], Field(description="What else is said of it, each sentence once.")
    ] = ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer with its citations: [1] in the text is the first of `citations`."""

    question: Annotated[str, Field(description="The question.")]
    text: Annotated[str, Field(description="The answer, in the question's language; without an LLM, passages.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the text; false: passages, not an answer.")]
    model: Annotated[str, Field(description="The LLM; empty without one.")]
    citations: Annotated[tuple[Evidence, ...], Field(description="The evidence the text cites by number.")]
    paths: Annotated[
        tuple[Path, ...],
        Field(description="The path that the LLM named, if any, then those that were ranked, best first."),
    ]
    unsupported: Annotated[
        tuple[Unsupported, ...], Field(description="Parts of the text that the evidence does not support.")
    ] = ()
    missing: Annotated[str, Field(description="What the evidence does not say; empty if nothing.")]
    trace: Annotated[Trace, Field(description="Every step.")]
    vector_only: Annotated[
        Answer | None, Field(description="With `compare`: what vector search alone would have answered.")
    ] = None
    cut_short: Annotated[str, Field(description="Why the LLM ended in mid-answer; empty if it did not.")] = ""
    rests_on: Annotated[tuple[str, ...], Field(description="Ids of the paths that the LLM named.")] = ()
    answered: Annotated[
        bool, Field(description="False: the LLM says that the evidence does not answer; there are no paths then.")
    ] = True
    basis: Annotated[
        str,
        Field(
            description="For an LLM's answer that cites summaries: which citations are summaries, which are the text."
        ),
    ] = ""
    nowhere: Annotated[tuple[str, ...], Field(description="Names of the question that occur in no document.")] = ()
    remark: Annotated[
        str, Field(description="How a period limits the documents; which names are compared or replaced; else empty.")
    ] = ""
    rounds: Annotated[
        tuple[Round, ...], Field(description="Readings after which the LLM searched for more; empty: one sufficed.")
    ] = ()
    ended: Annotated[
        Ended,
        Field(
            description="Why the LLM stopped reading. answered; unanswered: it says that the texts do not answer; "
            "rounds, tokens, seconds: it reached that limit without an answer; repeats: it searched for the same "
            "again; cancelled: on request, with what it had written (`text`) and read (`citations`). Empty without "
            "an LLM."
        ),
    ] = ""
    excerpts: Annotated[
        tuple[Excerpt, ...],
        Field(
            description="Without an LLM: the part of each passage to show first. Sentences of the path shown "
            "come first; no sentence comes twice."
        ),
    ] = ()
    difference: Annotated[
        Difference | None,
        Field(description="Where the view leaves out documents or decisions by name: what that changes."),
    ] = None
    contradictions: Annotated[
        tuple[PathContradiction, ...],
        Field(description="What other voices say against the sentences of its paths; no LLM is asked for it."),
    ] = ()
    asks_for_list: Annotated[
        bool,
        Field(description="The question asks for a list or a number: `GET .../items` with it as `text` lists them."),
    ] = False
