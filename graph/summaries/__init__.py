"""Summaries: the content of a long text, in levels."""
