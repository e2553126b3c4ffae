// spend_tokens: Add to what a workspace used of a day's tokens, and say how much that is; other days are forgotten.
CYPHER 5
MERGE (s:TokensSpent {id: $workspace})
ON CREATE SET s.day = $day, s.tokens = 0
SET s.tokens = CASE s.day WHEN $day THEN s.tokens + $tokens ELSE $tokens END, s.day = $day
RETURN s.tokens AS tokens
