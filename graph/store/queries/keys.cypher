// lock_keys: Make all other changes of keys wait until this transaction ends.
CYPHER 5
MERGE (s:FiligraphSchema {id: 'schema'})
SET s.keys_changed = datetime()

// access_keys: Every key: its permissions, and the hash of its secret.
CYPHER 5
MATCH (k:AccessKey)
RETURN k.id AS name, k.digest AS digest, k.scope AS scope, k.workspace AS workspace, k.made AS made,
  coalesce(k.view, '') AS view
ORDER BY name

// add_access_key: Store a new key.
CYPHER 5
CREATE (k:AccessKey {id: $name})
SET k.digest = $digest, k.scope = $scope, k.workspace = $workspace, k.view = $view, k.made = $at

// rotate_access_key: Give a key another secret.
CYPHER 5
MATCH (k:AccessKey {id: $name})
SET k.digest = $digest, k.made = $at

// revoke_access_key: Delete a key.
CYPHER 5
MATCH (k:AccessKey {id: $name})
DELETE k
