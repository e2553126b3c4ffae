"""A workspace in memory: mentions, what was read, maps that share pages, adjacency lists."""
