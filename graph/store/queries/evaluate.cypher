// chunks_of_documents: The chunks of documents, by id.
CYPHER 5
UNWIND $items AS id
MATCH (d:Document {id: id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN d.id AS id, collect(c.id) AS chunk_ids

// document_texts: The text of documents, chunk by chunk in order.
CYPHER 5
UNWIND $items AS id
MATCH (d:Document {id: id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
WHERE d.workspace = $workspace
RETURN d.id AS document_id, c.id AS id, c.start AS start, c.text AS text
ORDER BY document_id, c.index

// write_evaluation: Store the result of an evaluation of a workspace.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
WHERE w.deleting IS NULL
MERGE (e:EvaluationRun {id: $id})
ON CREATE SET e.workspace = w.name, e.at = $at, e.body = $body

// evaluations: The results of a workspace's evaluations, the last one first.
CYPHER 5
MATCH (e:EvaluationRun {workspace: $workspace})
RETURN e.id AS id, e.at AS at, e.body AS body
ORDER BY at DESC, id
SKIP $first LIMIT $count

// count_evaluations: The number of evaluations of a workspace.
CYPHER 5
RETURN COUNT { MATCH (e:EvaluationRun {workspace: $workspace}) } AS total

// delete_evaluations_batch: Delete some of a workspace's evaluations.
CYPHER 5
MATCH (n:EvaluationRun {workspace: $workspace})
WITH n LIMIT $limit
DELETE n
RETURN count(*) AS deleted

// evaluation_records: The evaluations of a workspace as they are stored.
CYPHER 5
MATCH (e:EvaluationRun {workspace: $workspace})
RETURN properties(e) AS record

// write_evaluation_records: Write evaluations as they were stored elsewhere.
CYPHER 5
UNWIND $items AS record
MERGE (e:EvaluationRun {id: record.id})
ON CREATE SET e = record
