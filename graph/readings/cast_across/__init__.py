"""Who is who across documents, according to an LLM: groups of documents, and its replies."""
