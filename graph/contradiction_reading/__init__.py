"""Contradictions as an LLM reads them: batches of passages about the same things, and what it says of them."""
