"""Transfer: export and import of workspaces, tables for other programs, change of embedder."""
