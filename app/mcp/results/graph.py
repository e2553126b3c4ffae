"""Entities, their facts and connections; comparisons and contradictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from filigraph.app.mcp.results.common import (
    ALIASES,
    FACTS_COMPARED,
    JSON,
    LONGEST_SENTENCE,
    RELATIONS_COMPARED,
    STATEMENTS,
    VERDICTS,
    citation,
    fact_text,
    more_statements,
    shorten,
    statement_of_side,
)


def entities(data: Mapping[str, Any]) -> JSON:
    fields = ("id", "name", "type", "chunks", "facts")
    rows = [{name: row[name] for name in fields} | {"aliases": row["aliases"][:ALIASES]} for row in data["entities"]]
    return {"total": data["total"], "entities": rows}


def entity(data: Mapping[str, Any], first: int, count: int) -> JSON:
    """An entity and some of its facts, each with its first sentence."""
    details = data["entity"]
    facts = [
        {
            "fact": fact_text(fact),
            "fact_id": fact["fact_id"],
            "subject_id": fact["subject_id"],
            "object_id": fact["object_id"],
            "said": fact["weight"],
            **citation(fact["sentences"][0]),
        }
        for fact in details["facts"][first : first + count]
    ]
    about = {name: details[name] for name in ("id", "name", "type", "mentions", "chunks")}
    total = len(details["facts"])
    return about | {"aliases": details["aliases"][:ALIASES], "facts": facts, "facts_total": total}


def connections(data: Mapping[str, Any]) -> JSON:
    """How two names are connected: chains of facts from one to the other, and the hubs that they pass. Steps that are
    not facts are marked.
    """
    paths = [
        [
            {
                "fact": fact_text(fact),
                "subject_id": fact["subject_id"],
                "object_id": fact["object_id"],
                **citation(fact),
                **({"only_near": True} if fact["only_near"] else {}),
            }
            for fact in path["facts"]
        ]
        for path in data["paths"]
    ]
    alike = [f"{pair['first']} may be {pair['other']}" for path in data["paths"] for pair in path["alike"]]
    return {"verdict": data["verdict"], "hubs": data["hubs"], "paths": paths, "alike": alike}


def comparison(data: Mapping[str, Any]) -> JSON:
    """Entities side by side, facts in short."""
    entity_names = [row["name"] for row in data["entities"]]
    names = [
        f"{row['name']} ({row['id']})" if entity_names.count(row["name"]) > 1 else row["name"]
        for row in data["entities"]
    ]

    def by_name(sides: Sequence[Sequence[Mapping[str, Any]]], most: int) -> JSON:
        return {
            name: [fact_text(fact) for fact in facts[:most]] for name, facts in zip(names, sides, strict=True) if facts
        }

    return {
        "entities": [
            {name: row[name] for name in ("id", "name", "type", "chunks")}
            | {"named_first": [citation(place) for place in row["first"][:1]]}
            for row in data["entities"]
        ],
        "facts_by_predicate": {
            row["predicate"]: by_name(row["facts"], FACTS_COMPARED) for row in data["relations"][:RELATIONS_COMPARED]
        },
        "shared": [{"with": row["name"], **by_name(row["facts"], 2)} for row in data["shared"][:RELATIONS_COMPARED]],
        "pairs": [
            {
                "names": [names[pair["first"]], names[pair["other"]]],
                "between": [{"fact": fact_text(fact), **citation(fact)} for fact in pair["between"]],
                "passages_with_both": pair["passages"],
                "sentences_with_both": [
                    shorten(sentence["text"], LONGEST_SENTENCE)
                    for row in pair["together"]
                    for sentence in row["sentences"]
                ],
            }
            for pair in data["pairs"]
        ],
    }


def contradictions(data: Mapping[str, Any]) -> JSON:
    """Matters in which statements may disagree."""
    rows = []
    for row in data["matters"]:
        lead, asked = row["pairs"][0], [statement["asked"] for statement in row["statements"]]
        rows.append(
            {
                "about": shorten(row["about"], LONGEST_SENTENCE),
                "kind": lead["kind"],
                "verdict": VERDICTS[lead["verdict"]],
                "what": shorten(lead["what"], LONGEST_SENTENCE),
                "read_by": lead["model"],
                "statements": [statement_of_side(statement) for statement in row["statements"][:STATEMENTS]],
                **more_statements(len(row["statements"]) - STATEMENTS),
                **({} if all(asked) else {"asked_for": f"{sum(asked)} of {len(asked)} statements, these first"}),
            }
        )
    return {"total": data["total"], "may_disagree": rows}


def changes(data: Mapping[str, Any]) -> JSON:
    """How one graph differs from another."""
    facts = {
        name: [{"fact": fact_text(row), **citation(row)} for row in data[name]] for name in ("facts_came", "facts_gone")
    }
    return {**data, **facts}
