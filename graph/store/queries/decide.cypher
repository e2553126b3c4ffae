// person_decisions: What persons decided of two mentions.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(b:Mention)
WHERE r.by = 'person'
RETURN a.id AS first, b.id AS second, type(r) = 'SAME_AS' AS same, r.rule AS rule, r.score AS score, r.by AS by
ORDER BY first, second

// add_person_decision: Note what a person decided of two mentions, in place of what was decided of them before.
CYPHER 5
MATCH (a:Mention {id: $first})
USING INDEX a:Mention(id)
MATCH (b:Mention {id: $second})
USING INDEX b:Mention(id)
WHERE a.workspace = $workspace AND b.workspace = $workspace
OPTIONAL MATCH (a)-[old:SAME_AS|NOT_SAME_AS]->(b)
WHERE old.by = 'person'
DELETE old
WITH DISTINCT a, b
CREATE (a)-[:$($type) {rule: $rule, score: $score, by: 'person', at: datetime()}]->(b)
RETURN a.id AS id

// alias_groups: The names that persons say are one.
CYPHER 5
MATCH (g:AliasGroup {workspace: $workspace})
RETURN g.names AS names, g.document_id AS document_id
ORDER BY g.id

// add_alias_groups: Note names that a person says are one.
CYPHER 5
UNWIND $rows AS row
MERGE (g:AliasGroup {id: row.id})
ON CREATE SET g.workspace = $workspace, g.names = row.names, g.document_id = row.document_id
RETURN count(*) AS written

// rule_decisions: What rules decided of two mentions; `review` those that a person should look at.
CYPHER 5
MATCH (a:Mention {workspace: $workspace})-[r:SAME_AS|NOT_SAME_AS]->(b:Mention)
WHERE r.by = 'rule' AND r.review = $review
RETURN a.id AS first, b.id AS second, type(r) AS type, r.rule AS rule, r.score AS score
ORDER BY score DESC, first, second, rule

// remove_rule_decisions: Remove what rules decided of two mentions.
CYPHER 5
UNWIND $rows AS row
MATCH (a:Mention {id: row.first})
USING INDEX a:Mention(id)
MATCH (b:Mention {id: row.second})
USING INDEX b:Mention(id)
MATCH (a)-[r:SAME_AS|NOT_SAME_AS]->(b)
WHERE a.workspace = $workspace AND r.by = 'rule' AND r.review = $review AND type(r) = row.type AND r.rule = row.rule
DELETE r

// write_rule_decisions: Write what rules decided of two mentions.
CYPHER 5
UNWIND $rows AS row
MATCH (a:Mention {id: row.first})
USING INDEX a:Mention(id)
MATCH (b:Mention {id: row.second})
USING INDEX b:Mention(id)
WHERE a.workspace = $workspace AND b.workspace = $workspace
CREATE (a)-[:$(row.type) {rule: row.rule, score: row.score, by: 'rule', review: $review}]->(b)
RETURN count(*) AS written
