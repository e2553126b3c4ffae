"""Explore: the concurrent searches of a question, and the walk from their results; all data are arrays."""
