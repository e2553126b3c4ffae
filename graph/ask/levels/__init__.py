"""Levels: the summaries that a question gets, within its budget."""
