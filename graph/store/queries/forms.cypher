// forms: The forms of a workspace.
CYPHER 5
MATCH (f:Form {workspace: $workspace})
RETURN f {.name, .text} AS form
ORDER BY form.name

// write_form: Store a form, replacing one of its name.
CYPHER 5
MERGE (f:Form {id: $id})
SET f.workspace = $workspace, f.name = $name, f.text = $text

// remove_form: Delete a form.
CYPHER 5
MATCH (f:Form {id: $id})
WHERE f.workspace = $workspace
DELETE f
RETURN count(*) AS removed

// remove_fills: Delete all fills of a form.
CYPHER 5
MATCH (f:FormFill {workspace: $workspace, form: $form})
OPTIONAL MATCH (f)-[:HAS_VALUE]->(v:FieldValue)
DETACH DELETE v, f

// fills: The entities for which a workspace's forms were filled, with the states of their values.
CYPHER 5
MATCH (f:FormFill {workspace: $workspace})-[:HAS_VALUE]->(v:FieldValue)
WITH f, collect(CASE WHEN v.corrected IS NULL THEN v.state ELSE 'corrected' END) AS states
RETURN f.form AS form, f.about AS about, states
ORDER BY form, about

// field_values: The values of a form, with the sentences that support them.
CYPHER 5
MATCH (f:FormFill {id: $id})-[:HAS_VALUE]->(v:FieldValue)
WHERE f.workspace = $workspace
RETURN v {.form, .about, .field, .state, .values, .normalized, .note, .key, .recipe, .corrected} AS value, COLLECT {
  MATCH (v)-[r:FROM_CHUNK]->(c:Chunk)
  RETURN {chunk_id: c.id, start: r.start, end: r.end, value_start: r.value_start, value_end: r.value_end} AS one
  ORDER BY r.n
} AS evidence

// write_form_fills: Write the fills that values belong to.
CYPHER 5
UNWIND $rows AS row
MERGE (f:FormFill {id: row.fill_id})
ON CREATE SET f.workspace = $workspace, f.form = row.form, f.about = row.about

// write_field_values: Write the values of fields, except those that persons corrected.
CYPHER 5
UNWIND $rows AS row
MATCH (f:FormFill {id: row.fill_id})
USING INDEX f:FormFill(id)
WHERE f.workspace = $workspace
MERGE (v:FieldValue {id: row.id})
ON CREATE SET v.workspace = $workspace
SET v += row.properties
MERGE (f)-[:HAS_VALUE]->(v)
RETURN count(*) AS written

// forget_field_evidence: Delete the links from values to their sentences.
CYPHER 5
UNWIND $rows AS row
MATCH (v:FieldValue {id: row.id})-[r:FROM_CHUNK]->(:Chunk)
USING INDEX v:FieldValue(id)
WHERE v.workspace = $workspace
DELETE r

// write_field_evidence: Link values to the sentences that support them.
CYPHER 5
UNWIND $rows AS row
MATCH (v:FieldValue {id: row.id})
USING INDEX v:FieldValue(id)
MATCH (c:Chunk {id: row.chunk_id})
USING INDEX c:Chunk(id)
WHERE v.workspace = $workspace AND c.workspace = $workspace
CREATE (v)-[:FROM_CHUNK {n: row.n, start: row.start, end: row.end, value_start: row.value_start,
  value_end: row.value_end}]->(c)

// correct_field: Store a person's own value; null deletes it.
CYPHER 5
MATCH (f:FormFill {id: $fill_id})
WHERE f.workspace = $workspace
MERGE (v:FieldValue {id: $id})
ON CREATE SET v += $empty, v.workspace = $workspace
SET v.corrected = $values
MERGE (f)-[:HAS_VALUE]->(v)

// remove_open_values: Delete values that have no content.
CYPHER 5
MATCH (v:FieldValue {id: $id})
WHERE v.workspace = $workspace AND v.state = 'open' AND v.corrected IS NULL
DETACH DELETE v

// remove_other_values: Delete the values of fields that a form no longer has.
CYPHER 5
MATCH (f:FormFill {id: $id})-[:HAS_VALUE]->(v:FieldValue)
WHERE f.workspace = $workspace AND NOT v.field IN $fields
DETACH DELETE v

// remove_empty_fills: Delete the fills of forms without a value.
CYPHER 5
MATCH (f:FormFill {workspace: $workspace})
WHERE NOT EXISTS { (f)-[:HAS_VALUE]->(:FieldValue) }
DETACH DELETE f

// remove_values_of_chunks: Delete the values that depend on chunks that will be deleted, except those of persons.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:FROM_CHUNK]-(v:FieldValue)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace AND v.corrected IS NULL
WITH collect(DISTINCT v) AS found
UNWIND found AS v
DETACH DELETE v

// open_values_of_chunks: Delete the former content of corrected values if it depends on chunks that will be deleted.
CYPHER 5
UNWIND $ids AS id
MATCH (c:Chunk {id: id})<-[:FROM_CHUNK]-(v:FieldValue)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
WITH collect(DISTINCT v) AS found
UNWIND found AS v
SET v += $empty
WITH v
MATCH (v)-[r:FROM_CHUNK]->(:Chunk)
DELETE r

// named_places: The places in chunks that name entities.
CYPHER 5
UNWIND $items AS id
MATCH (c:Chunk {id: id})<-[r:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(:__Entity__)
USING INDEX c:Chunk(id)
WHERE c.workspace = $workspace
RETURN DISTINCT id, r.start AS start, r.end AS end
ORDER BY id, start, end

// field_evidence: The sentences that support values, with the facts that they state and the entities that the values name.
CYPHER 5
MATCH (f:FormFill {id: $id})-[:HAS_VALUE]->(v:FieldValue)-[r:FROM_CHUNK]->(c:Chunk)-[:FROM_DOCUMENT]->(d:Document)
WHERE f.workspace = $workspace
RETURN v.field AS field, c.id AS chunk_id, r.start AS start, r.end AS end, c.text AS text, c.place AS place, coalesce(c.places, []) AS places,
  d.id AS document_id, d.title AS title, d.source AS source,
  COLLECT {
    MATCH (c)<-[o:IN_CHUNK]-(:Mention)-[:REFERS_TO]->(e:__Entity__)
    WHERE o.start < r.value_end AND r.value_start < o.end
    RETURN DISTINCT e {.id, .name} AS entity ORDER BY entity.id
  } AS entities,
  COLLECT {
    MATCH (c)<-[s:FROM_CHUNK]-(fact:Fact)
    WHERE s.start < r.end AND r.start < s.end
    MATCH (fact)-[:SUBJECT]->(a:__Entity__)
    MATCH (fact)-[:OBJECT]->(b:__Entity__)
    RETURN {fact_id: fact.id, subject_id: a.id, subject: a.name, predicate: fact.predicate, object_id: b.id,
      object: b.name} AS one
    ORDER BY s.start, fact.id LIMIT $facts
  } AS facts
ORDER BY field, r.n

// dump_forms: Some forms, by id.
CYPHER 5
MATCH (n:Form)
USING INDEX n:Form(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .name, .text} AS line

// dump_field_values: Some values, by id, with the sentences that support them.
CYPHER 5
MATCH (n:FieldValue)
USING INDEX n:FieldValue(id)
WHERE n.id > $after AND n.workspace = $workspace
WITH n ORDER BY n.id LIMIT $limit
RETURN n {id: left(n.id, 32), .form, .about, .field, .state, .values, .normalized, .note, .key, .recipe, .corrected,
  evidence: COLLECT {
    MATCH (n)-[r:FROM_CHUNK]->(c:Chunk)
    RETURN [left(c.id, 32), r.start, r.end, r.value_start, r.value_end] AS one ORDER BY r.n
  }} AS line
