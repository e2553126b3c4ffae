// workspaces: Every workspace, or the one of a name.
CYPHER 5
MATCH (w:Workspace)
WHERE w.deleting IS NULL AND w.filling IS NULL AND ($name IS NULL OR w.name = $name)
RETURN w {.name, .id, .label, .fingerprint, .dimensions, .settings, .embedder, .swapping, .ready} AS workspace
ORDER BY w.name

// workspace_record: The record of a workspace, even of one that is being deleted or filled.
CYPHER 5
MATCH (w:Workspace {name: $name})
RETURN w {.name, .id, .label, .fingerprint, .dimensions, .settings, .embedder, .swapping, .ready, .deleting, .filling}
  AS workspace

// create_workspace: Create the record of a workspace, or find it.
CYPHER 5
MERGE (w:Workspace {name: $name})
ON CREATE SET w.id = $id, w.label = $label, w.fingerprint = $fingerprint, w.dimensions = $dimensions, w.settings = '{}',
  w.embedder = $embedder, w.revision = randomUUID()
RETURN w {.name, .id, .label, .fingerprint, .dimensions, .settings, .embedder, .swapping, .ready, .deleting, .filling}
  AS workspace

// unfinished_workspaces: The workspaces that are being deleted or filled, or whose deletion or import was cut short.
CYPHER 5
MATCH (w:Workspace)
WHERE w.deleting IS NOT NULL OR w.filling IS NOT NULL
RETURN w.name AS name
ORDER BY name

// workspace_ready: Record that the indexes of a workspace exist.
CYPHER 5
MATCH (w:Workspace {name: $name})
SET w.ready = true

// workspace_filling: Hide a workspace that is being filled: a new one, or an existing empty one.
CYPHER 5
MATCH (w:Workspace {name: $name})
SET w.filling = $filling

// workspace_filled: Show a workspace as it is now: filled, or, if that failed, as it was before.
CYPHER 5
MATCH (w:Workspace {name: $name})
SET w.settings = coalesce($settings, w.settings)
REMOVE w.filling

// workspace_deleting: Hide a workspace that is being deleted.
CYPHER 5
MATCH (w:Workspace {name: $name})
SET w.deleting = true
REMOVE w.ready

// forget_workspace: Delete the record of a workspace, as the last step of its deletion.
CYPHER 5
MATCH (w:Workspace {name: $name})
DELETE w

// delete_summaries_batch: Delete some of a workspace's summaries.
CYPHER 5
MATCH (n:Summary {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_contradiction_readings_batch: Delete some of a workspace's replies about contradictions.
CYPHER 5
MATCH (n:ContradictionReading {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_list_readings_batch: Delete some of what an LLM read for a workspace's lists.
CYPHER 5
MATCH (n:ListReading {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_cast_links_batch: Delete some of a workspace's links across documents.
CYPHER 5
MATCH (n:CastLink {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_field_values_batch: Delete some of the values of a workspace's forms.
CYPHER 5
MATCH (n:FieldValue {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_form_fills_batch: Delete some of the fills of a workspace's forms.
CYPHER 5
MATCH (n:FormFill {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_forms_batch: Delete some of a workspace's forms.
CYPHER 5
MATCH (n:Form {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_facts_batch: Delete some of a workspace's facts.
CYPHER 5
MATCH (n:Fact {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_entities_batch: Delete some of a workspace's entities.
CYPHER 5
MATCH (n:__Entity__ {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_mentions_batch: Delete some of a workspace's mentions.
CYPHER 5
MATCH (n:Mention {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_chunks_batch: Delete some of a workspace's chunks.
CYPHER 5
MATCH (n:Chunk {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_documents_batch: Delete some of a workspace's documents.
CYPHER 5
MATCH (n:Document {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_alias_groups_batch: Delete some of a workspace's alias groups.
CYPHER 5
MATCH (n:AliasGroup {workspace: $workspace})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted

// delete_decisions_batch: Delete some of the decisions of persons in a workspace.
CYPHER 5
MATCH (n:Decision {workspace: $workspace})
WITH n LIMIT $limit
DELETE n
RETURN count(*) AS deleted

// delete_traces_batch: Delete some of a workspace's traces.
CYPHER 5
MATCH (n:Trace {workspace: $workspace})
WITH n LIMIT $limit
DELETE n
RETURN count(*) AS deleted

// lock_registry: Allow only one writer at a time to add tokens.
CYPHER 5
MATCH (s:FiligraphSchema {id: 'schema'})
SET s.registering = randomUUID()

// tokens: The labels or relationship types that models have added.
CYPHER 5
MATCH (t:FiligraphToken {kind: $kind})
RETURN collect(t.name) AS names

// add_tokens: Register labels or relationship types.
CYPHER 5
UNWIND $names AS name
MERGE (t:FiligraphToken {id: $kind + ':' + name})
SET t.kind = $kind, t.name = name
