// notes: The notes of a workspace, the last changed first.
CYPHER 5
MATCH (n:UserNote {workspace: $workspace})
RETURN n.id AS id, n.body AS body
ORDER BY n.changed DESC, id
LIMIT $limit

// note: One note.
CYPHER 5
MATCH (n:UserNote {id: $id})
USING INDEX n:UserNote(id)
WHERE n.workspace = $workspace
RETURN n.id AS id, n.body AS body

// count_notes: The number of notes of a workspace.
CYPHER 5
RETURN COUNT { MATCH (:UserNote {workspace: $workspace}) } AS total

// write_notes: Store notes in their current form.
CYPHER 5
UNWIND $rows AS row
MATCH (w:Workspace {name: $workspace})
MERGE (n:UserNote {id: row.id})
ON CREATE SET n.workspace = w.name
SET n.body = row.body, n.changed = row.changed
RETURN count(*) AS written

// delete_note: Delete a note.
CYPHER 5
MATCH (n:UserNote {id: $id})
USING INDEX n:UserNote(id)
WHERE n.workspace = $workspace
DELETE n
RETURN count(*) AS deleted

// delete_notes_batch: Delete some of a workspace's notes.
CYPHER 5
MATCH (n:UserNote {workspace: $workspace})
WITH n LIMIT $limit
DELETE n
RETURN count(*) AS deleted

// searches: The saved searches of some persons, or of all, by name.
CYPHER 5
MATCH (s:SavedSearch {workspace: $workspace})
WHERE $owners IS NULL OR s.owner IN $owners
RETURN s.body AS body
ORDER BY s.name, s.owner

// write_searches: Store saved searches in their current form.
CYPHER 5
UNWIND $rows AS row
MATCH (w:Workspace {name: $workspace})
MERGE (s:SavedSearch {id: row.id})
ON CREATE SET s.workspace = w.name, s.name = row.name, s.owner = row.owner
SET s.body = row.body
RETURN count(*) AS written

// look_at_search: Store a saved search after a look at it, unless it was saved again or deleted since it was read.
CYPHER 5
MATCH (s:SavedSearch {id: $id})
USING INDEX s:SavedSearch(id)
WHERE s.workspace = $workspace
SET s.locked = randomUUID()
WITH s
WHERE s.body = $before
SET s.body = $body

// delete_search: Delete a saved search.
CYPHER 5
MATCH (s:SavedSearch {id: $id})
USING INDEX s:SavedSearch(id)
WHERE s.workspace = $workspace
DELETE s
RETURN count(*) AS deleted

// delete_searches_batch: Delete some of a workspace's saved searches.
CYPHER 5
MATCH (s:SavedSearch {workspace: $workspace})
WITH s LIMIT $limit
DELETE s
RETURN count(*) AS deleted
