"""What the local extractor looks for in a parsed sentence: `french.py`, `english.py`, and what both share."""
