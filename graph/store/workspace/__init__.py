"""The parts of `Graph`: reads and writes of one workspace."""
