"""What the REST API takes and gives. The only Pydantic models: inside, the same fields are frozen dataclasses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from filigraph.graph.model import Intent, Method

JSON = dict[str, Any]


class Out(BaseModel):
    """Read from the dataclass of the same fields."""

    model_config = ConfigDict(from_attributes=True)


class In(BaseModel):
    """A field we do not know is a mistake to tell, not to ignore."""

    model_config = ConfigDict(extra="forbid")


# --------------------------------------------------------------------------------------------------------------------
# Errors


class ErrorDetail(BaseModel):
    """Why a request was not done, and what to do about it."""

    code: Annotated[str, Field(description="Stable; programs may rely on it.", examples=["not_found"])]
    cause: Annotated[str, Field(description="What is wrong, in one sentence.")]
    cure: Annotated[str, Field(description="What to do about it, in one sentence; may be empty.")]
    request_id: Annotated[str, Field(description="Under this id the server's log says more.")]


class ErrorEnvelope(BaseModel):
    """The one shape of every error."""

    error: Annotated[ErrorDetail, Field(description="What went wrong.")]


# --------------------------------------------------------------------------------------------------------------------
# Ask and retrieve


class RetrieveIn(In):
    """A question, and how to look."""

    question: Annotated[
        str, Field(description="In any language; at most 10,000 words.", examples=["Pourquoi se méfier de Jules ?"])
    ]
    depth: Annotated[Literal[2, 3, 4], Field(description="How many hops a path may have.")] = 4
    keep: Annotated[int, Field(ge=1, le=50, description="How many pieces of evidence to keep.")] = 10
    method: Annotated[
        Method, Field(description="The walk (filigraph), or plain search: by words and vectors, by vectors, by words.")
    ] = "filigraph"
    intent: Annotated[
        Intent | None,
        Field(
            description="The order of the evidence: detail (the best first), synthesis (spread over the text), entity "
            "(every mention, in reading order), recent (the newest first). Left out: as the question's words tell."
        ),
    ] = None
    rerank: Annotated[
        bool | None,
        Field(
            description="Whether a cross-encoder has a say. Left out: where one is loaded and it is no plain look-up."
        ),
    ] = None

    sources: Annotated[
        list[str],
        Field(
            max_length=1000,
            description="Ask only these documents: a source, a folder that ends in /, or a pattern with * and ?.",
        ),
    ] = []
    where: Annotated[
        dict[str, str],
        Field(max_length=100, description="Ask only documents whose metadata say so.", examples=[{"date": "1912"}]),
    ] = {}

    def settings(self) -> dict[str, Any]:
        """How to look, as the engine takes it."""
        given = self.model_dump(include={"depth", "keep", "method", "intent", "rerank", "where"})
        return given | {"sources": tuple(self.sources)}


class AskIn(RetrieveIn):
    """A question, and how to answer it."""

    compare: Annotated[
        bool, Field(description="Answer from vector search alone as well, to see what the graph adds.")
    ] = False
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


class PathOut(Out):
    """One to four connected hops, in the order in which they were walked."""

    id: Annotated[str, Field(description="The path's id.")]
    hops: Annotated[list[HopOut], Field(description="In walking order.")]
    score: Annotated[float, Field(description="The walk's own score, 0 to 1.")]
    text: Annotated[str, Field(description="The path in words.")]
    cypher: Annotated[str, Field(description="A statement that shows the path in Neo4j Browser.")]


class EvidenceOut(Out):
    """A chunk or a path that supports an answer."""

    id: Annotated[str, Field(description="A chunk id or a path id.")]
    kind: Annotated[Literal["chunk", "path"], Field(description="What it is.")]
    text: Annotated[str, Field(description="Its text.")]
    document_id: Annotated[str, Field(description="The document it stands in.")]
    title: Annotated[str, Field(description="That document's title.")]
    source: Annotated[str, Field(description="The name under which that document was ingested.")]
    place: Annotated[str, Field(description="Page or chapter, where the document has them.")]
    score: Annotated[float, Field(description="The order it came in with, 0 to 1.")]
    rerank_score: Annotated[float | None, Field(description="The reranker's score; null where none is loaded.")]
    kept_by: Annotated[
        Literal["rank", "graph", "neighbour"],
        Field(description="Why it stayed: its rank, the graph (force-kept on a path), or as a neighbour."),
    ]
    branches: Annotated[list[str], Field(description="Which of vector, keyword, facts, link, walk brought it.")]


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


class TracesOut(BaseModel):
    """The traces of the last answers."""

    traces: Annotated[list[TraceRowOut], Field(description="Newest first.")]


class RetrievedOut(Out):
    """What was found for a question."""

    question: Annotated[str, Field(description="The question.")]
    language: Annotated[str, Field(description="The question's language, ISO 639-1; empty where it cannot be told.")]
    evidence: Annotated[list[EvidenceOut], Field(description="In the order in which an LLM would see it.")]
    paths: Annotated[list[PathOut], Field(description="Best first.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]


class AnswerOut(Out):
    """An answer with its citations: [1] in the text is the first of `citations`."""

    question: Annotated[str, Field(description="The question.")]
    text: Annotated[str, Field(description="The answer, in the question's language; without an LLM, passages.")]
    generated: Annotated[bool, Field(description="Whether an LLM wrote the text; false: passages, not an answer.")]
    model: Annotated[str, Field(description="The LLM; empty without one.")]
    citations: Annotated[list[EvidenceOut], Field(description="The evidence the text cites by number.")]
    paths: Annotated[list[PathOut], Field(description="The paths that were walked, best first.")]
    unsupported_names: Annotated[list[str], Field(description="Names in the text that stand in no evidence.")]
    missing: Annotated[str, Field(description="What the evidence does not say; empty if nothing.")]
    trace: Annotated[TraceOut, Field(description="Every step.")]
    vector_only: Annotated[
        AnswerOut | None, Field(description="With `compare`: what vector search alone would have answered.")
    ] = None


class ReadDocumentOut(Out):
    """A document as it was when an answer was given."""

    id: Annotated[str, Field(description="The document's id.")]
    title: Annotated[str, Field(description="Its title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    sha256: Annotated[str, Field(description="Of its bytes: the version that was read.")]
    language: Annotated[str, Field(description="ISO 639-1; empty where it cannot be told.")]


class KeptAnswerOut(AnswerOut):
    """An answer as it was given, with what is needed to check it."""

    at: Annotated[datetime, Field(description="When it was given, UTC.")]
    uncited: Annotated[list[EvidenceOut], Field(description="Evidence for which the answer had no room.")]
    documents: Annotated[list[ReadDocumentOut], Field(description="The documents of all its evidence.")]
    version: Annotated[str, Field(description="Of the server that gave it.")]
    embedder: Annotated[str, Field(description="The embedder.")]


# --------------------------------------------------------------------------------------------------------------------
# Ingest and what is there


class SourceIn(In):
    """What is to be known of one uploaded file."""

    name: Annotated[str, Field(min_length=1, max_length=4096, description="Identifies the document in its workspace.")]
    media_type: Annotated[
        str, Field(max_length=200, description="As the client declares it; the bytes are trusted first.")
    ] = ""
    metadata: Annotated[dict[str, str], Field(description='Free, e.g. {"date": "1912-03-04"}.')] = {}


class SkippedOut(Out):
    """A source that could not be used, and why."""

    source: Annotated[str, Field(description="Its name.")]
    cause: Annotated[str, Field(description="Why.")]
    cure: Annotated[str, Field(description="What to do about it.")]


class UsageOut(Out):
    """What was asked of an LLM."""

    calls: Annotated[int, Field(description="How many calls.")] = 0
    tokens_in: Annotated[int, Field(description="Tokens sent.")] = 0
    tokens_out: Annotated[int, Field(description="Tokens written, thinking included.")] = 0


class IngestOut(Out):
    """What one run did."""

    added: Annotated[list[str], Field(description="New documents.")]
    updated: Annotated[list[str], Field(description="Documents whose content had changed.")]
    unchanged: Annotated[list[str], Field(description="Documents that were there already, as they are.")]
    skipped: Annotated[list[SkippedOut], Field(description="What could not be used, with its cause.")]
    problems: Annotated[list[str], Field(description="What was read, but not all of it.")]
    chunks: Annotated[int, Field(description="Chunks read in this run.")]
    kept_extractions: Annotated[int, Field(description="Chunks whose extraction was there already.")]
    triplets: Annotated[int, Field(description="Triplets read in these chunks.")]
    empty_chunks: Annotated[int, Field(description="Chunks in which the extractor found nothing.")]
    failed_chunks: Annotated[int, Field(description="Chunks that could not be read; `retry` reads them.")]
    notes: Annotated[dict[str, int], Field(description="Why chunks have no facts, and how many chunks.")]
    counts: Annotated[dict[str, int], Field(description="What was dropped, or fell outside the schema, and how often.")]
    usage: Annotated[UsageOut, Field(description="What was asked of the LLM.")]
    cost: Annotated[float | None, Field(description="Of that, by the prices that are set; null where none is.")] = None
    entities: Annotated[int, Field(description="Entities in the workspace, afterwards.")]
    facts: Annotated[int, Field(description="Facts in the workspace, afterwards.")]
    seconds: Annotated[dict[str, float], Field(description="By stage.")]


class ExportHashOut(Out):
    """A canonical export in short."""

    sha256: Annotated[str, Field(description="Of its bytes: the same for the same content.")]
    lines: Annotated[int, Field(description="How many lines it has.")]
    size: Annotated[int, Field(description="Its bytes.")]


class ImportOut(Out):
    """A workspace that was made from a file."""

    documents: Annotated[int, Field(description="Documents in it.")]
    chunks: Annotated[int, Field(description="Chunks in it.")]
    entities: Annotated[int, Field(description="Entities in it.")]
    facts: Annotated[int, Field(description="Facts in it.")]
    sha256: Annotated[str, Field(description="Of its own canonical export.")]
    same: Annotated[bool, Field(description="It is that of the file.")]
    note: Annotated[str, Field(description='Why it is not; "" where it is.')]


class ReembedIn(In):
    """Which embedder a workspace is to have."""

    embedder: Annotated[
        str,
        Field(
            description="Its name on the hub, of one on the server's machine; \"\": the server's own.", max_length=200
        ),
    ] = ""


class ReembedOut(BaseModel):
    """A workspace that has the vectors of another embedder."""

    computed: Annotated[int, Field(description="Vectors computed in this run; those of an earlier one were kept.")]


class EstimateOut(BaseModel):
    """What an ingest would take."""

    extractor: Annotated[str, Field(description="Who would read the facts.", examples=["llm:mistral"])]
    documents: Annotated[int, Field(description="New or changed documents.")]
    unchanged: Annotated[int, Field(description="Documents that are there already, as they are.")]
    skipped: Annotated[list[SkippedOut], Field(description="What could not be used, with its cause.")]
    chunks: Annotated[int, Field(description="Chunks of the new or changed documents.")]
    kept: Annotated[int, Field(description="Of them, those that were read before: they cost nothing.")]
    usage: Annotated[UsageOut, Field(description="What would be asked of the LLM for the rest.")]
    seconds: Annotated[
        float | None, Field(description="At the speed that was measured; null where there is nothing to read.")
    ]
    cost: Annotated[float | None, Field(description="By the prices that are set; null where none is.")]


class RetryIn(In):
    """Who is to read what could not be read."""

    extractor: Annotated[Literal["llm", "local", "auto"], Field(description="As for an ingest.")] = "llm"


class GapOut(Out):
    """A chunk without facts."""

    chunk_id: Annotated[str, Field(description="The chunk.")]
    document_id: Annotated[str, Field(description="The document it stands in.")]
    source: Annotated[str, Field(description="The name under which that document was ingested.")]
    index: Annotated[int, Field(description="Its number in the document, from 0.")]
    place: Annotated[str, Field(description="Page or chapter, where the document has them.")]
    extractor: Annotated[str, Field(description="Who read it, or was to.")]
    unread: Annotated[bool, Field(description="It could not be read; `retry` reads it.")]
    reason: Annotated[str, Field(description="Why there are no facts.")]
    excerpt: Annotated[str, Field(description="How its text begins.")]


class GapsOut(BaseModel):
    """The chunks without facts."""

    total: Annotated[int, Field(description="How many there are.")]
    gaps: Annotated[list[GapOut], Field(description="Those that were asked for, as they stand in the documents.")]


class SchemaIn(In):
    """A schema, and how strictly it is taken."""

    schema_: Annotated[
        str, Field(alias="schema", min_length=1, max_length=64_000, description="YAML, or the name of a ready one.")
    ]
    mode: Annotated[
        Literal["guide", "enforce"] | None,
        Field(description="What falls outside is reported; guide keeps it, enforce drops it. Null: as the YAML says."),
    ] = None


class SchemaOut(BaseModel):
    """What the LLM is to look for."""

    name: Annotated[str, Field(description="The schema's name.")]
    mode: Annotated[Literal["guide", "enforce"], Field(description="How strictly it is taken.")]
    yaml: Annotated[str, Field(description="The schema.")]
    ready: Annotated[list[str], Field(description="The schemas that come with Filigraph.")]


class DocumentOut(Out):
    """A document that was ingested."""

    id: Annotated[str, Field(description="Hash of workspace and source.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    sha256: Annotated[str, Field(description="Of its bytes: its version.")]
    language: Annotated[str, Field(description="ISO 639-1; empty where it cannot be told.")]
    media_type: Annotated[str, Field(description="What it is.")]
    status: Annotated[Literal["partial", "complete"], Field(description="partial: not all of it was read, or stored.")]
    unread: Annotated[
        int | None, Field(description="Chunks that could not be read; `retry` reads them. Null: ingest it again.")
    ]
    chunks: Annotated[int, Field(description="How many chunks it has.")]
    facts: Annotated[int, Field(description="How many facts its chunks support.")]
    warnings: Annotated[list[str], Field(description="What could not be read of it.")]


class DocumentDetailOut(DocumentOut):
    """A document with all that is known of it."""

    metadata: Annotated[dict[str, str], Field(description="As they were sent with it, or stand in it.")]


class DocumentsOut(BaseModel):
    """The documents of a workspace."""

    total: Annotated[int, Field(description="How many there are.")]
    documents: Annotated[list[DocumentOut], Field(description="Those asked for, by source.")]


class DeleteIn(In):
    """Which documents are to go."""

    ids: Annotated[list[str], Field(max_length=25_000, description="Documents by id.")] = []
    sources: Annotated[
        list[str],
        Field(max_length=1000, description="Or by source: one, a folder that ends in /, or a pattern with * and ?."),
    ] = []


class PieceOut(Out):
    """A piece of a document. It may begin before the one before it ends; what is between two is blank."""

    id: Annotated[str, Field(description="The chunk's id, as hops name it.")]
    index: Annotated[int, Field(description="Its number in the document, from 0.")]
    start: Annotated[int, Field(description="Where it begins in the document, in code points.")]
    text: Annotated[str, Field(description="Its text.")]
    place: Annotated[str, Field(description="Page or chapter, where the document has them.")]


class DocumentTextOut(ReadDocumentOut):
    """A part of a document's text."""

    chunks: Annotated[int, Field(description="How many pieces the document has.")]
    pieces: Annotated[list[PieceOut], Field(description="Those asked for, in order.")]


class WorkspaceOut(Out):
    """One user's world: its documents, its graph."""

    name: Annotated[str, Field(description="Its name.")]
    fingerprint: Annotated[str, Field(description="The embedder it was built with.")]
    dimensions: Annotated[int, Field(description="Of its vectors.")]


class WorkspacesOut(BaseModel):
    """All workspaces."""

    workspaces: Annotated[list[WorkspaceOut], Field(description="By name.")]


class StatsOut(BaseModel):
    """How much there is in a workspace."""

    workspace: Annotated[str, Field(description="Its name.")]
    stats: Annotated[JSON, Field(description="Counts of documents, chunks, mentions, entities, facts, decisions.")]


class EntityOut(BaseModel):
    """What a group of mentions refers to, with its facts."""

    entity: Annotated[JSON, Field(description="Name, aliases, type, and its facts with their sentences.")]


class FoundEntityOut(Out):
    """An entity that was looked for by a name."""

    id: Annotated[str, Field(description="The entity's id.")]
    name: Annotated[str, Field(description="Its name.")]
    type: Annotated[str, Field(description="Its type; empty where nobody gave one.")]
    aliases: Annotated[list[str], Field(description="Every form of its name.")]
    chunks: Annotated[int, Field(description="How many chunks mention it.")]
    facts: Annotated[int, Field(description="How many facts it takes part in.")]


class FoundEntitiesOut(BaseModel):
    """The entities that bear a name."""

    entities: Annotated[list[FoundEntityOut], Field(description="The best first.")]


class FirstPlaceOut(Out):
    """Where a name stands first in its document."""

    chunk_id: Annotated[str, Field(description="In this chunk.")]
    start: Annotated[int, Field(description="Where it begins there, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]


class NameFormOut(Out):
    """A name of an entity, as one document writes it."""

    id: Annotated[str, Field(description="The mention's id.")]
    form: Annotated[str, Field(description="As it is written.")]
    count: Annotated[int, Field(description="How often.")]
    document_id: Annotated[str, Field(description="In this document.")]
    title: Annotated[str, Field(description="The document's title.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    first: Annotated[FirstPlaceOut, Field(description="Where it stands first.")]


class NameDecisionOut(Out):
    """What was decided of two names."""

    form: Annotated[str, Field(description="A name of the entity.")]
    other: Annotated[str, Field(description="The other name.")]
    same: Annotated[bool, Field(description="Whether they are one.")]
    rule: Annotated[str, Field(description="By which rule: exact, contained, vector, document-alias, guard:…")]
    score: Annotated[float, Field(description="1 for exact and persons, else the cosine of the names.")]
    by: Annotated[Literal["rule", "person"], Field(description="By whom.")]
    id: Annotated[str, Field(description="Of a person's decision: what undoes it; empty of a rule's.")]
    review: Annotated[bool, Field(description="A near miss, which a person should look at.")]
    other_id: Annotated[str, Field(description="The entity that the other name refers to.")]
    other_name: Annotated[str, Field(description="That entity's name.")]


class EntityNamesOut(Out):
    """Why the names of an entity are one."""

    forms: Annotated[list[NameFormOut], Field(description="The most frequent first.")]
    decisions: Annotated[list[NameDecisionOut], Field(description="Those that joined first.")]


class NearFactOut(Out):
    """A fact near an entity."""

    fact_id: Annotated[str, Field(description="The fact's id.")]
    subject_id: Annotated[str, Field(description="The entity it is said of.")]
    subject: Annotated[str, Field(description="Its name.")]
    predicate: Annotated[str, Field(description="What is said.")]
    object_id: Annotated[str, Field(description="The other entity.")]
    object: Annotated[str, Field(description="Its name.")]
    weight: Annotated[int, Field(description="How many sentences support it.")]
    together: Annotated[bool, Field(description="The two are only named together.")]
    hop: Annotated[int, Field(description="1: of the entity itself; 2: of one of its neighbours.")]


class NeighbourhoodOut(BaseModel):
    """What is near an entity."""

    facts: Annotated[list[NearFactOut], Field(description="Its own first, the best supported first.")]


class ListedFactOut(Out):
    """A fact in a list."""

    id: Annotated[str, Field(description="Its id.")]
    subject_id: Annotated[str, Field(description="The entity it speaks of.")]
    subject: Annotated[str, Field(description="That entity's name.")]
    predicate: Annotated[str, Field(description="What it says.")]
    object_id: Annotated[str, Field(description="The entity at its other end.")]
    object: Annotated[str, Field(description="That entity's name.")]
    weight: Annotated[int, Field(description="How many sentences say it.")]
    text: Annotated[str, Field(description="The fact in words.")]


class FactsOut(BaseModel):
    """Facts of a workspace."""

    total: Annotated[int, Field(description="How many there are.")]
    facts: Annotated[list[ListedFactOut], Field(description="Those asked for, the best supported first.")]


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


class DeletedOut(BaseModel):
    """What was deleted."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]


class DeletedManyOut(BaseModel):
    """What was deleted."""

    deleted: Annotated[list[DeletedOut], Field(description="By source.")]


# --------------------------------------------------------------------------------------------------------------------
# Evaluations


class IndexedIn(In):
    """What an ingest took."""

    index_seconds: Annotated[dict[str, float], Field(description="Seconds by stage.")]
    indexed_passages: Annotated[int, Field(ge=0, description="How many documents were read in that time.")]


class Keyed(BaseModel):
    """Some names hold an `@`, as is usual for figures: recall@5."""

    model_config = ConfigDict(validate_by_alias=True, serialize_by_alias=True)


class FiguresOut(Keyed):
    """How well one method finds the gold. Shares are 0 to 1, the mean over the questions."""

    recall_2: Annotated[float, Field(alias="recall@2", description="Share of the gold among the first 2 found.")]
    recall_5: Annotated[float, Field(alias="recall@5", description="Share of the gold among the first 5 found.")]
    recall_10: Annotated[float, Field(alias="recall@10", description="Share of the gold among the first 10 found.")]
    r_precision: Annotated[
        float, Field(description="Share of gold among the first R found, where R is how much gold there is.")
    ]
    mrr: Annotated[float, Field(description="One divided by the rank of the first gold; 0 where none is found.")]
    all_gold_5: Annotated[
        float, Field(alias="all_gold@5", description="Share of questions with all of their gold among the first 5.")
    ]
    p50_ms: Annotated[float, Field(description="Half of the questions took no longer: milliseconds in the server.")]
    p95_ms: Annotated[float, Field(description="95 % of the questions took no longer.")]


class TypeFiguresOut(BaseModel):
    """The questions of one type."""

    questions: Annotated[int, Field(description="How many there are.")]
    methods: Annotated[dict[str, FiguresOut], Field(description="By method.")]


class CoverageOut(BaseModel):
    """Share of questions whose gold stands in the chunks of their first paths; null where there is no such question."""

    bridge: Annotated[float | None, Field(description="Questions with two or more pieces of gold, but comparisons.")]
    comparison: Annotated[float | None, Field(description="Questions of type comparison and bridge_comparison.")]


class EvaluationOut(Keyed):
    """What one run measured."""

    id: Annotated[str, Field(description="The run's id.")]
    at: Annotated[datetime, Field(description="When it ended, UTC.")]
    workspace: Annotated[str, Field(description="The workspace that was measured.")]
    version: Annotated[str, Field(description="Of the server.")]
    embedder: Annotated[str, Field(description="The embedder.")]
    reranker: Annotated[str, Field(description="The cross-encoder; empty without one.")]
    question_set: Annotated[str, Field(description="Hash of the questions asked: the same one, comparable figures.")]
    passages: Annotated[int, Field(description="Documents in the workspace.")]
    chunks: Annotated[int, Field(description="Chunks in the workspace.")]
    entities: Annotated[int, Field(description="Entities in the workspace.")]
    facts: Annotated[int, Field(description="Facts in the workspace.")]
    questions: Annotated[int, Field(description="Questions that were asked.")]
    skipped: Annotated[int, Field(description="Questions that could not be asked; `problems` says why.")]
    problems: Annotated[list[str], Field(description="One line for each question skipped.")]
    index_seconds: Annotated[dict[str, float], Field(description="What the ingest took, by stage; empty if not told.")]
    indexed_passages: Annotated[int, Field(description="How many documents were read in that time.")]
    methods: Annotated[dict[str, FiguresOut], Field(description="By method.")]
    by_type: Annotated[dict[str, TypeFiguresOut], Field(description="By type of question.")]
    path_coverage_1: Annotated[CoverageOut, Field(alias="path_coverage@1", description="Of the first path.")]
    path_coverage_3: Annotated[CoverageOut, Field(alias="path_coverage@3", description="Of the first three paths.")]
    fact_connected: Annotated[
        float | None, Field(description="Share of the paths shown whose hops are all facts; null if none was shown.")
    ]


class EvaluationsOut(BaseModel):
    """The runs that measured a workspace."""

    evaluations: Annotated[list[EvaluationOut], Field(description="In the order in which they ran.")]


# --------------------------------------------------------------------------------------------------------------------
# The server itself


class HealthOut(BaseModel):
    """How the server is."""

    live: Annotated[bool, Field(description="It answers.")] = True
    ready: Annotated[bool, Field(description="Neo4j answers and the models are loaded.")]
    problem: Annotated[str, Field(description="Why it is not ready; empty while it is still starting.")] = ""
    version: Annotated[str, Field(description="Of the server; a command line of another version is told so.")]
    pid: Annotated[int, Field(description="The server's process.")]
    max_upload_bytes: Annotated[int, Field(description="The largest upload in one request.")]
    neo4j_browser: Annotated[
        str | None, Field(description="Where Neo4j Browser opens; null where that is not known.")
    ] = None


class CheckOut(Out):
    """One thing that works here, or not."""

    name: Annotated[str, Field(description="What was looked at.")]
    state: Annotated[Literal["ok", "weak", "none", "broken"], Field(description="none: not there, and not needed.")]
    essential: Annotated[bool, Field(description="Nothing works without it.")]
    detail: Annotated[str, Field(description="What was found.")]
    cure: Annotated[str, Field(description="What to do about it; empty if nothing.")]


class DoctorOut(Out):
    """What works here and what does not."""

    checks: Annotated[list[CheckOut], Field(description="In the order of the data's way.")]
