"""Processes: the server in the background, the offline bundle."""
