"""The names and facts that some documents state, for a language model that looks something up.

`FilteredGraph` knows the names of a question from the whole workspace; this graph has only what a sentence of its
documents supports: an entity has the names that they use, a fact counts if they say it about entities that they name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from filigraph.graph.analysis.alike import NameRow, NameTable
from filigraph.graph.analysis.connections import FactNetwork, fact_edge
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Passage, PoolChunk
from filigraph.graph.records.entities import EntityHit, FoundEntity, NamedEntity
from filigraph.graph.records.facts import FactHit
from filigraph.graph.store.neo4j.database import Row
from filigraph.graph.store.neo4j.edge_types import TOGETHER
from filigraph.graph.store.workspace.browse import entities_with_words
from filigraph.graph.store.workspace.connections import ConnectionPart
from filigraph.graph.store.workspace.filtered import FilteredGraph
from filigraph.graph.text.names.parse import canonical_name


@dataclass(frozen=True, kw_only=True)
class StatedEntity:
    """An entity as some documents name it."""

    id: str
    name: str
    type: str
    kind: str  # its type in the workspace: it identifies places and dates, and is not shown
    forms: tuple[str, ...]  # sorted
    keys: frozenset[str]
    chunks: int  # the number that mention it

    @staticmethod
    def of(rows: Sequence[Row]) -> StatedEntity:
        """The entity with these mentions."""
        types = Counter[str]()
        for row in rows:
            types[row["type"]] += row["count"] if row["type"] else 0
        return StatedEntity(
            id=rows[0]["entity_id"],
            name=canonical_name([(row["form"], row["count"]) for row in rows]),
            type=min(types, key=lambda type_: (-types[type_], type_)),
            kind=rows[0]["entity_type"],
            forms=tuple(sorted({row["form"] for row in rows})),
            keys=frozenset(row["key"] for row in rows),
            chunks=len({id_ for row in rows for id_ in row["chunks"]}),
        )


class StatedGraph(ConnectionPart):
    """The reads of a look-up (`ask.reader.StatedReader`). It has no other reads, so a look-up cannot read beyond its
    documents.
    """

    def __init__(self, filtered: FilteredGraph) -> None:
        super().__init__(
            filtered.database,
            filtered.registry,
            filtered.chunk_cache,
            filtered.derivation_cache,
            filtered.memory,
            filtered.workspace,
        )
        self._filtered = filtered
        self._among = filtered.documents

    @cached_property
    def _entities(self) -> Mapping[str, StatedEntity]:
        rows_of: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows("names_within", documents=self._among):
            rows_of[row["entity_id"]].append(row)
        return {id_: StatedEntity.of(rows) for id_, rows in rows_of.items()}

    # ---- Names

    def entities_named(self, keys: Sequence[str]) -> list[NamedEntity]:
        """As `AskPart.entities_named`, with the names of the documents."""
        named = [
            NamedEntity(key=key, entity_id=entity.id, name=entity.name, chunks=entity.chunks)
            for key in dict.fromkeys(keys)
            for entity in self._entities.values()
            if key in entity.keys
        ]
        return sorted(named, key=lambda row: (row.key, -row.chunks, row.entity_id))

    def entities_by_id(self, ids: Iterable[str]) -> list[FoundEntity]:
        """These entities; those that the documents do not name are left out."""
        return [self._found_entity(self._entities[id_]) for id_ in dict.fromkeys(ids) if id_ in self._entities]

    def find_entities(self, name: str, *, first: int = 0, count: int) -> tuple[list[FoundEntity], int]:
        """As `BrowsePart.find_entities`, with the names of the documents."""
        matching = entities_with_words(name, map(self._found_entity, self._entities.values()))
        return matching[first : first + count], len(matching)

    def search_entities(self, vector: Vector, k: int) -> list[EntityHit]:
        """Those of the `k` entities nearest to `vector` that the documents name."""
        hits = [(hit, self._entities.get(hit.entity_id)) for hit in self._filtered.search_entities(vector, k)]
        return [replace(hit, name=entity.name, chunks=entity.chunks) for hit, entity in hits if entity]

    def _found_entity(self, entity: StatedEntity) -> FoundEntity:
        # a look-up shows no number of facts: counting would mean reading all facts of the documents
        return FoundEntity(
            id=entity.id, name=entity.name, type=entity.type, aliases=entity.forms, chunks=entity.chunks, facts=0
        )

    # ---- Facts and passages

    def facts_about(self, entity_ids: Sequence[str], vector: Vector, *, limit: int) -> list[FactHit]:
        """As `FilteredGraph.facts_about`; the texts are those of the workspace."""
        hits = self._filtered.facts_about(entity_ids, vector, limit=limit)
        return [hit for hit in hits if self._entities.keys() >= {hit.subject_id, hit.object_id}]

    def pool(self, chunk_ids: Sequence[str]) -> list[PoolChunk]:
        """These chunks, with the names that the documents use."""
        names = {id_: entity.name for id_, entity in self._entities.items()}
        return [self._limited_chunk(chunk, names) for chunk in self._filtered.pool(chunk_ids)]

    def _limited_chunk(self, chunk: PoolChunk, names: Mapping[str, str]) -> PoolChunk:
        rows = [n for n, fact in enumerate(chunk.facts) if names.keys() >= {fact.subject_id, fact.object_id}]
        return replace(
            chunk,
            entities=tuple(
                entity._replace(name=names[entity.entity_id]) for entity in chunk.entities if entity.entity_id in names
            ),
            facts=tuple(
                fact._replace(subject=names[fact.subject_id], object=names[fact.object_id])
                for fact in (chunk.facts[n] for n in rows)
            ),
            fact_vectors=chunk.fact_vectors[rows],
        )

    def passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        return self._filtered.passages(chunk_ids)

    # ---- Connections

    def _name_table(self) -> NameTable:
        return self._names

    @cached_property
    def _names(self) -> NameTable:
        entities = sorted(self._entities.items())
        return NameTable(
            (NameRow(id=id_, name=entity.name, type=entity.kind, aliases=entity.forms) for id_, entity in entities),
            apart=self.names_apart(),
        )

    def _fact_network(self) -> FactNetwork:
        return self._network

    @cached_property
    def _network(self) -> FactNetwork:
        rows = self._rows("fact_edges_within", documents=self._among, together=TOGETHER)
        edges = [fact_edge(**row) for row in rows]
        return FactNetwork.of([edge for edge in edges if self._entities.keys() >= edge.ends])

    def _facts_in_full(self, ids: Sequence[str]) -> list[Row]:
        return [self._renamed(row) for row in super()._facts_in_full(ids)]

    def _renamed(self, row: Row) -> Row:
        """A fact with the names of the documents; its text is that of the workspace."""
        subject, object_ = (self._entities[row[end]].name for end in ("subject_id", "object_id"))
        return {**row, "subject": subject, "object": object_}
