// write_trace: Keep a trace of a workspace that is there, and the answer if one was given.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
WHERE w.deleting IS NULL
MERGE (t:Trace {id: $id})
ON CREATE SET t.workspace = w.name, t.question = $question, t.at = $at, t.expires = $expires, t.body = $body,
  t.method = $method, t.answer = $answer

// trace: One trace, and when it expires; it may have expired and not yet be swept.
CYPHER 5
MATCH (t:Trace {id: $id})
USING INDEX t:Trace(id)
WHERE t.workspace = $workspace
RETURN t.expires AS expires, t.body AS body

// kept_answer: The answer that one trace belongs to.
CYPHER 5
MATCH (t:Trace {id: $id})
USING INDEX t:Trace(id)
WHERE t.workspace = $workspace AND t.answer IS NOT NULL
RETURN t.at AS at, t.answer AS answer

// newest_traces: The traces of a workspace that have not expired, newest first.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace
RETURN t.id AS id, t.question AS question, t.at AS at, t.expires AS expires,
  coalesce(t.method, '') AS method, t.answer IS NOT NULL AS answered
ORDER BY at DESC, id
SKIP $first LIMIT $count

// count_traces: How many traces of a workspace have not expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace
RETURN count(*) AS total

// sweep_traces: Remove some of the traces that have expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires <= $now
WITH t LIMIT $limit
DELETE t
RETURN count(*) AS swept
