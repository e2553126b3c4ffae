"""Schemas of what is read from the graph, and of what corrects it."""
