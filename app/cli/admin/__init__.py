"""Commands for the server, its database, keys and settings."""
