"""Data of the whole database: jobs, keys, audit log, traces, locks, placements."""
