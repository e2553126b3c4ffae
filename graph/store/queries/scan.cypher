// forget_scan: Delete from chunks what only the scan for known names found there.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})<-[r:IN_CHUNK]-(m:Mention)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND r.scanned
SET m.touched = true
DELETE r

// touched_scanned: The mentions that only the scan found and whose places changed, with their current places.
CYPHER 5
MATCH (m:Mention)
USING INDEX m:Mention(workspace, touched)
WHERE m.workspace = $workspace AND m.touched = true
  AND NOT EXISTS { MATCH (m)-[r:IN_CHUNK]->() WHERE NOT r.scanned }
WITH m, COLLECT { MATCH (m)-[r:IN_CHUNK]->(c:Chunk) RETURN [c.id, r.start, r.end] } AS places
WHERE size(places) > 0
RETURN m.id AS id, m.form AS form, m.language AS language, places
ORDER BY id

// texts: The texts of chunks, and their languages.
CYPHER 5
UNWIND $items AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c.id AS id, c.text AS text, c.language AS language

// name_mentions: Store how the names of mentions are written, and in which language.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
SET m.form = row.form, m.language = row.language, m.touched = true
RETURN count(*) AS written

// scan_again: Mark chunks to be scanned for names and derived again.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.stale = true, c.scanned = null

// titles: The titles of documents that are read; fresh ones were not yet looked up in earlier chunks.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.title <> '' AND (NOT $fresh OR coalesce(d.looked_up, '') <> d.title)
WITH d ORDER BY d.id
RETURN collect([d.id, d.title, coalesce(d.looked_up, '') <> d.title]) AS titles

// forget_titles: Delete the links from chunks to the titles that they name.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})-[r:NAMES_TITLE]->()
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
DELETE r

// forget_named: Delete the links to the titles of documents from the chunks that name them.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})<-[r:NAMES_TITLE]-()
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
DELETE r

// write_titles: Link chunks to the titles that they name.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
MATCH (d:Document {id: row.document_id})
USING INDEX d:Document(id)
WHERE c.workspace = $workspace AND d.workspace = $workspace
CREATE (c)-[:NAMES_TITLE]->(d)
RETURN count(*) AS written

// titles_looked_up: Record that the titles of documents were looked up.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
SET d.looked_up = d.title

// document_aliases: The pairs of names that documents themselves declare to be one.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.aliases > 0
RETURN c.document_id AS document_id, c.extraction AS extraction
ORDER BY c.id

// document_strangers: The names that documents themselves declare to mean somebody else.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE size(c.strangers) > 0
RETURN c.document_id AS document_id, c.strangers AS keys
ORDER BY c.id

// overview: The number of a workspace's chunks, and their languages, as last counted; its state; whether it has summaries.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.chunks, 0) AS chunks, coalesce(w.languages, []) AS languages, coalesce(w.revision, '') AS revision,
  EXISTS { MATCH (:Summary {workspace: $workspace}) } AS summarized

// new_revision: Record that what questions read will change.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.revision = randomUUID()

// note_overview: Count chunks and languages, and store the result.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.chunks = COUNT { MATCH (:Chunk {workspace: $workspace}) },
  w.languages = COLLECT {
    MATCH (d:Document {workspace: $workspace})
    WITH d.language AS language, count(*) AS documents
    WHERE language <> '' AND documents >= $least * COUNT { MATCH (:Document {workspace: $workspace}) }
    RETURN language
    ORDER BY language
  }

// move_chunks: Record the new position of chunks that need no new extraction; their overlaps may be different.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
CALL (c, row) {
  MATCH (c)<-[:FROM_CHUNK]-(f:Fact)
  WHERE c.start <> row.place.start
  SET f.touched = true
}
CALL (c, row) {
  MATCH (c)<-[:IN_CHUNK]-(m:Mention)
  WHERE c.start <> row.place.start
  SET m.touched = true
}
SET c += row.place
RETURN count(*) AS written

// languages: The languages of a workspace's documents.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.language <> ''
RETURN DISTINCT d.language AS language
ORDER BY language

// undecided: Record that what follows from a decision or a deletion must still be derived.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.undecided = true

// decided: Record that everything is derived.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
REMOVE w.undecided

// needs_deriving: Whether any reading, decision or deletion is not fully derived.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.undecided, false) OR coalesce(w.drawn_by, $drawn_by) <> $drawn_by
  OR EXISTS { MATCH (d:Document {workspace: $workspace}) WHERE d.status = 'partial' }
  OR EXISTS { MATCH (c:Chunk {workspace: $workspace}) WHERE c.stale = true } AS needed
