"""The tasks that read the graph of a workspace, or of a view of it, and those that correct it."""
