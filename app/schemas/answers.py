"""Answers and the evidence, paths and traces behind them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, In, Out, ReadDocumentOut
from filigraph.graph.model.answers import Ended, LookKind, UnsupportedKind
from filigraph.graph.model.extraction import PremiseMark
from filigraph.graph.model.retrieval import HopKind, PathOrigin


class HopOut(Out):
    """One step of a path, with the words that carry it: subject - predicate -> object."""

    kind: Annotated[
        HopKind,
        Field(
            description="A fact of the graph, a shared entity (mention), a title. Of a named path also: read in the "
            "sentence, which names both ends (sentence); two names of one (identity); not found in the texts (unfound)."
        ),
    ]
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
    premises: Annotated[
        list[str],
        Field(description="The other sentences an implied hop follows from; of an identity, that of the other name."),
    ]
    premise_chunk_ids: Annotated[
        list[str], Field(default_factory=list, description="Of `premises`, where they are of other chunks.")
    ]
    premise_marks: Annotated[
        list[PremiseMark],
        Field(
            default_factory=list,
            description="Of each of `premises` where it stands if it only completes the sentence: in the text near by, "
            "in the title, in the head or at the end of the document; empty for one that the hop follows from. None "
            "where the hop follows from all.",
        ),
    ]
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
    own: Annotated[bool, Field(description="A person states this fact of the sentence.")] = False
    apart: Annotated[
        bool,
        Field(description="Of an identity: the graph has two entities, which `POST .../corrections` makes one."),
    ] = False
    joined: Annotated[bool, Field(description="False: it does not go on from an end of an earlier hop.")] = True
    place: Annotated[str, Field(description="Page, chapter, paragraph of the sentence, as far as it has them.")] = ""


class PathOut(Out):
    """Connected hops: a chain of one to four facts, or the steps that an LLM named and that were checked."""

    id: Annotated[str, Field(description="The path's id.")]
    origin: Annotated[
        PathOrigin, Field(description="ranked: found before reading; named: by the LLM, after it has read.")
    ] = "ranked"
    hops: Annotated[list[HopOut], Field(description="In reading order.")]
    score: Annotated[
        float,
        Field(description="Ranked: probability that it helps to answer; named: share of hops that texts say."),
    ]
    lead: Annotated[bool, Field(description="Ranked: it is not likely to answer; show it only where asked.")] = False
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
    place: Annotated[
        str, Field(description="Page, chapter, paragraph of the part nearest to the question, else of the whole text.")
    ]
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
    also: Annotated[
        list[str], Field(default_factory=list, description="Sources of other documents that hold the same text.")
    ]
    places: Annotated[
        list[tuple[int, str]],
        Field(default_factory=list, description="Places in `text`: where each begins, in code points, and its name."),
    ]


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


NewerDocuments = Annotated[int, Field(description="How many documents were added or changed after it.")]


class TraceRowOut(Out):
    """A trace that is kept, without its steps."""

    id: Annotated[str, Field(description="The trace's id.")]
    question: Annotated[str, Field(description="The question.")]
    at: Annotated[datetime, Field(description="When the answer was given, UTC.")]
    expires: Annotated[datetime, Field(description="Until when the trace is kept, UTC; 9999-12-31: until deleted.")]
    method: Annotated[str, Field(description="How it was searched: filigraph, hybrid, dense or bm25.")]
    answered: Annotated[bool, Field(description="The answer is kept with it; false: it is of a search.")]
    thread: Annotated[str, Field(description="Its thread: the id of the trace of that one's first question.")]
    newer_documents: NewerDocuments = 0


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
    expires: Annotated[
        datetime, Field(description="Until when all of it is kept, UTC, as of a trace; each question moves that.")
    ]
    newer_documents: NewerDocuments = 0


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


class ExcerptOut(Out):
    """What to show of a passage at first sight."""

    number: Annotated[int, Field(description="Of the citation, from 1.")]
    text: Annotated[str, Field(description="Whole sentences of it.")]


class LookOut(Out):
    """What an LLM looked for after a reading."""

    kind: Annotated[
        LookKind,
        Field(description="search: by words; facts: what is known of a name; between: what joins `one | other`."),
    ]
    text: Annotated[str, Field(description="What it looked for.")]
    extracts: Annotated[list[int], Field(description="Numbers of the extracts that this brought.")]
    repeated: Annotated[bool, Field(description="It was looked for before, so it was not again.")]


class RoundOut(Out):
    """A reading of an LLM after which it looked for more."""

    number: Annotated[int, Field(description="Of the reading, from 1.")]
    notes: Annotated[str, Field(description="What the LLM says is settled so far; it cites extracts as [n].")]
    kept: Annotated[list[int], Field(description="Numbers of the extracts that it goes on with.")]
    looks: Annotated[list[LookOut], Field(description="What it looked for next.")]


class BreakOut(Out):
    """A hop of a path that does not hold without what is left out."""

    hop: Annotated[int, Field(description="Which hop, from 1.")]
    text: Annotated[str, Field(description="What it says.")]
    why: Annotated[
        str,
        Field(
            description="unsaid: no visible sentence says it; left_out: the fact is left out; parted: it does not join "
            "the hop before."
        ),
    ]


class DifferenceOut(Out):
    """What is otherwise where documents or decisions are left out."""

    path: Annotated[PathOut | None, Field(description="The best path with them; null: there is none.")]
    breaks: Annotated[list[BreakOut], Field(description="Where that path breaks without them; empty: it holds.")]
    becomes: Annotated[PathOut | None, Field(description="The best path without them.")]
    lost: Annotated[list[EvidenceOut], Field(description="Passages that were evidence and are not visible.")]
    gained: Annotated[list[EvidenceOut], Field(description="Passages that are evidence without them only.")]
    changed: Annotated[bool, Field(description="Whether the path breaks or evidence is lost.")]


class AnswerOut(Out):
    """An answer with its citations: [1] in the text is the first of `citations`."""

    question: Annotated[str, Field(description="The question.")]
    text: Annotated[str, Field(description="The answer, in the question's language; without an LLM, passages.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the text; false: passages, not an answer.")]
    model: Annotated[str, Field(description="The LLM; empty without one.")]
    citations: Annotated[list[EvidenceOut], Field(description="The evidence the text cites by number.")]
    paths: Annotated[
        list[PathOut],
        Field(description="The path that the LLM named, if any, then those that were ranked, best first."),
    ]
    unsupported: Annotated[
        list[UnsupportedOut], Field(default_factory=list, description="What of the text the evidence does not hold.")
    ]
    missing: Annotated[str, Field(description="What the evidence does not say; empty if nothing.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]
    vector_only: Annotated[
        AnswerOut | None, Field(description="With `compare`: what vector search alone would have answered.")
    ] = None
    cut_short: Annotated[str, Field(description="Why the LLM ended in mid-answer; empty if it did not.")] = ""
    rests_on: Annotated[list[str], Field(default_factory=list, description="Ids of the paths that the LLM named.")]
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
    rounds: Annotated[
        list[RoundOut],
        Field(default_factory=list, description="Readings after which the LLM looked for more; empty: one sufficed."),
    ]
    ended: Annotated[
        Ended,
        Field(
            description="Why the LLM read no further: it answered, or said that the texts do not (unanswered); or it "
            "had to answer and did not: after so many rounds, tokens or seconds, or since it looked for the same again "
            "(repeats). cancelled: on request; `text` is what it had written, `citations` what it had read. Empty "
            "without an LLM."
        ),
    ] = ""
    excerpts: Annotated[
        list[ExcerptOut],
        Field(
            default_factory=list,
            description="Without an LLM: what to show of the passages at first sight. Sentences of the path shown "
            "come first; none comes twice.",
        ),
    ]
    difference: Annotated[
        DifferenceOut | None,
        Field(description="Where the view leaves out documents or decisions by name: what that changes."),
    ] = None


class KeptAnswerOut(AnswerOut):
    """An answer as it was given, with what is needed to check it."""

    at: Annotated[datetime, Field(description="When it was given, UTC.")]
    asked: Annotated[str, Field(description="The question as it was put; `question` is how it was understood.")]
    thread: Annotated[str, Field(description="The thread that it belongs to.")]
    newer_documents: NewerDocuments = 0
    uncited: Annotated[list[EvidenceOut], Field(description="Evidence for which the answer had no room.")]
    documents: Annotated[list[ReadDocumentOut], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Of the server that gave it.")]
    embedder: Annotated[str, Field(description="The embedder.")]
