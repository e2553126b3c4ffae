"""The patterns of the local extractor for parsed sentences: `french.py`, `english.py`, and what both share."""
