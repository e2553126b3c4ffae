"""Family trees (GEDCOM)."""
