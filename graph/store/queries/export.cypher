// dump_documents: Some documents, by id. Ids in an export lack the part that belongs to the workspace (see `ids.py`).
CYPHER 5
MATCH (n:Document)
USING INDEX n:Document(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .source, .title, .sha256, .language, .metadata, .given, .media_type, .warnings,
  .places, .extractor, .status, .unread, .cast, .open_casts} AS line

// dump_chunks: Some chunks, by id.
CYPHER 5
MATCH (n:Chunk)
USING INDEX n:Chunk(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
OPTIONAL MATCH (n)-[:NEXT_CHUNK]->(next:Chunk)
RETURN n {id: left(n.id, 32), document_id: left(n.document_id, 32), .index, .start, .end, .text, .title, .place, places: coalesce(n.places, []),
  dates: coalesce(n.dates, []),  .language, .terms, .extraction, embedded: n.embedding IS NOT NULL, stale: coalesce(n.stale, false), next: left(next.id, 32),
  titles: COLLECT { MATCH (n)-[:NAMES_TITLE]->(d:Document) RETURN left(d.id, 32) }} AS line

// dump_mentions: Some mentions, by id.
CYPHER 5
MATCH (n:Mention)
USING INDEX n:Mention(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
OPTIONAL MATCH (n)-[:REFERS_TO]->(e:__Entity__)
RETURN n {id: left(n.id, 32), document_id: left(n.document_id, 32), .key, .form, .type, .language, .scanned,
  part_of: left(coalesce(n.part_of, ''), 32), entity: left(e.id, 32),
  occurrences: COLLECT { MATCH (n)-[r:IN_CHUNK]->(c:Chunk) RETURN [left(c.id, 32), r.start, r.end, r.scanned] }} AS line

// dump_decisions: The decisions about some mentions, by id.
CYPHER 5
MATCH (n:Mention)
USING INDEX n:Mention(id)
WHERE n.id > $after AND n.workspace = $workspace AND EXISTS { (n)-[:SAME_AS|NOT_SAME_AS]->() }
WITH n ORDER BY n.id LIMIT $limit
RETURN {id: left(n.id, 32), decisions: COLLECT {
  MATCH (n)-[r:SAME_AS|NOT_SAME_AS]->(m:Mention)
  RETURN [left(m.id, 32), type(r), r.by, r.rule, r.score, coalesce(r.review, false),
    left(coalesce(r.decision, ''), 32)]
}} AS line

// dump_person_decisions: Some decisions of persons, by id.
CYPHER 5
MATCH (n:Decision)
USING INDEX n:Decision(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .body} AS line

// dump_alias_groups: Some alias groups, by id.
CYPHER 5
MATCH (n:AliasGroup)
USING INDEX n:AliasGroup(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .names, document_id: left(n.document_id, 32)} AS line

// dump_entities: Some entities, by id.
CYPHER 5
MATCH (n:__Entity__)
USING INDEX n:__Entity__(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .name, .aliases, .type, embedded: n.embedding IS NOT NULL,
  chunks: COLLECT { MATCH (n)-[:FROM_CHUNK]->(c:Chunk) RETURN left(c.id, 32) }} AS line

// dump_facts: Some facts, by id, with their edges.
CYPHER 5
MATCH (n:Fact)
USING INDEX n:Fact(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
MATCH (n)-[:SUBJECT]->(s:__Entity__)
MATCH (n)-[:OBJECT]->(o:__Entity__)
RETURN n {id: left(n.id, 32), .text, .predicate, .token, .weight, .denied, embedded: n.embedding IS NOT NULL,
  subject: left(s.id, 32), object: left(o.id, 32),
  supports: COLLECT { MATCH (n)-[r:FROM_CHUNK]->(c:Chunk) RETURN [left(c.id, 32), r.start, r.end, r.origin,
    coalesce(r.according_to, ''), coalesce(r.premises, []), coalesce(r.when, ''), coalesce(r.when_date, '')] },
  drawn: COLLECT { MATCH (s)-[r]-(o) WHERE r.fact_id = n.id RETURN [r.predicate, r.weight] }} AS line

// pending: Whether everything that follows from readings and decisions is derived; unread chunks do not count.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.undecided, false) OR coalesce(w.drawn_by, $drawn_by) <> $drawn_by
  OR EXISTS { MATCH (d:Document {workspace: $workspace}) WHERE d.status = 'partial' AND d.read }
  OR EXISTS { MATCH (c:Chunk {workspace: $workspace}) WHERE c.stale = true } AS pending

// table_of_entities: Some entities, for an export to people.
CYPHER 5
MATCH (n:__Entity__)
USING INDEX n:__Entity__(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n.id AS id, n.name AS name, n.type AS type, n.aliases AS aliases, COUNT { (n)-[:FROM_CHUNK]->() } AS chunks

// table_of_facts: Some facts, for an export to people, each with the sentences that state it.
CYPHER 5
MATCH (n:Fact)
USING INDEX n:Fact(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
MATCH (n)-[:SUBJECT]->(s:__Entity__)
MATCH (n)-[:OBJECT]->(o:__Entity__)
RETURN n.id AS id, s.id AS subject_id, s.name AS subject, n.predicate AS predicate, o.id AS object_id, o.name AS object,
  coalesce(n.weight, 0) AS weight, coalesce(n.denied, false) AS denied, COLLECT {
    MATCH (n)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
    RETURN {source: d.source, place: c.place, places: coalesce(c.places, []), start: r.start, end: r.end, origin: r.origin, according_to: coalesce(r.according_to, ''),
      when: coalesce(r.when, ''), when_date: coalesce(r.when_date, ''), sentence: substring(c.text, r.start, r.end - r.start)} AS said
    ORDER BY d.source, c.index, r.start
  } AS sentences
