// notes: The notes of a workspace, the one that was changed last first.
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

// count_notes: How many notes a workspace has.
CYPHER 5
RETURN COUNT { MATCH (:UserNote {workspace: $workspace}) } AS total

// write_notes: Keep notes as they are now.
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
