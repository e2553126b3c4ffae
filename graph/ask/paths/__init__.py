"""Paths: chains of facts, the choice of those that answer, and their wording."""
