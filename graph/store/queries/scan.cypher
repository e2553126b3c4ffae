// forget_scan: Remove from chunks what only the scan for known names found there.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})<-[r:IN_CHUNK]-(m:Mention)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND r.scanned
SET m.touched = true
DELETE r

// document_aliases: What documents themselves say are two names of one thing.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.aliases > 0
RETURN c.document_id AS document_id, c.extraction AS extraction
ORDER BY c.id

// count_chunks: How many chunks a workspace has.
CYPHER 5
RETURN COUNT { MATCH (:Chunk {workspace: $workspace}) } AS count

// move_chunks: Note where chunks that need no new extraction stand now.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c += row.place
RETURN count(*) AS written

// languages: The languages of a workspace's documents.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.language <> ''
RETURN DISTINCT d.language AS language
ORDER BY language

// undecided: Note that what follows from a decision or a deletion is still to be derived.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.undecided = true

// decided: Note that all that follows is derived.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
REMOVE w.undecided

// needs_deriving: Whether anything was read, decided or deleted that was not derived to its end.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.undecided, false)
  OR EXISTS { MATCH (d:Document {workspace: $workspace}) WHERE d.status = 'partial' }
  OR EXISTS { MATCH (c:Chunk {workspace: $workspace}) WHERE c.stale = true } AS needed
