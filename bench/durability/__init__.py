"""Whether histories, kills and restarts change the graph: python -m bench.durability.NAME."""
