"""Schemas of readings and corrections of the graph."""
