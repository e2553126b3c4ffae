// write_trace: Keep a trace of a workspace that is there.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
WHERE w.deleting IS NULL
MERGE (t:Trace {id: $id})
ON CREATE SET t.workspace = w.name, t.question = $question, t.at = $at, t.expires = $expires, t.body = $body

// trace: One trace, and when it expires; it may have expired and not yet be swept.
CYPHER 5
MATCH (t:Trace {id: $id})
USING INDEX t:Trace(id)
WHERE t.workspace = $workspace
RETURN t.expires AS expires, t.body AS body

// newest_traces: The traces of a workspace that have not expired, newest first.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace
RETURN t.id AS id, t.question AS question, t.at AS at, t.expires AS expires
ORDER BY at DESC, id
LIMIT $limit

// sweep_traces: Remove some of the traces that have expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires <= $now
WITH t LIMIT $limit
DELETE t
RETURN count(*) AS swept
