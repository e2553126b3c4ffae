// components: The version and edition of Neo4j.
CYPHER 5
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition

// write_nothing: Fail if the database accepts no writes.
CYPHER 5
CREATE (n)
DELETE n

// foreign_node: A node that has one of our labels, but is not ours.
CYPHER 5
MATCH (n:CastLink|Chunk|ContradictionReading|Decision|Document|Fact|FieldValue|Form|FormFill|ListReading|Mention|Summary|Trace|__Entity__)
WHERE n.workspace IS NULL
RETURN labels(n) AS labels
LIMIT 1

// schema_version: The version of the schema in this database; no row if Filigraph never used it.
CYPHER 5
MATCH (s:FiligraphSchema {id: 'schema'})
RETURN s.version AS version

// write_schema_version: Record that the schema is complete.
CYPHER 5
MERGE (s:FiligraphSchema {id: 'schema'})
SET s.version = $version

// index_names: The existing indexes, including those of constraints.
CYPHER 5
SHOW INDEXES YIELD name
RETURN name

// await_indexes: Wait until every index is online.
CYPHER 5
CALL db.awaitIndexes(300)

// schema_id: One schema node.
CYPHER 5
CREATE CONSTRAINT filigraph_schema_id IF NOT EXISTS FOR (n:FiligraphSchema) REQUIRE n.id IS UNIQUE

// workspace_name: One workspace of a name.
CYPHER 5
CREATE CONSTRAINT filigraph_workspace_name IF NOT EXISTS FOR (n:Workspace) REQUIRE n.name IS UNIQUE

// token_id: One token of a kind and a name.
CYPHER 5
CREATE CONSTRAINT filigraph_token_id IF NOT EXISTS FOR (n:FiligraphToken) REQUIRE n.id IS UNIQUE

// document_id: One document of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE

// chunk_id: One chunk of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE

// mention_id: One mention of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_mention_id IF NOT EXISTS FOR (n:Mention) REQUIRE n.id IS UNIQUE

// entity_id: One entity of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_entity_id IF NOT EXISTS FOR (n:__Entity__) REQUIRE n.id IS UNIQUE

// fact_id: One fact of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_fact_id IF NOT EXISTS FOR (n:Fact) REQUIRE n.id IS UNIQUE

// alias_group_id: One alias group of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_alias_group_id IF NOT EXISTS FOR (n:AliasGroup) REQUIRE n.id IS UNIQUE

// decision_id: One decision of a person of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_decision_id IF NOT EXISTS FOR (n:Decision) REQUIRE n.id IS UNIQUE

// trace_id: One trace of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_trace_id IF NOT EXISTS FOR (n:Trace) REQUIRE n.id IS UNIQUE

// evaluation_id: One evaluation of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_evaluation_id IF NOT EXISTS FOR (n:EvaluationRun) REQUIRE n.id IS UNIQUE

// lease_id: One lease of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_lease_id IF NOT EXISTS FOR (n:Lease) REQUIRE n.id IS UNIQUE

// job_id: One job of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_job_id IF NOT EXISTS FOR (n:Job) REQUIRE n.id IS UNIQUE

// job_item_id: One item of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_job_item_id IF NOT EXISTS FOR (n:JobItem) REQUIRE n.id IS UNIQUE

// job_part_id: One part of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_job_part_id IF NOT EXISTS FOR (n:JobPart) REQUIRE n.id IS UNIQUE

// batch_id: One provider's batch of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_batch_id IF NOT EXISTS FOR (n:ProviderBatch) REQUIRE n.id IS UNIQUE

// batch_reply_id: One reply of a provider's batch of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_batch_reply_id IF NOT EXISTS FOR (n:BatchReply) REQUIRE n.id IS UNIQUE

// workspace_lock_id: One lock of a workspace.
CYPHER 5
CREATE CONSTRAINT filigraph_workspace_lock_id IF NOT EXISTS FOR (n:WorkspaceLock) REQUIRE n.id IS UNIQUE

// workspace_placement_id: One placement of a workspace.
CYPHER 5
CREATE CONSTRAINT filigraph_workspace_placement_id IF NOT EXISTS FOR (n:WorkspacePlacement) REQUIRE n.id IS UNIQUE

// extraction_id: One kept extraction of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_extraction_id IF NOT EXISTS FOR (n:Extraction) REQUIRE n.id IS UNIQUE

// speed_id: One speed of an extractor.
CYPHER 5
CREATE CONSTRAINT filigraph_speed_id IF NOT EXISTS FOR (n:Speed) REQUIRE n.id IS UNIQUE

// key_id: One key of a name.
CYPHER 5
CREATE CONSTRAINT filigraph_key_id IF NOT EXISTS FOR (n:AccessKey) REQUIRE n.id IS UNIQUE

// audit_id: One entry of the audit log for a request.
CYPHER 5
CREATE CONSTRAINT filigraph_audit_id IF NOT EXISTS FOR (n:AuditEntry) REQUIRE n.id IS UNIQUE

// spent_id: One count of tokens for a workspace.
CYPHER 5
CREATE CONSTRAINT filigraph_spent_id IF NOT EXISTS FOR (n:TokensSpent) REQUIRE n.id IS UNIQUE

// summary_id: One summary of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_summary_id IF NOT EXISTS FOR (n:Summary) REQUIRE n.id IS UNIQUE

// summary_key: The summaries of a text.
CYPHER 5
CREATE INDEX filigraph_summary_key IF NOT EXISTS FOR (n:Summary) ON (n.key)

// summary_workspace: The summaries of a workspace.
CYPHER 5
CREATE INDEX filigraph_summary_workspace IF NOT EXISTS FOR (n:Summary) ON (n.workspace)

// note_id: One note of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_note_id IF NOT EXISTS FOR (n:UserNote) REQUIRE n.id IS UNIQUE

// search_id: One saved search of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_search_id IF NOT EXISTS FOR (s:SavedSearch) REQUIRE s.id IS UNIQUE

// note_workspace: The notes of a workspace.
CYPHER 5
CREATE INDEX filigraph_note_workspace IF NOT EXISTS FOR (n:UserNote) ON (n.workspace)

// search_workspace: The saved searches of a workspace.
CYPHER 5
CREATE INDEX filigraph_search_workspace IF NOT EXISTS FOR (s:SavedSearch) ON (s.workspace)

// form_id: One form of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_form_id IF NOT EXISTS FOR (n:Form) REQUIRE n.id IS UNIQUE

// form_fill_id: One fill of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_form_fill_id IF NOT EXISTS FOR (n:FormFill) REQUIRE n.id IS UNIQUE

// field_value_id: One value of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_field_value_id IF NOT EXISTS FOR (n:FieldValue) REQUIRE n.id IS UNIQUE

// contradiction_reading_id: One reading of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_contradiction_reading_id IF NOT EXISTS FOR (n:ContradictionReading) REQUIRE n.id IS UNIQUE

// list_reading_id: One reading of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_list_reading_id IF NOT EXISTS FOR (n:ListReading) REQUIRE n.id IS UNIQUE

// cast_link_id: One link of an id.
CYPHER 5
CREATE CONSTRAINT filigraph_cast_link_id IF NOT EXISTS FOR (n:CastLink) REQUIRE n.id IS UNIQUE

// form_workspace: The forms of a workspace.
CYPHER 5
CREATE INDEX filigraph_form_workspace IF NOT EXISTS FOR (n:Form) ON (n.workspace)

// form_fill_workspace: The fills of a workspace's forms.
CYPHER 5
CREATE INDEX filigraph_form_fill_workspace IF NOT EXISTS FOR (n:FormFill) ON (n.workspace)

// field_value_workspace: The values of a workspace's forms.
CYPHER 5
CREATE INDEX filigraph_field_value_workspace IF NOT EXISTS FOR (n:FieldValue) ON (n.workspace)

// contradiction_reading_workspace: The replies about contradictions in a workspace.
CYPHER 5
CREATE INDEX filigraph_contradiction_reading_workspace IF NOT EXISTS FOR (n:ContradictionReading) ON (n.workspace)

// list_reading_workspace: What an LLM read for the lists of a workspace.
CYPHER 5
CREATE INDEX filigraph_list_reading_workspace IF NOT EXISTS FOR (n:ListReading) ON (n.workspace)

// cast_link_workspace: Who is who across the documents of a workspace.
CYPHER 5
CREATE INDEX filigraph_cast_link_workspace IF NOT EXISTS FOR (n:CastLink) ON (n.workspace)

// document_workspace: The documents of a workspace.
CYPHER 5
CREATE INDEX filigraph_document_workspace IF NOT EXISTS FOR (n:Document) ON (n.workspace)

// chunk_workspace: The chunks of a workspace.
CYPHER 5
CREATE INDEX filigraph_chunk_workspace IF NOT EXISTS FOR (n:Chunk) ON (n.workspace)

// mention_workspace: The mentions of a workspace.
CYPHER 5
CREATE INDEX filigraph_mention_workspace IF NOT EXISTS FOR (n:Mention) ON (n.workspace)

// entity_workspace: The entities of a workspace.
CYPHER 5
CREATE INDEX filigraph_entity_workspace IF NOT EXISTS FOR (n:__Entity__) ON (n.workspace)

// fact_workspace: The facts of a workspace.
CYPHER 5
CREATE INDEX filigraph_fact_workspace IF NOT EXISTS FOR (n:Fact) ON (n.workspace)

// alias_group_workspace: The alias groups of a workspace.
CYPHER 5
CREATE INDEX filigraph_alias_group_workspace IF NOT EXISTS FOR (n:AliasGroup) ON (n.workspace)

// decision_workspace: The decisions of persons in a workspace.
CYPHER 5
CREATE INDEX filigraph_decision_workspace IF NOT EXISTS FOR (n:Decision) ON (n.workspace)

// mention_lookup: The mentions of a name: `lookup` hashes workspace and key, because a key can be too long for an index.
CYPHER 5
CREATE INDEX filigraph_mention_lookup IF NOT EXISTS FOR (n:Mention) ON (n.lookup)

// document_title: The documents of a title, like `mention_lookup` for names.
CYPHER 5
CREATE INDEX filigraph_document_title IF NOT EXISTS FOR (n:Document) ON (n.title_lookup)

// document_bare_title: The documents of a title without the part in brackets at its end.
CYPHER 5
CREATE INDEX filigraph_document_bare_title IF NOT EXISTS FOR (n:Document) ON (n.bare_lookup)

// chunk_stale: The chunks whose facts are to be derived again. Only those that have the property are in the index.
CYPHER 5
CREATE INDEX filigraph_chunk_stale IF NOT EXISTS FOR (n:Chunk) ON (n.workspace, n.stale)

// mention_touched: The mentions that the next sweep looks at.
CYPHER 5
CREATE INDEX filigraph_mention_touched IF NOT EXISTS FOR (n:Mention) ON (n.workspace, n.touched)

// entity_touched: The entities that the next sweep looks at.
CYPHER 5
CREATE INDEX filigraph_entity_touched IF NOT EXISTS FOR (n:__Entity__) ON (n.workspace, n.touched)

// fact_touched: The facts that the next sweep looks at.
CYPHER 5
CREATE INDEX filigraph_fact_touched IF NOT EXISTS FOR (n:Fact) ON (n.workspace, n.touched)

// trace_expires: The traces by expiry. Their bodies are in no index because they are too long.
CYPHER 5
CREATE INDEX filigraph_trace_expires IF NOT EXISTS FOR (n:Trace) ON (n.expires)

// audit_at: The audit log by time.
CYPHER 5
CREATE INDEX filigraph_audit_at IF NOT EXISTS FOR (n:AuditEntry) ON (n.at)

// extraction_workspace: The extractions that a workspace keeps.
CYPHER 5
CREATE INDEX filigraph_extraction_workspace IF NOT EXISTS FOR (n:Extraction) ON (n.workspace)

// job_state: The jobs of a state.
CYPHER 5
CREATE INDEX filigraph_job_state IF NOT EXISTS FOR (n:Job) ON (n.state)

// batch_workspace: The provider's batches of a workspace.
CYPHER 5
CREATE INDEX filigraph_batch_workspace IF NOT EXISTS FOR (n:ProviderBatch) ON (n.workspace)

// batch_reply_workspace: The replies of a workspace's batches.
CYPHER 5
CREATE INDEX filigraph_batch_reply_workspace IF NOT EXISTS FOR (n:BatchReply) ON (n.workspace)

// job_workspace: The jobs of a workspace.
CYPHER 5
CREATE INDEX filigraph_job_workspace IF NOT EXISTS FOR (n:Job) ON (n.workspace)

// evaluation_workspace: The evaluations of a workspace.
CYPHER 5
CREATE INDEX filigraph_evaluation_workspace IF NOT EXISTS FOR (n:EvaluationRun) ON (n.workspace)

// create_chunk_vectors: The vector index of a workspace's chunks.
CYPHER 5
CREATE VECTOR INDEX <label>_C_vector IF NOT EXISTS FOR (n:<label>_C) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: <dimensions>, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 50}}

// create_entity_vectors: The vector index of a workspace's entities.
CYPHER 5
CREATE VECTOR INDEX <label>_E_vector IF NOT EXISTS FOR (n:<label>_E) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: <dimensions>, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 50}}

// create_fact_vectors: The vector index of a workspace's facts.
CYPHER 5
CREATE VECTOR INDEX <label>_F_vector IF NOT EXISTS FOR (n:<label>_F) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: <dimensions>, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 50}}

// create_chunk_words: The word index of a workspace's chunks, over words we normalized ourselves.
CYPHER 5
CREATE FULLTEXT INDEX <label>_C_words IF NOT EXISTS FOR (n:<label>_C) ON EACH [n.terms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}}

// create_entity_words: The word index of a workspace's entity names, for people and other programs.
CYPHER 5
CREATE FULLTEXT INDEX <label>_E_words IF NOT EXISTS FOR (n:<label>_E) ON EACH [n.name, n.aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding', `fulltext.eventually_consistent`: false}}

// create_summary_vectors: The vector index of a workspace's summaries.
CYPHER 5
CREATE VECTOR INDEX <label>_S_vector IF NOT EXISTS FOR (n:<label>_S) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: <dimensions>, `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 50}}

// drop_summary_vectors: Drop the vector index of a workspace's summaries.
CYPHER 5
DROP INDEX <label>_S_vector IF EXISTS

// drop_chunk_vectors: Drop the vector index of a workspace's chunks.
CYPHER 5
DROP INDEX <label>_C_vector IF EXISTS

// drop_entity_vectors: Drop the vector index of a workspace's entities.
CYPHER 5
DROP INDEX <label>_E_vector IF EXISTS

// drop_fact_vectors: Drop the vector index of a workspace's facts.
CYPHER 5
DROP INDEX <label>_F_vector IF EXISTS

// drop_chunk_words: Drop the word index of a workspace's chunks.
CYPHER 5
DROP INDEX <label>_C_words IF EXISTS

// drop_entity_words: Drop the word index of a workspace's entity names.
CYPHER 5
DROP INDEX <label>_E_words IF EXISTS
