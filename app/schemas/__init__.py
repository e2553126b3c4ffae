"""Schemas: what REST takes and returns, as the server and the Python client know it."""
