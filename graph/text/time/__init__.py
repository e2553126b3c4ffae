"""Dates, hours and periods in texts."""
