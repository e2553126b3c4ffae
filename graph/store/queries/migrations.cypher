// v1_workspaces: The workspaces, also incomplete ones.
CYPHER 5
MATCH (w:Workspace)
RETURN w.name AS name
ORDER BY name

// v1_documents: Documents whose ids depend on the workspace's name.
CYPHER 5
MATCH (d:Document {workspace: $workspace})
WHERE size(d.id) = 32
RETURN d.id AS id, d.source AS source

// v1_chunks: The chunks of such documents.
CYPHER 5
UNWIND $documents AS document_id
MATCH (d:Document {id: document_id})<-[:FROM_DOCUMENT]-(c:Chunk)
USING INDEX d:Document(id)
RETURN document_id, c.id AS id, c.text AS text

// v1_mentions: The mentions of all such documents.
CYPHER 5
MATCH (m:Mention {workspace: $workspace})
WHERE size(m.document_id) = 32
RETURN m.document_id AS document_id, m.id AS id, m.key AS key, m.type AS type

// v1_renew_documents: Give documents their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (d:Document {id: row.old})
USING INDEX d:Document(id)
SET d.id = row.new
WITH collect(row) AS rows
MATCH (g:AliasGroup {workspace: $workspace})
WITH g, [row IN rows WHERE row.old = g.document_id | row.new] AS renewed
WHERE size(renewed) > 0
SET g.document_id = renewed[0]

// v1_renew_chunks: Give chunks their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.old})
USING INDEX c:Chunk(id)
SET c.id = row.new, c.document_id = row.document_id

// v1_renew_mentions: Give mentions their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (m:Mention {id: row.old})
USING INDEX m:Mention(id)
SET m.id = row.new, m.document_id = row.document_id

// v1_entities: Entities with an old id, each with the smallest of its mentions.
CYPHER 5
MATCH (e:__Entity__ {workspace: $workspace})<-[:REFERS_TO]-(m:Mention)
WHERE size(e.id) = 32
RETURN e.id AS old, min(m.id) AS smallest

// v1_renew_entities: Give entities their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (e:__Entity__ {id: row.old})
USING INDEX e:__Entity__(id)
SET e.id = row.new

// v1_facts: Facts with an old id.
CYPHER 5
MATCH (f:Fact {workspace: $workspace})-[:SUBJECT]->(s:__Entity__)
WHERE size(f.id) = 32
MATCH (f)-[:OBJECT]->(o:__Entity__)
RETURN f.id AS old, s.id AS subject, f.predicate AS predicate, o.id AS object

// v1_renew_facts: Give facts, and their edges, their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.old})-[:SUBJECT]->(s:__Entity__)
USING INDEX f:Fact(id)
MATCH (f)-[:OBJECT]->(o:__Entity__)
SET f.id = row.new
WITH row, s, o
MATCH (s)-[r]->(o)
WHERE r.fact_id = row.old
SET r.fact_id = row.new

// v1_alias_groups: Alias groups with an old id.
CYPHER 5
MATCH (g:AliasGroup {workspace: $workspace})
WHERE size(g.id) = 32
RETURN g.id AS old, g.document_id AS document_id, g.names AS names

// v1_renew_alias_groups: Give alias groups their new ids.
CYPHER 5
UNWIND $rows AS row
MATCH (g:AliasGroup {id: row.old})
USING INDEX g:AliasGroup(id)
SET g.id = row.new

// v2_mislabelled: Entities with our own labels, which a model's types gave them.
CYPHER 5
MATCH (e:__Entity__)
WITH e, [label IN labels(e) WHERE label IN $labels] AS ours
WHERE size(ours) > 0
RETURN e.id AS id, ours
ORDER BY id

// v2_remove_labels: Remove such labels from entities.
CYPHER 5
UNWIND $rows AS row
MATCH (e:__Entity__ {id: row.id})
USING INDEX e:__Entity__(id)
REMOVE e:$(row.ours)

// v2_mistyped: Facts whose edges have our own relationship types, which a model's predicates gave them.
CYPHER 5
MATCH (f:Fact)
WHERE f.drawn IN $types
RETURN f.id AS id
ORDER BY id

// v2_redraw: Give such facts edges of another type.
CYPHER 5
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})-[:SUBJECT]->(s:__Entity__)
USING INDEX f:Fact(id)
MATCH (f)-[:OBJECT]->(o:__Entity__)
MATCH (s)-[r]->(o)
WHERE r.fact_id = f.id
CREATE (s)-[new:RELATED_TO]->(o)
SET new = properties(r), f.drawn = 'RELATED_TO'
DELETE r

// v2_forget_tokens: Delete such labels and types from the registry.
CYPHER 5
MATCH (t:FiligraphToken)
WHERE t.name IN $names
DELETE t

// v3_chunks: Chunks without a list of the names that mean somebody else, by id from one on.
CYPHER 5
MATCH (c:Chunk)
USING INDEX c:Chunk(id)
WHERE c.id > $after AND c.strangers IS NULL
RETURN c.id AS id, c.text AS text, c.language AS language
ORDER BY id
LIMIT $count

// v3_say_again: Store that list, and mark everything that follows from it to be derived again.
CYPHER 5
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
USING INDEX c:Chunk(id)
SET c.strangers = row.strangers, c.stale = true

// v4_draw_again: Mark the facts whose edges have other types to be redrawn.
CYPHER 5
MATCH (w:Workspace)
WHERE w.drawn_by IS NULL
SET w.drawn_by = ''

// v5_drop_turn_id: Drop the constraint of workspace locks, which were nodes with another label.
CYPHER 5
DROP CONSTRAINT filigraph_turn_id IF EXISTS

// v5_delete_turns: Delete the locks of the older version; a server of that version that still writes under one loses it.
CYPHER 5
MATCH (t:Turn)
DELETE t
