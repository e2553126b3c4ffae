"""The reads of a question on a view: as on a workspace (`ask/reader.py`), from memory.

Vectors are compared one by one, exactly; words by BM25 over the visible chunks. A view has no summaries: those of the
workspace are based on all of its text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from filigraph.graph.analysis.alike import AlikePair
from filigraph.graph.analysis.contradictions import compared_ends
from filigraph.graph.model.arrays import Floats, Matrix, Vector
from filigraph.graph.model.llm_readings import ContradictionReading, SentencePlace
from filigraph.graph.model.retrieval import Passage, PoolChunk, PoolEntity, PoolFact
from filigraph.graph.models.embed import Embedder
from filigraph.graph.records.documents import TitledDocument, WordHit
from filigraph.graph.records.entities import EntityHit, FoundEntity, NamedEntity
from filigraph.graph.records.facts import FactHit, NamedSentence, Statement
from filigraph.graph.records.summaries import SummaryHit
from filigraph.graph.records.workspaces import READ_AHEAD, Overview, ReadAheadSize, WorkspaceRow
from filigraph.graph.store.neo4j.quantize import dequantize
from filigraph.graph.store.workspace.ask import MAX_NAMESAKES, MAX_NEAR_NAMES, MAX_SCORED_FACTS_PER_ENTITY
from filigraph.graph.store.workspace.scan import MIN_LANGUAGE_SHARE
from filigraph.graph.tables.adjacency import Ints
from filigraph.graph.tables.read_part import ReadChunk, ReadPart
from filigraph.graph.text.identifiers import identifier_lookup, is_called, qualified_name
from filigraph.graph.text.names.parse import bare_title, name_key
from filigraph.graph.text.wording import wording
from filigraph.graph.views.derived import DerivedView, stated_by
from filigraph.graph.views.relations import ViewRelations
from filigraph.graph.views.tables import ViewTables

MAX_POOLED_CHUNKS = 3_000  # chunks of a view in the form that questions need
BYTES_PER_POOLED_CHUNK, BYTES_PER_FACT, BYTES_PER_MENTION = 26 * 1024, 900, 1500  # approximate bytes of each in memory


class ViewGraph(ViewRelations):
    """A view for questions (`ask.reader.AskGraph`) and for browsing (`analysis/browse.py`). None of its reads sees
    anything hidden. Thread-safe.
    """

    def __init__(self, workspace: WorkspaceRow, part: ReadPart, derived: DerivedView, embedder: Embedder) -> None:
        super().__init__(workspace, part, derived, ViewTables(workspace, part, derived, embedder))
        self._among: frozenset[str] | None = None  # the documents of the search; None: all

    @property
    def size(self) -> int:
        """Approximate bytes of its own data: the vectors of chunks and facts are shared with other views."""
        facts, mentions = len(self.derived.facts), len(self.derived.occurrences)
        vectors = 4 * self.workspace.dimensions * len(self._tables.chunks)
        return (
            BYTES_PER_FACT * facts
            + BYTES_PER_MENTION * mentions
            + vectors
            + BYTES_PER_POOLED_CHUNK * len(self._tables.pooled)
        )

    def remark(self, language: str) -> str:
        """What is visible, in words; "" for all that its reader may see."""
        if not self.derived.view.narrowing:
            return ""
        documents, passages = len(self._documents), len(self._tables.chunks)
        figures = {"documents": documents, "passages": passages}
        whole = {"of": len(self._part.documents), "all": len(self._part.chunks)}
        return wording(language).view.format(**figures, **whole)

    @property
    def read_ahead(self) -> ReadAheadSize:
        return READ_AHEAD

    def keep_read_model(self, revision: str) -> Iterator[None]:
        yield from ()

    def filtered(self, document_ids: Sequence[str]) -> ViewGraph:
        """The same, limited to some documents: names and facts remain those of the view."""
        view = copy(self)
        view._among = frozenset(document_ids) & (self._among or self._documents.keys())
        return view

    def stated(self, document_ids: Sequence[str]) -> ViewGraph:
        """The part that some documents state: as `StatedGraph` of a workspace."""
        tables = self._tables
        return ViewGraph(self.workspace, self._part, stated_by(self.derived, set(document_ids)), tables.embedder)

    # ---- What there is

    def overview(self) -> Overview:
        languages = Counter(row.language for row in self._documents.values() if row.language)
        least = MIN_LANGUAGE_SHARE * len(self._documents)
        return Overview(
            chunks=len(self._tables.chunks),
            languages=tuple(sorted(name for name, count in languages.items() if count >= least)),
            revision=self._revision,
            summarized=False,
        )

    def dates_in_documents(self, document_ids: Sequence[str]) -> dict[str, list[str]]:
        wanted, dates_of = set(document_ids), defaultdict[str, set[str]](set)
        for read in self._tables.chunks:
            if read.chunk.document_id in wanted and read.chunk.dates:
                dates_of[read.chunk.document_id].update(read.chunk.dates)
        for row in self._tables.facts:
            for support in row.fact.supports:
                document = self._part.chunks[support.chunk_id].chunk.document_id
                if support.when_date and document in wanted:
                    dates_of[document].add(support.when_date)
        return {id_: sorted(dates) for id_, dates in sorted(dates_of.items())}

    # ---- Chunks

    def chunk_ids(self, revision: str | None = None) -> Sequence[str]:
        return [self._tables.chunks[number].chunk.id for number in self._numbers]

    def search_chunks(self, vector: Vector, k: int) -> list[tuple[str, float]]:
        numbers = self._numbers
        cosine = self._tables.vectors[numbers] @ _unit(vector)
        best = _best(cosine, [self._tables.chunks[number].chunk.id for number in numbers], k)
        return [(self._tables.chunks[numbers[place]].chunk.id, float(cosine[place])) for place in best]

    def search_words(self, lucene_query: str, vector: Vector, k: int, more: int = 0) -> list[WordHit]:
        if not lucene_query.strip():
            return []
        numbers, scores = self._tables.words.search(lucene_query, None if self._among is None else self._numbers)
        ids = [self._tables.chunks[number].chunk.id for number in numbers]
        best = _best(scores, ids, k + more)
        cosine = self._tables.vectors[numbers[best[:k]]] @ _unit(vector)
        return [
            WordHit(id=ids[place], score=float(scores[place]), cosine=float(cosine[at]) if at < k else None)
            for at, place in enumerate(best)
        ]

    def neighbours(
        self, chunk_ids: Sequence[str], vector: Vector, *, hub: int, per_chunk: int, revision: str | None = None
    ) -> list[str]:
        model = self._tables.read_model
        neighbours = model.neighbours(chunk_ids, vector, hub=hub, per_chunk=per_chunk) if model else []
        return [id_ for id_ in neighbours if self._is_searched(id_)]

    def mentioning(self, entity_ids: Sequence[str], limit: int) -> tuple[list[str], int]:
        chunks = {id_ for entity in entity_ids for id_ in self.derived.chunks_of_entity.get(entity, ())}
        chunks_mentioning = [self._part.chunks[id_].chunk for id_ in chunks if self._is_searched(id_)]
        chunks_mentioning.sort(key=lambda chunk: (self._documents[chunk.document_id].source, chunk.index))
        return [chunk.id for chunk in chunks_mentioning[:limit]], len(chunks_mentioning)

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        return {
            id_: self._passage(self._tables.chunks[self._tables.row[id_]])
            for id_ in chunk_ids
            if self._is_searched(id_)
        }

    def _passage(self, row: ReadChunk) -> Passage:
        chunk, document = row.chunk, self._documents[row.chunk.document_id]
        return Passage(
            id=chunk.id,
            document_id=document.id,
            title=chunk.title,
            source=document.source,
            place=chunk.place,
            language=chunk.language,
            text=chunk.text,
            date=str(document.metadata.get("date", "")),
            places=chunk.places,
            dates=chunk.dates,
        )

    def places_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        return {
            id_: self._tables.chunks[self._tables.row[id_]].chunk.place for id_ in chunk_ids if id_ in self._tables.row
        }

    def next_chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        return {id_: self._tables.beside[id_] for id_ in chunk_ids if id_ in self._tables.beside}

    def pool(self, chunk_ids: Sequence[str], revision: str | None = None) -> list[PoolChunk]:
        return [self._pool_chunk(id_) for id_ in dict.fromkeys(chunk_ids) if self._is_searched(id_)]

    def _pool_chunk(self, id_: str) -> PoolChunk:
        pooled = self._tables.pooled
        pool_chunk = pooled.get(id_)
        if pool_chunk is None:
            pool_chunk = self._made_pool_chunk(self._tables.chunks[self._tables.row[id_]])
            if len(pooled) >= MAX_POOLED_CHUNKS:
                pooled.clear()
            pooled[id_] = pool_chunk
        return pool_chunk

    def _made_pool_chunk(self, row: ReadChunk) -> PoolChunk:
        chunk, entities = row.chunk, self.derived.entities_of_chunk.get(row.chunk.id, ())
        facts_with_numbers = sorted(self._tables.facts_at.get(chunk.id, ()), key=lambda one: _place(one[0]))
        counts = self.derived.chunks_of_entity
        mentioned = [PoolEntity(id_, self._tables.name(id_), len(counts[id_])) for id_ in entities]
        return PoolChunk(
            id=chunk.id,
            document_id=chunk.document_id,
            index=chunk.index,
            title=chunk.title,
            language=chunk.language,
            terms=frozenset(row.term_counts),
            vectors=dequantize([row.packed], self.workspace.dimensions),
            entities=tuple(sorted(mentioned, key=lambda entity: entity[1:])),
            facts=tuple(fact for fact, _ in facts_with_numbers),
            fact_vectors=self._part.text_vectors.at(
                self._tables.fact_places[[number for _, number in facts_with_numbers]]
            ),
            titles=frozenset(self.derived.titles_named.get(chunk.id, ())),
        )

    def documents_titled(self, keys: Sequence[str], vector: Vector) -> list[TitledDocument]:
        wanted, titled = {key for key in keys if key}, list[TitledDocument]()
        for document, first in self._tables.first_chunks.items():
            row = self._documents[document]
            for key in {name_key(row.title), name_key(bare_title(row.title))} & wanted:
                if self._is_searched(self._tables.chunks[first].chunk.id):
                    cosine = float(self._tables.vectors[first] @ _unit(vector))
                    chunk_id = self._tables.chunks[first].chunk.id
                    titled_document = TitledDocument(
                        key=key, entity_id=document, name=row.title, chunks=1, chunk_id=chunk_id, cosine=cosine
                    )
                    titled.append(titled_document)
        return sorted(titled, key=lambda row: (row.key, row.entity_id))

    # ---- Facts

    def search_facts(self, vector: Vector, k: int) -> list[FactHit]:
        return self._nearest_facts(range(len(self._tables.facts)), vector, k)

    def facts_about(self, entity_ids: Sequence[str], vector: Vector, *, limit: int) -> list[FactHit]:
        numbers: set[int] = set()
        for id_ in dict.fromkeys(entity_ids):
            fact_numbers = [number for number in self._tables.facts_of.get(id_, ()) if self._chunks_saying(number)]
            fact_numbers.sort(
                key=lambda number: (-self._tables.facts[number].weight, self._tables.facts[number].fact.id)
            )
            numbers.update(fact_numbers[:MAX_SCORED_FACTS_PER_ENTITY])
        return self._nearest_facts(sorted(numbers), vector, limit)

    def _nearest_facts(self, numbers: Sequence[int], vector: Vector, k: int) -> list[FactHit]:
        if self._among is not None:
            numbers = [number for number in numbers if self._chunks_saying(number)]
        if not len(numbers):
            return []
        cosine = self._fact_cosines(np.array(numbers, dtype=np.intp), vector)
        best = _best(cosine, [self._tables.facts[number].fact.id for number in numbers], k)
        return [self._fact_hit(numbers[place], float(cosine[place])) for place in best]

    def _fact_cosines(self, numbers: Ints, vector: Vector) -> Floats:
        unit = _unit(vector)
        parts = [
            self._part.text_vectors.at(self._tables.fact_places[numbers[start : start + 8192]]) @ unit
            for start in range(0, len(numbers), 8192)
        ]
        cosines: Floats = np.concatenate(parts)
        return cosines

    def _fact_hit(self, number: int, cosine: float) -> FactHit:
        fact = self._tables.facts[number].fact
        return FactHit(
            fact_id=fact.id,
            cosine=cosine,
            subject_id=fact.subject_id,
            object_id=fact.object_id,
            text=fact.text,
            chunk_ids=tuple(self._chunks_saying(number)),
        )

    def _chunks_saying(self, number: int) -> list[str]:
        """The chunks among the documents of the search that state it, sorted."""
        return [id_ for id_ in self._tables.facts[number].chunk_ids if self._is_searched(id_)]

    # ---- Entities

    def search_entities(self, vector: Vector, k: int) -> list[EntityHit]:
        ids = list(self.derived.entities)
        if not ids:
            return []
        cosine = self._tables.name_vectors @ _unit(vector)
        best = [(ids[at], float(cosine[at])) for at in _best(cosine, ids, k)]
        return [
            EntityHit(entity_id=id_, name=self._tables.name(id_), chunks=self._count(id_), cosine=near)
            for id_, near in best
        ]

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        entities = [
            NamedEntity(key=key, entity_id=id_, name=self._tables.name(id_), chunks=self._count(id_))
            for key in dict.fromkeys(keys)
            for id_ in self._tables.bearers.get(key, ())
        ]
        return sorted(entities, key=lambda row: (row.key, -row.chunks, row.entity_id))

    def names_near(self, folded: str, slips: int) -> list[FoundEntity]:
        near = [word for word in self._tables.name_words if OSA.distance(word, folded, score_cutoff=slips) <= slips]
        near.sort(key=lambda word: (OSA.distance(word, folded), word))
        ids = dict.fromkeys(id_ for word in near for id_ in self._tables.name_words[word])
        return [self._found_entity(id_) for id_ in [*ids][:MAX_NEAR_NAMES]]

    def identifiers_named(self, names: Sequence[str]) -> list[NamedEntity]:
        entities: list[NamedEntity] = []
        for name in names:
            lasts = {
                qualified_name("x.py", name.rpartition("/")[2]),
                qualified_name("x.py", re.split(r"[.:#]+", name)[-1]),
            }
            called = {
                id_: None
                for last in lasts
                for form, id_ in self._tables.identifiers.get(identifier_lookup(last), ())
                if is_called(form, name)
            }
            if len(called) <= MAX_NAMESAKES:
                entities += [
                    NamedEntity(key=name, entity_id=id_, name=self._tables.name(id_), chunks=self._count(id_))
                    for id_ in called
                ]
        return sorted(entities, key=lambda row: (row.key, -row.chunks, row.entity_id))

    def entities_of_types(self, entity_ids: Sequence[str], types: Sequence[str]) -> Set[str]:
        entities = self.derived.entities
        return {id_ for id_ in entity_ids if id_ in entities and entities[id_].type in types}

    # ---- Summaries: none

    def top_summaries(self, vector: Vector) -> list[SummaryHit]:
        return []

    def summaries_below(self, summary_id: str, vector: Vector) -> list[SummaryHit]:
        return []

    def search_summaries(self, vector: Vector, entity_ids: Sequence[str], k: int) -> list[SummaryHit]:
        return []

    def windows_under(self, summary_ids: Sequence[str], vector: Vector, k: int) -> list[SummaryHit]:
        return []

    def windows_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        return []

    def summaries_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        return []

    @property
    def _numbers(self) -> Ints:
        """The chunks of the documents of the search, in the order of ids."""
        if self._among is None:
            return np.arange(len(self._tables.chunks))
        inside = [number for number, row in enumerate(self._tables.chunks) if row.chunk.document_id in self._among]
        return np.array(inside, dtype=np.intp)

    def _is_searched(self, chunk_id: str) -> bool:
        if chunk_id not in self._tables.row:
            return False
        return self._among is None or self._tables.chunks[self._tables.row[chunk_id]].chunk.document_id in self._among

    # ---- What is said

    def statements(self) -> tuple[list[Statement], Matrix, Mapping[tuple[str, str], AlikePair]]:
        """As `DetailPart.statements`."""
        detail = self._tables.detail
        numbers, stated = zip(*detail.statements(), strict=True) if self._tables.facts else ((), ())
        vectors = self._part.text_vectors.at(self._tables.fact_places[list(numbers)])
        return list(stated), vectors, detail.alike(compared_ends(stated), self._tables.near)

    def contradiction_readings(self) -> Sequence[ContradictionReading]:
        """None: an LLM may have read a passage together with hidden text."""
        return ()

    def sentences_at(self, places: Collection[SentencePlace]) -> Mapping[SentencePlace, NamedSentence]:
        return {}


def _best(scores: npt.NDArray[np.floating[Any]], ids: Sequence[str], k: int) -> list[int]:
    """The places of the `k` best, ties by id."""
    if len(scores) > 4 * k > 0:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places: Iterable[int] = np.flatnonzero(scores >= least).tolist()
    else:
        places = range(len(scores))
    return sorted(places, key=lambda at: (-float(scores[at]), ids[at]))[:k]


def _unit(vector: Vector) -> Vector:
    unit: Vector = vector / np.linalg.norm(vector)
    return unit


def _place(fact: PoolFact) -> tuple[int, int, str, str, str]:
    """The order of facts in a chunk: by their content, never by ids."""
    return fact.start, fact.end, fact.subject, fact.predicate, fact.object
