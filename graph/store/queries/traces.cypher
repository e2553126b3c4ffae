// write_trace: Store a trace of an existing workspace, and the answer if there is one.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
WHERE w.deleting IS NULL
MERGE (t:Trace {id: $id})
ON CREATE SET t.workspace = w.name, t.question = $question, t.at = $at, t.expires = $expires, t.body = $body,
  t.method = $method, t.answer = $answer, t.thread = $thread, t.asked = $asked,
  t.owner = $owner, t.view = $view

// extend_thread: Make the answers of a thread expire together.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND (t.id = $thread OR t.thread = $thread)
SET t.expires = $expires

// trace: One trace, and when it expires; an expired trace may still exist.
CYPHER 5
MATCH (t:Trace {id: $id})
USING INDEX t:Trace(id)
WHERE t.workspace = $workspace AND ($owner = '' OR t.owner = $owner)
RETURN t.expires AS expires, t.body AS body

// kept_answer: The answer that one trace belongs to.
CYPHER 5
MATCH (t:Trace {id: $id})
USING INDEX t:Trace(id)
WHERE t.workspace = $workspace AND t.answer IS NOT NULL
RETURN t.at AS at, t.answer AS answer, coalesce(t.thread, t.id) AS thread, coalesce(t.asked, t.question) AS asked

// newest_traces: The traces of a workspace that have not expired, newest first.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND ($owner = '' OR t.owner = $owner)
RETURN t.id AS id, coalesce(t.asked, t.question) AS question, t.at AS at, t.expires AS expires,
  coalesce(t.method, '') AS method, t.answer IS NOT NULL AS answered, coalesce(t.thread, t.id) AS thread
ORDER BY at DESC, id
SKIP $first LIMIT $count

// last_asked: The workspace of the newest trace, and the part of it that was asked.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.owner IS NULL
RETURN t.workspace AS workspace, t.at AS at, coalesce(t.view, '{}') AS view
ORDER BY at DESC, t.id
LIMIT 1

// count_traces: The number of a workspace's traces that have not expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND ($owner = '' OR t.owner = $owner)
RETURN count(*) AS total

// threads: The threads of a workspace that have not expired, the one with the newest question first.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND ($owner = '' OR t.owner = $owner) AND t.answer IS NOT NULL
WITH t ORDER BY t.at, t.id
WITH coalesce(t.thread, t.id) AS id, collect(t) AS turns
RETURN id, coalesce(head([t IN turns WHERE t.title IS NOT NULL | t.title]), turns[0].asked, turns[0].question) AS title,
  size(turns) AS questions, turns[-1].at AS at, turns[-1].expires AS expires
ORDER BY at DESC, id
SKIP $first LIMIT $count

// count_threads: The number of a workspace's threads that have not expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND ($owner = '' OR t.owner = $owner) AND t.answer IS NOT NULL
RETURN count(DISTINCT coalesce(t.thread, t.id)) AS total

// thread: The answers of one thread, in the order of their questions.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND ($owner = '' OR t.owner = $owner)
  AND (t.id = $thread OR t.thread = $thread) AND t.answer IS NOT NULL
RETURN t.id AS id, coalesce(t.asked, t.question) AS question, t.at AS at, t.expires AS expires, t.title AS title,
  coalesce(t.method, '') AS method, t.answer AS answer, coalesce(t.view, '{}') AS view
ORDER BY at, id

// name_thread: Give a thread a title, which is stored with each of its answers.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND (t.id = $thread OR t.thread = $thread)
SET t.title = $title

// delete_thread: Delete the answers of a thread, with their traces.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires > $now AND t.workspace = $workspace AND (t.id = $thread OR t.thread = $thread)
DELETE t

// sweep_traces: Delete some of the traces that have expired.
CYPHER 5
MATCH (t:Trace)
USING INDEX t:Trace(expires)
WHERE t.expires <= $now
WITH t LIMIT $limit
DELETE t
RETURN count(*) AS swept

// trace_records: Traces of a workspace as they are stored, page by page, from a moment on.
CYPHER 5
MATCH (t:Trace {workspace: $workspace})
WHERE t.id > $after AND t.at >= $since
RETURN properties(t) AS record
ORDER BY t.id
LIMIT $limit

// write_trace_records: Write traces as they were stored elsewhere; existing ones stay.
CYPHER 5
UNWIND $items AS record
MERGE (t:Trace {id: record.id})
ON CREATE SET t = record
