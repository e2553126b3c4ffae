"""A workspace in memory: mentions, the read data, maps that share pages, adjacency lists."""
