"""What the routes of questions take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from filigraph.app.schemas.common import JSON, In, Out, ReadDocumentOut, SourceName
from filigraph.graph.ask.shares import BUDGETS, Budget, Group
from filigraph.graph.model import Method, Profile, UnsupportedKind

Question = Annotated[
    str, Field(description="In any language; at most 10,000 words.", examples=["Pourquoi se méfier de Jules ?"])
]


class BlendIn(In):
    """How cosine and cross-encoder are weighed: ann_weight x cosine + the rest x cross-encoder."""

    ann_weight: Annotated[float, Field(ge=0, le=1, description="What the cosine with the question weighs.")] = 0.2
    min_rerank: Annotated[
        float, Field(ge=0, le=1, description="A passage that the cross-encoder scores lower goes,")
    ] = 0.35
    min_ann: Annotated[float, Field(ge=0, le=1, description="unless its cosine is at least this.")] = 0.55
    candidates: Annotated[
        int, Field(ge=1, le=200, description="How many passages the cross-encoder is shown; `keep` of them stay.")
    ] = 30
    neighbours: Annotated[bool, Field(description="Whether each that stays brings the passage next to it.")] = True


class SearchIn(In):
    """How to look."""

    depth: Annotated[Literal[2, 3, 4], Field(description="How many hops a path may have.")] = 4
    keep: Annotated[int, Field(ge=1, le=50, description="How many pieces of evidence to keep.")] = 10
    method: Annotated[
        Method, Field(description="The walk (filigraph), or plain search: by words and vectors, by vectors, by words.")
    ] = "filigraph"
    profile: Annotated[
        Profile | None,
        Field(
            description="Which evidence, in which order: detail (the best first), synthesis (the whole text, from its "
            "summaries), entity (every mention, in reading order), recent (the newest first). Left out: as the "
            "question's words tell."
        ),
    ] = None
    shares: Annotated[
        dict[Group, float],
        Field(
            default_factory=dict,
            description="What share of the budget summaries get, where there are some: overview (chapters and more), "
            "windows (some two pages each); passages have the rest. Left out: as the workspace's settings or the "
            "profile say.",
            examples=[{"overview": 0.8, "windows": 0.15}],
        ),
    ]
    today: Annotated[
        str,
        Field(
            max_length=10,
            description='What "yesterday" or "last week" in the question is told by; left out: the day it is.',
            examples=["1912-04-10"],
        ),
    ] = ""
    rerank: Annotated[
        bool | None,
        Field(
            description="Whether a cross-encoder has a say. Left out: where one is loaded, but not on a look-up (who, "
            "when, where, a name, a date, a number) about one entity whose best path has one hop."
        ),
    ] = None
    blend: Annotated[
        BlendIn | None,
        Field(
            description="Rerank by cosine and cross-encoder alone; `{}` takes the defaults. Paths reserve no places "
            "then. Needs a cross-encoder. Left out: by the walk and, where one is loaded, a cross-encoder.",
            examples=[{}, {"ann_weight": 0.3, "candidates": 50}],
        ),
    ] = None
    vector_weight: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="What vectors weigh in hybrid search, the rest being the weight of words: 1 is vectors alone. "
            "Left out: as the languages and the embedder ask for. The walk needs it only where no fact and no title "
            "leads on.",
        ),
    ] = None
    budget_tokens: Annotated[
        Annotated[int, Field(ge=100, le=100_000)] | Budget | None,
        Field(
            description="How many tokens of evidence, or small (1,200), medium (3,000), large (8,000): in the LLM's "
            "prompt (left out: medium); of a search without an answer, what such a prompt would hold (left out: all of "
            "it).",
        ),
    ] = None
    min_score: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="Passages whose `cosine` with the question is lower go, but for those behind a path. Not "
            "applied where the embedder does not know the language; the trace says so.",
        ),
    ] = None
    entity_types: Annotated[
        list[Annotated[str, Field(max_length=100)]],
        Field(
            default_factory=list,
            max_length=50,
            description="Only paths one of whose ends is an entity of these types that the question does not name. "
            "Passages are found as ever.",
            examples=[["Person"]],
        ),
    ]
    path_types: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(
            default_factory=list,
            max_length=100,
            description="Only paths whose facts are said by these predicates, as `GET .../predicates` lists them. "
            "Passages are found as ever.",
            examples=[["porte", "est l'emblème de"]],
        ),
    ]
    kinds: Annotated[
        list[Literal["function", "method", "class", "type", "module"]],
        Field(
            default_factory=list, max_length=5, description="Only source code of these kinds.", examples=[["method"]]
        ),
    ]
    expand_dependencies: Annotated[
        bool,
        Field(description="Whether what the source code among the evidence calls comes along, where it is defined."),
    ] = False
    sources: Annotated[
        list[SourceName],
        Field(
            default_factory=list,
            max_length=1000,
            description="Ask only these: a source, a folder that ends in /, or a pattern with * and ?, at most 100.",
        ),
    ]
    where: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=100,
            description="Ask only documents whose metadata say so. A key that ends in >=, <=, > or < asks for a range "
            "of dates or numbers; a date that is less exact than the bound (`1912`) may lie within.",
            examples=[{"date>=": "1912-03-01", "date<": "1912-04"}],
        ),
    ]

    def settings(self) -> dict[str, Any]:
        """How to look, as the engine takes it."""
        given = self.model_dump(include=set(SearchIn.model_fields))
        given["budget_tokens"] = BUDGETS.get(given["budget_tokens"], given["budget_tokens"])
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


class RetrieveIn(SearchIn):
    """A question, and how to look."""

    question: Question


class AnswerIn(SearchIn):
    """How a question is answered: by itself, as one of a file, or in a chat."""

    choose: Annotated[
        bool | None,
        Field(
            description="Let the LLM choose among the best paths, in one short call; null: unless one leads by far. "
            "It may also say that none answers; then none is shown."
        ),
    ] = None
    llm: Annotated[
        bool,
        Field(description="With the LLM, where one is set up; false: without, so the answer is what the texts say."),
    ] = True

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"choose": self.choose, "llm": self.llm}


class AskIn(AnswerIn):
    """A question, and how to answer it."""

    question: Question
    compare: Annotated[
        bool, Field(description="Answer from vector search alone as well, to see what the graph adds.")
    ] = False
    thread: Annotated[
        str,
        Field(
            max_length=64,
            description="The `id` of a thread (of the trace of its first question) that this question goes on with: "
            '"and who paid her?" is then understood from what was asked before.',
        ),
    ] = ""
    stream: Annotated[
        bool,
        Field(description="Send lines of JSON: `retrieved` (evidence and paths), then `token`s, then the `answer`."),
    ] = False


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
    """One to four connected hops, in the order in which they were walked."""

    id: Annotated[str, Field(description="The path's id.")]
    hops: Annotated[list[HopOut], Field(description="In walking order.")]
    score: Annotated[float, Field(description="The walk's own score, 0 to 1.")]
    text: Annotated[str, Field(description="The path in words.")]
    cypher: Annotated[str, Field(description="A statement that shows the path in Neo4j Browser.")]


class EvidenceOut(Out):
    """A chunk, a path or a summary that supports an answer."""

    id: Annotated[str, Field(description="A chunk id or a path id.")]
    kind: Annotated[Literal["chunk", "path", "summary"], Field(description="What it is.")]
    text: Annotated[str, Field(description="Its text.")]
    document_id: Annotated[str, Field(description="The document it stands in.")]
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
    language: Annotated[str, Field(description="The question's language, ISO 639-1; empty where it cannot be told.")]
    evidence: Annotated[list[EvidenceOut], Field(description="In the order in which an LLM would see it.")]
    paths: Annotated[list[PathOut], Field(description="Best first.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]
    nowhere: Annotated[
        list[str], Field(default_factory=list, description="Names of the question that stand in no document.")
    ]


class UnsupportedOut(Out):
    """A part of an answer that stands in no evidence."""

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
        list[str], Field(default_factory=list, description="Names of the question that stand in no document.")
    ]


class KeptAnswerOut(AnswerOut):
    """An answer as it was given, with what is needed to check it."""

    at: Annotated[datetime, Field(description="When it was given, UTC.")]
    asked: Annotated[str, Field(description="The question as it was put; `question` is how it was understood.")]
    thread: Annotated[str, Field(description="The thread that it belongs to.")]
    uncited: Annotated[list[EvidenceOut], Field(description="Evidence for which the answer had no room.")]
    documents: Annotated[list[ReadDocumentOut], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Of the server that gave it.")]
    embedder: Annotated[str, Field(description="The embedder.")]


class RerankIn(In):
    """Texts, and what they are to answer."""

    query: Annotated[str, Field(min_length=1, max_length=10_000, description="The question.")]
    documents: Annotated[
        list[Annotated[str, Field(max_length=20_000)]],
        Field(min_length=1, max_length=200, description="The texts; each is read as far as the model can."),
    ]


class RerankOut(BaseModel):
    """How well texts answer."""

    model: Annotated[str, Field(description="The cross-encoder.")]
    scores: Annotated[list[float], Field(description="0 to 1 for each text, in their order.")]
