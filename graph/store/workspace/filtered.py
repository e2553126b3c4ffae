"""A workspace limited to some of its documents, for a question about these.

A vector index cannot filter, so chunks and facts are compared one by one, exactly: some 20 ms for a thousand of them.
Names, and the number of chunks that mention an entity, are those of the whole workspace: a question may use another
name than these documents (`stated.py` has only what they state).
"""

from __future__ import annotations

from collections.abc import Sequence

from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.records.documents import TitledDocument, WordHit
from filigraph.graph.records.entities import EntityHit, FoundEntity, NamedEntity
from filigraph.graph.records.facts import FactHit
from filigraph.graph.records.summaries import SummaryHit
from filigraph.graph.records.workspaces import Overview
from filigraph.graph.store.workspace.ask import MAX_SCORED_FACTS_PER_ENTITY, AskPart, fact_hit, word_hits
from filigraph.graph.store.workspace.graph_part import GraphPart
from filigraph.graph.store.workspace.summaries import SummaryPart


class AskReads(AskPart, SummaryPart):
    """The reads that are narrowed here."""


class FilteredGraph(GraphPart):
    """Reads for a question over some documents (`ask.reader.GraphReader`). It is not a `Graph`: reads without a limited
    version here cannot be called.
    """

    def __init__(self, graph: AskReads, document_ids: Sequence[str]) -> None:
        super().__init__(
            graph.database, graph.registry, graph.chunk_cache, graph.derivation_cache, graph.memory, graph.workspace
        )
        self._graph = graph
        self.documents = sorted(set(document_ids))
        self._among = frozenset(document_ids)

    def overview(self) -> Overview:
        return self._graph.overview()

    def search_entities(self, vector: Vector, k: int) -> list[EntityHit]:
        return self._graph.search_entities(vector, k)

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        return self._graph.entities_named(keys)

    def names_near(self, folded: str, slips: int) -> list[FoundEntity]:
        return self._graph.names_near(folded, slips)

    def identifiers_named(self, names: Sequence[str]) -> list[NamedEntity]:
        return self._graph.identifiers_named(names)

    def places_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        return self._graph.places_of_chunks(chunk_ids)

    def entities_of_types(self, entity_ids: Sequence[str], types: Sequence[str]) -> set[str]:
        return self._graph.entities_of_types(entity_ids, types)

    def search_chunks(self, vector: Vector, k: int) -> list[tuple[str, float]]:
        rows = self._rows("search_chunks_within", documents=self.documents, vector=self._question(vector), k=k)
        return [(row["id"], row["cosine"]) for row in rows]

    def search_words(self, lucene_query: str, vector: Vector, k: int, more: int = 0) -> list[WordHit]:
        if not lucene_query.strip():
            return []
        parameters = {
            "index": f"{self.workspace.chunk_label}_words",
            "query": lucene_query,
            "documents": self.documents,
        }
        rows = self.database.rows("search_words_within", **parameters, vector=self._question(vector), k=k, more=more)
        return word_hits(rows[0])

    def search_facts(self, vector: Vector, k: int) -> list[FactHit]:
        rows = self._rows("search_facts_within", documents=self.documents, vector=self._question(vector), k=k)
        return [fact_hit(row) for row in rows]

    def documents_titled(self, keys: Sequence[str], vector: Vector) -> list[TitledDocument]:
        return [row for row in self._graph.documents_titled(keys, vector) if row.entity_id in self._among]

    def neighbours(
        self, chunk_ids: Sequence[str], vector: Vector, *, hub: int, per_chunk: int, revision: str | None = None
    ) -> list[str]:
        parameters = {
            "ids": list(dict.fromkeys(chunk_ids)),
            "documents": self.documents,
            "vector": self._question(vector),
        }
        return [row["id"] for row in self._rows("neighbours_within", **parameters, hub=hub, per_chunk=per_chunk)]

    def facts_about(self, entity_ids: Sequence[str], vector: Vector, *, limit: int) -> list[FactHit]:
        parameters = {
            "ids": list(dict.fromkeys(entity_ids)),
            "documents": self.documents,
            "vector": self._question(vector),
        }
        rows = self._rows("facts_about_within", **parameters, limit=limit, scored=MAX_SCORED_FACTS_PER_ENTITY)
        return [fact_hit(row) for row in rows]

    def mentioning(self, entity_ids: Sequence[str], limit: int) -> tuple[list[str], int]:
        parameters = {"ids": list(dict.fromkeys(entity_ids)), "documents": self.documents}
        row = self._rows("mentioning_within", **parameters, limit=limit)[0]
        return row["ids"], row["count"]

    def chunk_ids(self, revision: str | None = None) -> list[str]:
        return sorted(row["id"] for row in self._rows("chunk_ids_within", documents=self.documents))

    def pool(self, chunk_ids: Sequence[str], revision: str | None = None) -> list[PoolChunk]:
        return [chunk for chunk in self._graph.pool(chunk_ids, revision) if chunk.document_id in self._among]

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        passages = self._graph.passages(chunk_ids)
        return {id_: passage for id_, passage in passages.items() if passage.document_id in self._among}

    def top_summaries(self, vector: Vector) -> list[SummaryHit]:
        return self._graph.top_summaries(vector, self.documents)

    def summaries_below(self, summary_id: str, vector: Vector) -> list[SummaryHit]:
        return self._graph.summaries_below(summary_id, vector)  # of the same document

    def search_summaries(self, vector: Vector, entity_ids: Sequence[str], k: int) -> list[SummaryHit]:
        return self._graph.search_summaries(vector, entity_ids, k, self.documents)

    def windows_under(self, summary_ids: Sequence[str], vector: Vector, k: int) -> list[SummaryHit]:
        return self._graph.windows_under(summary_ids, vector, k)  # of the same documents

    def windows_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        return self._graph.windows_over(chunk_ids, vector)  # of the same documents

    def summaries_over(self, chunk_ids: Sequence[str], vector: Vector) -> list[SummaryHit]:
        return self._graph.summaries_over(chunk_ids, vector)  # of the same documents

    def next_chunks(self, chunk_ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        return self._graph.next_chunks(chunk_ids)  # of the same document
