"""Schemas: requests and responses of REST, as the server and the Python client know them."""
