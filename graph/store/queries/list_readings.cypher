// any_list_reading: Whether an LLM read lists of a workspace.
CYPHER 5
MATCH (r:ListReading)
USING INDEX r:ListReading(workspace)
WHERE r.workspace = $workspace
RETURN r.id AS id
LIMIT 1

// list_readings: What an LLM read for lists, by what was asked, with the chunks that it read.
CYPHER 5
UNWIND $items AS item
MATCH (r:ListReading {id: item})
USING INDEX r:ListReading(id)
WHERE r.workspace = $workspace
RETURN r.id AS id, r.model AS model, r.recipe AS recipe, r.items AS items, r.left_out AS left_out,
  COLLECT { MATCH (r)-[:READS]->(c:Chunk) RETURN c.id AS id ORDER BY id } AS chunk_ids

// write_list_readings: Keep what an LLM read for lists.
CYPHER 5
UNWIND $rows AS row
MERGE (r:ListReading {id: row.id})
ON CREATE SET r.workspace = $workspace
WITH r, row WHERE r.workspace = $workspace
SET r.model = row.model, r.recipe = row.recipe, r.items = row.items, r.left_out = row.left_out
RETURN count(*) AS written

// list_reads_passages: Join what was read for a list to its chunks.
CYPHER 5
UNWIND $rows AS row
MATCH (r:ListReading {id: row.id})
USING INDEX r:ListReading(id)
WHERE r.workspace = $workspace
UNWIND row.chunk_ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (r)-[:READS]->(c)

// dump_list_readings: Some of what was read for lists, by id.
CYPHER 5
MATCH (n:ListReading)
USING INDEX n:ListReading(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .model, .recipe, .items, .left_out,
  chunks: COLLECT { MATCH (n)-[:READS]->(c:Chunk) RETURN left(c.id, 32) AS id ORDER BY id }} AS line
