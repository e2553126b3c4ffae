"""Caches of a workspace in a server, between two questions or derivations."""
