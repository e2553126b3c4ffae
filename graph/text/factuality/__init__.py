"""Factuality: whether a text asserts, denies or doubts a clause, or reports that somebody says it."""
