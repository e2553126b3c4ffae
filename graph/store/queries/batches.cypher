// plan_batches: Record batches that are about to be submitted for a job, with their requests.
CYPHER 5
MATCH (j:Job {id: $job_id})
USING INDEX j:Job(id)
UNWIND $rows AS row
CREATE (j)-[:HAS_BATCH]->(b:ProviderBatch {id: row.id})
SET b.workspace = j.workspace, b.state = 'planned', b.requests = row.requests, b.reserved = row.reserved,
  b.hints = $hints
RETURN count(*) AS written

// batch_sending: Record that a batch is about to be created from a file of the provider.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
SET b.file_id = $file_id, b.sending = datetime.realtime()
RETURN b.id AS id

// batch_submitted: Record that the provider has a batch.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
WHERE b.state = 'planned'
SET b.state = 'submitted', b.provider_id = $provider_id

// batch_cancelled: Record that the provider was asked to cancel a batch.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
SET b.cancelled = true

// drop_batch: Delete a batch of which the provider accepted nothing.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
DETACH DELETE b

// write_batch_replies: Store the replies of a batch.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
UNWIND $rows AS row
MERGE (r:BatchReply {id: row.id})
ON CREATE SET r.workspace = b.workspace, r.request = row.request
SET r.text = coalesce(row.text, r.text), r.error = row.error,
  r.failed_in = [batch IN coalesce(r.failed_in, []) WHERE batch <> b.id] + CASE WHEN row.text IS NULL THEN [b.id] ELSE [] END
MERGE (b)-[:HAS_REPLY]->(r)
RETURN count(*) AS written

// batch_collected: Record that all replies of a batch are stored; no row if that was recorded before.
CYPHER 5
MATCH (b:ProviderBatch {id: $id})
USING INDEX b:ProviderBatch(id)
WHERE b.state <> 'collected'
SET b.state = 'collected', b.calls = $calls, b.tokens_in = $tokens_in, b.tokens_out = $tokens_out, b.hints = $hints
REMOVE b.requests
RETURN b.id AS id

// open_batches: The batches of a workspace with missing replies, each with its requests.
CYPHER 5
MATCH (b:ProviderBatch {workspace: $workspace})
USING INDEX b:ProviderBatch(workspace)
WHERE b.state <> 'collected'
RETURN b {.id, .state, .file_id, .provider_id, .requests, .reserved, .cancelled} AS batch,
  duration.inSeconds(b.sending, datetime.realtime()).seconds AS age, [(b)<-[:HAS_BATCH]-(j:Job) | j.id][0] AS job_id
ORDER BY b.id

// batches_of_job: The calls and tokens of a job's batches, and the hints for requests that do not fail.
CYPHER 5
MATCH (j:Job {id: $id})-[:HAS_BATCH]->(b:ProviderBatch)
USING INDEX j:Job(id)
WHERE b.state = 'collected'
RETURN b.calls AS calls, b.tokens_in AS tokens_in, b.tokens_out AS tokens_out, b.hints AS hints

// batch_replies: The requests of a workspace that have a reply, and how often the others failed.
CYPHER 5
MATCH (r:BatchReply {workspace: $workspace})
USING INDEX r:BatchReply(workspace)
RETURN r.request AS request, r.text IS NOT NULL AS answered, size(r.failed_in) AS failed, r.error AS error

// batch_reply: The reply to a request.
CYPHER 5
MATCH (r:BatchReply {id: $id})
USING INDEX r:BatchReply(id)
RETURN r.text AS text

// forget_batch_replies: Delete some of the replies of a job's batches, except those that another job also requested.
CYPHER 5
MATCH (j:Job {id: $id})-[:HAS_BATCH]->(b:ProviderBatch)-[:HAS_REPLY]->(r:BatchReply)
USING INDEX j:Job(id)
WHERE (b.state = 'collected' OR $all)
  AND NOT EXISTS { MATCH (r)<-[:HAS_REPLY]-(:ProviderBatch)<-[:HAS_BATCH]-(other:Job) WHERE other <> j }
WITH DISTINCT r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS removed

// forget_batches: Delete the batches of a job whose replies are all stored.
CYPHER 5
MATCH (j:Job {id: $id})-[:HAS_BATCH]->(b:ProviderBatch)
USING INDEX j:Job(id)
WHERE b.state = 'collected' OR $all
DETACH DELETE b
