"""An upload of texts with names that are nearly alike."""

from __future__ import annotations

import json

from tests.runs.two_delmas import TEXTS, TRIPLES

FILES = [
    *(("files", (name, text.encode())) for name, text in TEXTS.items()),
    (
        "triples",
        ("t", "\n".join(json.dumps({"source": name, "triples": rows}) for name, rows in TRIPLES.items()).encode()),
    ),
]
