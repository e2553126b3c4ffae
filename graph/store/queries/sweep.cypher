// drawn_otherwise: Whether the edges of facts were made with other lists of relation types than these.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
RETURN coalesce(w.drawn_by, '') <> $drawn_by AS otherwise

// facts_drawn: Some facts by id, from one on.
CYPHER 5
MATCH (f:Fact)
USING INDEX f:Fact(id)
WHERE f.id > $after AND f.workspace = $workspace
RETURN f.id AS id
ORDER BY id
LIMIT $limit

// touch_facts: Mark facts for the sweep.
CYPHER 5
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
SET f.touched = true

// note_drawn_by: Record the lists with which the edges of facts are made.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
SET w.drawn_by = $drawn_by

// touched_facts: Some facts to sweep, each with the number of sentences that state it; one in two overlapping chunks counts once, and so does one that mails quote.
CYPHER 5
MATCH (f:Fact)
USING INDEX f:Fact(workspace, touched)
WHERE f.workspace = $workspace AND f.touched = true
RETURN f.id AS id, f.predicate AS predicate, f.drawn AS drawn, coalesce(f.inverse, false) AS inverse, f.token AS token,
  coalesce(f.denied, false) AS denied_before,
  COLLECT { MATCH (f)-[r:FROM_CHUNK]->(:Chunk) WHERE r.when_date IS NOT NULL RETURN DISTINCT r.when_date AS d ORDER BY d } AS dates,
  head(COLLECT { MATCH (f)-[:OBJECT]->(o:__Entity__) RETURN o.name }) AS object,
  COLLECT { MATCH (f)-[:FROM_CHUNK]->(c:Chunk) RETURN DISTINCT c.language ORDER BY c.language } AS languages,
  COUNT {
    MATCH (f)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
    WITH d, c.start + r.start AS at, substring(c.text, r.start, r.end - r.start) AS sentence
    WITH d, at, sentence, size(sentence) >= $long AND
      (coalesce(d.media_type IN $mails, false) OR coalesce(d.metadata CONTAINS $thread, false)) AS mailed
    RETURN DISTINCT CASE WHEN mailed THEN '' ELSE coalesce(d.sha256, d.id) END, CASE WHEN mailed THEN 0 ELSE at END,
      CASE WHEN mailed
        THEN reduce(said = sentence, mark IN $marks | replace(said, mark, ''))
        ELSE sentence END
  } AS weight
LIMIT $limit

// remove_facts: Delete facts, and their edges.
CYPHER 5
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
OPTIONAL MATCH (f)-[:SUBJECT]->(s:__Entity__)
OPTIONAL MATCH (f)-[:OBJECT]->(o:__Entity__)
OPTIONAL MATCH (s)-[r]-(o)
WHERE r.fact_id = id
DELETE r
DETACH DELETE f

// erase_facts: Delete the edges of facts.
CYPHER 5
UNWIND $ids AS id
MATCH (f:Fact {id: id})-[:SUBJECT]->(s:__Entity__)
USING INDEX f:Fact(id)
MATCH (f)-[:OBJECT]->(o:__Entity__)
WHERE f.workspace = $workspace
MATCH (s)-[r]-(o)
WHERE r.fact_id = f.id
DELETE r

// draw_facts: Create edges for facts between their entities, from the object to the subject if the type has that direction.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})-[:SUBJECT]->(s:__Entity__)
USING INDEX f:Fact(id)
MATCH (f)-[:OBJECT]->(o:__Entity__)
WHERE f.workspace = $workspace
SET f.drawn = row.type, f.token = row.token, f.weight = row.weight, f.inverse = CASE WHEN row.inverse THEN true END,
  f.denied = CASE WHEN row.denied THEN true END
REMOVE f.touched
WITH f, row, CASE WHEN row.inverse THEN o ELSE s END AS from, CASE WHEN row.inverse THEN s ELSE o END AS to
CREATE (from)-[:$(row.type) {fact_id: f.id, predicate: f.predicate, weight: row.weight, inverse: f.inverse,
  denied: f.denied, dates: CASE WHEN row.dates <> [] THEN row.dates END}]->(to)

// weigh_facts: Store the number of sentences that state facts on their existing edges.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
MATCH (s)-[r]-(o)
WHERE r.fact_id = f.id
SET r.weight = row.weight, r.dates = CASE WHEN row.dates <> [] THEN row.dates END

// facts_weighed: Store the weights of facts, and record that they are swept.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
SET f.weight = row.weight
REMOVE f.touched

// touched_mentions: Some mentions to sweep, with their remaining places.
CYPHER 5
MATCH (m:Mention)
USING INDEX m:Mention(workspace, touched)
WHERE m.workspace = $workspace AND m.touched = true
WITH m LIMIT $limit
RETURN m.id AS id, m.lookup AS lookup, COUNT { (m)-[:IN_CHUNK]->() } AS count,
  EXISTS { (m)-[r:IN_CHUNK]->() WHERE NOT r.scanned } AS read

// mentions_swept: Record how mentions were found, and that they are swept.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
SET m.scanned = NOT row.read
REMOVE m.touched
WITH m
MATCH (m)-[:REFERS_TO]->(e:__Entity__)
SET e.touched = true

// unread_names: The scanned mentions of names that are read in no document.
CYPHER 5
UNWIND $lookups AS lookup
MATCH (m:Mention {lookup: lookup})
USING INDEX m:Mention(lookup)
WHERE m.workspace = $workspace
WITH lookup, collect(m) AS mentions
WHERE all(m IN mentions WHERE m.scanned)
UNWIND mentions AS m
RETURN m.id AS id

// touched_entities: Some entities to sweep.
CYPHER 5
MATCH (e:__Entity__)
USING INDEX e:__Entity__(workspace, touched)
WHERE e.workspace = $workspace AND e.touched = true
WITH e LIMIT $limit
RETURN e.id AS id, EXISTS { (e)<-[:REFERS_TO]-() } AS alive

// facts_of_entities: The facts of entities that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})<-[:SUBJECT|OBJECT]-(f:Fact)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN DISTINCT f.id AS id

// remove_entities: Delete entities.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
DETACH DELETE e

// entities_swept: Link entities to exactly the chunks that mention them.
CYPHER 5
UNWIND $ids AS id
MATCH (e:__Entity__ {id: id})
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
REMOVE e.touched
WITH e,
  COLLECT { MATCH (e)<-[:REFERS_TO]-(:Mention)-[:IN_CHUNK]->(c:Chunk) RETURN DISTINCT c } AS wanted,
  COLLECT { MATCH (e)-[r:FROM_CHUNK]->(c:Chunk) RETURN c } AS present
FOREACH (c IN [c IN wanted WHERE NOT c IN present] | CREATE (e)-[:FROM_CHUNK]->(c))
WITH e, [c IN present WHERE NOT c IN wanted] AS gone
UNWIND gone AS c
MATCH (e)-[r:FROM_CHUNK]->(c)
DELETE r

// documents_complete: Mark the documents as complete that are read to their end and fully derived.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE d.status = 'partial' AND d.read AND NOT EXISTS { (d)<-[:FROM_DOCUMENT]-(c:Chunk) WHERE c.stale = true }
SET d.status = 'complete'
