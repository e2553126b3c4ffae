"""Passages, places of a phrase, and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from filigraph.app.mcp.results.common import FACTS_COMPARED, JSON, LONGEST_SENTENCE, shorten


def places(data: Mapping[str, Any]) -> JSON:
    fields = ("text", "source", "place", "document_id", "chunk_id")
    rows = [{name: row[name] for name in fields} for row in data["places"]]
    return {"total": data["total"], "documents": data["documents"], "places": rows}


def passages(data: Mapping[str, Any]) -> JSON:
    """Passages with the sentences that contain the names, or state the fact."""
    return {"total": data["total"], "documents": data["documents"], "passages": _passages(data["passages"])}


def _passages(rows: Sequence[Mapping[str, Any]]) -> list[JSON]:
    return [
        {name: row[name] for name in ("source", "date", "document_id", "chunk_id")}
        | {"place": row["sentences"][0]["place"] if row["sentences"] else ""}
        | {"sentences": [shorten(sentence["text"], LONGEST_SENTENCE) for sentence in row["sentences"][:FACTS_COMPARED]]}
        for row in rows
    ]


def search_hits(data: Mapping[str, Any]) -> JSON:
    """The current results of a saved search."""
    return {name: data[name] for name in ("since", "total", "new", "gone")} | {"passages": _passages(data["passages"])}


def items(data: Mapping[str, Any]) -> JSON:
    """A list, and its conditions."""
    fields = ("date", "sentence", "caption", "source", "place", "document_id", "chunk_id")
    rows = [
        ({"item": shorten(row["item"], LONGEST_SENTENCE)} if row["item"] != row["sentence"] else {})
        | {name: shorten(row[name], LONGEST_SENTENCE) for name in fields if row[name]}
        | {"quantities": [f"{quantity['value']:.12g} {quantity['unit']}" for quantity in row["quantities"]]}
        | ({"also": [f"{place['source']}, {place['place']}" for place in row["also"]]} if row["also"] else {})
        for row in data["items"]
    ]
    by = f"; {data['read']} read by {', '.join(data['models'])}" if data["calls"] else ""
    looked_at = f"{data['passages']} of {data['of_passages']} passages{by}; may be incomplete"
    summary = {name: data[name] for name in ("total", "sums", "understood")}
    return summary | {"looked_at": looked_at, "items": rows}
