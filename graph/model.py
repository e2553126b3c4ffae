"""The data that flows through Filigraph: frozen, keyword-only, plain. Read this, then `pipeline.py` or `answer.py`.

    Source -> LoadedDocument -> Chunk -> Extraction (Triplets) -> Mention -> Entity, Fact        (ingest)
    question -> Seeds -> Path (Hops) -> Evidence -> Answer, with a Trace of every step           (ask)

Ids are hashes of content, so the same input always gives the same graph (see `ids.py`). Offsets are Unicode code
points: `text[start:end]`. Scores called `cosine` are true cosines in -1..1, whatever the store calls a score.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]  # shape (d,), length 1
Matrix = npt.NDArray[np.float32]  # shape (n, d), each row of length 1
Floats = npt.NDArray[np.float64]
Span = tuple[int, int]  # text[start:end]
ShouldStop = Callable[[], bool]  # asked several times a second; True: stop

Origin = Literal["explicit", "implied", "cooccurrence", "own"]  # own: a person states it of a sentence
HopKind = Literal["fact", "mention", "title", "sentence", "identity", "unfound"]  # see Hop
PathOrigin = Literal["ranked", "named"]  # by a ranker before reading; by a language model after it
LookKind = Literal["search", "facts", "between"]  # by words; what is known of a name; what joins two names
PremiseMark = Literal["", "text", "title", "head", "end"]  # see Hop
Ended = Literal["", "answered", "unanswered", "rounds", "tokens", "seconds", "repeats", "cancelled"]  # see Answer
DecisionKind = Literal["same", "apart", "part", "name", "type", "fold", "wrong", "restated", "stated"]  # PersonDecision
CorrectionKind = Literal["same", "apart", "split", "name", "type", "wrong", "restated", "stated"]  # split: apart, part
FieldType = Literal["text", "date", "number", "enum", "list", "entity"]
PairVerdict = Literal["contradiction", "not", "unsure"]  # on two sentences, by an LLM
FieldState = Literal["open", "found", "not_found", "proposed", "passages"]  # see FieldValue
UnsupportedKind = Literal["name", "number", "date", "citation"]
KeptBy = Literal["rank", "graph", "neighbour", "dependency"]
Profile = Literal["detail", "synthesis", "entity", "recent"]  # what a question wants, see profile.py
Method = Literal["filigraph", "hybrid", "dense", "bm25"]  # the walk; words and vectors fused; vectors; words

# --------------------------------------------------------------------------------------------------------------------
# Read: what the documents say, and what an extractor said of it


@dataclass(frozen=True, kw_only=True)
class Source:
    """Bytes to ingest, as a client sent them. The server never opens a path that a client names."""

    name: str  # the path or name the client gave; identifies the document within its workspace
    content: bytes
    media_type: str = ""  # as declared by the client; the loader trusts the bytes first
    metadata: Mapping[str, str] = field(default_factory=dict)  # free, e.g. {"date": "1912-03-04"}


PlaceKind = Literal["page", "chapter", "section"]  # section: its label says what it is ("Part II")
Strategy = Literal["paragraph", "sentence", "fixed"]  # how a text is cut
CutUnit = Literal["tokens", "characters", "words"]
CutPreset = Literal["2000/300", "250-350 words"]


PlaceMark = tuple[int, str]  # from this offset in a chunk on it stands there: (811, "page 3"); see text/places.py


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page or a chapter: it begins at `start` and holds until the next one of its kind in the document."""

    kind: PlaceKind
    label: str  # "3", "The Red-Headed League"
    start: int


@dataclass(frozen=True, kw_only=True)
class Cut:
    """How a text is cut into chunks, and how they are embedded."""

    strategy: Strategy = "paragraph"
    size: int = 512  # of a chunk, at most, in `unit`
    overlap: float = 0.15  # share of a chunk that is repeated in the next
    unit: CutUnit = "tokens"
    late: bool = False  # chunks are embedded late: their vectors come from a pass over the whole document

    def fields(self) -> dict[str, Any]:
        """It alone, of what is cut so and more."""
        return {name: getattr(self, name) for name in ("strategy", "size", "overlap", "unit", "late")}


CUT_PRESETS: Mapping[CutPreset, Cut] = {
    "2000/300": Cut(size=2000, overlap=0.15, unit="characters"),
    "250-350 words": Cut(size=350, overlap=0.0, unit="words"),
}


@dataclass(frozen=True, kw_only=True)
class Recipe(Cut):
    """Who reads a document, and how it is cut. By another one the same text may give other chunks and facts."""

    extractor: str  # its name and version: "local:6", "llm:mistral:5f0c"

    @property
    def read_by(self) -> str:
        """The kind of the extractor: llm, local, triples."""
        return self.extractor.partition(":")[0]


@dataclass(frozen=True, kw_only=True)
class LoadedDocument:
    """A document as text. Offsets everywhere else refer to `text`."""

    source: str
    title: str
    text: str
    sha256: str  # of the original bytes: the document's version
    media_type: str
    language: str  # ISO 639-1 ("fr", "en", "ru", ...), "" if unknown
    places: tuple[Place, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()  # e.g. "page 7 has no text"


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A piece of a document, `document.text[start:end]`."""

    id: str  # hash(document, text, n-th occurrence of that text)
    document_id: str
    index: int  # position among the document's chunks, from 0
    start: int
    end: int
    text: str
    title: str  # the document's title; embedded and indexed with the text
    place: str  # where it begins: "page 3", "chapter The Red-Headed League", "" where the document has neither
    language: str
    places: tuple[PlaceMark, ...] = ()  # of its parts
    dates: tuple[str, ...] = ()  # of what it tells, from when its parts were written: ISO 8601 days, months, years
    before: str = ""  # what a reader knows by then: names and last sentences of the chunk before; not stored
    given: tuple[Triplet, ...] | None = (
        None  # triples a client put to it, None: its document was given none; not stored
    )
    read: Extraction | None = None  # of source code, which no extractor reads; not stored


@dataclass(frozen=True, kw_only=True)
class Triplet:
    """What an extractor read in a chunk, as written there."""

    subject: str
    predicate: str
    object: str
    start: int  # the sentence that says it: chunk.text[start:end]
    end: int
    subject_type: str = ""  # only where an LLM or a schema gave it: a type is a guard in resolution
    object_type: str = ""
    origin: Origin = "explicit"
    according_to: str = ""  # who in the text asserts it, as written; "" where the text itself does
    premises: tuple[Span, ...] = ()  # of an implied one: the other sentences it follows from
    when: str = ""  # the date of what it says, as written: "12 March 1912", "le lendemain"; "" where none is said
    when_date: str = ""  # that date as ISO 8601: 1912-03-12, 1912-03, 1912; --03-12 without its year; "" if relative


@dataclass(frozen=True, kw_only=True)
class Alias:
    """Two names that a document itself says are one: "The Claw, dite La Griffe". Holds within that document."""

    first: str
    second: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class CodeUnit:
    """What a chunk of source code is, beside its text."""

    kind: str  # function, method, class, type, or module: what is between those
    name: str  # in its file: "Client.send"
    signature: str  # on one line
    docstring: str  # or the comment above it
    complexity: int  # cyclomatic; 0 of a module


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """All that one extractor read in one chunk. Kept with the chunk under `key`, so no call is ever paid twice."""

    key: str  # hash of (text, what came before it, extractor with model, prompt and schema); "": nothing was read
    extractor: str  # "llm:mistral", "local", "triples"
    triplets: tuple[Triplet, ...] = ()
    aliases: tuple[Alias, ...] = ()
    names: tuple[str, ...] = ()  # names seen that take part in no triplet, as written
    types: Mapping[str, str] = field(default_factory=dict)  # of names that no triplet types, where an LLM gave it
    note: str = ""  # why there are no triplets, or not all; "" where there is nothing to say
    counts: Mapping[str, int] = field(default_factory=dict)  # what was dropped or is unusual, and how often
    unit: CodeUnit | None = None  # of source code


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """Where a name occurs: `chunk.text[start:end]`."""

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
    part_of: str = ""  # the mention of which a person split this one off


class MentionLike(Protocol):
    """What deciding needs to know of a mention, whoever holds it."""

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
    def part_of(self) -> str: ...  # the mention of which a person split this one off; "" for all others


def are_alike(first: MentionLike, second: MentionLike) -> bool:
    """Whether deciding cannot tell two mentions from each other."""
    return first is second or _told(first) == _told(second)


def _told(mention: MentionLike) -> tuple[str, str, str, str, str, int, str]:
    m = mention
    return m.id, m.document_id, m.key, m.form, m.type, m.count, m.part_of


# --------------------------------------------------------------------------------------------------------------------
# Decided: by persons; what rules decide is derived anew each time


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Two mentions are the same, or are not."""

    first: str  # mention ids, first < second
    second: str
    same: bool
    rule: str  # "exact", "contained", "vector", "document-alias", "alias-file", "person", "guard:<which>"
    score: float  # 1.0 for exact and persons; the cosine for vector
    by: Literal["rule", "person"] = "rule"
    id: str = ""  # of the person's decision that it follows from


@dataclass(frozen=True, kw_only=True)
class DecidedName:
    """A mention as a person's decision names it."""

    id: str
    document_id: str
    key: str  # "" where only that very mention is meant: it is a part of another
    form: str


@dataclass(frozen=True, kw_only=True)
class PersonDecision:
    """What a person decided of names, predicates and facts: a record that holds until it is undone.

    same    one of `names` and one of `others` are the same
    apart   `names` are one, and none of `others` belongs to it
    part    the `places` of the one mention in `names` go to a mention of their own
    name    what the first of `names` refers to is called `name`
    type    what the first of `names` refers to is of the type `name`
    fold    the predicates `forms` say the same as the predicate `name`
    wrong   that what `names` refers to `name` what `others` refers to (a fact) is wrong
    restated  the fact that is said by the one predicate in `forms` is said by `name`
    stated  what `names` refers to `name` what `others` refers to: the sentence at the one of `places` says so
    """

    id: str  # hash of what is decided: deciding it twice is deciding it once
    kind: DecisionKind
    names: tuple[DecidedName, ...] = ()
    others: tuple[DecidedName, ...] = ()
    places: tuple[Occurrence, ...] = ()
    name: str = ""
    forms: tuple[str, ...] = ()
    note: str = ""
    at: str = ""  # when, ISO 8601, UTC; the store's


@dataclass(frozen=True, kw_only=True)
class AliasGroup:
    """A person says that these names are one, in the whole workspace or in one document."""

    names: tuple[str, ...]
    document_id: str = ""
    id: str = field(default="", compare=False)  # the store's


# --------------------------------------------------------------------------------------------------------------------
# The cast of a document: read as well


@dataclass(frozen=True, kw_only=True)
class CastMember:
    """Names of one document that an LLM says are one person's, or one thing's."""

    names: tuple[str, ...]  # as keys
    reason: str = ""  # the sentence of the document that shows it


@dataclass(frozen=True, kw_only=True)
class CastContrast:
    """Two names of one document of which an LLM says that they are not one's."""

    first: str  # a key
    second: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class CastReading:
    """What one call of an LLM told of the cast of a document."""

    key: str  # hash of what was asked, and of whom
    members: tuple[CastMember, ...] = ()
    contrasts: tuple[CastContrast, ...] = ()


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
    """What one call of an LLM told of the contradictions among some passages."""

    key: str  # hash of what was asked, and of whom
    model: str
    recipe: str  # how it was asked for
    chunk_ids: tuple[str, ...]  # of the passages, sorted
    pairs: tuple[ReadPair, ...] = ()


# --------------------------------------------------------------------------------------------------------------------
# Derived: a pure function of what was read and what was decided


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """Which entity every mention refers to, and why."""

    entity_of: Mapping[str, str]  # mention id -> entity id
    decisions: tuple[Decision, ...]  # by rule, accepted (same) or vetoed (not same)
    near_misses: tuple[Decision, ...]  # same=False, for a person to review


@dataclass(frozen=True, kw_only=True)
class Entity:
    """What a group of mentions refers to."""

    id: str  # hash(smallest member mention id)
    name: str  # the most frequent proper-name form without epithet; ties by code point
    aliases: tuple[str, ...]  # every form, sorted
    type: str
    mention_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Support:
    """The sentence that says a fact: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int
    origin: Origin
    according_to: str = ""  # as in Triplet
    premises: tuple[Span, ...] = ()  # as in Triplet
    when: str = ""  # as in Triplet
    when_date: str = ""  # as in Triplet


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One distinct (entity, predicate, entity), with every sentence that supports it."""

    id: str  # hash(subject entity, predicate, object entity)
    subject_id: str
    predicate: str  # normalized, as written in the chunk's language: "porte", "was born in"
    object_id: str
    text: str  # verbalized: "Jules porte chevalière"
    supports: tuple[Support, ...]


@dataclass(frozen=True, kw_only=True)
class CorrectedFact:
    """What a chunk says, and a person corrected or stated: kept with the chunk, so that undoing knows where to look."""

    subject_id: str
    told: str  # the predicate as it was read, before folds; "" where no reader, but a person, found it
    object_id: str
    predicate: str  # what it is said by instead; "" where it is wrong


# --------------------------------------------------------------------------------------------------------------------
# Summarized: what a stretch of a text says, in levels


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A sentence of a chunk: `chunk.text[start:end] == text`."""

    chunk_id: str
    start: int
    end: int
    text: str
    date: str = ""  # ISO 8601: the day, month or year that it names, in a time line


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What consecutive chunks (level 1) or summaries (above) say. The last level covers a document, or a folder."""

    id: str  # hash(recipe, level, what it covers): with a chunk only its ancestors change
    key: str  # hash(recipe, the text that was summarized): the same text is never paid for twice
    document_id: str  # "" where it covers several documents
    folder: str  # of the sources it covers, "." where they are in none, "" for all; "" where it covers one document
    level: int  # from 1
    index: int  # among those of its document or folder and level, in reading order, from 0
    title: str  # "chapter I - chapter VI", or the document's or folder's
    text: str
    quotes: tuple[Quote, ...]  # the sentences that it consists of; () where a model worded it
    timeline: tuple[Quote, ...]  # sentences that name a date, by date
    tags: tuple[str, ...]  # what it is about, in words of the text
    omissions: tuple[str, ...]  # what the model says it left out
    start: int  # of the document's text; 0 where it covers several documents
    end: int
    size: int  # tokens of the text that it covers, estimated
    recipe: str  # who made it: "extractive:1", "llm:mistral:5f0c"
    covers: tuple[str, ...]  # ids of chunks or summaries, in reading order


# --------------------------------------------------------------------------------------------------------------------
# Filled: forms


@dataclass(frozen=True, kw_only=True)
class FormField:
    """A field of a form, in one language."""

    id: str
    question: str
    type: FieldType
    required: bool = False
    group: str = ""
    help: str = ""
    values: tuple[str, ...] = ()  # of an enum


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form, in one language."""

    name: str
    title: str
    fields: tuple[FormField, ...]
    text: str  # the file, in all its languages
    about_one: bool = False  # its questions are about one thing, named when it is filled: "Where was {about} born?"


@dataclass(frozen=True, kw_only=True)
class FieldEvidence:
    """The sentence that a value rests on: `chunk.text[start:end]`."""

    chunk_id: str
    start: int
    end: int
    value_start: int = 0  # where the value occurs in the chunk; the same twice where it does not, word for word
    value_end: int = 0


@dataclass(frozen=True, kw_only=True)
class FieldValue:
    """What a field of a form holds.

    open        it was not asked yet, or what it rested on is gone
    found       the LLM's value, which its evidence bears out
    not_found   the texts do not say it, or the LLM's value occurs in no text
    proposed    read off the facts, without an LLM: a proposal
    passages    no value; its evidence are the passages nearest to the question
    """

    form: str
    about: str  # what the form is about; "" where that is all the documents
    field: str
    state: FieldState
    values: tuple[str, ...] = ()  # one; of a list several
    normalized: str = ""  # a date as ISO 8601 has it, a number with its unit: "900 FRF"
    note: str = ""
    key: str = ""  # hash of what was asked, of whom, and of the passages: the same is never paid for twice
    recipe: str = ""  # who filled it: "llm:mistral:5f0c", "facts:1"
    evidence: tuple[FieldEvidence, ...] = ()
    corrected: tuple[str, ...] | None = None  # a person's own value, which prevails; None: nobody corrected it

    @property
    def shown(self) -> tuple[str, ...]:
        return self.values if self.corrected is None else self.corrected


# --------------------------------------------------------------------------------------------------------------------
# Asked


class PoolEntity(NamedTuple):
    """An entity that a chunk mentions. A tuple, as PoolFact is: a question makes thousands of them in milliseconds."""

    entity_id: str
    name: str
    chunks: int  # how many chunks of the workspace mention it


class PoolFact(NamedTuple):
    """A fact that a chunk supports."""

    fact_id: str
    subject_id: str
    subject: str
    predicate: str
    object_id: str
    object: str
    start: int  # the sentence that says it: text[start:end] of the chunk
    end: int
    origin: Origin
    according_to: str = ""
    premises: tuple[Span, ...] = ()  # the other sentences that an implied fact follows from
    when: str = ""  # as in Triplet
    when_date: str = ""
    denied: bool = False  # the predicate denies: "never met", "ne porte pas"

    def touches(self, entity_id: str) -> bool:
        """Whether the entity is one of its ends."""
        return entity_id in (self.subject_id, self.object_id)

    def says(self, title: str) -> bool:
        """Whether the title occurs in the name of one of its ends."""
        return bool(title) and (title in self.subject or title in self.object)


@dataclass(frozen=True, kw_only=True, eq=False)
class PoolChunk:
    """A chunk that a question has brought into play, with everything the walk needs to know of it."""

    id: str
    document_id: str
    index: int  # in its document, from 0
    title: str
    language: str
    terms: frozenset[str]
    vectors: Matrix  # row 0: its own, then one for each of its sentences
    entities: tuple[PoolEntity, ...]
    facts: tuple[PoolFact, ...]
    fact_vectors: Matrix  # one row for each of `facts`
    titles: frozenset[str]  # documents whose title its text names

    @cached_property
    def sort_key(self) -> tuple[int, bytes, str]:
        """By what it says: ids, which hash the document's name, tell only copies apart."""
        return self.index, self.vectors[0].tobytes(), self.id

    @cached_property
    def entity(self) -> Mapping[str, PoolEntity]:
        """Its entities by id."""
        return {entity.entity_id: entity for entity in self.entities}

    @cached_property
    def facts_of(self) -> Mapping[str, tuple[int, ...]]:
        """Entity id -> the places in `facts` of those that it is an end of."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            for end in {fact.subject_id, fact.object_id}:
                found[end].append(place)
        return {end: tuple(places) for end, places in found.items()}

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The entities that it mentions, then those that are only ends of its facts."""
        ends = (end for fact in self.facts for end in (fact.subject_id, fact.object_id))
        return tuple(dict.fromkeys([*(entity.entity_id for entity in self.entities), *ends]))

    @cached_property
    def ends(self) -> npt.NDArray[np.intp]:
        """(facts, 2) subject and object of each fact, by their places in `known`."""
        place = {id_: number for number, id_ in enumerate(self.known)}
        ends = [place[end] for fact in self.facts for end in (fact.subject_id, fact.object_id)]
        return np.array(ends, dtype=np.intp).reshape(-1, 2)


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A chunk as it is shown."""

    id: str
    document_id: str
    title: str
    source: str
    place: str
    language: str
    text: str
    date: str = ""  # of the document, as its metadata give it
    places: tuple[PlaceMark, ...] = ()
    dates: tuple[str, ...] = ()  # as in Chunk


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """A question as the walk sees it."""

    text: str
    terms: tuple[str, ...]
    languages: tuple[str, ...] = ()  # in which `terms` were made: the question's and those of the documents
    vector: Vector
    segments: Matrix  # (n, d): its pieces, cut at commas, possessives, relative words
    entities: Mapping[str, int]  # id of a named entity -> number of chunks that mention it
    compared: tuple[frozenset[str], ...] = ()  # of each name that is beside another ("A or B"): who bears it
    titles: frozenset[str]  # documents whose title it names
    words: Mapping[str, float]  # chunk id -> BM25
    chunks_in_workspace: int
    revision: str | None = None  # of the workspace when the question came
    trust: float = 1.0  # in vectors: less where the embedder does not know the language

    def idf(self, chunks: int) -> float:
        """How telling an entity is that `chunks` chunks mention."""
        return math.log(1 + self.chunks_in_workspace / max(chunks, 1))


@dataclass(frozen=True, kw_only=True)
class Trail:
    """A trail of chunks: `links[i]` is the entity over which `chunk_ids[i + 1]` was reached, "" where the text
    names the title of its document instead."""

    chunk_ids: tuple[str, ...]
    links: tuple[str, ...] = ()
    start: float = 0.0  # first-hop score of the first chunk minus the best; less for every hop after the second

    @property
    def end(self) -> str:
        return self.chunk_ids[-1]


@dataclass(frozen=True, kw_only=True)
class Hop:
    """One step of a path, with the words that carry it.

    fact      a fact of the graph; of a named path: that `chunk_id` supports
    mention   both ends are mentioned in the chunk
    title     the chunk names the title of a document
    sentence  of a named path: the graph has no such fact, but `sentence` names both ends (with `premises` together)
    identity  of a named path: two names of one; `premises` hold the sentence of the other name
    unfound   of a named path: the extract that was cited does not say it
    """

    kind: HopKind
    subject: str  # entity names, as the hop is read: subject - predicate -> object
    predicate: str
    object: str
    subject_id: str
    object_id: str
    chunk_id: str
    sentence: str
    start: int  # the sentence in the chunk
    end: int
    score: float  # cosine of the question with the fact (kind fact), else with the chunk
    fact_id: str = ""  # kind fact only
    implied: bool = False
    premises: tuple[str, ...] = ()  # the other sentences that it follows from
    premise_chunk_ids: tuple[str, ...] = ()  # of `premises` where they are of another chunk; () where they are not
    # Of `premises`, where they do not carry the hop but complete it, where each stands: in the text near by, in the
    # title, in the head or at the end of the document; () where all carry it, "" for one that does.
    premise_marks: tuple[PremiseMark, ...] = ()
    according_to: str = ""  # who in the text asserts it; "" where the text itself does
    date: str = ""  # of the document that says it; "" where it has none
    when: str = ""  # of what it says, as written; "" where the text gives no date
    when_date: str = ""  # that date as in Triplet
    denied: bool = False  # the text denies it, and the predicate says so
    apart: bool = False  # kind identity: the graph has two entities, `subject_id` and `object_id`, and may join them
    own: bool = False  # kind fact: a person states it
    joined: bool = True  # with an end of an earlier hop; of the first hop always
    place: str = ""  # of the sentence


@dataclass(frozen=True, kw_only=True)
class Path:
    """Connected hops in reading order: a chain of 1 to 4 facts, or the steps that a language model named."""

    id: str
    hops: tuple[Hop, ...]
    score: float  # ranked: the probability that it helps to answer; named: the share of hops that the texts say
    text: str  # verbalized: "Jules porte chevalière; chevalière est emblème de La Griffe"
    cypher: str = ""  # a statement that shows the path in Neo4j Browser, with its ids inlined
    origin: PathOrigin = "ranked"
    lead: bool = False  # ranked: it is not likely to answer, so it is folded

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The chunks behind the hops, in walking order, each once."""
        return tuple(dict.fromkeys(id_ for hop in self.hops for id_ in (hop.chunk_id, *hop.premise_chunk_ids) if id_))


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A chunk, a path or a summary on its way to the answer."""

    id: str  # chunk id, path id or summary id
    kind: Literal["chunk", "path", "summary"]
    text: str
    document_id: str
    title: str
    source: str
    place: str  # of the part nearest to the question, else of all of it
    score: float  # the order it came in with, 0..1
    cosine: float | None = None  # with the question: the one score that compares across questions; of a chunk
    rerank_score: float | None = None  # sigmoid of the cross-encoder's logit; None where none is loaded
    kept_by: KeptBy = "rank"
    branches: tuple[str, ...] = ()  # which of vector, keyword, facts, link, walk, summaries brought it
    level: int = 0  # of a summary, from 1
    date: str = ""  # of its document, as its metadata give it
    nearest: tuple[Span, ...] = ()  # parts of `text`, those nearest to the question first; () where none is known
    places: tuple[PlaceMark, ...] = ()  # of its parts; () where it has one place, or none
    also: tuple[str, ...] = ()  # sources of other documents that hold the same text

    @property
    def lines(self) -> str:
        """Of source code `file:first-last`, "" of other texts."""
        _, mark, span = self.place.rpartition(", lines ")
        return f"{self.source}:{span}" if mark else ""


@dataclass(frozen=True, kw_only=True)
class Message:
    """What was asked or answered before, in a conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, kw_only=True)
class TraceStep:
    """One step of an answer."""

    name: str
    milliseconds: float
    inputs: Mapping[str, Any]  # JSON
    outputs: Mapping[str, Any]  # JSON


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Every step of an answer: the explain view is drawn from it."""

    id: str
    workspace: str
    question: str
    steps: tuple[TraceStep, ...]
    settings: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """What retrieval hands to the composer: paths first shown, chunks first cited."""

    question: str
    language: str
    evidence: tuple[Evidence, ...]  # in the order the LLM sees
    paths: tuple[Path, ...]  # best first
    trace: Trace
    nowhere: tuple[str, ...] = ()  # what the question names and no text holds
    remark: str = ""  # where it names a period: which documents that leaves, in its language


@dataclass(frozen=True, kw_only=True)
class Break:
    """A hop of a path that does not hold in a view."""

    hop: int  # from 1
    text: str  # what it says
    why: str  # "unsaid": no visible sentence says it; "left_out": the fact is; "parted": its ends are apart


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What is otherwise for a question where documents or decisions are left out."""

    path: Path | None  # the best one with them; None: there was none
    breaks: tuple[Break, ...]  # of `path`; () where it holds
    becomes: Path | None  # the best one without them
    lost: tuple[Evidence, ...]  # passages that were evidence and are not visible any more
    gained: tuple[Evidence, ...]  # passages that are evidence only without them
    changed: bool  # the path breaks, or evidence is lost


@dataclass(frozen=True, kw_only=True)
class Composed:
    """What the composer hands to the generator: the evidence as one text, within a budget."""

    question: str
    language: str
    context: str  # paths, then extracts under headers [1], [2], ...; "" where there is no evidence at all
    cited: tuple[Evidence, ...]  # [1] is cited[0]
    paths: tuple[int, ...] = ()  # numbers of the paths in it: [P1] is the first one that was retrieved
    left_out: tuple[str, ...]  # what the budget had no room for, in words, with its id
    tokens: int  # of `context`, estimated


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
    """What is shown of a passage at first sight."""

    number: int  # of the citation
    text: str  # whole sentences of it


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a language model looked for after a reading, and what that brought."""

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
