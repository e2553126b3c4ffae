"""LlamaIndex's PropertyGraphIndex with its VectorContextRetriever; the other retriever it comes with asks an LLM.

Its Neo4j store fills graphs and describes them with APOC, a plug-in that the Neo4j we bring does not have. Reading
needs none: `OurGraph` is that store without the description, and reads the graph of a workspace. One thing is kinder
than what LlamaIndex stores itself: each triplet leads to a chunk that says it, not to the last that names its subject.
"""

from __future__ import annotations

from typing import Any

from llama_index.core import PropertyGraphIndex
from llama_index.core.graph_stores.types import TRIPLET_SOURCE_KEY, EntityNode, LabelledNode, Relation, Triplet
from llama_index.core.indices.property_graph import VectorContextRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.graph_stores.neo4j import Neo4jPropertyGraphStore

from bench.peers import Ask
from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.models.embed import Embedder

WIDE = {"similarity_top_k": 20, "limit": 200}  # entities and triplets; of six settings the one that found most

NEAREST_ENTITIES = """
CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node, score
RETURN node.id AS id, score
"""
TRIPLETS = """
UNWIND range(0, size($ids) - 1) AS place
MATCH (e:__Entity__ {id: $ids[place]})
MATCH path = (e)-[*1..<depth>]-(:__Entity__)
WHERE all(r IN relationships(path) WHERE r.fact_id IS NOT NULL)
UNWIND relationships(path) AS r
WITH DISTINCT r, place
LIMIT $limit
MATCH (:Fact {id: r.fact_id})-[:FROM_CHUNK]->(c:Chunk)
WITH r, place, min(c.id) AS chunk_id
RETURN startNode(r).id AS subject, r.predicate AS predicate, endNode(r).id AS object, chunk_id
ORDER BY place
"""
CHUNKS = "MATCH (c:Chunk) WHERE c.id IN $ids RETURN c.id AS id, c.text AS text"


class OurGraph(Neo4jPropertyGraphStore):  # type: ignore[misc]
    """The Neo4j store of LlamaIndex over a workspace of ours, for reading only."""

    def __init__(self, address: Neo4jAddress, entity_label: str) -> None:
        super().__init__(
            username=address.username,
            password=address.password,
            url=address.uri,
            refresh_schema=False,  # needs APOC
            create_indexes=False,
        )
        self._index = f"{entity_label}_vector"

    def vector_query(self, query: VectorStoreQuery, **_: Any) -> tuple[list[LabelledNode], list[float]]:
        """The entities whose names are nearest to the question."""
        params = {"index": self._index, "k": query.similarity_top_k, "vector": query.query_embedding}
        rows = self.structured_query(NEAREST_ENTITIES, params)
        return [EntityNode(name=row["id"]) for row in rows], [row["score"] for row in rows]

    def get_rel_map(
        self, graph_nodes: list[LabelledNode], depth: int = 2, limit: int = 30, ignore_rels: list[str] | None = None
    ) -> list[Triplet]:
        """What the graph says of entities, as the original does, over the edges that facts have drawn."""
        params = {"ids": [node.id for node in graph_nodes], "limit": limit}
        return [
            (
                EntityNode(name=row["subject"], properties={TRIPLET_SOURCE_KEY: row["chunk_id"]}),
                Relation(label=row["predicate"], source_id=row["subject"], target_id=row["object"]),
                EntityNode(name=row["object"]),
            )
            for row in self.structured_query(TRIPLETS.replace("<depth>", str(int(depth))), params)
        ]

    def get_llama_nodes(self, node_ids: list[str]) -> list[BaseNode]:
        """Chunks as nodes of LlamaIndex."""
        return [TextNode(id_=row["id"], text=row["text"]) for row in self.structured_query(CHUNKS, {"ids": node_ids})]


def methods(address: Neo4jAddress, entity_label: str, embedder: Embedder) -> dict[str, Ask]:
    """The retriever with its defaults (4 entities, 30 triplets), and a wider one."""
    store = OurGraph(address, entity_label)
    index = PropertyGraphIndex.from_existing(store, embed_model=embedder.exact, llm=MockLLM(), use_async=False)

    def with_settings(**options: Any) -> Ask:
        one = VectorContextRetriever(store, embed_model=embedder.exact, **options)
        retriever = index.as_retriever(sub_retrievers=[one])
        return lambda question: [hit.node.node_id for hit in retriever.retrieve(question)]

    return {
        "LlamaIndex PropertyGraphIndex": with_settings(),
        "LlamaIndex PropertyGraphIndex, wide": with_settings(**WIDE),
    }
