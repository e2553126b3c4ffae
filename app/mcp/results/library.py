"""Documents, their texts, jobs and news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from filigraph.app.mcp.results.common import JSON, LONGEST_TEXT, shorten
from filigraph.app.mcp.results.graph import changes, contradictions


def documents(data: Mapping[str, Any]) -> JSON:
    fields = ("id", "source", "title", "language", "chunks", "facts", "status")
    return {
        "total": data["total"],
        "documents": [{name: row[name] for name in fields} for row in data["documents"]],
    }


def pieces(data: Mapping[str, Any]) -> JSON:
    """A part of a document, and where to continue."""
    shown = [
        {
            "chunk_id": piece["id"],
            "index": piece["index"],
            "place": piece["place"],
            "text": shorten(piece["text"], LONGEST_TEXT),
        }
        for piece in data["pieces"]
    ]
    after = shown[-1]["index"] + 1 if shown else 0
    return {
        "document_id": data["id"],
        "title": data["title"],
        "source": data["source"],
        "pieces": shown,
        "chunks": data["chunks"],
        "next": after if 0 < after < data["chunks"] else None,
    }


def job(data: Mapping[str, Any]) -> JSON:
    fields = ("id", "workspace", "kind", "state", "items", "failed")
    progress = data["progress"] or {}
    report = data["report"] or {}
    shown: JSON = {name: data[name] for name in fields}
    shown |= {name: progress[name] for name in ("stage", "chunks", "chunks_total", "facts") if name in progress}
    shown |= {name: report[name] for name in ("added", "updated", "unchanged", "skipped") if report.get(name)}
    return shown | ({"error": data["error"]} if data["error"] else {})


def news(data: Mapping[str, Any]) -> JSON:
    """The changes by the newest documents."""
    documents = [row["source"] for row in data["documents"]]
    result: JSON = {"since": data["since"], "total": data["total"], "documents": documents}
    if not data["changes"]:
        return result
    matters = contradictions({"total": data["contradictions_total"], "matters": data["contradictions"]})
    return {**result, **changes(data["changes"]), "contradictions": matters}
