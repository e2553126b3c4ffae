"""What goes into the store and comes out of it where `model.py` has no word for it: frozen, keyword-only, plain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from filigraph.graph.model import (
    Chunk,
    Extraction,
    FieldValue,
    Form,
    FormField,
    Matrix,
    Origin,
    Place,
    PlaceMark,
    Recipe,
    Summary,
    Trace,
    Vector,
)

DocumentStatus = Literal["partial", "complete"]
TOKENS_A_WORD = 1.4
VectorKind = Literal["chunks", "entities", "facts", "summaries"]  # what has vectors


HOME_SHARD = "home"  # the Neo4j server that holds what belongs to no workspace


@dataclass(frozen=True, kw_only=True)
class WorkspaceRow:
    """One user's world."""

    name: str
    id: str
    label: str  # W_<hex>: the stem of the workspace's own labels and indexes
    fingerprint: str  # embedder, prefixes and pooling its vectors were made with
    dimensions: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    embedder: str = ""  # name by which `reembed` loaded its embedder; "": the embedder of its creation
    swapping: bool = False  # it holds vectors of two embedders
    shard: str = HOME_SHARD  # the name of the Neo4j server that holds it, as far as the server says

    @property
    def chunk_label(self) -> str:
        return f"{self.label}_C"

    @property
    def entity_label(self) -> str:
        return f"{self.label}_E"

    @property
    def fact_label(self) -> str:
        return f"{self.label}_F"

    @property
    def summary_label(self) -> str:
        return f"{self.label}_S"


@dataclass(frozen=True, kw_only=True)
class ChunkPlace:
    """A chunk without its text."""

    id: str
    start: int  # in the document's text
    end: int
    tokens: int  # estimated

    @classmethod
    def of_words(cls, *, id: str, start: int, end: int, words: int) -> ChunkPlace:
        """The place of a chunk of so many words."""
        return cls(id=id, start=start, end=end, tokens=round(TOKENS_A_WORD * words))


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowChunk:
    """A chunk with the data that rank its sentences."""

    id: str
    start: int  # in the document's text
    text: str
    language: str
    sentences: Matrix  # a row for each of `text.sentences.pieces`
    entities: tuple[tuple[str, int], ...]  # id, and where in the text a name of it begins
    facts: tuple[tuple[int, int, Origin], ...]  # the sentence that states it, and how


@dataclass(frozen=True, kw_only=True)
class SummaryEntity:
    """An entity that the text under a summary names."""

    id: str
    name: str
    aliases: tuple[str, ...]
    chunks: int  # of that text, which name it


@dataclass(frozen=True, kw_only=True)
class SummaryHit:
    """A summary as a question sees it."""

    id: str
    document_id: str  # "" where it covers several
    document: str  # title of the document; name of the folder or workspace
    source: str
    date: str  # of the document; "" where it has none
    title: str
    level: int
    start: int
    size: int  # tokens of the text that it covers
    text: str
    cosine: float
    covers: tuple[str, ...] = ()  # ids of chunks of a window, or of summaries; those asked for, of one over chunks
    dates: tuple[str, ...] = ()  # of its time line
    named: int = 0  # of the question's entities, those that its text names; above level 2 not counted


@dataclass(frozen=True, kw_only=True)
class OutlineEntry:
    """A summary with what its text names most."""

    summary: Summary
    entities: tuple[SummaryEntity, ...]


@dataclass(frozen=True, kw_only=True)
class FillRow:
    """What a form was filled for."""

    form: str
    about: str
    states: tuple[str, ...]  # of its values; "corrected" where a person's own value prevails


@dataclass(frozen=True, kw_only=True)
class NamedEnds:
    """What a fact says of whom, with the names of its entities."""

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
class FieldPlace:
    """A sentence that a value rests on."""

    chunk_id: str
    start: int  # in the chunk
    end: int
    text: str
    place: str
    document_id: str
    title: str
    source: str
    entities: tuple[tuple[str, str], ...]  # that the value names: id, name
    facts: tuple[NamedFact, ...]


@dataclass(frozen=True, kw_only=True)
class FilledField:
    """A field with what it holds."""

    field: FormField
    value: FieldValue | None  # None: it was not asked yet
    places: tuple[FieldPlace, ...]


@dataclass(frozen=True, kw_only=True)
class FilledForm:
    """A form with what its fields hold."""

    form: Form
    about: str
    fields: tuple[FilledField, ...]


@dataclass(frozen=True, kw_only=True)
class FormRow:
    """A form of a workspace."""

    form: Form
    ready: bool  # it comes with Filigraph
    fills: tuple[FillRow, ...]


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A workspace in short."""

    chunks: int  # as last noted
    languages: tuple[str, ...]  # of the documents, as last noted
    revision: str  # another one after every change of what questions read
    summarized: bool  # there is at least one summary


@dataclass(frozen=True)
class ReadAheadSize:
    """Of how large workspaces what questions need is read before they come."""

    chunks: int = 10_000  # of a workspace that is read as a whole: 40 kB of memory each

    @property
    def linked(self) -> int:
        """Chunks of a workspace of which the links alone are read: 6 kB each."""
        return 10 * self.chunks


READ_AHEAD = ReadAheadSize()


@dataclass(frozen=True, kw_only=True)
class DocumentSummary:
    """A document whose summaries are up to date, and the one that covers all of it."""

    document_id: str
    id: str
    level: int
    size: int
    recipe: str


@dataclass(frozen=True, kw_only=True)
class MissingSummaries:
    """What a workspace that was summarized has no summaries of: it was added, or changed, since."""

    documents: int = 0  # of which not all is summarized
    above: bool = False  # what covers several documents

    def __bool__(self) -> bool:
        return self.above or self.documents > 0


@dataclass(frozen=True, kw_only=True)
class DocumentRow:
    """A document as the store knows it. `status`, `chunks` and `facts` are the store's own: not taken on writing."""

    id: str
    source: str
    title: str
    sha256: str
    language: str
    metadata: Mapping[str, str] = field(default_factory=dict)  # those in it, and over them those given with it
    given: Mapping[str, str] | None = None  # the latter; None: an older version did not tell them apart
    media_type: str = ""
    warnings: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    recipe: Recipe | None = None  # None: an older version noted none that is known
    status: DocumentStatus = "partial"  # complete: fully read, and everything that follows from it is derived
    unread: int | None = None  # chunks that wait to be read; None: not all of it is stored. Not taken on writing
    chunks: int = 0
    facts: int | None = None  # supported by this document; None: not counted


@dataclass(frozen=True, kw_only=True)
class DocumentName:
    """A document in short: enough to say which ones are meant."""

    id: str
    source: str
    metadata: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ChunkRow:
    """All that is stored of a chunk."""

    chunk: Chunk
    terms: str  # its normal words, separated by spaces: what the word index holds
    vector: Vector
    sentences: Matrix  # a vector for each piece of it, shape (n, d)
    extraction: Extraction
    late: str = ""  # of the text in which it was embedded late; "" where it was embedded alone


@dataclass(frozen=True, kw_only=True)
class Speed:
    """What a run of an extractor took, from the loaded text to the derived graph."""

    chunks: int  # that were read, at least 1
    seconds: float
    calls: int = 0  # of an LLM
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, kw_only=True)
class StoredKey:
    """What a stored chunk was made with."""

    key: str  # of its extraction
    title: str
    late: str = ""  # as in ChunkRow


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A chunk without facts, or a document of which not all is stored."""

    chunk_id: str  # "": the document
    document_id: str
    source: str
    index: int | None  # in its document, from 0; None: the document
    place: str
    extractor: str
    unread: bool  # it could not be read, and is waiting for it: `retry` reads it
    reason: str  # why there are no facts; never empty
    excerpt: str  # how its text begins; a document's title


@dataclass(frozen=True, kw_only=True)
class ScannedRow:
    """A mention that only the scan found."""

    id: str
    form: str
    language: str
    places: tuple[tuple[str, str], ...]  # the text at each, and the language of its chunk


@dataclass(frozen=True, kw_only=True)
class TitleRow:
    """A document's title."""

    document_id: str
    title: str
    fresh: bool  # it was not yet looked up in the chunks that were there before it


@dataclass(frozen=True, kw_only=True)
class StoredChunk:
    """What deriving needs of a chunk."""

    id: str
    document_id: str
    language: str
    text: str
    extraction: Extraction
    scanned: bool  # it was derived before: searched for every name known then


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
    part_of: str = ""  # the mention of which a person split this one off


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
class FactHit:
    """A fact that a question found."""

    fact_id: str
    cosine: float
    subject_id: str
    object_id: str
    text: str
    chunk_ids: tuple[str, ...]  # sorted


@dataclass(frozen=True, kw_only=True)
class WordHit:
    """A chunk that a question's words found."""

    id: str
    score: float  # BM25
    cosine: float | None  # with the question; None behind the best, which alone are compared


@dataclass(frozen=True, kw_only=True)
class TitledDocument:
    """A document that bears a title, and its first chunk."""

    key: str
    entity_id: str  # the document's id: a title is looked up as a name is
    name: str
    chunks: int
    chunk_id: str
    cosine: float  # of the chunk, with the question


@dataclass(frozen=True, kw_only=True)
class NamedEntity:
    """An entity that bears a name."""

    key: str
    entity_id: str
    name: str
    chunks: int  # how many chunks mention it


@dataclass(frozen=True, kw_only=True)
class FactSentence:
    """Where a fact is said, in words."""

    chunk_id: str
    document_id: str
    source: str
    place: str
    sentence: str
    start: int
    end: int
    origin: Origin
    according_to: str = ""  # who in the text asserts it; "" where the text itself does
    premises: tuple[str, ...] = ()  # the other sentences that an implied fact follows from
    date: str = ""  # of the document
    when: str = ""  # of what is said, as written; "" where no date is given
    when_date: str = ""  # that date as ISO 8601


@dataclass(frozen=True, kw_only=True)
class DetailFact(NamedFact):
    """A fact with every sentence that supports it."""

    text: str
    weight: int
    denied: bool  # its predicate denies
    sentences: tuple[FactSentence, ...]


@dataclass(frozen=True, kw_only=True)
class Statement(NamedFact):
    """A fact as one sentence says it, and who says it."""

    subject_type: str
    object_type: str
    denied: bool  # its predicate denies
    sentence: str
    place: str
    chunk_id: str
    start: int
    end: int
    document_id: str
    source: str
    language: str
    author: str  # of the document, as its metadata give it; "" where they give none
    date: str  # of the document; "" where it has none
    according_to: str  # who in the text asserts it; "" where the text itself does
    when: str  # of what is said, as written; "" where no date is given
    when_date: str  # that date as ISO 8601

    @property
    def voice(self) -> str:
        """Who says it: in the text, else of the document, else the document itself."""
        return self.according_to or self.author or self.source


@dataclass(frozen=True, kw_only=True)
class SourcePassage:
    """A chunk with whose text it is and the entities that it names."""

    chunk_id: str
    document_id: str
    index: int
    start: int  # in the document
    text: str
    language: str
    source: str
    author: str
    date: str
    entities: tuple[str, ...]  # ids

    @property
    def voice(self) -> str:
        """Who says what nobody in the text asserts."""
        return self.author or self.source


@dataclass(frozen=True, kw_only=True)
class NamedSentence:
    """A sentence with whose it is and the entities that it names."""

    sentence: str
    language: str
    place: str
    document_id: str
    source: str
    author: str
    date: str
    entities: frozenset[str]  # ids


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
class Connection:
    """A chain of facts from one entity to another."""

    facts: tuple[DetailFact, ...]  # each with the sentence that says it first
    hubs: tuple[str, ...]  # names of the hubs that it passes, where there is no other way
    alike: tuple[AlikeNames, ...] = ()  # where no entity joins two facts, or an end and a fact
    named: tuple[NamedBeside, ...] = ()  # where it goes over what the sentence of a fact names beside its ends


@dataclass(frozen=True, kw_only=True)
class Regrouped:
    """An entity of one view, and the entities of the other that have its names."""

    name: str
    others: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What is otherwise in the second of two views."""

    joined: tuple[Regrouped, ...]  # entities of the second, that are several in the first
    parted: tuple[Regrouped, ...]  # entities of the first, that are several in the second
    renamed: tuple[Regrouped, ...]  # entities of the second, that are called otherwise in the first
    entities_came: tuple[str, ...]  # none of their names is in the first
    entities_gone: tuple[str, ...]
    facts_came: tuple[DetailFact, ...]  # the best supported first; without those that only name two together
    facts_gone: tuple[DetailFact, ...]


@dataclass(frozen=True, kw_only=True)
class EntityDetail:
    """All that is known of one entity."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: int
    chunks: int
    facts: tuple[DetailFact, ...]  # most supported first


@dataclass(frozen=True, kw_only=True)
class ListedEntity:
    """An entity that is named in a list."""

    id: str
    name: str
    chunks: int  # that mention it


@dataclass(frozen=True, kw_only=True)
class TextPlace:
    """Where a text occurs in a document."""

    chunk_id: str
    start: int  # in the chunk, in code points
    end: int
    text: str  # with some of what is around it
    place: str  # page or chapter


@dataclass(frozen=True, kw_only=True)
class PhrasePlace(TextPlace):
    """Where a phrase occurs in a workspace."""

    document_id: str
    source: str
    title: str


@dataclass(frozen=True, kw_only=True)
class ChainEnds:
    """Two facts that share an entity, by their other ends."""

    first_id: str
    first: str
    last_id: str
    last: str
    language: str  # of the document that says the first


@dataclass(frozen=True, kw_only=True)
class TypeRow:
    """A type of entities."""

    type: str  # "" where none was given
    entities: int
    first: tuple[ListedEntity, ...]  # those that most chunks mention


@dataclass(frozen=True, kw_only=True)
class TraceRow:
    """A trace without its steps."""

    id: str
    question: str
    at: datetime  # when its answer was given, UTC
    expires: datetime
    method: str  # how it was searched: "filigraph", "dense", ...
    answered: bool  # the answer is kept with it; else it is of a search
    thread: str  # of the first question of its thread: that trace's id
    newer_documents: int = 0  # that came, or changed, after it


@dataclass(frozen=True, kw_only=True)
class ThreadRow:
    """Questions that follow each other, with their answers."""

    id: str  # of the trace of its first question
    title: str  # as a person named it, else its first question
    questions: int
    at: datetime  # when the last one was answered, UTC
    expires: datetime
    newer_documents: int = 0  # that came, or changed, after that


@dataclass(frozen=True, kw_only=True)
class ThreadAnswer:
    """A question of a thread, and what was answered."""

    row: TraceRow
    text: str  # of the answer
    view: Mapping[str, Any]  # the part of the workspace that was asked


@dataclass(frozen=True, kw_only=True)
class StoredAnswer:
    """An answer as it was given."""

    trace: Trace
    at: datetime  # UTC
    body: Mapping[str, Any]  # JSON: what was kept of it
    asked: str  # the question as it was put; the trace has it as it was understood
    thread: str
    newer_documents: int = 0  # that came, or changed, after it


@dataclass(frozen=True, kw_only=True)
class ChunkText:
    """A chunk in its document."""

    id: str
    start: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A chunk as it is read in its document."""

    id: str
    index: int
    start: int  # where it begins in the document
    text: str
    place: str  # where it begins
    places: tuple[PlaceMark, ...] = ()  # of its parts


@dataclass(frozen=True, kw_only=True)
class FoundPiece:
    """A chunk that holds words that were looked for, with its document."""

    document_id: str
    source: str
    title: str
    piece: Piece


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
    occurrences: tuple[tuple[str, int, int], ...]  # entity, where its name stands in the chunk; in their order


@dataclass(frozen=True, kw_only=True)
class PredicateRow:
    """What facts are said by."""

    predicate: str
    type: str  # by which Neo4j Browser draws them
    inverse: bool  # they are drawn from the object to the subject
    facts: int
    sentences: int  # that say them


@dataclass(frozen=True, kw_only=True)
class NameDecision:
    """What was decided of a name of an entity and another name."""

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


@dataclass(frozen=True, kw_only=True)
class NearFact(NamedFact):
    """A fact near an entity."""

    weight: int  # sentences that support it
    together: bool  # its ends are only named together
    denied: bool  # its predicate denies
    dates: list[str]  # of what it says: as ISO 8601, as written where that has none
    hop: int  # 1: of the entity itself; 2: of one of its neighbours


@dataclass(frozen=True, kw_only=True)
class EvaluationRow:
    """A run that measured a workspace."""

    id: str
    at: datetime  # when it ended, UTC
    body: Mapping[str, Any]  # JSON: what it measured


@dataclass(frozen=True, kw_only=True)
class DerivedCounts:
    """How much of a workspace is derived."""

    entities: int
    facts: int


@dataclass(frozen=True, kw_only=True)
class GraphStats:
    """How much there is in a workspace."""

    documents: int
    complete: int
    partial: int
    chunks: int
    mentions: int
    entities: int
    facts: int
    relationships: int  # drawn between entities
    near_misses: int
    decisions: Mapping[str, int]  # rule -> how many; persons' under "person"
    empty_extractions: int  # chunks in which the extractor found no triplet


@dataclass(frozen=True, kw_only=True)
class FactEnds:
    """A fact, and the names that may stand for its ends."""

    fact_id: str
    subject_id: str
    predicate: str
    object_id: str
    mention_ids: tuple[str, ...]  # of its two ends, where it is said


@dataclass(frozen=True, kw_only=True)
class DatedFact(NamedFact):
    """A fact whose sentence names a date."""

    date: str  # ISO 8601: a day, a month or a year
    sentence: str
    place: str  # of the sentence
    source: str
    document_id: str
    chunk_id: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class WholeEntity:
    """An entity in a picture of the whole graph."""

    id: str
    name: str
    type: str
    chunks: int  # that mention it: its weight
    facts: int


@dataclass(frozen=True, kw_only=True)
class WholeFact:
    """A fact in a picture of the whole graph."""

    id: str
    subject_id: str
    predicate: str
    object_id: str
    relation: str  # the type by which it is drawn in Neo4j
    weight: int


@dataclass(frozen=True, kw_only=True)
class Whole:
    """The heaviest entities of a graph, and the best supported facts between them."""

    revision: str
    entities: tuple[WholeEntity, ...]
    facts: tuple[WholeFact, ...]
    total_entities: int  # that have a fact
    total_facts: int  # but those that are only named together


@dataclass(frozen=True, kw_only=True)
class ListedFact(NamedEnds):
    """A fact in a list."""

    id: str
    weight: int  # how many sentences say it
    text: str
    denied: bool  # its predicate denies
    dates: list[str]  # of what it says: as ISO 8601, as written where that has none
