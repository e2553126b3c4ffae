// spend_tokens: Add to what a workspace used of a day's tokens, and say how much that is; other days are forgotten.
CYPHER 5
MERGE (s:TokensSpent {id: $workspace})
ON CREATE SET s.day = $day, s.tokens = 0
SET s.tokens = CASE s.day WHEN $day THEN s.tokens + $tokens ELSE $tokens END, s.day = $day
RETURN s.tokens AS tokens

// note_usage: Add to all that a workspace had an LLM read and write.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
MERGE (s:TokensSpent {id: w.name})
ON CREATE SET s.day = '', s.tokens = 0
SET s.calls = coalesce(s.calls, 0) + $calls, s.tokens_in = coalesce(s.tokens_in, 0) + $tokens_in,
  s.tokens_out = coalesce(s.tokens_out, 0) + $tokens_out

// usage: What a workspace had an LLM read and write, in all and on a day.
CYPHER 5
MATCH (s:TokensSpent {id: $workspace})
RETURN coalesce(s.calls, 0) AS calls, coalesce(s.tokens_in, 0) AS tokens_in, coalesce(s.tokens_out, 0) AS tokens_out,
  CASE s.day WHEN $day THEN s.tokens ELSE 0 END AS today
