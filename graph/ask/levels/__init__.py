"""Levels: what a question gets of the summaries, within its budget."""
