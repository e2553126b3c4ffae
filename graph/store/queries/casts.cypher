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
