// casts: What an LLM told of who is who in documents.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.cast IS NOT NULL AND ($ids IS NULL OR d.id IN $ids)
RETURN d.id AS id, d.cast AS cast
ORDER BY d.id

// write_casts: Note who is who in documents; a document without a cast has none of these properties.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
SET d.cast = row.cast, d.open_casts = row.open
RETURN count(*) AS written

// open_casts: The documents of whose casts calls got no answer.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.open_casts > 0
RETURN d.id AS id
