"""Corrections by a person, of names and of predicates."""
