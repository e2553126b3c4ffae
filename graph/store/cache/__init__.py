"""What a server caches of a workspace between two questions or derivations."""
