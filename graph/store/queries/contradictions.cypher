// source_passages: Chunks with their documents and the entities that they name.
CYPHER 5
MATCH (d:Document {workspace: $workspace})<-[:FROM_DOCUMENT]-(c:Chunk)
WITH d, c ORDER BY d.source, c.index
RETURN c.id AS chunk_id, d.id AS document_id, c.index AS index, c.start AS start, c.text AS text, c.language AS language,
  d.source AS source, d.metadata AS metadata,
  COLLECT { MATCH (c)<-[:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(e:__Entity__) RETURN DISTINCT e.id AS id ORDER BY id } AS entities

// contradiction_readings: The replies of an LLM about contradictions, with the chunks that it read.
CYPHER 5
MATCH (r:ContradictionReading {workspace: $workspace})
RETURN r.id AS id, r.model AS model, r.recipe AS recipe, r.pairs AS pairs, coalesce(r.checks, false) AS checks,
  COLLECT { MATCH (r)-[:READS]->(c:Chunk) RETURN c.id AS id ORDER BY id } AS chunk_ids
ORDER BY id

// write_contradiction_readings: Store the replies of an LLM about contradictions.
CYPHER 5
UNWIND $rows AS row
MERGE (r:ContradictionReading {id: row.id})
ON CREATE SET r.workspace = $workspace
WITH r, row WHERE r.workspace = $workspace
SET r.model = row.model, r.recipe = row.recipe, r.pairs = row.pairs, r.checks = row.checks
RETURN count(*) AS written

// read_passages: Join the replies to the chunks that were read.
CYPHER 5
UNWIND $rows AS row
MATCH (r:ContradictionReading {id: row.id})
USING INDEX r:ContradictionReading(id)
WHERE r.workspace = $workspace
UNWIND row.chunk_ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (r)-[:READS]->(c)

// remove_readings_of_chunks: Delete what an LLM said of contradictions, lists and names in chunks that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:READS]-(r:ContradictionReading|ListReading|CastLink)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH collect(DISTINCT r) AS found
UNWIND found AS r
DETACH DELETE r

// remove_other_readings: Delete the replies to another prompt, or of another LLM.
CYPHER 5
MATCH (r:ContradictionReading {workspace: $workspace})
WHERE r.recipe <> $recipe
DETACH DELETE r

// remove_other_checks: Remove checks of matters that are no longer the same.
CYPHER 5
MATCH (r:ContradictionReading {workspace: $workspace})
WHERE r.checks AND NOT r.id IN $ids
DETACH DELETE r

// sentences_at: Sentences by their places, with whose they are and the entities that they name.
CYPHER 5
UNWIND $items AS item
MATCH (c:Chunk {id: item.chunk_id})-[:FROM_DOCUMENT]->(d:Document)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c.id AS chunk_id, item.start AS start, item.end AS end, substring(c.text, item.start, item.end - item.start) AS sentence,
  c.language AS language, c.place AS place, coalesce(c.places, []) AS places, d.id AS document_id, d.source AS source,
  d.metadata AS metadata, COLLECT {
    MATCH (c)<-[o:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(e:__Entity__)
    WHERE o.start < item.end AND item.start < o.end
    RETURN DISTINCT e.id AS id ORDER BY id
  } AS entities

// dump_contradiction_readings: Some of the replies about contradictions, by id.
CYPHER 5
MATCH (n:ContradictionReading)
USING INDEX n:ContradictionReading(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .model, .recipe, .pairs, checks: coalesce(n.checks, false),
  chunks: COLLECT { MATCH (n)-[:READS]->(c:Chunk) RETURN left(c.id, 32) AS id ORDER BY id }} AS line
