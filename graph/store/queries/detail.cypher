// entity: One entity.
CYPHER 5
MATCH (e:__Entity__ {id: $id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN e.id AS id, e.name AS name, e.type AS type, e.aliases AS aliases,
  COUNT { (e)<-[:REFERS_TO]-() } AS mentions, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks

// entity_facts: The facts of one entity, the best supported first, with some of their chunks; cooccurrences last.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:SUBJECT|OBJECT]-(f:Fact)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH DISTINCT f
ORDER BY f.weight DESC, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
CALL (f) {
  MATCH (f)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
  RETURN r, c, d, r.origin = 'cooccurrence' AS together
  ORDER BY together, d.source, c.index, r.start, r.end
  LIMIT $sentences
}
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, f.text AS text, coalesce(f.weight, 0) AS weight,
  coalesce(f.denied, false) AS denied, c.id AS chunk_id, d.id AS document_id, d.source AS source, c.place AS place, coalesce(c.places, []) AS places, c.text AS chunk_text,
  r.start AS start, r.end AS end, r.origin AS origin, coalesce(r.according_to, '') AS according_to,
  coalesce(r.premises, []) AS premises, coalesce(r.when, '') AS when, coalesce(r.when_date, '') AS when_date, d.metadata AS metadata
ORDER BY weight DESC, fact_id, together, source, c.index, start, end

// fact_edges: Every fact as an edge between two entities, without cooccurrences.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE f.predicate <> $together
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, o.id AS object_id, coalesce(f.weight, 0) AS weight,
  CASE WHEN coalesce(f.denied, false) THEN f.predicate ELSE '' END AS denial

// alike_entities: The entities whose names are nearest to those of some entities.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND e.embedding IS NOT NULL
CALL db.index.vector.queryNodes($index, $reach, e.embedding) YIELD node AS o, score
WITH e, o, score
WHERE o.id <> e.id
RETURN e.id AS id, o.id AS other_id, 2 * score - 1 AS cosine
ORDER BY id, cosine DESC, other_id

// named_things: The names of all entities.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
RETURN e.id AS id, e.name AS name, coalesce(e.type, '') AS type, e.aliases AS aliases
ORDER BY id

// entities_apart: The pairs of entities with names that a person or an LLM says are two, across documents.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:NOT_SAME_AS]->(b:Mention)
WHERE r.by = 'person' OR r.rule = 'guard:reader'
MATCH (a)-[:REFERS_TO]->(e:__Entity__), (b)-[:REFERS_TO]->(o:__Entity__)
WHERE e <> o
RETURN DISTINCT e.id AS first, o.id AS second
UNION
MATCH (l:CastLink {workspace: $workspace, kind: 'two'})
MATCH (l)-[n:NAMES {side: 0}]->(:Chunk)<-[:IN_CHUNK]-(m:Mention {key: n.key})-[:REFERS_TO]->(e:__Entity__)
MATCH (l)-[p:NAMES {side: 1}]->(:Chunk)<-[:IN_CHUNK]-(k:Mention {key: p.key})-[:REFERS_TO]->(o:__Entity__)
WHERE e <> o
RETURN DISTINCT e.id AS first, o.id AS second

// entities_apart_in_documents: The entities of names that an LLM says are two in a document.
CYPHER 5
UNWIND $items AS item
MATCH (m:Mention {lookup: item.first, document_id: item.id})-[:REFERS_TO]->(e:__Entity__)
USING INDEX m:Mention(lookup)
MATCH (n:Mention {lookup: item.second, document_id: item.id})-[:REFERS_TO]->(o:__Entity__)
USING INDEX n:Mention(lookup)
WHERE m.workspace = $workspace AND n.workspace = $workspace AND e <> o
RETURN DISTINCT e.id AS first, o.id AS second

// named_beside: The facts whose sentence, in some documents or in any, names one of some entities beside their ends; without cooccurrences.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})<-[:REFERS_TO]-(:Mention)-[i:IN_CHUNK]->(c:Chunk)<-[r:FROM_CHUNK]-(f:Fact)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND i.start >= r.start AND i.end <= r.end AND f.predicate <> $together
  AND NOT coalesce(f.denied, false) AND ($documents IS NULL OR c.document_id IN $documents)
WITH DISTINCT e, f
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
WHERE s <> e AND o <> e AND s <> o
RETURN e.id AS id, f.id AS fact_id, s.id AS subject_id, o.id AS object_id
ORDER BY id, fact_id

// names_near: Chunks that name some entities, in some documents or in any, with all the names in them and how many chunks name each; those that name most of the entities, then a rare one, come first.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})-[:FROM_CHUNK]->(c:Chunk)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND ($documents IS NULL OR c.document_id IN $documents)
WITH e, collect(DISTINCT c) AS naming
WITH naming, size(naming) AS count
UNWIND naming AS c
WITH c, count(*) AS ends, min(count) AS fewest
MATCH (c)-[:FROM_DOCUMENT]->(d:Document)
WITH c, d, ends, fewest
ORDER BY ends DESC, fewest, d.source, c.index
LIMIT $limit
MATCH (c)<-[i:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(e:__Entity__)
WITH c, d, e, collect(i.start) AS starts
WITH c, d, e.id AS entity, starts, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks
UNWIND starts AS start
WITH c, d, collect([entity, start, chunks]) AS names
RETURN c.id AS chunk_id, c.text AS chunk_text, c.language AS language, c.place AS place,
  coalesce(c.places, []) AS places, d.id AS document_id, d.source AS source, d.metadata AS metadata, names
ORDER BY source, c.index

// statements: Every fact as each sentence states it, without cooccurrences.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
WHERE f.predicate <> $together AND f.packed IS NOT NULL AND r.origin <> 'cooccurrence'
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, coalesce(s.type, '') AS subject_type,
  f.predicate AS predicate, o.id AS object_id, o.name AS object, coalesce(o.type, '') AS object_type,
  coalesce(f.denied, false) AS denied, f.packed AS packed, c.id AS chunk_id, c.text AS text, c.language AS language,
  c.place AS place, coalesce(c.places, []) AS places, r.start AS start, r.end AS end, d.id AS document_id,
  d.source AS source, d.metadata AS metadata, coalesce(r.according_to, '') AS according_to,
  coalesce(r.when, '') AS when, coalesce(r.when_date, '') AS when_date
ORDER BY source, c.index, start, fact_id

// dated_facts: Facts with the sentences that may name a date, without cooccurrences.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
WHERE f.predicate <> $together
WITH f, r, c, d
WHERE r.when_date IS NOT NULL OR substring(c.text, r.start, r.end - r.start) =~ $year
WITH f, r, c, d
ORDER BY d.source, c.index, r.start, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, d.source AS source, d.id AS document_id, c.id AS chunk_id, r.start AS start, r.end AS end,
  c.text AS text, c.language AS language, c.place AS place, coalesce(c.places, []) AS places, coalesce(r.when_date, '') AS when_date,
  r.origin = 'own' AS own
ORDER BY source, c.index, start, fact_id

// dated_facts_of: The same for one entity.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:SUBJECT|OBJECT]-(f:Fact)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
USING INDEX e:__Entity__(id)
WHERE f.workspace = $workspace AND f.predicate <> $together
WITH DISTINCT f, r, c, d
WHERE r.when_date IS NOT NULL OR substring(c.text, r.start, r.end - r.start) =~ $year
WITH f, r, c, d
ORDER BY d.source, c.index, r.start, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, d.source AS source, d.id AS document_id, c.id AS chunk_id, r.start AS start, r.end AS end,
  c.text AS text, c.language AS language, c.place AS place, coalesce(c.places, []) AS places, coalesce(r.when_date, '') AS when_date,
  r.origin = 'own' AS own
ORDER BY source, c.index, start, fact_id

// documents_of_facts: The number of documents that state a fact of an entity.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:SUBJECT|OBJECT]-(f:Fact)-[:FROM_CHUNK]->(:Chunk)-[:FROM_DOCUMENT]->(d:Document)
USING INDEX e:__Entity__(id)
WHERE f.workspace = $workspace AND f.predicate <> $together
RETURN count(DISTINCT d) AS total

// dates_in_documents: The dates in documents; for chunks that an earlier version read, the dates of their facts.
CYPHER 5
UNWIND $items AS id
MATCH (d:Document {id: id})<-[:FROM_DOCUMENT]-(c:Chunk)
WHERE d.workspace = $workspace
UNWIND CASE WHEN c.dates IS NULL
  THEN COLLECT { MATCH (c)<-[r:FROM_CHUNK]-(:Fact) WHERE r.when_date IS NOT NULL RETURN DISTINCT r.when_date }
  ELSE c.dates END AS date
RETURN d.id AS id, collect(DISTINCT date) AS dates
ORDER BY id

// facts_in_full: Facts, each with the sentence that states it first, in some documents or in any.
CYPHER 5
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
CALL (f) {
  MATCH (f)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
  WHERE $documents IS NULL OR d.id IN $documents
  RETURN r, c, d
  ORDER BY r.origin = 'cooccurrence', d.source, c.index, r.start, r.end
  LIMIT 1
}
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, f.text AS text, coalesce(f.weight, 0) AS weight,
  coalesce(f.denied, false) AS denied, c.id AS chunk_id, d.id AS document_id, d.source AS source, c.place AS place, coalesce(c.places, []) AS places, c.text AS chunk_text,
  r.start AS start, r.end AS end, r.origin AS origin, coalesce(r.according_to, '') AS according_to,
  coalesce(r.premises, []) AS premises, coalesce(r.when, '') AS when, coalesce(r.when_date, '') AS when_date, d.metadata AS metadata

// facts_of_relations: The facts with some edge types, with the sentences that state them; of some subjects, of a document.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE f.drawn IN $relations
  AND ($document IS NULL OR EXISTS { (f)-[:FROM_CHUNK]->(:Chunk {document_id: $document}) })
MATCH (f)-[:SUBJECT]->(s:__Entity__)
WHERE $subjects IS NULL OR s.id IN $subjects
WITH f, s
ORDER BY f.weight DESC, f.id
LIMIT $limit
MATCH (f)-[:OBJECT]->(o:__Entity__)
CALL (f) {
  MATCH (f)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
  RETURN r, c, d
  ORDER BY r.origin = 'cooccurrence', d.source, c.index, r.start, r.end
  LIMIT $sentences
}
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, f.text AS text, coalesce(f.weight, 0) AS weight,
  coalesce(f.denied, false) AS denied, c.id AS chunk_id, d.id AS document_id, d.source AS source, c.place AS place, coalesce(c.places, []) AS places, c.text AS chunk_text,
  r.start AS start, r.end AS end, r.origin AS origin, coalesce(r.according_to, '') AS according_to,
  coalesce(r.premises, []) AS premises, coalesce(r.when, '') AS when, coalesce(r.when_date, '') AS when_date, d.metadata AS metadata
ORDER BY weight DESC, fact_id, source, c.index, start, end

// count_nodes: The numbers of documents, chunks and other nodes.
CYPHER 5
RETURN COUNT { MATCH (n:Document {workspace: $workspace}) } AS documents,
  COUNT { MATCH (n:Document {workspace: $workspace}) WHERE n.status = 'complete' } AS complete,
  COUNT { MATCH (n:Chunk {workspace: $workspace}) } AS chunks,
  COUNT { MATCH (n:Chunk {workspace: $workspace}) WHERE n.triplets = 0 } AS empty_extractions,
  COUNT { MATCH (n:Mention {workspace: $workspace}) } AS mentions,
  COUNT { MATCH (n:__Entity__ {workspace: $workspace}) } AS entities,
  COUNT { MATCH (n:Fact {workspace: $workspace}) } AS facts,
  COUNT { MATCH (n:Fact {workspace: $workspace}) WHERE n.drawn IS NOT NULL } AS relationships,
  EXISTS { MATCH (w:Workspace {name: $workspace}) WHERE w.open_links }
    OR EXISTS { MATCH (l:CastLink {workspace: $workspace, kind: 'call'}) WHERE l.reason <> '' } AS open_links

// count_derived: The numbers of derived nodes.
CYPHER 5
RETURN COUNT { MATCH (n:__Entity__ {workspace: $workspace}) } AS entities,
  COUNT { MATCH (n:Fact {workspace: $workspace}) } AS facts

// count_decisions: The number of decisions of each rule.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(:Mention)
RETURN CASE r.by WHEN 'person' THEN 'person' ELSE r.rule END AS rule, coalesce(r.review, false) AS review,
  count(*) AS count
ORDER BY rule
