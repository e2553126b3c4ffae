"""Transfer: a workspace to a file and back, tables for other programs, another embedder."""
