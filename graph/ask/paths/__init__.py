"""Paths: chains of facts, which of them answer, and how they read."""
