"""Rules that propose which names are one: alike, or a short form of the other."""
