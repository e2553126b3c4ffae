// acquire_workspace_lock: Take the lock of a workspace if it is free, has expired, or is an earlier one of the same holder.
CYPHER 5
MERGE (l:WorkspaceLock {id: $workspace})
SET l.locked = randomUUID()
WITH l
WHERE l.token IS NULL OR l.holder = $holder OR l.expires <= datetime.realtime()
SET l.token = $token, l.holder = $holder, l.job = $job, l.expires = datetime.realtime() + duration({milliseconds: $milliseconds})
WITH l
WHERE l.token = $token // Cypher ignores a SET on a node that another transaction deleted meanwhile
RETURN l.token AS token

// workspace_lock_job: The job that holds the lock.
CYPHER 5
MATCH (l:WorkspaceLock {id: $workspace})
USING INDEX l:WorkspaceLock(id)
WHERE l.expires > datetime.realtime() AND l.job IS NOT NULL
RETURN l.job AS job

// hold_workspace_lock: Lock the node if it still has this token, so that the next holder waits until this transaction ends.
CYPHER 5
MATCH (l:WorkspaceLock {id: $workspace})
USING INDEX l:WorkspaceLock(id)
SET l.locked = randomUUID()
WITH l
WHERE l.token = $token
RETURN l.token AS token

// renew_workspace_lock: Extend a lock.
CYPHER 5
MATCH (l:WorkspaceLock {id: $workspace})
USING INDEX l:WorkspaceLock(id)
SET l.locked = randomUUID()
WITH l
WHERE l.token = $token
SET l.expires = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN l.token AS token

// release_workspace_lock: Release a lock; the node of a deleted workspace is deleted.
CYPHER 5
MATCH (l:WorkspaceLock {id: $workspace})
USING INDEX l:WorkspaceLock(id)
SET l.locked = randomUUID()
WITH l
WHERE l.token = $token
REMOVE l.token, l.holder, l.job, l.expires
WITH l
WHERE NOT EXISTS { MATCH (:Workspace {name: $workspace}) }
DELETE l
