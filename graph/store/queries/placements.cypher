// shard_of: The shard that has a workspace; no row if the home database has it.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
RETURN p.shard AS shard

// placements: The shard of each workspace that was ever placed.
CYPHER 5
MATCH (p:WorkspacePlacement)
RETURN p.id AS workspace, p.shard AS shard, p.leaving AS leaving
ORDER BY workspace

// place_workspace: Store the shard of a workspace, and the one that still has a copy of it, if any.
CYPHER 5
MERGE (p:WorkspacePlacement {id: $workspace})
SET p.shard = $shard, p.leaving = $leaving

// copy_left: Record that the former shard of a workspace no longer has a copy.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
REMOVE p.leaving

// forget_placement: Delete the placement of a deleted workspace.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
DELETE p
