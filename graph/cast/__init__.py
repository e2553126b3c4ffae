"""The cast of a document, as an LLM tells it from the names and some extracts: who is who, and who is not."""
