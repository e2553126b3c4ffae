"""Dates, hours and periods that a text names."""
