"""Answers and the evidence, paths and traces behind them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, In, Out, ReadDocumentOut
from filigraph.graph.model import UnsupportedKind


class HopOut(Out):
    """One step of a path, with the words that carry it: subject - predicate -> object."""

    kind: Annotated[Literal["fact", "mention", "title"], Field(description="A fact, a shared entity, or a title.")]
    subject: Annotated[str, Field(description="The name of the entity the hop comes from.")]
    predicate: Annotated[str, Field(description="What the sentence says of the two.")]
    object: Annotated[str, Field(description="The name of the entity the hop goes to.")]
    subject_id: Annotated[str, Field(description="Its entity id.")]
    object_id: Annotated[str, Field(description="Its entity id.")]
    chunk_id: Annotated[str, Field(description="The chunk that holds the sentence.")]
    sentence: Annotated[str, Field(description="The sentence behind the hop, in the source's own words.")]
    start: Annotated[int, Field(description="Where the sentence begins in the chunk, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]
    score: Annotated[float, Field(description="How close the hop is to the question: a cosine.")]
    fact_id: Annotated[str, Field(description="The fact, for a hop of kind fact.")]
    implied: Annotated[bool, Field(description="The source implies it and does not say it.")]
    premises: Annotated[list[str], Field(description="The other sentences that an implied hop follows from.")]
    according_to: Annotated[
        str, Field(description="Who in the text asserts it; empty where the text itself does.", examples=["Ann"])
    ]
    date: Annotated[str, Field(description="Of the document that says it; empty where it has none.")]
    when: Annotated[
        str, Field(description="When it is so, as written; empty where no date is given.", examples=["12 March 1912"])
    ] = ""
    when_date: Annotated[
        str, Field(description="That date: ISO 8601, --03-12 without a year; empty where relative.")
    ] = ""
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")] = False


class PathOut(Out):
    """One to four connected hops: a chain of facts."""

    id: Annotated[str, Field(description="The path's id.")]
    hops: Annotated[list[HopOut], Field(description="In reading order.")]
    score: Annotated[float, Field(description="Probability that the path helps to answer.")]
    text: Annotated[str, Field(description="The path in words.")]
    cypher: Annotated[str, Field(description="A statement that shows the path in Neo4j Browser.")]


class EvidenceOut(Out):
    """A chunk, a path or a summary that supports an answer."""

    id: Annotated[str, Field(description="A chunk id or a path id.")]
    kind: Annotated[Literal["chunk", "path", "summary"], Field(description="What it is.")]
    text: Annotated[str, Field(description="Its text.")]
    document_id: Annotated[str, Field(description="The document it occurs in.")]
    title: Annotated[str, Field(description="That document's title.")]
    source: Annotated[str, Field(description="The name under which that document was ingested.")]
    place: Annotated[str, Field(description="Page or chapter, where the document has them.")]
    score: Annotated[float, Field(description="The order it came in with, 0 to 1; compares within one question.")]
    cosine: Annotated[
        float | None, Field(description="With the question: compares across questions; null where it is not known.")
    ] = None
    rerank_score: Annotated[float | None, Field(description="The reranker's score; null where none is loaded.")]
    kept_by: Annotated[
        Literal["rank", "graph", "neighbour", "dependency"],
        Field(
            description="Why it stayed: its rank, the graph (force-kept on a path), as a neighbour, or as what the "
            "source code of another piece calls."
        ),
    ]
    branches: Annotated[
        list[str], Field(description="Which of vector, keyword, facts, link, walk, summaries brought it.")
    ]
    level: Annotated[int, Field(description="Of a summary, from 1 (some two pages); 0 of passages.")] = 0
    date: Annotated[str, Field(description="Of its document; empty where it has none.")] = ""
    lines: Annotated[str, Field(description="Of source code `file:first-last`; empty of other texts.")] = ""


class TraceStepOut(Out):
    """One step of an answer."""

    name: Annotated[str, Field(description="The stage.")]
    milliseconds: Annotated[float, Field(description="How long it took.")]
    inputs: Annotated[JSON, Field(description="What it was given.")]
    outputs: Annotated[JSON, Field(description="What came of it, with scores.")]


class TraceOut(Out):
    """Every step of an answer."""

    id: Annotated[str, Field(description="The trace's id, for `GET /v1/workspaces/{workspace}/traces/{trace_id}`.")]
    workspace: Annotated[str, Field(description="The workspace that was asked.")]
    question: Annotated[str, Field(description="The question.")]
    steps: Annotated[list[TraceStepOut], Field(description="In the order in which they ran.")]
    settings: Annotated[JSON, Field(description="How it was asked.")]


class TraceRowOut(Out):
    """A trace that is kept, without its steps."""

    id: Annotated[str, Field(description="The trace's id.")]
    question: Annotated[str, Field(description="The question.")]
    at: Annotated[datetime, Field(description="When the answer was given, UTC.")]
    expires: Annotated[datetime, Field(description="Until when the trace is kept, UTC.")]
    method: Annotated[str, Field(description="How it was searched: filigraph, hybrid, dense or bm25.")]
    answered: Annotated[bool, Field(description="The answer is kept with it; false: it is of a search.")]
    thread: Annotated[str, Field(description="Its thread: the id of the trace of that one's first question.")]


class TracesOut(BaseModel):
    """The traces of the last answers."""

    total: Annotated[int, Field(description="How many there are.")]
    traces: Annotated[list[TraceRowOut], Field(description="Newest first.")]


class SuggestionsOut(BaseModel):
    """Questions to begin with."""

    questions: Annotated[list[str], Field(description="Each is answered by a path.")]


class ThreadOut(Out):
    """Questions that follow each other."""

    id: Annotated[str, Field(description="Its id: that of the trace of its first question.")]
    title: Annotated[str, Field(description="As it was named, else its first question.")]
    questions: Annotated[int, Field(description="How many it has.")]
    at: Annotated[datetime, Field(description="When the last one was answered, UTC.")]
    expires: Annotated[datetime, Field(description="Until when all of it is kept, UTC; each question moves that.")]


class ThreadsOut(BaseModel):
    """Threads."""

    total: Annotated[int, Field(description="How many there are.")]
    threads: Annotated[list[ThreadOut], Field(description="The one that was asked last first.")]


class ThreadDetailOut(ThreadOut):
    """A thread with its questions."""

    turns: Annotated[list[TraceRowOut], Field(description="In their order.")]


class RenameThreadIn(In):
    """What a thread is to be called."""

    title: Annotated[str, Field(min_length=1, max_length=300, pattern=r"\S", description="The title.")]


class RetrievedOut(Out):
    """What was found for a question."""

    question: Annotated[str, Field(description="The question.")]
    language: Annotated[str, Field(description="The question's language, ISO 639-1; empty if unknown.")]
    evidence: Annotated[list[EvidenceOut], Field(description="In the order in which an LLM would see it.")]
    paths: Annotated[list[PathOut], Field(description="Best first.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]
    nowhere: Annotated[
        list[str], Field(default_factory=list, description="Names of the question that occur in no document.")
    ]
    remark: Annotated[
        str, Field(description="Where the question names a period: which documents that leaves; empty otherwise.")
    ] = ""


class UnsupportedOut(Out):
    """A part of an answer that occurs in no evidence."""

    kind: Annotated[
        UnsupportedKind,
        Field(description="number: amounts and times as well; citation: of a number that no evidence has."),
    ]
    text: Annotated[str, Field(description="The words.")]
    start: Annotated[int, Field(description="Where they begin in the text, in characters (Unicode code points).")]
    end: Annotated[int, Field(description="Where they end.")]


class AnswerOut(Out):
    """An answer with its citations: [1] in the text is the first of `citations`, [P1] the first of `paths`."""

    question: Annotated[str, Field(description="The question.")]
    text: Annotated[str, Field(description="The answer, in the question's language; without an LLM, passages.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the text; false: passages, not an answer.")]
    model: Annotated[str, Field(description="The LLM; empty without one.")]
    citations: Annotated[list[EvidenceOut], Field(description="The evidence the text cites by number.")]
    paths: Annotated[list[PathOut], Field(description="The paths that were walked, best first.")]
    unsupported: Annotated[
        list[UnsupportedOut], Field(default_factory=list, description="What of the text the evidence does not hold.")
    ]
    missing: Annotated[str, Field(description="What the evidence does not say; empty if nothing.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]
    vector_only: Annotated[
        AnswerOut | None, Field(description="With `compare`: what vector search alone would have answered.")
    ] = None
    cut_short: Annotated[str, Field(description="Why the LLM ended in mid-answer; empty if it did not.")] = ""
    rests_on: Annotated[
        list[str], Field(default_factory=list, description="Ids of the paths that the text cites, in its order.")
    ]
    answered: Annotated[
        bool, Field(description="False: the LLM says that the evidence does not answer; there are no paths then.")
    ] = True
    basis: Annotated[
        str,
        Field(description="Of an LLM's answer that cites summaries: which numbers are some, which the text, and more."),
    ] = ""
    nowhere: Annotated[
        list[str], Field(default_factory=list, description="Names of the question that occur in no document.")
    ]
    remark: Annotated[
        str, Field(description="Where the question names a period: which documents that leaves; empty otherwise.")
    ] = ""


class KeptAnswerOut(AnswerOut):
    """An answer as it was given, with what is needed to check it."""

    at: Annotated[datetime, Field(description="When it was given, UTC.")]
    asked: Annotated[str, Field(description="The question as it was put; `question` is how it was understood.")]
    thread: Annotated[str, Field(description="The thread that it belongs to.")]
    uncited: Annotated[list[EvidenceOut], Field(description="Evidence for which the answer had no room.")]
    documents: Annotated[list[ReadDocumentOut], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Of the server that gave it.")]
    embedder: Annotated[str, Field(description="The embedder.")]
