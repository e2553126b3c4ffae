"""Retrieval: from a question to passages, chains of facts, paths and evidence."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from filigraph.graph.model.arrays import Matrix, Span, Vector
from filigraph.graph.model.documents import PlaceMark
from filigraph.graph.model.extraction import Origin, PremiseMark
from filigraph.graph.model.traces import Trace

HopKind = Literal["fact", "mention", "title", "sentence", "identity", "unfound"]  # see Hop
PathOrigin = Literal["ranked", "named"]  # by a ranker before reading; by a language model after it
KeptBy = Literal["rank", "graph", "neighbour", "dependency"]
Profile = Literal["detail", "synthesis", "entity", "recent"]  # what a question wants, see profile.py
Method = Literal["filigraph", "hybrid", "dense", "bm25"]  # the walk; words and vectors fused; vectors; words


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
        """Sort by content; ids, which hash the document's name, only distinguish copies."""
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
    compared: tuple[frozenset[str], ...] = ()  # of each name that is beside another ("A or B"): who has it
    titles: frozenset[str]  # documents whose title it names
    words: Mapping[str, float]  # chunk id -> BM25
    chunks_in_workspace: int
    revision: str | None = None  # of the workspace when the question came
    trust: float = 1.0  # in vectors: less where the embedder does not know the language

    def idf(self, chunks: int) -> float:
        """The inverse document frequency of an entity that `chunks` chunks mention."""
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
    # Of `premises`, where they do not carry the hop but complete it, where each is: in the text near by, in the
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
        """`file:first-last` for source code, "" for other texts."""
        _, mark, span = self.place.rpartition(", lines ")
        return f"{self.source}:{span}" if mark else ""


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """The result of retrieval for the composer: paths in order of display, chunks in order of citation."""

    question: str
    language: str
    evidence: tuple[Evidence, ...]  # in the order the LLM sees
    paths: tuple[Path, ...]  # best first
    trace: Trace
    nowhere: tuple[str, ...] = ()  # what the question names and no text holds
    remark: str = ""  # where it names a period: which documents that leaves, in its language
