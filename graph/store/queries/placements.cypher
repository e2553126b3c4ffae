// shard_of: The shard that holds a workspace; no row: the home database does.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
RETURN p.shard AS shard

// placements: The shard of each workspace that was ever placed.
CYPHER 5
MATCH (p:WorkspacePlacement)
RETURN p.id AS workspace, p.shard AS shard, p.leaving AS leaving
ORDER BY workspace

// place_workspace: Note the shard of a workspace, and the one that still holds a copy of it, if any.
CYPHER 5
MERGE (p:WorkspacePlacement {id: $workspace})
SET p.shard = $shard, p.leaving = $leaving

// copy_left: The copy of a workspace is gone from the shard that it left.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
REMOVE p.leaving

// forget_placement: A workspace is gone.
CYPHER 5
MATCH (p:WorkspacePlacement {id: $workspace})
USING INDEX p:WorkspacePlacement(id)
DELETE p
