"""Verbs and predicates in one form."""
