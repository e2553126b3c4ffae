"""Processes: the server in the background, its client, the offline bundle."""
