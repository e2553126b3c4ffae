"""neo4j-graphrag: its retrievers on the existing indexes of a workspace.

Its hybrid retrievers give the text of the question to the full-text index. Ours holds stems and is split at white space
only, so they get our query of `terms` instead, which the API allows; `raw question` shows what happens without.

HybridCypherRetriever leaves the graph to a query that its user writes. Two are measured: over the rarest entity that a
hit shares with its neighbours, and over the fact that leads on. Hits keep their scores; a neighbour gets its hit's,
times how good the link is and how near it is to the question. Of a dozen such queries these two found most on the sets
they are measured on, and so did three hits: more leave no place among the first five for what they lead to.
"""

from __future__ import annotations

from typing import Any

from neo4j import Driver
from neo4j.exceptions import ClientError
from neo4j_graphrag.retrievers import HybridCypherRetriever, HybridRetriever, VectorRetriever
from neo4j_graphrag.types import RetrieverResult, RetrieverResultItem

from bench.peers import Ask
from filigraph.graph.measure.evaluate import EVIDENCE_CHUNKS
from filigraph.graph.models.embed import Embedder, embed_questions
from filigraph.graph.text.words import lucene_query, query_terms

LANGUAGE = "en"  # of both sets
HITS = 3  # from which the one hop starts
HUB = 40  # chunks: an entity in more of them is not a link, as in our own walk
LINEAR: dict[str, Any] = {"ranker": "linear", "alpha": 0.7}  # weight of the vectors; of 0.5 and 0.7 the better
WIDE = 10  # times as many candidates by vector; what the other retrievers find stays the same

ONE_HOP = """
WITH collect({node: node, score: score}) AS hits
CALL (hits) {
  UNWIND hits AS hit
  RETURN hit.node AS chunk, hit.score AS score
  UNION ALL
  UNWIND hits AS hit
  WITH hit.node AS node, hit.score AS hit_score
  <link>
  WITH chunk, hit_score, max(worth) AS worth
  RETURN chunk, hit_score * worth * vector.similarity.cosine(chunk.embedding, $query_vector) AS score
}
WITH chunk, <joined>(score) AS score
ORDER BY score DESC
LIMIT $kept
RETURN chunk.id AS id, chunk.text AS text
"""
OVER_ENTITIES = """MATCH (node)<-[:FROM_CHUNK]-(e:__Entity__)-[:FROM_CHUNK]->(chunk:Chunk)
  WHERE chunk <> node
  WITH chunk, hit_score, 1.0 / COUNT { (e)-[:FROM_CHUNK]->() } AS worth"""
OVER_FACTS = """MATCH (node)<-[:FROM_CHUNK]-(f:Fact)-[:SUBJECT|OBJECT]->(e:__Entity__)-[:FROM_CHUNK]->(chunk:Chunk)
  WHERE chunk <> node AND COUNT { (e)-[:FROM_CHUNK]->() } <= $hub
  WITH chunk, hit_score, vector.similarity.cosine(f.embedding, $query_vector) AS worth"""


def methods(driver: Driver, label: str, embedder: Embedder) -> dict[str, Ask]:
    """The retrievers on the workspace whose chunks have `label`."""
    vectors, words = f"{label}_vector", f"{label}_words"
    shown: dict[str, Any] = {"return_properties": ["id", "text"], "result_formatter": _of_node}
    vector = VectorRetriever(driver, vectors, **shown)
    hybrid = HybridRetriever(driver, vectors, words, **shown)
    over_entities = ONE_HOP.replace("<link>", OVER_ENTITIES).replace("<joined>", "sum")
    over_facts = ONE_HOP.replace("<link>", OVER_FACTS).replace("<joined>", "max")
    entities, facts = (
        HybridCypherRetriever(driver, vectors, words, query, result_formatter=_of_row)
        for query in (over_entities, over_facts)
    )
    hop: dict[str, Any] = {"top_k": HITS, "query_params": {"kept": EVIDENCE_CHUNKS, "hub": HUB}}

    def vector_of(question: str) -> list[float]:
        vector: list[float] = embed_questions(embedder, [question])[0].tolist()
        return vector

    def with_terms(retriever: HybridRetriever | HybridCypherRetriever, **options: Any) -> Ask:
        def ask(question: str) -> list[str]:
            query = lucene_query(query_terms(question, LANGUAGE))
            return _ids(retriever.search(query_text=query, query_vector=vector_of(question), **options))

        return ask

    def by_vector(question: str) -> list[str]:
        return _ids(vector.search(query_vector=vector_of(question), top_k=EVIDENCE_CHUNKS))

    def raw(question: str) -> list[str]:
        try:
            return _ids(hybrid.search(query_text=question, query_vector=vector_of(question), top_k=EVIDENCE_CHUNKS))
        except ClientError:  # what Lucene cannot parse
            return []

    return {
        "neo4j-graphrag VectorRetriever": by_vector,
        "neo4j-graphrag HybridRetriever": with_terms(hybrid, top_k=EVIDENCE_CHUNKS),
        "neo4j-graphrag HybridRetriever, linear ranker": with_terms(hybrid, top_k=EVIDENCE_CHUNKS, **LINEAR),
        "neo4j-graphrag HybridRetriever, linear ranker, wide": with_terms(
            hybrid, top_k=EVIDENCE_CHUNKS, effective_search_ratio=WIDE, **LINEAR
        ),
        "neo4j-graphrag HybridRetriever, raw question": raw,
        "neo4j-graphrag HybridCypherRetriever, one hop over entities": with_terms(entities, **hop),
        "neo4j-graphrag HybridCypherRetriever, one hop over facts": with_terms(facts, **hop),
    }


def _of_node(record: Any) -> RetrieverResultItem:
    return RetrieverResultItem(content=record["node"]["text"], metadata={"id": record["node"]["id"]})


def _of_row(record: Any) -> RetrieverResultItem:
    return RetrieverResultItem(content=record["text"], metadata={"id": record["id"]})


def _ids(result: RetrieverResult) -> list[str]:
    return [(item.metadata or {})["id"] for item in result.items]
