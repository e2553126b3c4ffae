"""Texts about namesakes and names that are nearly alike, with their facts."""

from __future__ import annotations

TEXTS = {
    "letter.txt": "Jules Delmas came to dinner. Delmas wears a heavy ring.",
    "report.txt": "Paul Delmas is a baker in Lyon. The baker of Lyon owes money.",
    "diary.txt": "Jean Delmas sings. Delmas sings at night.\n\nThe other Delmas is a thief. That Delmas stole a ring.",
    "cutting.txt": "Jules Delmas was seen in Lyon. The Claw is a gang. Nobody saw The Claw. Nantes Gazette.",
    "note.txt": "Jules Delmass was seen in Lyon. La Griffe is a gang, say the Nantes Gazettes.",
}

TRIPLES = {
    "letter.txt": [("Jules Delmas", "came to", "dinner"), ("Delmas", "wears", "heavy ring")],
    "report.txt": [("Paul Delmas", "is", "baker"), ("baker of Lyon", "owes", "money")],
    "diary.txt": [("Jean Delmas", "is", "singer"), ("Delmas", "sings at", "night"), ("Delmas", "stole", "ring")],
    "cutting.txt": [
        ("Jules Delmas", "was seen in", "Lyon"),
        ("The Claw", "is", "gang"),
        ("Nantes Gazette", "is", "gang"),
    ],
    "note.txt": [
        ("Jules Delmass", "was seen in", "Lyon"),
        ("La Griffe", "is", "gang"),
        ("Nantes Gazettes", "is", "gang"),
    ],
}
