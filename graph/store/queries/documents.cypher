// documents: The documents of a workspace.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
RETURN d {.id, .source, .title, .sha256, .language, .metadata, .given, .media_type, .warnings, .places, .extractor,
    .status, .unread} AS document,
  COUNT { (d)<-[:FROM_DOCUMENT]-() } AS chunks
ORDER BY d.source, d.id

// documents_by_id: Some documents of a workspace.
CYPHER 5
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN d {.id, .source, .title, .sha256, .language, .metadata, .given, .media_type, .warnings, .places, .extractor,
    .status, .unread} AS document,
  COUNT { (d)<-[:FROM_DOCUMENT]-() } AS chunks
ORDER BY d.source, d.id

// document_names: The documents of a workspace in short.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
RETURN d.id AS id, d.source AS source, d.metadata AS metadata
ORDER BY d.source, d.id

// facts_of_documents: The number of facts that each document supports, or those of some ids.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE $ids IS NULL OR d.id IN $ids
MATCH (d)<-[:FROM_DOCUMENT]-(:Chunk)<-[:FROM_CHUNK]-(f:Fact)
RETURN d.id AS id, count(DISTINCT f) AS facts

// write_documents: Write documents, partial until they are read and derived.
CYPHER 5
UNWIND $rows AS row
MERGE (d:Document {id: row.id})
ON CREATE SET d.workspace = $workspace
WITH d, row WHERE d.workspace = $workspace
SET d.came = CASE WHEN d.sha256 IS NULL OR d.sha256 <> row.sha256 THEN datetime.realtime() ELSE d.came END
SET d += row, d.status = 'partial', d.read = false
REMOVE d.unread
RETURN count(*) AS written

// arrivals: When documents arrived with their current text, the last first.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.came > $after
RETURN d.id AS id, d.came AS came
ORDER BY came DESC, id

// note_arrivals: Record when documents arrived.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
SET d.came = row.came
RETURN count(*) AS written

// describe_document: Write the metadata of a document.
CYPHER 5
MATCH (d:Document {id: $id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
SET d.metadata = $metadata, d.given = $given

// scan_titles_again: Before titles change or are deleted, mark the chunks that name them, and those below them, to be scanned again.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})<-[:NAMES_TITLE|FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND d.title <> row.title
SET c.stale = true
REMOVE c.scanned

// look_up_namesakes: Before titles change or are deleted, mark those written alike to be looked up again, because one form represents all.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND d.title <> row.title AND d.title <> ''
UNWIND [d.title_lookup, d.bare_lookup] AS lookup
WITH DISTINCT lookup
CALL (lookup) {
  MATCH (o:Document {title_lookup: lookup})
  USING INDEX o:Document(title_lookup)
  RETURN o
  UNION
  MATCH (o:Document {bare_lookup: lookup})
  USING INDEX o:Document(bare_lookup)
  RETURN o
}
WITH DISTINCT o
WHERE o.workspace = $workspace
REMOVE o.looked_up

// existing_chunks: The chunks that are already stored, and the keys of their extractions.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c.id AS id, c.extraction_key AS key, c.embedding IS NOT NULL AS embedded

// write_chunks: Write chunks with their words, vectors and extractions, and mark them to be derived.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.properties.document_id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
MERGE (c:Chunk {id: row.id})
ON CREATE SET c.workspace = $workspace
WITH c, d, row WHERE c.workspace = $workspace
SET c += row.properties, c.stale = true, c:$($label)
REMOVE c.scanned, c.waiting
MERGE (c)-[:FROM_DOCUMENT]->(d)
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.vector)
RETURN count(*) AS written

// place_chunks: Record the new position and title of chunks that are already stored.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.index = row.properties.index, c.start = row.properties.start, c.end = row.properties.end,
  c.place = row.properties.place, c.places = row.properties.places, c.dates = row.properties.dates, c.title = row.properties.title, c.language = row.properties.language,
  c.terms = row.properties.terms, c.packed = row.properties.packed, c.late = row.properties.late
REMOVE c.waiting
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.vector)
RETURN count(*) AS written

// chunks_to_remove: The chunks of documents that are not among their current ones.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND NOT c.id IN row.keep
RETURN c.id AS id
ORDER BY id

// stale_by_mentions: Mark the chunks that share a mention with chunks that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:IN_CHUNK]-(m:Mention)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH DISTINCT m
SET m.touched = true
WITH m
MATCH (m)-[:IN_CHUNK]->(o:Chunk)
WITH DISTINCT o
SET o.stale = true

// stale_by_facts: Mark the chunks that share a fact with chunks that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:FROM_CHUNK]-(f:Fact)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH DISTINCT f
SET f.touched = true
WITH f
MATCH (f)-[:FROM_CHUNK]->(o:Chunk)
WITH DISTINCT o
SET o.stale = true

// touch_entities_of_chunks: Mark the entities of chunks that will be deleted for the next sweep.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:FROM_CHUNK]-(e:__Entity__)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH DISTINCT e
SET e.touched = true

// forget_occurrences: Delete what was found in chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[r:IN_CHUNK]-(:Mention)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
DELETE r

// remove_chunks: Delete chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
DETACH DELETE c

// unchain_chunks: Delete the order of the chunks of documents.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})<-[:FROM_DOCUMENT]-(:Chunk)-[r:NEXT_CHUNK]->()
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
DELETE r

// chain_chunks: Set the order of a document's chunks.
CYPHER 5
UNWIND $pairs AS pair
MATCH (a:Chunk {id: pair[0]})
USING INDEX a:Chunk(id)
MATCH (b:Chunk {id: pair[1]})
USING INDEX b:Chunk(id)
WHERE a.workspace = $workspace AND b.workspace = $workspace
CREATE (a)-[:NEXT_CHUNK]->(b)

// documents_read: Record that documents are stored to their end, and how many of their chunks are still unread.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
SET d.read = row.unread = 0, d.unread = row.unread
RETURN count(*) AS written

// remove_documents: Delete documents, and what persons decided about names that occur in only one of them.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.id IN $ids
DETACH DELETE d
WITH count(*) AS removed
MATCH (g:AliasGroup {workspace: $workspace})
WHERE g.document_id IN $ids
DELETE g
