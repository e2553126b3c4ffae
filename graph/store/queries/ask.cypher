// search_chunks: The chunks nearest to a vector.
CYPHER 5
CALL db.index.vector.queryNodes($index, $reach, $vector) YIELD node, score
WITH node.id AS id, 2 * score - 1 AS cosine
ORDER BY cosine DESC, id
LIMIT $k
RETURN collect(id) AS ids, collect(cosine) AS cosines

// search_words: The chunks that match words best.
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $query, {limit: $k + $more}) YIELD node, score
WITH node, node.id AS id, score
ORDER BY score DESC, id
WITH collect(id) AS ids, collect(score) AS scores, collect(node)[..$k] AS best
RETURN ids, scores, [n IN best | 2 * vector.similarity.cosine(n.embedding, $vector) - 1] AS cosines

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
CALL db.index.vector.queryNodes($index, $reach, $vector) YIELD node AS e, score
WITH e, score
ORDER BY score DESC, e.id
LIMIT $k
RETURN e.id AS entity_id, e.name AS name, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks, 2 * score - 1 AS cosine
ORDER BY cosine DESC, entity_id

// entities_named: The entities that have these names.
CYPHER 5
UNWIND $items AS item
MATCH (m:Mention {lookup: item.lookup})-[:REFERS_TO]->(e:__Entity__)
USING INDEX m:Mention(lookup)
WHERE m.workspace = $workspace AND m.key = item.key
WITH DISTINCT item.key AS key, e
RETURN key, e.id AS entity_id, e.name AS name, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
ORDER BY key, chunks DESC, entity_id

// identifiers_named: The definitions in source code that have these last names.
CYPHER 5
UNWIND $items AS item
MATCH (m:Mention {lookup: item.lookup})-[:REFERS_TO]->(e:__Entity__)
USING INDEX m:Mention(lookup)
WHERE m.workspace = $workspace AND m.type <> ''
WITH DISTINCT item.name AS key, m.key AS form, e
RETURN key, form, e.id AS entity_id, e.name AS name, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
ORDER BY key, chunks DESC, entity_id

// places_of_chunks: The positions of chunks in their documents.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN id, c.place AS place

// documents_titled: The documents with these titles, with or without the part in brackets, and their first chunks.
CYPHER 5
UNWIND $items AS item
CALL (item) {
  MATCH (d:Document {title_lookup: item.lookup})
  USING INDEX d:Document(title_lookup)
  RETURN d
  UNION
  MATCH (d:Document {bare_lookup: item.lookup})
  USING INDEX d:Document(bare_lookup)
  RETURN d
}
WITH item, d
WHERE d.workspace = $workspace
MATCH (d)<-[:FROM_DOCUMENT]-(c:Chunk {index: 0})
RETURN item.key AS key, d.id AS entity_id, d.title AS name, 1 AS chunks, c.id AS chunk_id,
  2 * vector.similarity.cosine(c.embedding, $vector) - 1 AS cosine
ORDER BY key, entity_id

// neighbours: The chunks that share an entity, except hubs, with chunks or are linked to them by a title; the nearest of each.
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
WHERE NOT o.id IN $ids
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

// facts_about: The facts of entities, the nearest to a vector first; of a hub only the best supported are compared.
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

// links_of_chunks: The links of chunks, in lists: the entities that they mention and the titles that they name.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN collect([id, c.document_id, c.index,
  COLLECT { MATCH (c)<-[:FROM_CHUNK]-(e:__Entity__) RETURN e.id },
  COLLECT { MATCH (c)-[:NAMES_TITLE]->(d:Document) RETURN d.id }, c.embedding]) AS chunks

// chunk_ids: The ids of all chunks.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
RETURN c.id AS id

// pool_chunks: Chunks with their vectors, entities and the titles they name.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN collect([id, c.document_id, c.index, c.title, c.language, c.terms,
  COLLECT { MATCH (c)<-[:FROM_CHUNK]-(e:__Entity__) RETURN [e.id, e.name, COUNT { (e)-[:FROM_CHUNK]->() }] },
  COLLECT { MATCH (c)-[:NAMES_TITLE]->(d:Document) RETURN d.id }, c.packed]) AS chunks

// pool_facts: The facts that chunks state.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[r:FROM_CHUNK]-(f:Fact)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH f, collect([id, r.start, r.end, r.origin, coalesce(r.according_to, ''), coalesce(r.premises, []),
  coalesce(r.when, ''), coalesce(r.when_date, '')]) AS places
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN collect([f.id, s.id, s.name, f.predicate, o.id, o.name, coalesce(f.denied, false), f.packed,
  places]) AS facts

// mentioning: The chunks that mention entities, in document order, and their number.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})-[:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH DISTINCT c, d
ORDER BY d.source, c.index
WITH collect(c.id) AS ids
RETURN ids[..$limit] AS ids, size(ids) AS count

// passages: Chunks as they are shown. A document that is removed meanwhile has none, because it has no properties.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})-[:FROM_DOCUMENT]->(d:Document)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND c.text IS NOT NULL AND d.metadata IS NOT NULL
RETURN id, d.id AS document_id, c.title AS title, d.source AS source, c.place AS place, c.language AS language,
  coalesce(c.places, []) AS places, coalesce(c.dates, []) AS dates, c.text AS text, d.metadata AS metadata

// next_chunks: The chunks before and after chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
OPTIONAL MATCH (before:Chunk)-[:NEXT_CHUNK]->(c)
OPTIONAL MATCH (c)-[:NEXT_CHUNK]->(after:Chunk)
RETURN id, before.id AS before, after.id AS after

// entity_types: The number of entities of each type, the most frequent first.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE e.type <> ''
RETURN e.type AS type, count(*) AS entities
ORDER BY entities DESC, type

// entities_of_types: Those of some entities that have one of these types.
CYPHER 5
UNWIND $items AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND e.type IN $types
RETURN e.id AS id
