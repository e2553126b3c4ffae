// chunk_index: The position of a chunk in its document.
CYPHER 5
MATCH (c:Chunk {id: $id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND c.document_id = $document_id
RETURN c.index AS index

// document_pieces: Some chunks of a document, in order.
CYPHER 5
MATCH (d:Document {id: $document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND $first <= c.index < $first + $count
RETURN c.id AS id, c.index AS index, c.start AS start, c.text AS text, c.place AS place,
  coalesce(c.places, []) AS places
ORDER BY c.index

// entities_in_pieces: The entities that some chunks of a document mention, the most mentioned first.
CYPHER 5
MATCH (d:Document {id: $document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND $first <= c.index < $first + $count
MATCH (e:__Entity__)-[:FROM_CHUNK]->(c)
RETURN e.id AS id, e.name AS name, count(*) AS chunks
ORDER BY chunks DESC, id
LIMIT $limit

// pieces_with_words: The chunks that contain all of some words, in document order.
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $query) YIELD node AS c
MATCH (c)-[:FROM_DOCUMENT]->(d:Document)
WHERE d.workspace = $workspace
RETURN d.id AS document_id, d.source AS source, d.title AS title, c.id AS id, c.index AS index, c.start AS start,
  c.text AS text, c.place AS place, coalesce(c.places, []) AS places
ORDER BY source, document_id, c.index

// chunks_mentioning: The chunks that contain names of some entities, in document order, and where.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})<-[:REFERS_TO]-(:Mention)-[r:IN_CHUNK]->(c:Chunk)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH c, collect([e.id, r.start, r.end]) AS occurrences
MATCH (c)-[:FROM_DOCUMENT]->(d:Document)
WITH d, c, occurrences ORDER BY d.source, d.id, c.index
RETURN c.id AS chunk_id, d.id AS document_id, d.source AS source, d.title AS title, c.start AS start, c.end AS end,
  occurrences

// find_entities: The entities whose names match words.
CYPHER 5
CALL db.index.fulltext.queryNodes($index, $query, {limit: $reach}) YIELD node
RETURN node.id AS id

// entities_in_brief: Entities without their facts.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN e.id AS id, e.name AS name, e.type AS type, e.aliases AS aliases,
  COUNT { (e)-[:FROM_CHUNK]->() } AS chunks, COUNT { (e)<-[:SUBJECT|OBJECT]-() } AS facts

// most_mentioned: The entities that most chunks mention.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WITH e, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
ORDER BY chunks DESC, e.id
SKIP $first LIMIT $count
RETURN e.id AS id

// types_found: The types of the entities, each with the number of its entities and the most mentioned ones.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WITH e, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
ORDER BY chunks DESC, e.id
WITH coalesce(e.type, '') AS type, count(*) AS entities, collect(e {.id, .name, chunks: chunks})[..$shown] AS first
RETURN type, entities, first
ORDER BY type = '', entities DESC, type
LIMIT $limit

// entities_of_type: The entities of a type, in any case.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE toLower(e.type) = $type
RETURN e.id AS id
ORDER BY id

// chains: Two facts of different passages that share an entity of few facts, if no fact joins their other ends.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WITH f ORDER BY f.weight DESC, f.id LIMIT $facts
MATCH (f)-[:SUBJECT]->(a:__Entity__)
MATCH (f)-[:OBJECT]->(b:__Entity__)
WHERE a <> b AND COUNT { (b)<-[:SUBJECT|OBJECT]-() } <= $rare AND COUNT { (a)<-[:SUBJECT|OBJECT]-() } <= 10 * $rare
MATCH (b)<-[:SUBJECT]-(g:Fact)-[:OBJECT]->(c:__Entity__)
WHERE c <> a AND c <> b AND NOT EXISTS { (f)-[:FROM_CHUNK]->()<-[:FROM_CHUNK]-(g) }
  AND NOT EXISTS { (a)<-[:SUBJECT|OBJECT]-()-[:SUBJECT|OBJECT]->(c) }
MATCH (f)-[:FROM_CHUNK]->()-[:FROM_DOCUMENT]->(d)
WITH a, c, max(f.weight + g.weight) AS weight, min(d.language) AS language
RETURN a.id AS first_id, a.name AS first, c.id AS last_id, c.name AS last, coalesce(language, '') AS language
ORDER BY weight DESC, first_id, last_id
LIMIT $limit

// count_entities: The number of entities.
CYPHER 5
RETURN COUNT { MATCH (e:__Entity__ {workspace: $workspace}) } AS total

// entity_names: The names of an entity as its documents write them, and the first place of each.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:REFERS_TO]-(m:Mention)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH m, COUNT { MATCH (m)-[r:IN_CHUNK]->(c:Chunk) RETURN DISTINCT c.start + r.start } AS count
ORDER BY count DESC, m.id
LIMIT $limit
MATCH (d:Document {id: m.document_id})
RETURN m.id AS id, m.form AS form, count, d.id AS document_id, d.title AS title, d.source AS source, COLLECT {
  MATCH (m)-[r:IN_CHUNK]->(c:Chunk)
  RETURN {chunk_id: c.id, start: r.start, end: r.end} ORDER BY c.index, r.start LIMIT 1
}[0] AS first
ORDER BY count DESC, id

// entity_decisions: The decisions about the names of an entity: that two are one, or that others are not it.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:REFERS_TO]-(m:Mention)-[r:SAME_AS|NOT_SAME_AS]-(n:Mention)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
OPTIONAL MATCH (n)-[:REFERS_TO]->(o:__Entity__)
WITH e, m, r, n, o
WHERE o IS NULL OR o <> e OR m.id < n.id
RETURN m.form AS form, n.form AS other, m.document_id AS document, n.document_id AS other_document,
  type(r) = 'SAME_AS' AS same, r.rule AS rule, r.score AS score, r.by AS by,
  coalesce(r.decision, '') AS id,
  coalesce(r.review, false) AS review, coalesce(o.id, '') AS other_id, coalesce(o.name, '') AS other_name
ORDER BY same DESC, score DESC, form, other, rule
LIMIT $limit

// neighbourhood: The facts of entities, the best supported first, some of each.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
CALL (e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WITH DISTINCT f
  WITH f, NOT EXISTS { (f)-[r:FROM_CHUNK]->() WHERE r.origin <> 'cooccurrence' } AS together
  WHERE $together OR NOT together
  RETURN f, together
  ORDER BY f.weight DESC, f.id
  LIMIT $limit
}
WITH DISTINCT f, together
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, coalesce(f.weight, 0) AS weight, together, coalesce(f.denied, false) AS denied,
  NOT EXISTS { (f)-[r:FROM_CHUNK]->() WHERE r.origin <> 'own' } AS own,
  COLLECT { MATCH (f)-[r:FROM_CHUNK]->(:Chunk) WHERE r.when IS NOT NULL RETURN DISTINCT coalesce(r.when_date, r.when) AS d
    ORDER BY d } AS dates
ORDER BY weight DESC, fact_id

// whole_entities: The most mentioned entities that have a fact; of one document, if one is named.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE $document IS NULL OR EXISTS { (e)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) }
WITH e, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks, COUNT { (e)<-[:SUBJECT]-() } + COUNT { (e)<-[:OBJECT]-() } AS facts
WHERE facts > 0
WITH e, chunks, facts
ORDER BY chunks DESC, facts DESC, e.id
LIMIT $limit
RETURN e.id AS id, e.name AS name, e.type AS type, chunks, facts
ORDER BY chunks DESC, facts DESC, id

// whole_facts: The facts between entities, the best supported first, without mere cooccurrences.
CYPHER 5
UNWIND $ids AS id
MATCH (s:__Entity__ {id: id})<-[:SUBJECT]-(f:Fact)-[:OBJECT]->(o:__Entity__)
USING INDEX s:__Entity__(id)
WHERE f.workspace = $workspace AND o.id IN $ids AND f.predicate <> $together
  AND ($document IS NULL OR EXISTS { (f)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) })
WITH s, f, o
ORDER BY f.weight DESC, f.id
LIMIT $limit
RETURN f.id AS id, s.id AS subject_id, f.predicate AS predicate, o.id AS object_id, coalesce(f.drawn, '') AS relation,
  coalesce(f.weight, 0) AS weight, coalesce(f.denied, false) AS denied
ORDER BY weight DESC, id

// whole_counts: The number of entities that have a fact, and of facts other than cooccurrences.
CYPHER 5
RETURN COUNT { MATCH (e:__Entity__ {workspace: $workspace}) WHERE EXISTS { (e)<-[:SUBJECT|OBJECT]-() }
    AND ($document IS NULL OR EXISTS { (e)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) }) } AS entities,
  COUNT { MATCH (f:Fact {workspace: $workspace}) WHERE f.predicate <> $together
    AND ($document IS NULL OR EXISTS { (f)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) }) } AS facts

// facts_between: The facts about two entities, the best supported first.
CYPHER 5
MATCH (a:__Entity__ {id: $id})<-[:SUBJECT|OBJECT]-(f:Fact)-[:SUBJECT|OBJECT]->(b:__Entity__ {id: $other})
USING INDEX a:__Entity__(id)
WHERE f.workspace = $workspace
WITH DISTINCT f
ORDER BY f.weight DESC, f.id
LIMIT $limit
RETURN f.id AS id

// list_facts: Some facts, the best supported first; of an entity, of a predicate or relation, or stated by documents.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE ($entity IS NULL OR EXISTS { (f)-[:SUBJECT|OBJECT]->(:__Entity__ {id: $entity}) })
  AND ($predicate IS NULL OR f.predicate = $predicate OR f.drawn IN $relations)
  AND ($document IS NULL OR EXISTS { (f)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) })
WITH f ORDER BY f.weight DESC, f.id SKIP $first LIMIT $count
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id, o.name AS object,
  coalesce(f.weight, 0) AS weight, f.text AS text, coalesce(f.denied, false) AS denied,
  NOT EXISTS { (f)-[r:FROM_CHUNK]->() WHERE r.origin <> 'own' } AS own,
  COLLECT { MATCH (f)-[r:FROM_CHUNK]->(:Chunk) WHERE r.when IS NOT NULL RETURN DISTINCT coalesce(r.when_date, r.when) AS d
    ORDER BY d } AS dates
ORDER BY weight DESC, id

// count_facts: The number of facts, of an entity, of a predicate, or stated by documents.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE ($entity IS NULL OR EXISTS { (f)-[:SUBJECT|OBJECT]->(:__Entity__ {id: $entity}) })
  AND ($predicate IS NULL OR f.predicate = $predicate OR f.drawn IN $relations)
  AND ($document IS NULL OR EXISTS { (f)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) })
RETURN count(*) AS total
