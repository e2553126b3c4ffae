// chunk_places: The chunks of a document without their texts, in order.
CYPHER 5
MATCH (d:Document {id: $document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN c.id AS id, c.start AS start, c.end AS end, size(split(c.terms, ' ')) AS words
ORDER BY c.index

// window_chunks: Chunks with the data that show which of their sentences matter.
CYPHER 5
UNWIND $items AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN c.id AS id, c.start AS start, c.text AS text, c.language AS language, c.packed AS packed,
  COLLECT { MATCH (c)<-[r:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(e:__Entity__) RETURN [e.id, r.start] } AS entities,
  COLLECT { MATCH (c)<-[r:FROM_CHUNK]-(:Fact) RETURN [r.start, r.end, r.origin] } AS facts

// count_summaries: The number of summaries.
CYPHER 5
RETURN COUNT { MATCH (s:Summary {workspace: $workspace}) } AS total

// stored_summaries: Summaries by id, shown or not.
CYPHER 5
UNWIND $items AS id
MATCH (s:Summary {id: id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
RETURN s {.id, .key, .document_id, .folder, .level, .index, .title, .text, .quotes, .timeline, .tags, .omissions,
  .start, .end, .size, .recipe, .covers} AS summary

// folders_of_shown_summaries: Which summaries are shown, and of which folder.
CYPHER 5
UNWIND $items AS id
MATCH (s:Summary {id: id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace AND s.shown
RETURN s.id AS id, s.folder AS folder

// summaries_of_texts: Summaries by the text that they summarize.
CYPHER 5
UNWIND $items AS key
MATCH (s:Summary {key: key})
USING INDEX s:Summary(key)
WHERE s.workspace = $workspace
WITH key, s ORDER BY s.id
WITH key, head(collect(s)) AS s
RETURN s {.id, .key, .document_id, .folder, .level, .index, .title, .text, .quotes, .timeline, .tags, .omissions,
  .start, .end, .size, .recipe, .covers} AS summary

// write_summaries: Write summaries; they are hidden until all of their document exist.
CYPHER 5
UNWIND $rows AS row
MERGE (s:Summary {id: row.id})
ON CREATE SET s.workspace = $workspace, s.shown = false
WITH s, row WHERE s.workspace = $workspace
SET s += row.properties, s:$($label)
WITH s, row
CALL db.create.setNodeVectorProperty(s, 'embedding', row.vector)
RETURN count(*) AS written

// cover_chunks: Link summaries to the chunks that they cover.
CYPHER 5
UNWIND $rows AS row
MATCH (s:Summary {id: row.id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
UNWIND row.covers AS id
MATCH (c:Chunk {id: id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MERGE (s)-[:COVERS]->(c)

// cover_summaries: Link summaries to the summaries that they cover.
CYPHER 5
UNWIND $rows AS row
MATCH (s:Summary {id: row.id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
UNWIND row.covers AS id
MATCH (c:Summary {id: id})
USING INDEX c:Summary(id)
WHERE c.workspace = $workspace
MERGE (s)-[:COVERS]->(c)

// show_summaries: Show the summaries of a document or folder, at their current positions.
CYPHER 5
UNWIND $rows AS row
MATCH (s:Summary {id: row.id})
USING INDEX s:Summary(id)
WHERE s.workspace = $workspace
SET s += row, s.shown = true

// remove_other_summaries: Delete the former summaries of a document or folder.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.document_id = $document_id AND s.folder = $folder AND NOT s.id IN $ids
DETACH DELETE s

// remove_unplanned_summaries: Delete the summaries of documents and folders that no longer have any.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE NOT [s.document_id, s.folder] IN $plans
DETACH DELETE s

// remove_summaries_of_chunks: Delete the summaries of chunks that will be deleted, and those above.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:COVERS*1..30]-(s:Summary)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH collect(DISTINCT s) AS found
UNWIND found AS s
DETACH DELETE s

// document_summaries: Documents that are summarized to the last chunk, each with the one summary that covers all of it.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.shown AND s.document_id <> '' AND NOT EXISTS {
  MATCH (o:Summary)-[:COVERS]->(s) WHERE o.shown AND o.document_id = s.document_id
}
WITH s.document_id AS document_id, collect(s) AS tops
WHERE size(tops) = 1 AND NOT EXISTS {
  MATCH (:Document {id: document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
  WHERE NOT EXISTS { MATCH (c)<-[:COVERS]-(o:Summary) WHERE o.shown }
}
WITH document_id, head(tops) AS top
RETURN document_id, top.id AS id, top.level AS level, top.size AS size, top.recipe AS recipe
ORDER BY document_id

// uncovered_summaries: Summaries that no other one covers, by document.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.shown AND NOT EXISTS { MATCH (o:Summary)-[:COVERS]->(s) WHERE o.shown }
RETURN s.document_id AS document_id

// count_read_documents: The number of documents with chunks.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE EXISTS { (d)<-[:FROM_DOCUMENT]-(:Chunk) }
RETURN count(d) AS total

// outline: The summaries of a document, or those of folders, the highest first; with the entities that their texts name most.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.shown AND s.document_id = $document_id AND s.level >= $lowest
WITH s ORDER BY s.level DESC, s.folder, s.index
CALL (s) {
  MATCH (s)-[:COVERS*1..30]->(c:Chunk)
  WITH DISTINCT c
  MATCH (c)<-[:FROM_CHUNK]-(e:__Entity__)
  WITH e, count(*) AS chunks
  ORDER BY chunks DESC, e.id
  LIMIT $entities
  RETURN collect(e {.id, .name, .aliases, chunks: chunks}) AS entities
}
RETURN s {.id, .key, .document_id, .folder, .level, .index, .title, .text, .quotes, .timeline, .tags, .omissions,
  .start, .end, .size, .recipe, .covers} AS summary, entities

// top_summaries: The summaries that no other one covers, of a workspace or of some documents, nearest to a vector first.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.shown AND ($documents IS NULL OR s.document_id IN $documents) AND NOT EXISTS {
  MATCH (o:Summary)-[:COVERS]->(s)
  WHERE o.shown AND ($documents IS NULL OR o.document_id = s.document_id)
}
WITH s, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, s.id LIMIT $limit
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size} AS summary, cosine,
  d {.title, .source, .metadata} AS document
ORDER BY cosine DESC, summary.id

// summaries_below: The summaries that one covers.
CYPHER 5
MATCH (:Summary {id: $id})-[:COVERS]->(s:Summary)
WHERE s.workspace = $workspace AND s.shown
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size} AS summary,
  2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine, d {.title, .source, .metadata} AS document
ORDER BY cosine DESC, summary.id

// has_summaries: Whether any summary is shown.
CYPHER 5
RETURN EXISTS { MATCH (s:Summary {workspace: $workspace}) WHERE s.shown } AS any

// search_summaries: The summaries nearest to a vector, with the number of some entities that their texts name.
CYPHER 5
CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node AS s, score
WHERE s.shown
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size, .covers, .timeline} AS summary,
  2 * score - 1 AS cosine, d {.title, .source, .metadata} AS document, CASE WHEN s.level > 2 THEN 0 ELSE COUNT {
    MATCH (s)-[:COVERS*1..2]->(c:Chunk)<-[:FROM_CHUNK]-(e:__Entity__) WHERE e.id IN $entities RETURN DISTINCT e
  } END AS named
ORDER BY cosine DESC, summary.id

// search_summaries_within: Like search_summaries, only for some documents.
CYPHER 5
MATCH (s:Summary {workspace: $workspace})
WHERE s.shown AND s.document_id IN $documents
WITH s, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, s.id LIMIT $k
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size, .covers, .timeline} AS summary,
  cosine, d {.title, .source, .metadata} AS document, CASE WHEN s.level > 2 THEN 0 ELSE COUNT {
    MATCH (s)-[:COVERS*1..2]->(c:Chunk)<-[:FROM_CHUNK]-(e:__Entity__) WHERE e.id IN $entities RETURN DISTINCT e
  } END AS named
ORDER BY cosine DESC, summary.id

// windows_under: The summaries of windows under some summaries, nearest to a vector first.
CYPHER 5
UNWIND $ids AS id
MATCH (o:Summary {id: id})-[:COVERS*1..30]->(s:Summary)
USING INDEX o:Summary(id)
WHERE s.workspace = $workspace AND s.shown AND s.level = 1
WITH DISTINCT s
WITH s, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, s.id LIMIT $k
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size, .covers, .timeline} AS summary,
  cosine, d {.title, .source, .metadata} AS document
ORDER BY cosine DESC, summary.id

// windows_over: The summaries of the windows that contain some chunks.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:COVERS]-(s:Summary)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND s.shown
WITH DISTINCT s
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size, .covers, .timeline} AS summary,
  2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine, d {.title, .source, .metadata} AS document
ORDER BY summary.id

// summaries_over: The summaries directly above the windows of some chunks, with the chunks below each.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:COVERS]-(:Summary)<-[:COVERS]-(s:Summary)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND s.shown AND s.document_id = c.document_id
WITH s, collect(c.id) AS covers
OPTIONAL MATCH (d:Document {id: s.document_id})
RETURN s {.id, .document_id, .folder, .level, .title, .text, .start, .size, covers: covers, .timeline} AS summary,
  2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine, d {.title, .source, .metadata} AS document
ORDER BY summary.id

// dump_summaries: Some summaries, by id.
CYPHER 5
MATCH (n:Summary)
USING INDEX n:Summary(id)
WHERE n.id > $after AND n.workspace = $workspace AND n.shown
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .key, document_id: left(n.document_id, 32), .folder, .level, .index, .title, .text, .quotes,
  .timeline, .tags, .omissions, .start, .end, .size, .recipe, covers: [id IN n.covers | left(id, 32)]} AS line
