"""Persons, families and dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from filigraph.app.mcp.results.common import (
    ALIASES,
    JSON,
    LONGEST_SENTENCE,
    RELATIONS_COMPARED,
    fact_text,
    own_mark,
    shorten,
)

FAMILY = 30  # members of a family, and ties


def cast(data: Mapping[str, Any]) -> JSON:
    """Persons of a text."""
    return {"total": data["total"], "members": [_member(row) for row in data["members"]]}


def _member(row: Mapping[str, Any]) -> JSON:
    first, described = row["first"], row["description"]
    shown: JSON = {name: row[name] for name in ("id", "name", "passages")} | {"names": row["names"][:ALIASES]}
    shown["first"] = {"sentence": shorten(first["sentence"], LONGEST_SENTENCE)}
    shown["first"] |= {name: first[name] for name in ("source", "place", "document_id", "chunk_id")}
    shown["with"] = [
        f"{other['name']} ({other['passages']} passages, {other['facts']} facts)" for other in row["connections"]
    ]
    if described:
        shown["is"] = f"{described['predicate']} {described['object']}{own_mark(described['own'])}"
    return shown


def families(data: Mapping[str, Any]) -> JSON:
    """Families: members by generation, and ties."""
    return {
        "total": data["total"],
        "families": [
            {"members": family["members"][:FAMILY], "ties": [_tie(row) for row in family["ties"][:FAMILY]]}
            for family in data["families"]
        ],
        "alleged": [_fact_with_sentence(row) for row in data["alleged"][:RELATIONS_COMPARED]],
    }


def _tie(row: Mapping[str, Any]) -> JSON:
    shown: JSON = {"tie": f"{row['first']} – {row['kind']} – {row['other']}", **_fact_with_sentence(row["facts"][0])}
    return shown | {name: True for name in ("open", "denied") if row[name]}


def _fact_with_sentence(fact: Mapping[str, Any]) -> JSON:
    words = fact_text(fact)
    return {"fact": words, "sentence": shorten(fact["sentence"], LONGEST_SENTENCE), "chunk_id": fact["chunk_id"]}


def timeline(data: Mapping[str, Any]) -> JSON:
    """Dated facts and documents."""
    fields = ("date", "source", "place", "document_id", "chunk_id")
    facts = [
        {name: row[name] for name in fields}
        | {"fact": fact_text(row)}
        | {"sentence": shorten(row["sentence"], LONGEST_SENTENCE)}
        for row in data["facts"]
    ]
    counts = {name: data[name] for name in ("total", "undated", "left_out")}
    return counts | {"facts": facts, "documents": data["documents"]}
