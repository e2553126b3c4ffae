"""Ask: from a question to evidence, paths and an answer."""
