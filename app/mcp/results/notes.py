"""Notes of persons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from filigraph.app.mcp.results.common import JSON, LONGEST_SENTENCE, shorten


def notes(data: Mapping[str, Any]) -> JSON:
    return {"total": data["total"], "tags": data["tags"], "notes": [note(row) for row in data["notes"]]}


def note(row: Mapping[str, Any]) -> JSON:
    """A note with its place."""
    fields = (
        *("id", "kind", "text", "tags", "starred", "by", "changed", "lost", "entity", "predicate", "other"),
        *("source", "place", "document_id", "chunk_id", "question"),
    )
    values = {name: row[name] for name in fields if row[name]}
    return values | {"sentence": shorten(row["sentence"], LONGEST_SENTENCE)}
