"""Commands that read the graph, and those that correct it."""
