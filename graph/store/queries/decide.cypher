// corrections: The decisions of persons. One that is undone meanwhile has no properties.
CYPHER 5
MATCH (d:Decision {workspace: $workspace})
WITH d.id AS id, d.body AS body, d.at AS at
WHERE id IS NOT NULL AND body IS NOT NULL AND at IS NOT NULL
RETURN id, body, toString(at) AS at
ORDER BY id

// add_corrections: Store decisions of persons.
CYPHER 5
UNWIND $rows AS row
MERGE (d:Decision {id: row.id})
ON CREATE SET d.workspace = $workspace, d.body = row.body, d.at = datetime()
RETURN count(*) AS written

// rewrite_corrections: Rewrite some decisions, and delete others.
CYPHER 5
CALL () {
  UNWIND $rows AS row
  MATCH (d:Decision {id: row.id})
  USING INDEX d:Decision(id)
  SET d.body = row.body
}
CALL () {
  UNWIND $gone AS id
  MATCH (d:Decision {id: id})
  USING INDEX d:Decision(id)
  DELETE d
}

// stale_by_predicates: Mark the chunks that state facts with these predicates, to be derived again.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})-[:FROM_CHUNK]->(c:Chunk)
WHERE f.predicate IN $predicates
SET c.stale = true

// fact_ends: Facts, with the names of their two ends in the chunks that state them.
CYPHER 5
UNWIND $items AS id
MATCH (f:Fact {id: id})
USING INDEX f:Fact(id)
WHERE f.workspace = $workspace
MATCH (f)-[:SUBJECT]->(s:__Entity__)
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS fact_id, s.id AS subject_id, f.predicate AS predicate, o.id AS object_id, COLLECT {
  MATCH (f)-[:FROM_CHUNK]->(c:Chunk)<-[:IN_CHUNK]-(m:Mention)-[:REFERS_TO]->(e:__Entity__)
  WHERE e.id IN [s.id, o.id]
  RETURN DISTINCT m.id
} AS mention_ids

// predicates: The predicates of facts, the most frequent first.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})
RETURN f.predicate AS predicate, coalesce(min(f.drawn), '') AS type,
  any(inverse IN collect(f.inverse) WHERE inverse) AS inverse, count(*) AS facts, sum(coalesce(f.weight, 0)) AS sentences
ORDER BY sentences DESC, predicate

// undo: Delete a decision of a person.
CYPHER 5
OPTIONAL MATCH (d:Decision {id: $id})
WHERE d.workspace = $workspace
OPTIONAL MATCH (g:AliasGroup {id: $id})
WHERE g.workspace = $workspace
WITH [n IN [d, g] WHERE n IS NOT NULL] AS found
FOREACH (n IN found | DELETE n)
RETURN size(found) AS removed

// parts: Some parts of mentions, with their places.
CYPHER 5
UNWIND $items AS id
MATCH (p:Mention {id: id})
USING INDEX p:Mention(id)
WHERE p.workspace = $workspace AND p.part_of IS NOT NULL
RETURN p.id AS id, p.key AS key, COLLECT { MATCH (p)-[r:IN_CHUNK]->(c:Chunk) RETURN [c.id, r.start, r.end] } AS places

// parts_back: Return the places of parts to the mentions from which they were split off, and delete the parts.
CYPHER 5
UNWIND $rows AS row
MATCH (p:Mention {id: row.id})
USING INDEX p:Mention(id)
WHERE p.workspace = $workspace
MERGE (m:Mention {id: p.part_of})
ON CREATE SET m.workspace = $workspace, m.document_id = p.document_id, m.key = p.key, m.lookup = row.lookup,
  m.type = p.type, m.form = p.form, m.language = p.language, m.scanned = p.scanned
SET m.touched = true
WITH p, m, EXISTS { MATCH (p)-[r:IN_CHUNK]->() WHERE NOT r.scanned }
  AND NOT EXISTS { MATCH (m)-[r:IN_CHUNK]->() WHERE NOT r.scanned } AS named
FOREACH (_ IN CASE WHEN named THEN [1] ELSE [] END | SET m.form = p.form, m.language = p.language)
WITH p, m
OPTIONAL MATCH (p)-[r:IN_CHUNK]->(c:Chunk)
FOREACH (r IN CASE WHEN r IS NULL THEN [] ELSE [r] END |
  MERGE (m)-[back:IN_CHUNK {start: r.start, end: r.end}]->(c)
  SET back.scanned = coalesce(back.scanned, true) AND r.scanned, c.stale = true)
WITH DISTINCT p
OPTIONAL MATCH (p)-[:REFERS_TO]->(e:__Entity__)
SET e.touched = true
DETACH DELETE p

// write_parts: Move places of mentions to separate mentions.
CYPHER 5
UNWIND $rows AS row
UNWIND row.places AS place
MATCH (m:Mention {id: row.of})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
MATCH (c:Chunk {id: place[0]})
USING INDEX c:Chunk(id)
MATCH (m)-[r:IN_CHUNK]->(c)
WHERE r.start = place[1] AND r.end = place[2]
MERGE (p:Mention {id: row.id})
ON CREATE SET p.workspace = $workspace, p.document_id = m.document_id, p.key = m.key, p.lookup = m.lookup,
  p.type = m.type, p.scanned = m.scanned, p.part_of = m.id
SET m.touched = true, p.touched = true, c.stale = true
FOREACH (_ IN CASE WHEN p.form IS NULL OR NOT r.scanned THEN [1] ELSE [] END |
  SET p.form = m.form, p.language = m.language)
MERGE (p)-[own:IN_CHUNK {start: r.start, end: r.end}]->(c)
SET own.scanned = coalesce(own.scanned, true) AND r.scanned
DELETE r

// alias_groups: The names that persons declared to be one.
CYPHER 5
MATCH (g:AliasGroup {workspace: $workspace})
RETURN g.id AS id, g.names AS names, g.document_id AS document_id
ORDER BY g.id

// add_alias_groups: Store names that a person declares to be one.
CYPHER 5
UNWIND $rows AS row
MERGE (g:AliasGroup {id: row.id})
ON CREATE SET g.workspace = $workspace, g.names = row.names, g.document_id = row.document_id
RETURN count(*) AS written

// all_decisions: The decisions about pairs of mentions, by persons or rules; `review`: those that a person should review.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(b:Mention)
WHERE r.by = $by AND r.review = $review
RETURN a.id AS first, b.id AS second, type(r) AS type, r.rule AS rule, r.score AS score,
  coalesce(r.decision, '') AS decision

// touched_decisions: The decisions about pairs of mentions of which one changed since the last sweep.
CYPHER 5
MATCH (m:Mention)
USING INDEX m:Mention(workspace, touched)
WHERE m.workspace = $workspace AND m.touched = true
MATCH (m)-[r:SAME_AS|NOT_SAME_AS]-(:Mention)
WHERE r.by = $by AND r.review = $review
WITH DISTINCT r
RETURN startNode(r).id AS first, endNode(r).id AS second, type(r) AS type, r.rule AS rule, r.score AS score,
  coalesce(r.decision, '') AS decision

// decisions: Some of the decisions about pairs of mentions, the highest score first.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(b:Mention)
WHERE r.by = $by AND r.review = $review AND (type(r) = 'SAME_AS') = $same
WITH a, r, b
ORDER BY r.score DESC, a.id, b.id, r.rule
SKIP $first LIMIT $count
RETURN a.id AS first, b.id AS second, type(r) AS type, r.rule AS rule, r.score AS score, r.by AS by,
  coalesce(r.decision, '') AS decision, toString(r.at) AS at
ORDER BY score DESC, first, second, rule

// count_pairs: The number of pairs of mentions with a decision.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(:Mention)
WHERE r.by = $by AND r.review = $review AND (type(r) = 'SAME_AS') = $same
RETURN count(*) AS count

// name_places: Mentions, each with the chunk of its first place.
CYPHER 5
UNWIND $items AS id
MATCH (m:Mention {id: id})
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace
MATCH (d:Document {id: m.document_id})
OPTIONAL MATCH (m)-[:REFERS_TO]->(e:__Entity__)
WITH m, d, e, COLLECT {
  MATCH (m)-[r:IN_CHUNK]->(c:Chunk)
  RETURN {id: c.id, at: r.start, text: c.text, language: c.language, place: c.place, places: coalesce(c.places, [])} ORDER BY c.index, r.start LIMIT 1
}[0] AS first
WHERE first IS NOT NULL
RETURN m.id AS id, m.form AS form, m.type AS type, 
  COUNT { MATCH (m)-[r:IN_CHUNK]->(c:Chunk) RETURN DISTINCT c.start + r.start } AS count, d.id AS document_id,
  d.title AS title, d.source AS source, coalesce(e.id, '') AS entity_id, coalesce(e.name, '') AS entity,
  first.id AS chunk_id, first.at AS at, first.text AS text, first.language AS language,
  first.place AS place, first.places AS places

// places: The places of mentions in chunks, in order.
CYPHER 5
UNWIND $mention_ids AS id
MATCH (m:Mention {id: id})-[r:IN_CHUNK]->(c:Chunk)
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace AND c.id IN $chunk_ids
WITH m, r, c
ORDER BY r.start, r.end
RETURN m.id AS mention_id, c.id AS chunk_id, collect([r.start, r.end]) AS spans

// twin_places: The other places of the same text, in chunks that overlap.
CYPHER 5
UNWIND $items AS item
MATCH (c:Chunk {id: item.chunk_id})
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
MATCH (m:Mention {id: item.mention_id})-[r:IN_CHUNK]->(other:Chunk)
USING INDEX m:Mention(id)
WHERE m.workspace = $workspace AND other.id <> c.id AND other.document_id = c.document_id
  AND other.start + r.start = c.start + item.start
RETURN m.id AS mention_id, other.id AS chunk_id, r.start AS start, r.end AS end
ORDER BY mention_id, chunk_id, start

// entity_places: Some of the places of the names of an entity; one in two chunks that overlap counts once.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:REFERS_TO]-(m:Mention)-[r:IN_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
WITH m, r, c, d
ORDER BY c.index
WITH m, d, c.start + r.start AS at, head(collect(r)) AS r, head(collect(c)) AS c
ORDER BY d.source, d.id, at, m.id
SKIP $first LIMIT $count
RETURN m.id AS mention_id, d.id AS document_id, d.source AS source, c.id AS chunk_id, r.start AS start, r.end AS end, c.text AS text, c.language AS language,
  c.place AS place, coalesce(c.places, []) AS places
ORDER BY source, c.index, start, mention_id

// count_places: The number of places of the names of an entity.
CYPHER 5
MATCH (e:__Entity__ {id: $id})<-[:REFERS_TO]-(m:Mention)-[r:IN_CHUNK]->(c:Chunk)
USING INDEX e:__Entity__(id)
WHERE e.workspace = $workspace
RETURN count(DISTINCT [m.id, c.document_id, c.start + r.start]) AS count

// remove_decisions: Delete decisions about pairs of mentions.
CYPHER 5
UNWIND $rows AS row
MATCH (a:Mention {id: row.first})
USING INDEX a:Mention(id)
MATCH (b:Mention {id: row.second})
USING INDEX b:Mention(id)
MATCH (a)-[r:SAME_AS|NOT_SAME_AS]->(b)
WHERE a.workspace = $workspace AND r.by = $by AND r.review = $review AND type(r) = row.type AND r.rule = row.rule
  AND coalesce(r.decision, '') = row.decision AND r.score = row.score
DELETE r

// write_decisions: Store decisions about pairs of mentions.
CYPHER 5
UNWIND $rows AS row
MATCH (a:Mention {id: row.first})
USING INDEX a:Mention(id)
MATCH (b:Mention {id: row.second})
USING INDEX b:Mention(id)
WHERE a.workspace = $workspace AND b.workspace = $workspace
CREATE (a)-[r:$(row.type) {rule: row.rule, score: row.score, by: $by, review: $review, at: datetime()}]->(b)
SET r.decision = CASE WHEN row.decision <> '' THEN row.decision END
RETURN count(*) AS written
