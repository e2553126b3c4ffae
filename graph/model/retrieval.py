"""Retrieval: from a question to passages, chains of facts, paths and evidence."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from filigraph.graph.model.arrays import Matrix, Span, Vector
from filigraph.graph.model.documents import PlaceMark
from filigraph.graph.model.extraction import Origin, PremiseMark
from filigraph.graph.model.periods import Period
from filigraph.graph.model.traces import Trace

HopKind = Literal["fact", "mention", "title", "sentence", "identity", "unfound"]  # see Hop
PathOrigin = Literal["ranked", "named"]  # by a ranker before reading; by a language model after it
KeptBy = Literal["rank", "graph", "neighbour", "dependency"]
Profile = Literal["detail", "synthesis", "entity", "recent"]  # the kind of answer that a question wants, see profile.py
Method = Literal["filigraph", "hybrid", "dense", "bm25"]  # the walk; words and vectors fused; vectors; words


class PoolEntity(NamedTuple):
    """An entity that a chunk mentions. A tuple, as PoolFact is: a question makes thousands of them in milliseconds."""

    entity_id: str
    name: str
    chunks: int  # number of chunks of the workspace that mention it


class PoolFact(NamedTuple):
    """A fact that a chunk supports."""

    fact_id: str
    subject_id: str
    subject: str
    predicate: str
    object_id: str
    object: str
    start: int  # the sentence that states it: text[start:end] of the chunk
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

    def ends_contain(self, title: str) -> bool:
        """Whether the title occurs in the name of one of its ends."""
        return bool(title) and (title in self.subject or title in self.object)


@dataclass(frozen=True, kw_only=True, eq=False)
class PoolChunk:
    """A chunk that a question has brought into play, with all data that the walk needs."""

    id: str
    document_id: str
    index: int  # in its document, from 0
    title: str
    language: str
    terms: frozenset[str]
    vectors: Matrix  # row 0: its own, then one per sentence
    entities: tuple[PoolEntity, ...]
    facts: tuple[PoolFact, ...]
    fact_vectors: Matrix  # one row per element of `facts`
    titles: frozenset[str]  # documents whose title its text names

    @cached_property
    def sort_key(self) -> tuple[int, bytes, str]:
        """Sort by content; ids, which hash the document's name, only distinguish copies."""
        return self.index, self.vectors[0].tobytes(), self.id

    @cached_property
    def entity(self) -> Mapping[str, PoolEntity]:
        """Its entities by id."""
        return {entity.entity_id: entity for entity in self.entities}

    @cached_property
    def facts_of(self) -> Mapping[str, tuple[int, ...]]:
        """Entity id -> indices in `facts` of the facts with it as an end."""
        places_of: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            for end in {fact.subject_id, fact.object_id}:
                places_of[end].append(place)
        return {end: tuple(places) for end, places in places_of.items()}

    @cached_property
    def entity_ids(self) -> tuple[str, ...]:
        """The entities that it mentions, then those that are only ends of its facts."""
        ends = (end for fact in self.facts for end in (fact.subject_id, fact.object_id))
        return tuple(dict.fromkeys([*(entity.entity_id for entity in self.entities), *ends]))

    @cached_property
    def ends(self) -> npt.NDArray[np.intp]:
        """(facts, 2) subject and object of each fact, by their indices in `known`."""
        place = {id_: number for number, id_ in enumerate(self.entity_ids)}
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
    date: str = ""  # of the document, from its metadata
    places: tuple[PlaceMark, ...] = ()
    dates: tuple[str, ...] = ()  # as in Chunk


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """A question in the form that the walk uses."""

    text: str
    terms: tuple[str, ...]
    languages: tuple[str, ...] = ()  # languages of `terms`: the question's and those of the documents
    vector: Vector
    segments: Matrix  # (n, d): its pieces, cut at commas, possessives, relative words
    entities: Mapping[str, int]  # id of a named entity -> number of chunks that mention it
    compared: tuple[frozenset[str], ...] = ()  # for each name beside another ("A or B"), the entities with it
    connected: tuple[frozenset[str], ...] = ()  # the entities of each of two names whose connection it asks for
    titles: frozenset[str]  # documents whose title it names
    words: Mapping[str, float]  # chunk id -> BM25
    chunks_in_workspace: int
    revision: str | None = None  # of the workspace when the question arrived
    trust: float = 1.0  # trust in vectors: less if the embedder does not know the language

    def idf(self, chunks: int) -> float:
        """The inverse document frequency of an entity that `chunks` chunks mention."""
        return math.log(1 + self.chunks_in_workspace / max(chunks, 1))


@dataclass(frozen=True, kw_only=True)
class Trail:
    """A trail of chunks: `links[i]` is the entity over which `chunk_ids[i + 1]` was reached, "" where the text
    names the title of its document instead."""

    chunk_ids: tuple[str, ...]
    links: tuple[str, ...] = ()
    start: float = 0.0  # first-hop score of the first chunk minus the best one; less for every hop after the second

    @property
    def end(self) -> str:
        return self.chunk_ids[-1]


@dataclass(frozen=True, kw_only=True)
class Hop:
    """One step of a path, with its words: subject - predicate -> object."""

    kind: Annotated[
        HopKind,
        Field(
            description="A fact of the graph, a shared entity (mention), a title. Of a named path also: read in the "
            "sentence, which names both ends (sentence); two names of one (identity); not found in the texts "
            "(unfound): it has no sentence, and its chunk is the passage that the LLM cites for it."
        ),
    ]
    subject: Annotated[str, Field(description="The name of the entity the hop comes from.")]
    predicate: Annotated[str, Field(description="What the sentence says of the two.")]
    object: Annotated[str, Field(description="The name of the entity the hop goes to.")]
    subject_id: Annotated[str, Field(description="Its entity id.")]
    object_id: Annotated[str, Field(description="Its entity id.")]
    chunk_id: Annotated[
        str, Field(description="The chunk that holds the sentence; of an unfound hop the one that it cites, or empty.")
    ]
    sentence: Annotated[str, Field(description="The sentence behind the hop, in the source's own words.")]
    start: Annotated[int, Field(description="Where the sentence begins in the chunk, in code points.")]
    end: Annotated[int, Field(description="Where it ends.")]
    score: Annotated[float, Field(description="How close the hop is to the question: a cosine.")]
    fact_id: Annotated[str, Field(description="The fact, for a hop of kind fact.")] = ""
    implied: Annotated[
        bool,
        Field(description="The source implies it and does not say it; of an identity: the LLM concludes it."),
    ] = False
    premises: Annotated[
        tuple[str, ...],
        Field(description="The other sentences an implied hop follows from; of an identity, that of the other name."),
    ] = ()
    premise_chunk_ids: Annotated[
        tuple[str, ...],
        Field(description="Of `premises`, where they are of other chunks; of an unfound hop the others that it cites."),
    ] = ()
    premise_marks: Annotated[
        tuple[PremiseMark, ...],
        Field(
            description="For each of `premises` that only completes the sentence, its position: in the text near by, "
            "in the title, in the head or at the end of the document; empty for one that the hop follows from. An "
            "empty list if the hop follows from all."
        ),
    ] = ()
    according_to: Annotated[
        str, Field(description="Who in the text asserts it; empty where the text itself does.", examples=["Ann"])
    ] = ""
    date: Annotated[str, Field(description="Of the document that says it; empty where it has none.")] = ""
    when: Annotated[
        str, Field(description="When it is so, as written; empty where no date is given.", examples=["12 March 1912"])
    ] = ""
    when_date: Annotated[
        str, Field(description="That date: ISO 8601, --03-12 without a year; empty where relative.")
    ] = ""
    denied: Annotated[bool, Field(description="The text denies it; the predicate says so.")] = False
    own: Annotated[bool, Field(description="A person states this fact of the sentence.")] = False
    apart: Annotated[
        bool, Field(description="Of an identity: the graph has two entities, which `POST .../corrections` makes one.")
    ] = False
    joined: Annotated[bool, Field(description="False: it shares no end with an earlier hop.")] = True
    place: Annotated[str, Field(description="Page, chapter, paragraph of the sentence, as far as it has them.")] = ""

    @property
    def found(self) -> bool:
        """Whether the texts say it. A chunk that an unfound hop only cites is not evidence for it."""
        return self.kind != "unfound"


@dataclass(frozen=True, kw_only=True)
class Path:
    """Connected hops: a chain of one to four facts, or the steps that an LLM named and that were checked."""

    id: Annotated[str, Field(description="The path's id.")]
    origin: Annotated[
        PathOrigin, Field(description="ranked: found before reading; named: by the LLM, after it has read.")
    ] = "ranked"
    hops: Annotated[tuple[Hop, ...], Field(description="In reading order.")]
    score: Annotated[
        float, Field(description="Ranked: probability that it helps to answer; named: share of hops that texts say.")
    ]
    lead: Annotated[bool, Field(description="Ranked: it is not likely to answer; show it only on request.")] = False
    text: Annotated[str, Field(description="The path in words.")]
    cypher: Annotated[str, Field(description="A statement that shows the path in Neo4j Browser.")] = ""

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The chunks behind the hops, in walking order, each once."""
        return tuple(dict.fromkeys(id_ for hop in self.hops for id_ in (hop.chunk_id, *hop.premise_chunk_ids) if id_))


@dataclass(frozen=True, kw_only=True)
class Evidence:
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
    score: Annotated[float, Field(description="Rank score, 0 to 1; comparable within one question.")]
    cosine: Annotated[
        float | None, Field(description="Cosine with the question; comparable between questions; null if unknown.")
    ] = None
    rerank_score: Annotated[float | None, Field(description="The reranker's score; null if none is loaded.")] = None
    kept_by: Annotated[
        KeptBy,
        Field(
            description="Why it stayed: its rank, the graph (force-kept on a path), as a neighbour, or as what the "
            "source code of another piece calls."
        ),
    ] = "rank"
    branches: Annotated[
        tuple[str, ...], Field(description="Which of vector, keyword, facts, link, walk, summaries brought it.")
    ] = ()
    level: Annotated[int, Field(description="Of a summary, from 1 (some two pages); 0 of passages.")] = 0
    date: Annotated[str, Field(description="Of its document; empty where it has none.")] = ""
    lines: Annotated[str, Field(description="Of source code `file:first-last`; empty of other texts.")] = field(
        init=False, default_factory=str
    )
    also: Annotated[tuple[str, ...], Field(description="Sources of other documents that hold the same text.")] = ()
    places: Annotated[
        tuple[PlaceMark, ...], Field(description="Places in `text`: where each begins, in code points, and its name.")
    ] = ()
    nearest: Annotated[tuple[Span, ...], Field(exclude=True)] = ()

    def __post_init__(self) -> None:
        _, mark, span = self.place.rpartition(", lines ")
        object.__setattr__(self, "lines", f"{self.source}:{span}" if mark else "")


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """What was found for a question."""

    question: Annotated[str, Field(description="The question.")]
    language: Annotated[str, Field(description="The question's language, ISO 639-1; empty if unknown.")]
    evidence: Annotated[tuple[Evidence, ...], Field(description="In the order in which an LLM would see it.")]
    paths: Annotated[tuple[Path, ...], Field(description="Best first.")]
    trace: Annotated[Trace, Field(description="Every step.")]
    nowhere: Annotated[tuple[str, ...], Field(description="Names of the question that occur in no document.")] = ()
    remark: Annotated[
        str, Field(description="How a period limits the documents; which names are compared or replaced; else empty.")
    ] = ""
    period: Annotated[Period | None, Field(exclude=True)] = None  # that limits the documents
