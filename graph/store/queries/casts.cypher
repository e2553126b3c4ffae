// casts: Who is who in documents, according to an LLM.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.cast IS NOT NULL AND ($ids IS NULL OR d.id IN $ids)
RETURN d.id AS id, d.cast AS cast
ORDER BY d.id

// write_casts: Store who is who in documents, to be derived; a document without a cast does not have this property.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
WITH d, row, CASE WHEN coalesce(d.cast, '') = coalesce(row.cast, '') THEN d.status ELSE 'partial' END AS status
SET d.cast = row.cast, d.open_casts = row.open, d.status = status
RETURN count(*) AS written

// open_casts: The documents for whose casts some calls got no answer.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.open_casts > 0
RETURN d.id AS id

// cast_links: Who is who across documents, according to an LLM; a chunk that is deleted takes its names with it.
CYPHER 5
MATCH (l:CastLink {workspace: $workspace})
WHERE $ids IS NULL OR EXISTS { MATCH (l)-[:READS|NAMES]->(c:Chunk) WHERE c.document_id IN $ids }
RETURN l.id AS id, l.call AS call, l.kind AS kind, l.reason AS reason,
  COLLECT { MATCH (l)-[:READS]->(c:Chunk) RETURN c.id AS id ORDER BY id } AS reads,
  COLLECT {
    MATCH (l)-[n:NAMES]->(c:Chunk)
    RETURN {document_id: c.document_id, chunk_id: c.id, key: n.key, side: n.side} AS name
  } AS names

// write_cast_links: Store who is who across documents.
CYPHER 5
UNWIND $rows AS row
MERGE (l:CastLink {id: row.id})
ON CREATE SET l.workspace = $workspace
WITH l, row WHERE l.workspace = $workspace
SET l.call = row.call, l.kind = row.kind, l.reason = row.reason
RETURN count(*) AS written

// cast_link_reads: Join links to the chunks that they rest on.
CYPHER 5
UNWIND $rows AS row
MATCH (l:CastLink {id: row.id})
USING INDEX l:CastLink(id)
WHERE l.workspace = $workspace
UNWIND row.chunk_ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (l)-[:READS]->(c)

// cast_link_names: Join links to the chunks that have their names.
CYPHER 5
UNWIND $rows AS row
MATCH (l:CastLink {id: row.id})
USING INDEX l:CastLink(id)
WHERE l.workspace = $workspace
UNWIND row.names AS name
MATCH (c:Chunk {id: name.chunk_id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (l)-[:NAMES {key: name.key, side: name.side}]->(c)

// forget_earlier_reply: Delete the links of a call that its new reply does not have.
CYPHER 5
MATCH (l:CastLink {workspace: $workspace})
WHERE l.call = $call AND NOT l.id IN $ids
DETACH DELETE l

// forget_cast_links: Delete links across documents.
CYPHER 5
UNWIND $ids AS id
MATCH (l:CastLink {id: id})
USING INDEX l:CastLink(id)
WHERE l.workspace = $workspace
DETACH DELETE l

// open_links: Whether an LLM was not yet asked all who is who across the documents that were read with one.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.open_links, false) AS open

// note_open_links: Record whether this is so.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.open_links = CASE WHEN $open THEN true END

// dump_cast_links: Some of the links across documents, by id.
CYPHER 5
MATCH (n:CastLink)
USING INDEX n:CastLink(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .call, says: n.kind, .reason,
  chunks: COLLECT { MATCH (n)-[:READS]->(c:Chunk) RETURN left(c.id, 32) AS id ORDER BY id },
  names: COLLECT { MATCH (n)-[m:NAMES]->(c:Chunk) RETURN [left(c.id, 32), m.key, m.side] }} AS line
