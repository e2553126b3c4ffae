"""Jobs: requested, coordinated, run."""
