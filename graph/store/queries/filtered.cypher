// search_chunks_within: The chunks of some documents that are nearest to a vector.
CYPHER 5
UNWIND $documents AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND c.embedding IS NOT NULL
RETURN c.id AS id, 2 * vector.similarity.cosine(c.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $k

// search_words_within: The chunks of some documents that match words best.
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score
WHERE node.document_id IN $documents
WITH node, node.id AS id, score
ORDER BY score DESC, id
LIMIT $k + $more
WITH collect(id) AS ids, collect(score) AS scores, collect(node)[..$k] AS best
RETURN ids, scores, [n IN best | 2 * vector.similarity.cosine(n.embedding, $vector) - 1] AS cosines

// search_facts_within: The facts that some documents state, nearest to a vector first.
CYPHER 5
UNWIND $documents AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(:Chunk)<-[:FROM_CHUNK]-(f:Fact)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
WITH DISTINCT f
WITH f, 2 * vector.similarity.cosine(f.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, f.id
LIMIT $k
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, cosine, s.id AS subject_id, o.id AS object_id, f.text AS text, COLLECT {
  MATCH (f)-[:FROM_CHUNK]->(c:Chunk) WHERE c.document_id IN $documents RETURN DISTINCT c.id AS id ORDER BY id
} AS chunk_ids
ORDER BY cosine DESC, fact_id

// neighbours_within: Like neighbours, only for the chunks of some documents.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
CALL (c) {
  MATCH (c)<-[:FROM_CHUNK]-(e:__Entity__)
  WHERE COUNT { (e)-[:FROM_CHUNK]->() } <= $hub
  MATCH (e)-[:FROM_CHUNK]->(o:Chunk)
  RETURN o, 0.0 AS more
  UNION ALL
  MATCH (c)-[:NAMES_TITLE]->(:Document)<-[:FROM_DOCUMENT]-(o:Chunk {index: 0})
  RETURN o, 0.3 AS more
  UNION ALL
  MATCH (c)-[:FROM_DOCUMENT]->(d:Document)
  WHERE c.index = 0 AND COUNT { (d)<-[:NAMES_TITLE]-() } <= $hub
  MATCH (d)<-[:NAMES_TITLE]-(o:Chunk)
  RETURN o, 0.0 AS more
}
WITH o, c.id AS seed, max(more) AS more
WHERE o.document_id IN $documents AND NOT o.id IN $ids
WITH o, collect({id: seed, more: more}) AS seeds
WITH o.id AS id, 2 * vector.similarity.cosine(o.embedding, $vector) - 1 AS cosine, seeds
UNWIND seeds AS seed
WITH id, cosine, seed.id AS seed, cosine + seed.more AS worth
ORDER BY worth DESC, id
WITH seed, collect({id: id, cosine: cosine})[..$per_chunk] AS nearest
UNWIND nearest AS near
WITH DISTINCT near.id AS id, near.cosine AS cosine
RETURN id
ORDER BY cosine DESC, id

// facts_about_within: The facts of entities that some documents state, the nearest to a vector first.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
CALL (e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE EXISTS { (f)-[:FROM_CHUNK]->(c:Chunk) WHERE c.document_id IN $documents }
  WITH DISTINCT f
  ORDER BY f.weight DESC, f.id
  LIMIT $scored
  RETURN f
}
WITH DISTINCT f
WITH f, 2 * vector.similarity.cosine(f.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, cosine, s.id AS subject_id, o.id AS object_id, f.text AS text, COLLECT {
  MATCH (f)-[:FROM_CHUNK]->(c:Chunk) WHERE c.document_id IN $documents RETURN DISTINCT c.id AS id ORDER BY id
} AS chunk_ids
ORDER BY cosine DESC, fact_id

// mentioning_within: The chunks of some documents that mention entities, in reading order, and their number.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})-[:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND d.id IN $documents
WITH DISTINCT c, d
ORDER BY d.source, c.index
WITH collect(c.id) AS ids
RETURN ids[..$limit] AS ids, size(ids) AS count

// chunk_ids_within: The ids of the chunks of some documents.
CYPHER 5
UNWIND $documents AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN c.id AS id

// names_within: The names of some documents, each with its entity.
CYPHER 5
UNWIND $documents AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(c:Chunk)<-[:IN_CHUNK]-(m:Mention)-[:REFERS_TO]->(e:__Entity__)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN e.id AS entity_id, coalesce(e.type, '') AS entity_type, m.key AS key, m.form AS form,
  coalesce(m.type, '') AS type, count(*) AS count, collect(DISTINCT c.id) AS chunks
ORDER BY entity_id, form, type

// fact_edges_within: Like fact_edges, for the facts that some documents state.
CYPHER 5
UNWIND $documents AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(:Chunk)<-[r:FROM_CHUNK]-(f:Fact)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND f.predicate <> $together
WITH f, count(r) AS weight
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, o.id AS object_id, weight,
  CASE WHEN coalesce(f.denied, false) THEN f.predicate ELSE '' END AS denial
