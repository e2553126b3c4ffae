// reembedding: The next embedder, and the name by which it was loaded.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN w.next_fingerprint AS fingerprint, coalesce(w.next_embedder, '') AS embedder

// begin_reembedding: Store the next embedder.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.next_fingerprint = $fingerprint, w.next_embedder = $embedder

// begin_swap: Make questions wait until all vectors are those of the next embedder.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.swapping = true

// end_swap: Record that the workspace has the next embedder, and that names joined only by vectors must be joined again.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.fingerprint = $fingerprint, w.dimensions = $dimensions, w.embedder = $embedder, w.undecided = true
REMOVE w.next_fingerprint, w.next_embedder, w.swapping

// any_late: A chunk that is embedded late, if there is one.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.late IS NOT NULL
RETURN c.id AS id
LIMIT 1

// unembedded_late: The documents with late-embedded chunks of which some have no vector of the next embedder.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.late IS NOT NULL AND c.embedding IS NOT NULL AND c.waiting IS NULL
RETURN DISTINCT c.document_id AS id
ORDER BY id

// unembedded_chunks: Some chunks without a vector of the next embedder, except those that are embedded late.
CYPHER 5
MATCH (c:Chunk)
USING INDEX c:Chunk(id)
WHERE c.id > $after AND c.workspace = $workspace AND c.embedding IS NOT NULL AND c.waiting IS NULL AND c.late IS NULL
RETURN c.id AS id, c.text AS text, c.title AS title, c.language AS language, c.extraction AS extraction
ORDER BY id
LIMIT $limit

// await_chunks: Store vectors of the next embedder beside those that are searched.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.waiting = row.vector, c.waiting_packed = row.packed
RETURN count(*) AS written

// waiting_chunks: Some vectors that will replace the current ones.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.waiting IS NOT NULL
RETURN c.id AS id, c.waiting AS vector
ORDER BY id
LIMIT $limit

// swap_chunks: Replace the vectors of the last embedder.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
SET c.packed = c.waiting_packed
REMOVE c.waiting, c.waiting_packed
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.vector)
RETURN count(*) AS written

// forget_waiting_chunks: Delete vectors of a next embedder that was given up.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
WHERE c.waiting IS NOT NULL
WITH c LIMIT $limit
REMOVE c.waiting, c.waiting_packed
RETURN count(*) AS forgotten

// unembedded_entities: Some entities without a vector of the next embedder.
CYPHER 5
MATCH (e:__Entity__)
USING INDEX e:__Entity__(id)
WHERE e.id > $after AND e.workspace = $workspace AND e.embedding IS NOT NULL AND e.waiting IS NULL
RETURN e.id AS id, e.name AS text
ORDER BY id
LIMIT $limit

// await_entities: Store vectors of the next embedder beside those that are searched.
CYPHER 5
UNWIND $rows AS row
MATCH (e:__Entity__ {id: row.id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
SET e.waiting = row.vector, e.waiting_packed = row.packed
RETURN count(*) AS written

// waiting_entities: Some vectors that will replace the current ones.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE e.waiting IS NOT NULL
RETURN e.id AS id, e.waiting AS vector
ORDER BY id
LIMIT $limit

// swap_entities: Replace the vectors of the last embedder.
CYPHER 5
UNWIND $rows AS row
MATCH (e:__Entity__ {id: row.id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
SET e.packed = e.waiting_packed
REMOVE e.waiting, e.waiting_packed
WITH e, row
CALL db.create.setNodeVectorProperty(e, 'embedding', row.vector)
RETURN count(*) AS written

// forget_waiting_entities: Delete vectors of a next embedder that was given up.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE e.waiting IS NOT NULL
WITH e LIMIT $limit
REMOVE e.waiting, e.waiting_packed
RETURN count(*) AS forgotten

// unembedded_facts: Some facts without a vector of the next embedder.
CYPHER 5
MATCH (f:Fact)
USING INDEX f:Fact(id)
WHERE f.id > $after AND f.workspace = $workspace AND f.embedding IS NOT NULL AND f.waiting IS NULL
RETURN f.id AS id, f.text AS text
ORDER BY id
LIMIT $limit

// await_facts: Store vectors of the next embedder beside those that are searched.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
SET f.waiting = row.vector, f.waiting_packed = row.packed
RETURN count(*) AS written

// waiting_facts: Some vectors that will replace the current ones.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE f.waiting IS NOT NULL
RETURN f.id AS id, f.waiting AS vector
ORDER BY id
LIMIT $limit

// swap_facts: Replace the vectors of the last embedder.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
SET f.packed = f.waiting_packed
REMOVE f.waiting, f.waiting_packed
WITH f, row
CALL db.create.setNodeVectorProperty(f, 'embedding', row.vector)
RETURN count(*) AS written

// forget_waiting_facts: Delete vectors of a next embedder that was given up.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE f.waiting IS NOT NULL
WITH f LIMIT $limit
REMOVE f.waiting, f.waiting_packed
RETURN count(*) AS forgotten

// unembedded_summaries: Some summaries without a vector of the next embedder.
CYPHER 5
MATCH (s:Summary)
USING INDEX s:Summary(id)
WHERE s.id > $after AND s.workspace = $workspace AND s.embedding IS NOT NULL AND s.waiting IS NULL
RETURN s.id AS id, s.text AS text
ORDER BY id
LIMIT $limit

// await_summaries: Store vectors of the next embedder beside those that are searched.
CYPHER 5
UNWIND $rows AS row
MATCH (s:Summary {id: row.id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
SET s.waiting = row.vector
RETURN count(*) AS written

// waiting_summaries: Some vectors that will replace the current ones.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.waiting IS NOT NULL
RETURN s.id AS id, s.waiting AS vector
ORDER BY id
LIMIT $limit

// swap_summaries: Replace the vectors of the last embedder.
CYPHER 5
UNWIND $rows AS row
MATCH (s:Summary {id: row.id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
REMOVE s.waiting
WITH s, row
CALL db.create.setNodeVectorProperty(s, 'embedding', row.vector)
RETURN count(*) AS written

// forget_waiting_summaries: Delete vectors of a next embedder that was given up.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.waiting IS NOT NULL
WITH s LIMIT $limit
REMOVE s.waiting
RETURN count(*) AS forgotten
