"""Contradictions found by an LLM: batches of passages about the same things, and its replies."""
