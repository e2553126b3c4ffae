// search_chunks: The chunks nearest to a vector.
CYPHER 5
CALL db.index.vector.queryNodes($index, $reach, $vector) YIELD node, score
RETURN node.id AS id, 2 * score - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $k

// search_words: The chunks that match words best.
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $query, {limit: $k}) YIELD node, score
RETURN node.id AS id, score
ORDER BY score DESC, id

// search_facts: The facts nearest to a vector.
CYPHER 5
CALL db.index.vector.queryNodes($index, $reach, $vector) YIELD node AS f, score
WHERE EXISTS { (f)-[:FROM_CHUNK]->() }
WITH f, score
ORDER BY score DESC, f.id
LIMIT $k
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, 2 * score - 1 AS cosine, s.id AS subject_id, o.id AS object_id, f.text AS text,
  COLLECT { MATCH (f)-[:FROM_CHUNK]->(c:Chunk) RETURN DISTINCT c.id AS id ORDER BY id } AS chunk_ids
ORDER BY cosine DESC, fact_id

// search_entities: The entities whose names are nearest to a vector.
CYPHER 5
CALL db.index.vector.queryNodes($index, $reach, $vector) YIELD node, score
RETURN node.id AS id, node.name AS name, 2 * score - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $k

// entities_named: The entities that bear names.
CYPHER 5
UNWIND $items AS item
MATCH (m:Mention {lookup: item.lookup})-[:REFERS_TO]->(e:__Entity__)
USING INDEX m:Mention(lookup)
WHERE m.workspace = $workspace AND m.key = item.key
WITH DISTINCT item.key AS key, e
RETURN key, e.id AS entity_id, e.name AS name, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
ORDER BY key, chunks DESC, entity_id

// neighbours: The chunks that share an entity, no hub, with chunks; the nearest to a vector for each of them.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:FROM_CHUNK]-(e:__Entity__)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND COUNT { (e)-[:FROM_CHUNK]->() } <= $hub
WITH e, collect(id) AS seeds
MATCH (e)-[:FROM_CHUNK]->(o:Chunk)
WHERE NOT o.id IN $ids
WITH o, seeds
UNWIND seeds AS seed
WITH o, collect(DISTINCT seed) AS seeds
WITH o.id AS id, 2 * vector.similarity.cosine(o.embedding, $vector) - 1 AS cosine, seeds
ORDER BY cosine DESC, id
UNWIND seeds AS seed
WITH seed, collect({id: id, cosine: cosine})[..$per_chunk] AS nearest
UNWIND nearest AS near
WITH DISTINCT near.id AS id, near.cosine AS cosine
ORDER BY cosine DESC, id
LIMIT $limit
RETURN id

// facts_about: The facts of entities, the nearest to a vector first; of a hub only its best supported are compared.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
CALL (e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE EXISTS { (f)-[:FROM_CHUNK]->() }
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
RETURN f.id AS fact_id, cosine, s.id AS subject_id, o.id AS object_id, f.text AS text,
  COLLECT { MATCH (f)-[:FROM_CHUNK]->(c:Chunk) RETURN DISTINCT c.id AS id ORDER BY id } AS chunk_ids
ORDER BY cosine DESC, fact_id

// pool_chunks: Chunks with their document, vector and entities.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})-[:FROM_DOCUMENT]->(d:Document)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN collect([id, d.id, c.index, c.title, c.text, c.place, c.terms, d.source, c.language,
  2 * vector.similarity.cosine(c.embedding, $vector) - 1, c.embedding,
  COLLECT { MATCH (c)<-[:FROM_CHUNK]-(e:__Entity__) RETURN [e.id, e.name, COUNT { (e)-[:FROM_CHUNK]->() }] }])
  AS chunks

// pool_facts: What chunks say, compared with a vector.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[r:FROM_CHUNK]-(f:Fact)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH f, collect([id, r.start, r.end, r.origin]) AS places
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN collect([f.id, s.id, s.name, f.predicate, o.id, o.name, f.text,
  2 * vector.similarity.cosine(f.embedding, $vector) - 1, places]) AS facts

// next_chunks: The chunks before and after chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
OPTIONAL MATCH (before:Chunk)-[:NEXT_CHUNK]->(c)
OPTIONAL MATCH (c)-[:NEXT_CHUNK]->(after:Chunk)
RETURN id, before.id AS before, after.id AS after
