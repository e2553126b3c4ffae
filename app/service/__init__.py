"""The service: what the server can do, without HTTP."""
