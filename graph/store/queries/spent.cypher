// spend_tokens: Add to the tokens that a workspace used on a day, and return their sum; deletes other days.
CYPHER 5
MERGE (s:TokensSpent {id: $workspace})
ON CREATE SET s.day = $day, s.tokens = 0
SET s.tokens = CASE s.day WHEN $day THEN s.tokens + $tokens ELSE $tokens END, s.day = $day
RETURN s.tokens AS tokens

// note_usage: Add to the total tokens that an LLM read and wrote for a workspace.
CYPHER 5
MATCH (w:Workspace {name: $workspace})
MERGE (s:TokensSpent {id: w.name})
ON CREATE SET s.day = '', s.tokens = 0
SET s.calls = coalesce(s.calls, 0) + $calls, s.tokens_in = coalesce(s.tokens_in, 0) + $tokens_in,
  s.tokens_out = coalesce(s.tokens_out, 0) + $tokens_out

// usage: The tokens that an LLM read and wrote for a workspace, in total and on a day.
CYPHER 5
MATCH (s:TokensSpent {id: $workspace})
RETURN coalesce(s.calls, 0) AS calls, coalesce(s.tokens_in, 0) AS tokens_in, coalesce(s.tokens_out, 0) AS tokens_out,
  CASE s.day WHEN $day THEN s.tokens ELSE 0 END AS today
