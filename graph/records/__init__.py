"""Rows that the store reads and writes, beside those of `graph/model/`: frozen, keyword-only, plain."""
