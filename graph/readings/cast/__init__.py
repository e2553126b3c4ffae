"""The cast of a document, according to an LLM, from the names and some extracts: who is who, and who is not."""
