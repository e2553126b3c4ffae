"""Rules that propose which names are one: similar names, and short forms."""
