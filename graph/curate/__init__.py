"""Curate: corrections by a person, of names and of predicates."""
