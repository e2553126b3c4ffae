"""What an LLM reads beside each passage: casts, contradictions, lists. A run is one file, its steps are a folder."""
