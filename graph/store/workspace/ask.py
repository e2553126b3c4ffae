"""The searches of a question. Scores called cosine are true cosines: Neo4j's score is (1 + cosine) / 2."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from filigraph.graph.errors import InputError
from filigraph.graph.model.arrays import Matrix, Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk, PoolEntity, PoolFact
from filigraph.graph.process.threads import TaskGroup
from filigraph.graph.records.documents import TitledDocument, WordHit
from filigraph.graph.records.entities import EntityHit, FoundEntity, NamedEntity
from filigraph.graph.records.facts import FactHit
from filigraph.graph.records.workspaces import Overview, ReadAheadSize
from filigraph.graph.store.cache.read_model import LinkedChunk, ReadModel
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.quantize import dequantize
from filigraph.graph.store.workspace.graph_part import (
    GraphPart,
    document_date,
    escape_lucene,
    name_lookup,
    pairs_to_spans,
)
from filigraph.graph.text.identifiers import is_called, qualified_name
from filigraph.graph.text.places import marks_of

MIN_VECTOR_HITS = (
    100  # a vector index finds 46 % of the true results on 2wiki if it is asked for 10, 63 % if it is asked for 100
)
MAX_NEAR_NAMES = 50  # entities with a name similar to a misspelt one
MAX_NAMESAKES = 20  # definitions of one name in source code; `__init__` identifies nothing
LINK_BATCH_CHUNKS = 200  # chunks whose links are read in one statement
MAX_SCORED_FACTS_PER_ENTITY = 600  # facts compared with the question: 600 take 11 ms, a hub has thousands


class AskPart(GraphPart):
    """The reads of a question. Ties are sorted by id, so the same question on the same graph gives the same result."""

    def overview(self) -> Overview:
        """What a question needs to know about the workspace first."""
        row = self._rows("overview")[0]
        return Overview(**{**row, "languages": tuple(row["languages"])})

    def search_chunks(self, vector: Vector, k: int) -> list[tuple[str, float]]:
        """The `k` chunks nearest to `vector` (approximately: an HNSW index): id, cosine."""
        row = self._nearest("search_chunks", self._vectors("chunk"), vector, k)[0]
        return list(zip(row["ids"], row["cosines"], strict=True))

    def search_words(self, lucene_query: str, vector: Vector, k: int, more: int = 0) -> list[WordHit]:
        """The `k` chunks that best match a Lucene query over `terms`, with their cosines, and the next `more` chunks
        without cosines. An empty query finds nothing.
        """
        if not lucene_query.strip():
            return []
        index = f"{self.workspace.chunk_label}_words"
        parameters = {"index": index, "query": lucene_query, "k": k, "more": more, "vector": self._question(vector)}
        return word_hits(self.database.rows("search_words", **parameters)[0])

    def search_facts(self, vector: Vector, k: int) -> list[FactHit]:
        """The `k` facts nearest to `vector`."""
        return [fact_hit(row) for row in self._nearest("search_facts", self._vectors("fact"), vector, k)]

    def search_entities(self, vector: Vector, k: int) -> list[EntityHit]:
        """The `k` entities whose names are nearest to `vector`."""
        return [EntityHit(**row) for row in self._nearest("search_entities", self._vectors("entity"), vector, k)]

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        """The entities with one of these names (normal forms), by key, the most mentioned first."""
        items = [{"key": key, "lookup": name_lookup(self._name, key)} for key in dict.fromkeys(keys) if key]
        return [NamedEntity(**row) for row in self._read_batches("entities_named", items)]

    def names_near(self, folded: str, slips: int) -> list[FoundEntity]:
        """Entities with a name that has a word within `slips` edits (1 or 2) of this one."""
        index = f"{self.workspace.entity_label}_words"
        rows = self.database.rows(
            "find_entities", index=index, query=f"{escape_lucene(folded)}~{slips}", reach=MAX_NEAR_NAMES
        )
        briefly = self._rows("entities_in_brief", ids=[row["id"] for row in rows]) if rows else []
        named_rows = [row for row in briefly if row["name"] is not None and row["aliases"] is not None]
        return [FoundEntity(**{**row, "aliases": tuple(row["aliases"])}) for row in named_rows]

    def entity_types(self) -> dict[str, int]:
        """The number of entities of each type, the most frequent first, without entities that have no type."""
        return {row["type"]: row["entities"] for row in self._rows("entity_types")}

    def identifiers_named(self, names: Sequence[str]) -> list[NamedEntity]:
        """Definitions in source code with these names, as a question writes them; at most 20 for each."""
        items = [
            {"name": name, "lookup": name_lookup(self._name, last)}
            for name in names
            for last in {
                qualified_name("x.py", name.rpartition("/")[2]),
                qualified_name("x.py", re.split(r"[.:#]+", name)[-1]),
            }
        ]
        rows = self._rows("identifiers_named", items=items) if items else []
        called = [row for row in rows if is_called(row["form"], row["key"])]
        count_of: Counter[str] = Counter(row["key"] for row in called)
        return [
            NamedEntity(**{name: value for name, value in row.items() if name != "form"})
            for row in called
            if count_of[row["key"]] <= MAX_NAMESAKES
        ]

    def places_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Chunk id -> its place: "page 3", "method Client.send, lines 10-42"."""
        return {row["id"]: row["place"] for row in self._rows("places_of_chunks", ids=list(dict.fromkeys(chunk_ids)))}

    def entities_of_types(self, entity_ids: Sequence[str], types: Sequence[str]) -> set[str]:
        """Those of these entities that are of one of the types."""
        rows = self._read_batches("entities_of_types", dict.fromkeys(entity_ids), types=list(types))
        return {row["id"] for row in rows}

    def documents_titled(self, keys: Sequence[str], vector: Vector) -> list[TitledDocument]:
        """The documents with one of these titles (normal forms, with or without a bracketed suffix), and their first
        chunks, compared with `vector`.
        """
        items = [{"key": key, "lookup": name_lookup(self._name, key)} for key in dict.fromkeys(keys) if key]
        rows = self._read_batches("documents_titled", items, vector=self._question(vector))
        return [TitledDocument(**row) for row in rows]

    def neighbours(
        self, chunk_ids: Sequence[str], vector: Vector, *, hub: int, per_chunk: int, revision: str | None = None
    ) -> list[str]:
        """Other chunks that share an entity with these, or are linked with them by a title, nearest to `vector` first.
        Entities and titles in more than `hub` chunks are ignored as links; each chunk brings at most `per_chunk`. If
        the read model of `revision` is cached, Neo4j is not asked.
        """
        model = self.chunk_cache.find_model(revision) if revision else None
        if model is not None:
            return model.neighbours(chunk_ids, vector, hub=hub, per_chunk=per_chunk)
        parameters = {"ids": list(dict.fromkeys(chunk_ids)), "vector": self._question(vector)}
        return [row["id"] for row in self._rows("neighbours", **parameters, hub=hub, per_chunk=per_chunk)]

    def facts_about(self, entity_ids: Sequence[str], vector: Vector, *, limit: int) -> list[FactHit]:
        """The facts of these entities, nearest to `vector` first.

        For an entity with more than 600 facts, only the 600 with the most support are compared.
        """
        parameters = {"ids": list(dict.fromkeys(entity_ids)), "vector": self._question(vector)}
        return [
            fact_hit(row)
            for row in self._rows("facts_about", **parameters, limit=limit, scored=MAX_SCORED_FACTS_PER_ENTITY)
        ]

    def chunk_ids(self, revision: str | None = None) -> Sequence[str]:
        """The ids of all chunks. With the `revision` of the workspace's overview, cached data are used."""
        chunk_ids = self.chunk_cache.find_ids(revision) if revision else None
        if chunk_ids is None:
            chunk_ids = tuple(sorted(row["id"] for row in self._rows("chunk_ids")))
            if revision:
                self.chunk_cache.put_ids(self._name, revision, chunk_ids)
        return chunk_ids

    def pool(self, chunk_ids: Sequence[str], revision: str | None = None) -> list[PoolChunk]:
        """These chunks, in the order given, with the data of the walk and the ranking; unknown ids are left out. With
        the `revision` of the workspace's overview, cached data are used.
        """
        ids = list(dict.fromkeys(chunk_ids))
        chunks = {} if revision is None else self.chunk_cache.find(revision, ids)
        read = {chunk.id: chunk for chunk in self._read_pool([id_ for id_ in ids if id_ not in chunks])}
        if revision is not None:
            self.chunk_cache.put(self._name, revision, read.values())
        chunks |= read
        return [chunks[id_] for id_ in ids if id_ in chunks]

    @property
    def read_ahead(self) -> ReadAheadSize:
        """Limits on the size of workspaces that are preloaded."""
        return self.chunk_cache.size

    def keep_read_model(self, revision: str) -> Iterator[None]:
        """Cache the read model, so that the next questions at this revision follow links in memory. Yields between
        parts of some 50 ms; if the workspace changes meanwhile, nothing is cached.
        """
        if self.chunk_cache.find_model(revision) is not None:
            return
        ids, read = self.chunk_ids(revision), list[LinkedChunk]()
        for begin in range(0, len(ids), LINK_BATCH_CHUNKS):
            yield
            rows = self._rows("links_of_chunks", ids=ids[begin : begin + LINK_BATCH_CHUNKS])[0]["chunks"]
            read += (_linked_chunk(*row) for row in rows)
        yield
        if read and len(read) == len(ids):  # otherwise some are being deleted
            self.chunk_cache.put_model(self._name, revision, ReadModel.of(sorted(read, key=lambda chunk: chunk.id)))

    def _read_pool(self, ids: Sequence[str]) -> list[PoolChunk]:
        if not ids:
            return []
        with TaskGroup() as tasks:  # each takes some 10 ms in the server
            reading = tasks.submit(self._rows, "pool_facts", ids=ids)
            chunks = self._rows("pool_chunks", ids=ids)[0]["chunks"]
            facts = reading.result()[0]["facts"]
        if not chunks:
            return []
        vectors = dequantize([fact[-2] for fact in facts], self.workspace.dimensions)
        facts_in: dict[str, list[tuple[PoolFact, int]]] = defaultdict(list)
        for row, (id_, subject_id, subject, predicate, object_id, object_, denied, _, places) in enumerate(facts):
            for chunk_id, start, end, origin, according_to, premises, when, when_date in places:
                said_here = start, end, origin, according_to, pairs_to_spans(premises), when, when_date, denied
                fact = PoolFact(id_, subject_id, subject, predicate, object_id, object_, *said_here)
                facts_in[chunk_id].append((fact, row))
        quantized = [chunk[-1] for chunk in chunks]
        ends = np.cumsum([len(row) // self.workspace.dimensions for row in quantized])
        rows_of = np.split(dequantize(quantized, self.workspace.dimensions), ends[:-1])
        return [
            _pool_chunk(chunk, rows, sorted(facts_in[chunk[0]], key=_fact_order), vectors)
            for chunk, rows in zip(chunks, rows_of, strict=True)
        ]

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        """The texts of these chunks, to be shown, by id; unknown ids are left out."""
        rows = self._rows("passages", ids=list(dict.fromkeys(chunk_ids)))
        return {row["id"]: _passage(row) for row in rows}

    def mentioning(self, entity_ids: Sequence[str], limit: int) -> tuple[list[str], int]:
        """The first `limit` chunks that mention any of these entities, in reading order, and the total number."""
        row = self._rows("mentioning", ids=list(dict.fromkeys(entity_ids)), limit=limit)[0]
        return row["ids"], row["count"]

    def next_chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        """Chunk id -> the chunks before and after it in its document; unknown ids are left out."""
        rows = self._rows("next_chunks", ids=list(dict.fromkeys(chunk_ids)))
        return {row["id"]: (row["before"], row["after"]) for row in rows}

    def _nearest(self, statement: str, index: str, vector: Vector, k: int) -> list[Row]:
        if k < 1:
            raise InputError(f"{k} results cannot be requested.", cure="Ask for at least 1.")
        parameters = {"index": index, "k": k, "reach": max(k, MIN_VECTOR_HITS), "vector": self._question(vector)}
        return self.database.rows(statement, **parameters)

    def _vectors(self, kind: str) -> str:
        return f"{getattr(self.workspace, f'{kind}_label')}_vector"


def word_hits(row: Row) -> list[WordHit]:
    """The results of keyword search, from one row of lists: a thousand rows take five times as long to read."""
    hits = zip_longest(row["ids"], row["scores"], row["cosines"])
    return [WordHit(id=id_, score=score, cosine=cosine) for id_, score, cosine in hits]


def fact_hit(row: Row) -> FactHit:
    """A fact as a search result."""
    return FactHit(**{**row, "chunk_ids": tuple(row["chunk_ids"])})


def _linked_chunk(
    id_: str, document_id: str, index: int, entity_ids: list[str], titles: list[str], vector: list[float]
) -> LinkedChunk:
    return LinkedChunk(id_, document_id, index, entity_ids, titles, np.array(vector, dtype=np.float32))


def _passage(row: Row) -> Passage:
    date = document_date(row.pop("metadata"))
    return Passage(**row | {"places": marks_of(row["places"]), "dates": tuple(row["dates"])}, date=date)


def _pool_chunk(
    chunk: list[Any], vectors: Matrix, facts_with_rows: list[tuple[PoolFact, int]], fact_vectors: Matrix
) -> PoolChunk:
    id_, document_id, index, title, language, terms, entities, titles, _ = chunk
    return PoolChunk(
        id=id_,
        document_id=document_id,
        index=index,
        title=title,
        language=language,
        terms=frozenset(terms.split()),
        vectors=vectors,
        entities=tuple(PoolEntity(*entity) for entity in sorted(entities, key=lambda entity: entity[1:])),
        facts=tuple(fact for fact, _ in facts_with_rows),
        fact_vectors=fact_vectors[[row for _, row in facts_with_rows]],
        titles=frozenset(titles),
    )


def _fact_order(fact_with_row: tuple[PoolFact, int]) -> tuple[int, int, str, str, str]:
    """The order of facts in a chunk: by their content, never by ids, which hash the document's name."""
    fact, _ = fact_with_row
    return fact.start, fact.end, fact.subject, fact.predicate, fact.object
