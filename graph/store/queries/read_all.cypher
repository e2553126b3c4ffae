// count_chunks: The number of chunks.
CYPHER 5
RETURN COUNT { MATCH (:Chunk {workspace: $workspace}) } AS chunks

// chunk_versions: The values that show whether a chunk changed, of all chunks.
CYPHER 5
MATCH (c:Chunk {workspace: $workspace})
RETURN c.id AS id, c.extraction_key AS key, c.index AS index, c.start AS start, c.title AS title,
  c.place AS place, c.places AS places, c.dates AS dates, c.late AS late

// read_chunks: Chunks as they were read.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c {.id, .document_id, .index, .start, .end, .text, .title, .place, .places, .dates, .language, .terms, .extraction,
  .packed, .strangers, .extraction_key, .late, embedded: c.embedding IS NOT NULL} AS chunk

// fact_texts: The texts of facts, in one row.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
WHERE f.packed IS NOT NULL
RETURN collect([f.text, f.id]) AS texts

// entity_texts: Names of entities, in one row.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})
WHERE e.packed IS NOT NULL
RETURN collect([e.name, e.id]) AS texts

// packed_facts: The vectors of facts, quantized, with their texts, in one row.
CYPHER 5
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace AND f.packed IS NOT NULL
RETURN collect([f.text, f.packed]) AS vectors

// packed_entities: The vectors of entities, quantized, with their names, in one row.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace AND e.packed IS NOT NULL
RETURN collect([e.name, e.packed]) AS vectors
