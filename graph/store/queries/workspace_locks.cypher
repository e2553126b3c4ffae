// take_turn: Take the turn of a workspace, where nobody has it, its time is over, or it is a former one of the same holder.
CYPHER 5
MERGE (t:Turn {id: $workspace})
SET t.locked = randomUUID()
WITH t
WHERE t.token IS NULL OR t.holder = $holder OR t.expires <= datetime.realtime()
SET t.token = $token, t.holder = $holder, t.job = $job, t.expires = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN t.token AS token

// job_of_turn: The job that has a turn.
CYPHER 5
MATCH (t:Turn {id: $workspace})
USING INDEX t:Turn(id)
WHERE t.expires > datetime.realtime() AND t.job IS NOT NULL
RETURN t.job AS job

// hold_turn: Lock a turn, if it still bears this token: whoever takes it next waits until what was begun is written.
CYPHER 5
MATCH (t:Turn {id: $workspace})
USING INDEX t:Turn(id)
SET t.locked = randomUUID()
WITH t
WHERE t.token = $token
RETURN t.token AS token

// keep_turn: Have a turn for longer.
CYPHER 5
MATCH (t:Turn {id: $workspace})
USING INDEX t:Turn(id)
SET t.locked = randomUUID()
WITH t
WHERE t.token = $token
SET t.expires = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN t.token AS token

// give_back_turn: Let the next one have the turn; that of a workspace that is not there goes.
CYPHER 5
MATCH (t:Turn {id: $workspace})
USING INDEX t:Turn(id)
SET t.locked = randomUUID()
WITH t
WHERE t.token = $token
REMOVE t.token, t.holder, t.job, t.expires
WITH t
WHERE NOT EXISTS { MATCH (:Workspace {name: $workspace}) }
DELETE t
