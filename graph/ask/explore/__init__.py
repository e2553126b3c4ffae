"""Explore: the searches of a question side by side, and the walk from what they find; all of it as arrays."""
