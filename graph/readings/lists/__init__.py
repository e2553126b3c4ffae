"""Lists as an LLM reads them: batches of passages, and the items that it finds in them."""
