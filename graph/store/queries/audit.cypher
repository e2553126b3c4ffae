// write_audit: Record who changed something.
CYPHER 5
CREATE (a:AuditEntry {id: $id})
SET a.at = $at, a.by = $by, a.action = $action, a.workspace = $workspace, a.subject = $subject, a.status = $status,
  a.address = $address

// newest_audit: The last entries, newest first; of one caller, of one workspace, before a moment.
CYPHER 5
MATCH (a:AuditEntry)
USING INDEX a:AuditEntry(at)
WHERE a.at <= $before AND (a.at < $before OR a.id > $before_id) AND ($by IS NULL OR a.by = $by) AND ($workspace IS NULL OR a.workspace = $workspace)
RETURN a.id AS id, a.at AS at, a.by AS by, a.action AS action, a.workspace AS workspace, a.subject AS subject,
  a.status AS status, a.address AS address
ORDER BY at DESC, id
LIMIT $limit

// sweep_audit: Delete some of the entries from before a moment.
CYPHER 5
MATCH (a:AuditEntry)
USING INDEX a:AuditEntry(at)
WHERE a.at < $before
WITH a LIMIT $limit
DELETE a
RETURN count(*) AS swept
