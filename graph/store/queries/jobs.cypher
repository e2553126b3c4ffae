// acquire_or_renew_lease: Take the lease of the server that runs jobs if it is free or has expired, or extend it.
CYPHER 5
MERGE (l:Lease {id: 'jobs'})
SET l.asked = $holder
WITH l, coalesce(l.holder = $holder, false) AS mine
WHERE mine OR l.expires IS NULL OR l.expires <= datetime.realtime()
SET l.token = CASE WHEN mine THEN l.token ELSE coalesce(l.token, 0) + 1 END, l.holder = $holder,
  l.renewed = datetime.realtime(), l.expires = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN l.token AS token

// release_lease: Release the lease, so that another server need not wait for it to expire.
CYPHER 5
MATCH (l:Lease {id: 'jobs'})
WHERE l.holder = $holder
SET l.token = l.token + 1
REMOVE l.holder, l.renewed, l.expires

// lock_job: Lock a job: whoever takes it over waits until everything begun under the lock is written.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.locked = randomUUID()

// held_job: A job that this token may still write to; run under its lock.
CYPHER 5
MATCH (l:Lease {id: 'jobs'})
WHERE l.token = $token
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.token = $token
RETURN j.id AS id

// create_job: Create a job whose files are still arriving.
CYPHER 5
MERGE (j:Job {id: $id})
ON CREATE SET j.workspace = $workspace, j.kind = $kind, j.state = 'sending', j.priority = $priority, j.options = $options,
  j.llm = $llm, j.created = datetime.realtime(), j.items = 0, j.failed = 0, j.attempts = 0

// write_job_items: Write the items of a job: files, questions.
CYPHER 5
UNWIND $rows AS row
MATCH (j:Job {id: row.job_id})
USING INDEX j:Job(id)
MERGE (i:JobItem {id: row.id})
SET i += row.properties, i.workspace = j.workspace
MERGE (j)-[:HAS_ITEM]->(i)
SET j.sent = datetime.realtime()
RETURN count(*) AS written

// write_job_parts: The bytes of items, in parts.
CYPHER 5
UNWIND $rows AS row
MATCH (i:JobItem {id: row.item_id})
USING INDEX i:JobItem(id)
MERGE (p:JobPart {id: row.id})
SET p.n = row.n, p.bytes = row.bytes, p.size = size(row.bytes), p.workspace = i.workspace
MERGE (i)-[:HAS_PART]->(p)
WITH i
MATCH (j:Job)-[:HAS_ITEM]->(i)
SET j.sent = datetime.realtime()
RETURN count(*) AS written

// job_sent: Record that all of a job has arrived and that it may run.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state = 'sending'
SET j.state = 'queued', j.items = COUNT { (j)-[:HAS_ITEM]->(i:JobItem) WHERE i.number >= 0 },
  j.names = COLLECT {
    MATCH (j)-[:HAS_ITEM]->(i:JobItem)
    WHERE i.number >= 0 AND NOT j.kind IN ['summarize', 'contradictions']
    RETURN i.name ORDER BY i.number LIMIT 3
  }

// jobs_bytes: The number of bytes that are stored for jobs.
CYPHER 5
MATCH (p:JobPart)
RETURN coalesce(sum(p.size), 0) AS bytes

// jobs_to_run: Jobs that wait, for their turn or for others, and those that were running when their server ended; the next one first.
CYPHER 5
MATCH (j:Job)
USING INDEX j:Job(state)
WHERE j.state IN ['queued', 'running', 'waiting']
RETURN j.id AS id, j.workspace AS workspace, j.kind AS kind, j.state = 'running' AS running,
  j.state = 'waiting' AS waiting,
  EXISTS { MATCH (l:WorkspaceLock {id: j.workspace}) WHERE l.expires > datetime.realtime() } AS held,
  coalesce(j.cancel, false) AS cancel
ORDER BY j.priority DESC, j.created, j.id

// queue: The numbers of waiting and running jobs.
CYPHER 5
MATCH (j:Job)
USING INDEX j:Job(state)
WHERE j.state IN ['queued', 'running', 'waiting']
RETURN j.state AS state, count(*) AS jobs

// claim_job: Take a job; run under its lock.
CYPHER 5
MATCH (l:Lease {id: 'jobs'})
WHERE l.token = $token
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state IN ['queued', 'running', 'waiting']
SET j.state = 'running', j.token = $token, j.attempts = j.attempts + 1,
  j.started = coalesce(j.started, datetime.realtime())
RETURN j.id AS id

// give_back_job: Return a job that was begun to the queue, to continue later; run under its lock.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state = 'running' AND j.token = $token
SET j.state = $state, j.attempts = j.attempts - 1

// job_progress: Record the progress of a job.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.progress = $progress

// job_llm: Record which LLM reads or answers.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.llm = $llm

// job_goes_on: Update the report of a job when items are done, and delete its setbacks.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.report = coalesce($report, j.report),
  j.failed = COUNT { (j)-[:HAS_ITEM]->(i:JobItem) WHERE i.state = 'failed' }
REMOVE j.setbacks, j.code, j.cause, j.cure
RETURN j.id AS id

// set_back_job: Return a job that Neo4j ended to the queue; run under its lock.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.state = 'queued', j.setbacks = coalesce(j.setbacks, 0) + 1, j.code = $code, j.cause = $cause, j.cure = $cure
RETURN j.id AS id

// job_items_done: Record how items of a job ended.
CYPHER 5
UNWIND $rows AS row
MATCH (i:JobItem {id: row.id})
USING INDEX i:JobItem(id)
SET i.state = row.state, i.cause = row.cause, i.cure = row.cure, i.result = row.result

// finish_job: Record that a job has ended; run under its lock.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
SET j.state = $state, j.report = coalesce($report, j.report), j.code = $code, j.cause = $cause, j.cure = $cure,
  j.finished = datetime.realtime(), j.failed = COUNT { (j)-[:HAS_ITEM]->(i:JobItem) WHERE i.state = 'failed' }
REMOVE j.cancel, j.token, j.unread, j.setbacks

// cancel_job: Request the end of a job that waits or runs; run under its lock.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state IN ['queued', 'running', 'waiting']
SET j.cancel = true
RETURN j.id AS id

// retry_job: Return the failed items of an ended job to the queue; run under its lock.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state IN ['partial', 'failed', 'cancelled']
SET j.state = 'queued', j.attempts = 0, j.failed = 0, j.unread = $unread
REMOVE j.finished, j.started, j.report, j.progress, j.code, j.cause, j.cure
WITH j
CALL (j) {
  MATCH (j)-[:HAS_ITEM]->(i:JobItem)
  WHERE i.state = 'failed'
  SET i.state = 'waiting'
  REMOVE i.cause, i.cure
}
RETURN j.id AS id

// job: One job.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
WHERE j.state <> 'sending'
RETURN j {.id, .workspace, .kind, .state, .priority, .options, .created, .started, .finished, .items, .failed, .attempts,
  .setbacks, .llm, .progress, .report, .code, .cause, .cure, .cancel, .unread,
  names: coalesce(j.names, []),
  interrupted: j.state = 'running' AND NOT EXISTS {
    MATCH (l:Lease {id: 'jobs'}) WHERE l.token = j.token AND l.renewed > datetime.realtime() - duration('PT5S')
  }} AS job

// jobs: Some of the jobs, the newest first.
CYPHER 5
MATCH (j:Job)
WHERE j.state <> 'sending' AND ($workspace IS NULL OR j.workspace = $workspace)
  AND ($state IS NULL OR j.state = $state)
WITH j ORDER BY j.created DESC, j.id SKIP $first LIMIT $count
RETURN j {.id, .workspace, .kind, .state, .priority, .options, .created, .started, .finished, .items, .failed, .attempts,
  .setbacks, .llm, .progress, .code, .cause, .cure, .cancel, .unread,
  names: coalesce(j.names, []),
  interrupted: j.state = 'running' AND NOT EXISTS {
    MATCH (l:Lease {id: 'jobs'}) WHERE l.token = j.token AND l.renewed > datetime.realtime() - duration('PT5S')
  }} AS job

// count_jobs: The number of jobs.
CYPHER 5
MATCH (j:Job)
WHERE j.state <> 'sending' AND ($workspace IS NULL OR j.workspace = $workspace)
  AND ($state IS NULL OR j.state = $state)
RETURN count(*) AS total

// job_items: Some of the items of a job, in order.
CYPHER 5
MATCH (:Job {id: $id})-[:HAS_ITEM]->(i:JobItem)
WHERE i.number >= 0 AND ($state IS NULL OR i.state = $state)
WITH i ORDER BY i.number SKIP $first LIMIT $count
RETURN i {.id, .number, .name, .media_type, .metadata, .size, .parts, .state, .cause, .cure, .result} AS item

// attached_items: The files that belong to a whole job.
CYPHER 5
MATCH (:Job {id: $id})-[:HAS_ITEM]->(i:JobItem)
WHERE i.number < 0
RETURN i {.id, .number, .name, .media_type, .metadata, .size, .parts, .state, .cause, .cure, .result} AS item
ORDER BY i.number

// count_job_items: The number of a job's items in a state.
CYPHER 5
MATCH (:Job {id: $id})-[:HAS_ITEM]->(i:JobItem)
WHERE i.number >= 0 AND ($state IS NULL OR i.state = $state)
RETURN count(*) AS total

// job_part: One part of an item's bytes.
CYPHER 5
MATCH (p:JobPart {id: $id})
USING INDEX p:JobPart(id)
RETURN p.bytes AS bytes

// forget_parts: Delete some of the bytes that are stored for a job, or for its items in a state.
CYPHER 5
MATCH (:Job {id: $id})-[:HAS_ITEM]->(i:JobItem)-[:HAS_PART]->(p:JobPart)
WHERE $state IS NULL OR i.state = $state
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS removed

// jobs_with_waste: Ended jobs for which unneeded bytes are stored.
CYPHER 5
MATCH (p:JobPart)<-[:HAS_PART]-(i:JobItem)<-[:HAS_ITEM]-(j:Job)
WHERE j.finished IS NOT NULL AND (i.state = 'done' OR j.state = 'done')
RETURN DISTINCT j.id AS id

// jobs_of_workspace: All jobs of a workspace, also those that have not fully arrived.
CYPHER 5
MATCH (j:Job {workspace: $workspace})
RETURN j.id AS id

// forget_items: Delete some of the items of a job that no longer have bytes.
CYPHER 5
MATCH (:Job {id: $id})-[:HAS_ITEM]->(i:JobItem)
WITH i LIMIT $limit
DETACH DELETE i
RETURN count(*) AS removed

// forget_job: Delete a job that no longer has items.
CYPHER 5
MATCH (j:Job {id: $id})
USING INDEX j:Job(id)
DELETE j

// jobs_to_forget: Jobs that ended long ago, and those whose files stopped arriving.
CYPHER 5
MATCH (j:Job)
WHERE j.finished < datetime.realtime() - duration({days: $days})
  OR (j.state = 'sending' AND coalesce(j.sent, j.created) < datetime.realtime() - duration({minutes: $minutes}))
RETURN j.id AS id
