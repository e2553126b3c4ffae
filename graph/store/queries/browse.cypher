// chunk_index: Where a chunk stands in a document.
CYPHER 5
MATCH (c:Chunk {id: $id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND c.document_id = $document_id
RETURN c.index AS index

// document_pieces: Some chunks of a document, in their order.
CYPHER 5
MATCH (d:Document {id: $document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace AND $first <= c.index < $first + $count
RETURN c.id AS id, c.index AS index, c.start AS start, c.text AS text, c.place AS place
ORDER BY c.index
