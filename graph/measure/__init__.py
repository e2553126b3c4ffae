"""Evaluate retrieval methods on questions with known answers."""
