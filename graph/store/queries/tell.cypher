// entity: One entity.
CYPHER 5
MATCH (e:__Entity__ {id: $id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN e.id AS id, e.name AS name, e.type AS type, e.aliases AS aliases,
  COUNT { (e)<-[:REFERS_TO]-() } AS mentions, COUNT { (e)-[:FROM_CHUNK]->() } AS chunks

// entity_facts: The facts of one entity, the best supported first, with the chunks that say them.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:SUBJECT|OBJECT]-(f:Fact)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH DISTINCT f
ORDER BY f.weight DESC, f.id
LIMIT $limit
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
MATCH (f)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
RETURN f.id AS fact_id, s.id AS subject_id, s.name AS subject, f.predicate AS predicate, o.id AS object_id,
  o.name AS object, f.text AS text, coalesce(f.weight, 0) AS weight,
  c.id AS chunk_id, d.id AS document_id, d.source AS source, c.place AS place, c.text AS chunk_text,
  r.start AS start, r.end AS end, r.origin AS origin, coalesce(r.according_to, '') AS according_to,
  coalesce(r.premises, []) AS premises, d.metadata AS metadata
ORDER BY weight DESC, fact_id, source, c.index, start, end

// count_nodes: How much there is.
CYPHER 5
RETURN COUNT { MATCH (n:Document {workspace: $workspace}) } AS documents,
  COUNT { MATCH (n:Document {workspace: $workspace}) WHERE n.status = 'complete' } AS complete,
  COUNT { MATCH (n:Chunk {workspace: $workspace}) } AS chunks,
  COUNT { MATCH (n:Chunk {workspace: $workspace}) WHERE n.triplets = 0 } AS empty_extractions,
  COUNT { MATCH (n:Mention {workspace: $workspace}) } AS mentions,
  COUNT { MATCH (n:__Entity__ {workspace: $workspace}) } AS entities,
  COUNT { MATCH (n:Fact {workspace: $workspace}) } AS facts,
  COUNT { MATCH (n:Fact {workspace: $workspace}) WHERE n.drawn IS NOT NULL } AS relationships

// count_decisions: How much was decided by which rule.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(:Mention)
RETURN CASE r.by WHEN 'person' THEN 'person' ELSE r.rule END AS rule, coalesce(r.review, false) AS review,
  count(*) AS count
ORDER BY rule

// dump_documents: Some documents, by id.
CYPHER 5
MATCH (n:Document)
USING INDEX n:Document(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {.id, .source, .title, .sha256, .language, .metadata, .media_type, .warnings, .places, .extractor, .status,
  unread: coalesce(n.unread, 0)} AS line

// dump_chunks: Some chunks, by id.
CYPHER 5
MATCH (n:Chunk)
USING INDEX n:Chunk(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
OPTIONAL MATCH (n)-[:NEXT_CHUNK]->(next:Chunk)
RETURN n {.id, .document_id, .index, .start, .end, .text, .title, .place, .language, .terms, .extraction,
  embedded: n.embedding IS NOT NULL, stale: coalesce(n.stale, false), next: next.id,
  titles: COLLECT { MATCH (n)-[:NAMES_TITLE]->(d:Document) RETURN d.id }} AS line

// dump_mentions: Some mentions, by id.
CYPHER 5
MATCH (n:Mention)
USING INDEX n:Mention(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
OPTIONAL MATCH (n)-[:REFERS_TO]->(e:__Entity__)
RETURN n {.id, .document_id, .key, .form, .type, .language, .scanned, entity: e.id,
  occurrences: COLLECT { MATCH (n)-[r:IN_CHUNK]->(c:Chunk) RETURN [c.id, r.start, r.end, r.scanned] }} AS line

// dump_decisions: What was decided of some mentions, by id.
CYPHER 5
MATCH (n:Mention)
USING INDEX n:Mention(id)
WHERE n.id > $after AND n.workspace = $workspace AND EXISTS { (n)-[:SAME_AS|NOT_SAME_AS]->() }
WITH n ORDER BY n.id LIMIT $limit
RETURN {id: n.id, decisions: COLLECT {
  MATCH (n)-[r:SAME_AS|NOT_SAME_AS]->(m:Mention)
  RETURN [m.id, type(r), r.by, r.rule, r.score, coalesce(r.review, false)]
}} AS line

// dump_alias_groups: Some alias groups, by id.
CYPHER 5
MATCH (n:AliasGroup)
USING INDEX n:AliasGroup(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {.id, .names, .document_id} AS line

// dump_entities: Some entities, by id.
CYPHER 5
MATCH (n:__Entity__)
USING INDEX n:__Entity__(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {.id, .name, .aliases, .type, embedded: n.embedding IS NOT NULL,
  chunks: COLLECT { MATCH (n)-[:FROM_CHUNK]->(c:Chunk) RETURN c.id }} AS line

// dump_facts: Some facts, by id, with what was drawn of them.
CYPHER 5
MATCH (n:Fact)
USING INDEX n:Fact(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
MATCH (n)-[:SUBJECT]->(s:__Entity__)
MATCH (n)-[:OBJECT]->(o:__Entity__)
RETURN n {.id, .text, .predicate, .token, .weight, embedded: n.embedding IS NOT NULL, subject: s.id, object: o.id,
  supports: COLLECT { MATCH (n)-[r:FROM_CHUNK]->(c:Chunk) RETURN [c.id, r.start, r.end, r.origin,
    coalesce(r.according_to, ''), coalesce(r.premises, [])] },
  drawn: COLLECT { MATCH (s)-[r]->(o) WHERE r.fact_id = n.id RETURN [r.predicate, r.weight] }} AS line
