"""Ingest: bytes to chunks, and what each chunk states."""
