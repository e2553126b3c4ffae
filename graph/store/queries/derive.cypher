// stale_chunks: The chunks to be derived again, unsorted: sorting holds all of them in Neo4j's memory.
CYPHER 5
MATCH (c:Chunk)
USING INDEX c:Chunk(workspace, stale)
WHERE c.workspace = $workspace AND c.stale = true
RETURN c {.id, .document_id, .language, .text, .extraction, .scanned} AS chunk

// touched_documents: The documents of chunks to be derived again, or of mentions that changed or moved since the last sweep.
CYPHER 5
MATCH (c:Chunk)
USING INDEX c:Chunk(workspace, stale)
WHERE c.workspace = $workspace AND c.stale = true
RETURN DISTINCT c.document_id AS id
UNION
MATCH (m:Mention)
USING INDEX m:Mention(workspace, touched)
WHERE m.workspace = $workspace AND m.touched = true
RETURN DISTINCT m.document_id AS id

// name_occurrences: The chunks of documents with the names in them; the name of a part is the mention that it belongs to.
CYPHER 5
UNWIND $items AS document
MATCH (d:Document {id: document})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN d.id AS document_id, c.id AS id, c.start AS start, c.text AS text,
  COLLECT { MATCH (c)<-[r:IN_CHUNK]-(m:Mention) RETURN [coalesce(m.part_of, m.id), r.start, r.end] } AS names
ORDER BY document_id, start, id

// load_chunks: Chunks by id.
CYPHER 5
UNWIND $items AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c {.id, .document_id, .language, .text, .extraction, .scanned} AS chunk

// any_scanned: Whether any chunk was scanned for names before.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.scanned = true
RETURN true AS found
LIMIT 1

// scanned_chunks: The chunks that were scanned for names before.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.scanned = true
RETURN c.id AS id

// chunks_with_terms: The chunks that match a word query, for many queries.
CYPHER 5
UNWIND $items AS item
CALL db.index.fulltext.queryNodes($index, item.query) YIELD node
WITH item, node
WHERE NOT $among_scanned OR node.scanned = true
RETURN item.key AS key, collect(node.id) AS ids

// mark_stale: Mark chunks to be derived again.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.stale = true

// mentions: Every mention, without its places; one place in two chunks that overlap counts once.
CYPHER 5
MATCH (m:Mention {workspace: $workspace})
WITH m, COLLECT { MATCH (m)-[r:IN_CHUNK]->() RETURN r.scanned } AS scans,
  COUNT { MATCH (m)-[r:IN_CHUNK]->(c:Chunk) RETURN DISTINCT c.start + r.start } AS count
OPTIONAL MATCH (m)-[:REFERS_TO]->(e:__Entity__)
RETURN collect([m.id, m.document_id, m.key, coalesce(m.form, ''), m.type, m.language, NOT false IN scans, coalesce(m.looked_up, ''),
  count, coalesce(e.id, ''), coalesce(m.part_of, '')]) AS mentions

// mention_ids: The ids of all mentions.
CYPHER 5
MATCH (m:Mention {workspace: $workspace})
RETURN m.id AS id

// mention_rows: Some mentions, with the same columns as all.
CYPHER 5
UNWIND $items AS id
MATCH (m:Mention {id: id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
WITH m, COLLECT { MATCH (m)-[r:IN_CHUNK]->() RETURN r.scanned } AS scans,
  COUNT { MATCH (m)-[r:IN_CHUNK]->(c:Chunk) RETURN DISTINCT c.start + r.start } AS count
OPTIONAL MATCH (m)-[:REFERS_TO]->(e:__Entity__)
RETURN collect([m.id, m.document_id, m.key, coalesce(m.form, ''), m.type, m.language, NOT false IN scans, coalesce(m.looked_up, ''),
  count, coalesce(e.id, ''), coalesce(m.part_of, '')]) AS mentions

// entity_ids: The ids of all entities.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
RETURN e.id AS id

// mentions_touched: The mentions that changed since the last sweep.
CYPHER 5
MATCH (m:Mention)
USING INDEX m:Mention(workspace, touched)
WHERE m.workspace = $workspace AND m.touched = true
RETURN collect(m.id) AS ids

// entities_touched: The entities that may have changed since the last sweep.
CYPHER 5
MATCH (e:__Entity__)
USING INDEX e:__Entity__(workspace, touched)
WHERE e.workspace = $workspace AND e.touched = true
RETURN collect(e.id) AS ids

// derived_state: The state since the last sweep, and the current numbers of mentions and entities.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.state, '') AS state, COUNT { MATCH (:Mention {workspace: $workspace}) } AS mentions,
  COUNT { MATCH (:__Entity__ {workspace: $workspace}) } AS entities

// workspace_state: Only that state.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.state, '') AS state

// workspace_stamp: What a snapshot is made from: it changes with what was derived, read or decided.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.state, '') AS state, coalesce(w.revision, '') AS revision, coalesce(w.undecided, false) AS undecided

// new_state: Set a new state: mentions and entities that were read before are out of date.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.state = randomUUID()
RETURN w.state AS state

// existing_mentions: The mentions that are already stored.
CYPHER 5
UNWIND $ids AS id
MATCH (m:Mention {id: id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
RETURN m.id AS id

// occurrences: The places of mentions in chunks.
CYPHER 5
UNWIND $pairs AS pair
MATCH (m:Mention {id: pair[0]})
USING INDEX m:Mention(id)
MATCH (c:Chunk {id: pair[1]})
USING INDEX c:Chunk(id)
MATCH (m)-[r:IN_CHUNK]->(c)
RETURN pair, collect([r.start, r.end]) AS spans, coalesce(r.scanned, false) AS scanned

// write_mentions: Write mentions; one that was read in a text is not scanned.
CYPHER 5
UNWIND $rows AS row
MERGE (m:Mention {id: row.id})
ON CREATE SET m.workspace = $workspace, m.document_id = row.document_id, m.key = row.key, m.lookup = row.lookup,
  m.type = row.type, m.scanned = row.scanned, m.touched = true,
  m.part_of = CASE WHEN row.part_of <> '' THEN row.part_of END
WITH m, row, m.form IS NULL OR NOT row.scanned AS named
WHERE m.workspace = $workspace
SET m.touched = CASE WHEN named AND (m.form <> row.form OR m.language <> row.language) THEN true ELSE m.touched END
SET m.scanned = m.scanned AND row.scanned,
  m.form = CASE WHEN named THEN row.form ELSE m.form END,
  m.language = CASE WHEN named THEN row.language ELSE m.language END
RETURN count(*) AS written

// remove_occurrences: Remove mentions from chunks.
CYPHER 5
UNWIND $pairs AS pair
MATCH (m:Mention {id: pair[0]})
USING INDEX m:Mention(id)
MATCH (c:Chunk {id: pair[1]})
USING INDEX c:Chunk(id)
MATCH (m)-[r:IN_CHUNK]->(c)
WHERE m.workspace = $workspace
DELETE r

// write_occurrences: Write the places of mentions in a chunk; if a name is newly read there, the chunk must be scanned and derived.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
WITH m, row
MATCH (c:Chunk {id: row.chunk_id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET m.touched = true
FOREACH (_ IN CASE WHEN row.scanned THEN [] ELSE [1] END | SET c.stale = true, c.scanned = null)
FOREACH (span IN row.spans |
  CREATE (m)-[:IN_CHUNK {start: span[0], end: span[1], scanned: row.scanned}]->(c))
RETURN count(*) AS written

// mentions_read: The mentions, or those that they are parts of, that are read in documents.
CYPHER 5
UNWIND $items AS id
MATCH (d:Document {id: id})<-[:FROM_DOCUMENT]-(:Chunk)<-[r:IN_CHUNK]-(m:Mention)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND NOT r.scanned
RETURN DISTINCT m.id AS id, coalesce(m.part_of, m.id) AS whole

// forget_read: Delete the places where mentions were read; their chunks must be scanned and derived.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})-[r:IN_CHUNK]->(c:Chunk)
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace AND NOT r.scanned
SET m.touched = true, c.stale = true, c.scanned = null
DELETE r

// note_looked_up: Record the forms in which the names of mentions were looked up.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
SET m.looked_up = row.form, m.touched = true

// remove_mentions: Delete mentions.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
OPTIONAL MATCH (m)-[:REFERS_TO]->(e:__Entity__)
SET e.touched = true
DETACH DELETE m

// entities: Every entity, without its vector.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
RETURN collect([e.id, e.name, e.aliases, e.type]) AS entities

// entity_rows: Some entities, with the same columns as all.
CYPHER 5
UNWIND $items AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN collect([e.id, e.name, e.aliases, e.type]) AS entities

// chunks_of_mentions: The chunks that contain mentions.
CYPHER 5
UNWIND $items AS id
MATCH (m:Mention {id: id})-[:IN_CHUNK]->(c:Chunk)
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
RETURN DISTINCT c.id AS id

// chunks_of_entities: The chunks that mention entities, or state a fact of them.
CYPHER 5
UNWIND $items AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
CALL (e) {
  MATCH (e)<-[:REFERS_TO]-(:Mention)-[:IN_CHUNK]->(c:Chunk)
  RETURN c
  UNION
  MATCH (e)<-[:SUBJECT|OBJECT]-(:Fact)-[:FROM_CHUNK]->(c:Chunk)
  RETURN c
}
RETURN DISTINCT c.id AS id

// write_entities: Write entities with their names and vectors.
CYPHER 5
UNWIND $rows AS row
MERGE (e:__Entity__ {id: row.id})
ON CREATE SET e.workspace = $workspace
WITH e, row WHERE e.workspace = $workspace
SET e.name = row.name, e.aliases = row.aliases, e.type = row.type, e.packed = row.packed, e.touched = true, e:$($label)
REMOVE e.waiting, e.waiting_packed
REMOVE e:$([label IN labels(e) WHERE NOT label IN ['__Entity__', $label] AND NOT label IN row.labels])
SET e:$(row.labels)
WITH e, row
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS written

// refer: Make mentions refer to an entity, and to no other.
CYPHER 5
UNWIND $rows AS row
MATCH (e:__Entity__ {id: row.entity_id})
USING INDEX e:__Entity__(id)
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE e.workspace = $workspace AND m.workspace = $workspace
OPTIONAL MATCH (m)-[r:REFERS_TO]->(old:__Entity__)
WHERE old <> e
SET old.touched = true
DELETE r
FOREACH (_ IN CASE WHEN EXISTS { (m)-[:REFERS_TO]->(e) } THEN [] ELSE [1] END |
  SET m.touched = true
  MERGE (m)-[:REFERS_TO]->(e))
RETURN count(DISTINCT m) AS written

// known_facts: The texts of facts that are already stored.
CYPHER 5
UNWIND $items AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace AND f.embedding IS NOT NULL
RETURN f.id AS id, f.text AS text

// remove_supports: Delete the links from chunks to the facts that they state.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[r:FROM_CHUNK]-(f:Fact)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET f.touched = true
DELETE r

// write_facts: Write facts between entities.
CYPHER 5
UNWIND $rows AS row
MATCH (s:__Entity__ {id: row.subject_id})
USING INDEX s:__Entity__(id)
MATCH (o:__Entity__ {id: row.object_id})
USING INDEX o:__Entity__(id)
WHERE s.workspace = $workspace AND o.workspace = $workspace
MERGE (f:Fact {id: row.id})
ON CREATE SET f.workspace = $workspace
WITH f, s, o, row WHERE f.workspace = $workspace
SET f.text = row.text, f.predicate = row.predicate, f.touched = true, f:$($label)
MERGE (f)-[:SUBJECT]->(s)
MERGE (f)-[:OBJECT]->(o)
RETURN count(*) AS written

// write_fact_vectors: Write the vectors of facts.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
SET f.packed = row.packed
REMOVE f.waiting
WITH f, row
CALL db.create.setNodeVectorProperty(f, 'embedding', row.vector)
RETURN count(*) AS written

// write_supports: Write the sentences that state facts.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
WITH f, row
MATCH (c:Chunk {id: row.chunk_id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
CREATE (f)-[r:FROM_CHUNK {start: row.start, end: row.end, origin: row.origin}]->(c)
SET r.according_to = CASE WHEN row.according_to <> '' THEN row.according_to END,
  r.premises = CASE WHEN row.premises <> [] THEN row.premises END,
  r.when = CASE WHEN row.when <> '' THEN row.when END,
  r.when_date = CASE WHEN row.when_date <> '' THEN row.when_date END
RETURN count(*) AS written

// chunks_derived: Record that everything that follows from chunks is derived.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.scanned = true, c.corrected = CASE WHEN row.corrected <> [] THEN row.corrected END
REMOVE c.stale

// corrected: The chunks whose facts persons corrected.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.corrected IS NOT NULL
RETURN c.id AS id, c.corrected AS corrected

// chunks_of_facts: The chunks that support facts.
CYPHER 5
UNWIND $items AS id
MATCH (f:Fact {id: id})-[:FROM_CHUNK]->(c:Chunk)
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
RETURN DISTINCT c.id AS id
