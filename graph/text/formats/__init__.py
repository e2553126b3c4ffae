"""Formats inside texts: rows and cells, JSON, YAML, the heads and quotations of mails."""
