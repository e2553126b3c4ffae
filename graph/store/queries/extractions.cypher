// stored_chunks: The chunks of documents that are stored with a vector, the keys of their extractions, and their titles.
CYPHER 5
UNWIND $items AS id
MATCH (d:Document {id: id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND c.embedding IS NOT NULL
RETURN c.id AS id, c.extraction_key AS key, c.title AS title, coalesce(c.late, '') AS late

// document_chunks: The chunks of a document, in order.
CYPHER 5
MATCH (d:Document {id: $document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN c {.id, .document_id, .index, .start, .end, .text, .title, .place, .language, places: coalesce(c.places, []), dates: coalesce(c.dates, [])} AS chunk
ORDER BY c.index

// keep_extractions: Store the extractions of chunks, so that they exist when the chunks are read in another way.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (x:Extraction {id: row.kept_id})
ON CREATE SET x.workspace = $workspace
WITH c, x, row WHERE x.workspace = $workspace
SET x.body = row.body
MERGE (c)-[:READ_AS]->(x)
RETURN count(*) AS written

// keep_reading: Store the extraction of a chunk before the chunk itself is stored.
CYPHER 5
MATCH (d:Document {id: $document_id})
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
MERGE (x:Extraction {id: $kept_id})
ON CREATE SET x.workspace = $workspace
WITH d, x WHERE x.workspace = $workspace
SET x.body = $body
MERGE (x)-[:READ_IN]->(d)

// forget_readings: Delete the links from extractions to documents whose chunks are now stored, and extractions without a chunk.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.id})<-[r:READ_IN]-(x:Extraction)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
DELETE r
WITH DISTINCT x
WHERE NOT (x)-[:READ_IN]->() AND NOT (x)<-[:READ_AS]-()
DELETE x

// kept_extractions: Stored extractions by key.
CYPHER 5
UNWIND $items AS id
MATCH (x:Extraction {id: id})
USING INDEX x:Extraction(id)
WHERE x.workspace = $workspace
RETURN x.body AS body

// extractions_of_chunks: The stored extractions of chunks that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})-[:READ_AS]->(x:Extraction)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN DISTINCT x.id AS id

// forget_extractions: Delete the stored extractions of deleted chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (x:Extraction {id: id})
USING INDEX x:Extraction(id)
WHERE x.workspace = $workspace AND NOT (x)<-[:READ_AS]-()
DELETE x

// delete_extractions_batch: Delete some of a workspace's stored extractions.
CYPHER 5
MATCH (n:Extraction {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// count_gaps: The number of chunks without facts plus that of documents that are stored in part.
CYPHER 5
RETURN COUNT { MATCH (c:Chunk {workspace: $workspace}) WHERE c.triplets = 0 }
  + COUNT { MATCH (d:Document {workspace: $workspace}) WHERE d.status = 'partial' AND d.unread IS NULL } AS count

// gaps: Chunks without facts, in document order; a document that is stored in part comes after its chunks.
CYPHER 5
CALL () {
  MATCH (d:Document)<-[:FROM_DOCUMENT]-(c:Chunk {workspace: $workspace})
  WHERE c.triplets = 0
  RETURN c.id AS chunk_id, d.id AS document_id, d.source AS source, c.index AS index, c.place AS place,
    c.extraction AS extraction, substring(c.text, 0, $excerpt) AS excerpt
  UNION ALL
  MATCH (d:Document {workspace: $workspace})
  WHERE d.status = 'partial' AND d.unread IS NULL
  RETURN '' AS chunk_id, d.id AS document_id, d.source AS source, null AS index, '' AS place,
    null AS extraction, d.title AS excerpt
}
RETURN chunk_id, document_id, source, index, place, extraction, excerpt
ORDER BY source, document_id, index
SKIP $skip LIMIT $limit

// write_settings: Store a workspace's settings.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.settings = $settings

// speed: The speed of an extractor's last reading.
CYPHER 5
MATCH (s:Speed {id: $id})
RETURN s {.chunks, .seconds, .calls, .tokens_in, .tokens_out} AS speed

// write_speed: Store the speed of an extractor's reading.
CYPHER 5
MERGE (s:Speed {id: $id})
SET s += $speed
