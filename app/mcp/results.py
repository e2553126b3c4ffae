"""The results of the REST API in a form for agents: short enough for their context, with ids for further requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

JSON = dict[str, Any]

LONGEST_TEXT = 8_000  # characters of an answer, or of a piece of a document
LONGEST_EXTRACT = 800
LONGEST_SENTENCE = 240  # of a field: a form has many
RELATIONS_COMPARED, FACTS_COMPARED = 20, 5
ALIASES = 8
STATEMENTS = 4  # of a matter
FAMILY = 30  # members of a family, and ties
LISTS = (
    "The question asks for a list or a number: the tool `items`, with the question as its text, lists and counts them."
)
CITES = "Not found in the texts: it cites this passage, which does not say it in one sentence."


def answer(data: Mapping[str, Any]) -> JSON:
    """An answer, its paths, and the places of its citations."""
    return {
        "answer": _shortened(data["text"], LONGEST_TEXT),
        "generated": data["generated"],
        "answered": data["answered"],
        "missing": data["missing"],
        "ended": data.get("ended", ""),
        "looked_for": [look["text"] for reading in data.get("rounds", []) for look in reading["looks"]],
        "remark": data.get("remark", ""),
        "unsupported": [part["text"] for part in data["unsupported"]],
        "paths": _paths(data["paths"], data["citations"]),
        "citations": [_place(number, item) for number, item in enumerate(data["citations"], start=1)],
        "trace_id": data["trace"]["id"],
        **({"list": LISTS} if data.get("asks_for_list") else {}),
        **_contradicted(data.get("contradictions")),
        **_without(data.get("difference")),
    }


def _contradicted(pairs: Sequence[Mapping[str, Any]] | None) -> JSON:
    """Statements of other voices against sentences of the paths."""
    rows = [
        {
            "kind": pair["kind"],
            "verdict": VERDICTS[pair["verdict"]],
            "what": _shortened(pair["what"], LONGEST_SENTENCE),
            "about": _shortened(pair.get("about", ""), LONGEST_SENTENCE),
            **{end: _statement(pair[end]) for end in ("said", "against")},
            "further": [_of_side(said) for said in pair.get("further", ())[: STATEMENTS - 2]],
            **_left(len(pair.get("further", ())) - (STATEMENTS - 2)),
        }
        for pair in pairs or ()
    ]
    return {"contradictions": rows} if rows else {}


def _statement(statement: Mapping[str, Any]) -> JSON:
    fields = ("voice", "sentence", "source", "place", "date", "document_id", "chunk_id")
    return {name: _shortened(statement[name], LONGEST_SENTENCE) for name in fields}


def _left(count: int) -> JSON:
    """How many statements of a matter are not shown."""
    return {"more_statements": count} if count > 0 else {}


def _of_side(statement: Mapping[str, Any]) -> JSON:
    return {"side": statement["side"], **_statement(statement)}


def _without(difference: Mapping[str, Any] | None) -> JSON:
    """The differences without the omitted documents."""
    if not difference:
        return {}
    path, becomes = difference["path"], difference["becomes"]
    lost = list(dict.fromkeys(item["source"] for item in difference["lost"]))
    changes: JSON = {"path_before": path and path["text"], "breaks": difference["breaks"]}
    return {"without": changes | {"path_now": becomes and becomes["text"], "evidence_lost_in": lost}}


def retrieved(data: Mapping[str, Any]) -> JSON:
    """Extracts, best first, and their paths."""
    extracts = [
        _place(number, item)
        | {"text": _shortened(item["text"], LONGEST_EXTRACT), "kept_by": item["kept_by"]}
        | ({} if item["cosine"] is None else {"cosine": round(item["cosine"], 3)})
        for number, item in enumerate(data["evidence"], start=1)
    ]
    return {
        "remark": data.get("remark", ""),
        "paths": _paths(data["paths"], data["evidence"]),
        "extracts": extracts,
        "trace_id": data["trace"]["id"],
    }


def form(data: Mapping[str, Any]) -> JSON:
    """The fields of a form, each with its values and its best sentence."""
    fields = [
        {
            **{name: row[name] for name in ("id", "question", "type", "state", "values", "normalized", "note")},
            "evidence": [
                {"sentence": _shortened(place["text"], LONGEST_SENTENCE), "source": place["source"]}
                | {name: place[name] for name in ("place", "document_id", "chunk_id")}
                for place in row["evidence"][:1]
            ],
        }
        for row in data["fields"]
    ]
    return {"form": data["name"], "title": data["title"], "about": data["about"], "fields": fields}


def entities(data: Mapping[str, Any]) -> JSON:
    """Entities by name."""
    fields = ("id", "name", "type", "chunks", "facts")
    rows = [{name: row[name] for name in fields} | {"aliases": row["aliases"][:ALIASES]} for row in data["entities"]]
    return {"total": data["total"], "entities": rows}


def entity(data: Mapping[str, Any], first: int, count: int) -> JSON:
    """An entity and some of its facts, each with its first sentence."""
    details = data["entity"]
    facts = [
        {
            "fact": f"{fact['subject']} {fact['predicate']} {fact['object']}",
            "fact_id": fact["fact_id"],
            "subject_id": fact["subject_id"],
            "object_id": fact["object_id"],
            "said": fact["weight"],
            **_citation(fact["sentences"][0]),
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
                "fact": f"{fact['subject']} {fact['predicate']} {fact['object']}",
                "subject_id": fact["subject_id"],
                "object_id": fact["object_id"],
                **_citation(fact),
                **({"only_near": True} if fact["only_near"] else {}),
            }
            for fact in path["facts"]
        ]
        for path in data["paths"]
    ]
    alike = [f"{pair['first']} may be {pair['other']}" for path in data["paths"] for pair in path["alike"]]
    return {"verdict": data["verdict"], "hubs": data["hubs"], "paths": paths, "alike": alike}


def places(data: Mapping[str, Any]) -> JSON:
    """Places of a phrase."""
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
        | {
            "sentences": [
                _shortened(sentence["text"], LONGEST_SENTENCE) for sentence in row["sentences"][:FACTS_COMPARED]
            ]
        }
        for row in rows
    ]


def search_hits(data: Mapping[str, Any]) -> JSON:
    """The current results of a saved search."""
    return {name: data[name] for name in ("since", "total", "new", "gone")} | {"passages": _passages(data["passages"])}


def comparison(data: Mapping[str, Any]) -> JSON:
    """Entities side by side, facts in short."""
    entity_names = [row["name"] for row in data["entities"]]
    names = [
        f"{row['name']} ({row['id']})" if entity_names.count(row["name"]) > 1 else row["name"]
        for row in data["entities"]
    ]

    def by_name(sides: Sequence[Sequence[Mapping[str, Any]]], most: int) -> JSON:
        return {name: [_ends(fact) for fact in facts[:most]] for name, facts in zip(names, sides, strict=True) if facts}

    return {
        "entities": [
            {name: row[name] for name in ("id", "name", "type", "chunks")}
            | {"named_first": [_citation(place) for place in row["first"][:1]]}
            for row in data["entities"]
        ],
        "facts_by_predicate": {
            row["predicate"]: by_name(row["facts"], FACTS_COMPARED) for row in data["relations"][:RELATIONS_COMPARED]
        },
        "shared": [{"with": row["name"], **by_name(row["facts"], 2)} for row in data["shared"][:RELATIONS_COMPARED]],
        "pairs": [
            {
                "names": [names[pair["first"]], names[pair["other"]]],
                "between": [{"fact": _ends(fact), **_citation(fact)} for fact in pair["between"]],
                "passages_with_both": pair["passages"],
                "sentences_with_both": [
                    _shortened(sentence["text"], LONGEST_SENTENCE)
                    for row in pair["together"]
                    for sentence in row["sentences"]
                ],
            }
            for pair in data["pairs"]
        ],
    }


def _ends(fact: Mapping[str, Any]) -> str:
    return f"{fact['subject']} {fact['predicate']} {fact['object']}"


VERDICTS = {"": "may disagree", "contradiction": "contradiction", "not": "not one", "unsure": "cannot tell"}


def contradictions(data: Mapping[str, Any]) -> JSON:
    """Matters in which statements may disagree."""
    rows = []
    for row in data["matters"]:
        lead, asked = row["pairs"][0], [said["asked"] for said in row["statements"]]
        rows.append(
            {
                "about": _shortened(row["about"], LONGEST_SENTENCE),
                "kind": lead["kind"],
                "verdict": VERDICTS[lead["verdict"]],
                "what": _shortened(lead["what"], LONGEST_SENTENCE),
                "read_by": lead["model"],
                "statements": [_of_side(said) for said in row["statements"][:STATEMENTS]],
                **_left(len(row["statements"]) - STATEMENTS),
                **({} if all(asked) else {"asked_for": f"{sum(asked)} of {len(asked)} statements, these first"}),
            }
        )
    return {"total": data["total"], "may_disagree": rows}


def news(data: Mapping[str, Any]) -> JSON:
    """The changes by the newest documents."""
    documents = [row["source"] for row in data["documents"]]
    result: JSON = {"since": data["since"], "total": data["total"], "documents": documents}
    if not data["changes"]:
        return result
    matters = contradictions({"total": data["contradictions_total"], "matters": data["contradictions"]})
    return {**result, **changes(data["changes"]), "contradictions": matters}


def changes(data: Mapping[str, Any]) -> JSON:
    """How one graph differs from another."""
    facts = {
        name: [{"fact": _ends(row), **_citation(row)} for row in data[name]] for name in ("facts_came", "facts_gone")
    }
    return {**data, **facts}


def dependency(data: Mapping[str, Any]) -> JSON:
    """The documents that something depends on."""
    documents = [{name: row[name] for name in ("source", "document_id", "weight")} for row in data["documents"]]
    return {**data, "documents": documents}


def asked_again(data: Mapping[str, Any]) -> JSON:
    """Earlier questions that were asked again: those whose answers changed, and the number of the others."""
    fields = ("question", "path_before", "path_now", "before_id", "now_id", "newer_documents")
    texts = ("text_before", "text_now")
    changed = [
        {name: row[name] for name in fields} | {name: _shortened(row[name], LONGEST_EXTRACT) for name in texts}
        for row in data["answers"]
        if row["changed"]
    ]
    return {"asked": data["asked"], "left": data["left"], "changed": changed}


def notes(data: Mapping[str, Any]) -> JSON:
    """Notes of persons."""
    return {"total": data["total"], "tags": data["tags"], "notes": [note(row) for row in data["notes"]]}


def note(row: Mapping[str, Any]) -> JSON:
    """A note with its place."""
    fields = (
        *("id", "kind", "text", "tags", "starred", "by", "changed", "lost", "entity", "predicate", "other"),
        *("source", "place", "document_id", "chunk_id", "question"),
    )
    values = {name: row[name] for name in fields if row[name]}
    return values | {"sentence": _shortened(row["sentence"], LONGEST_SENTENCE)}


def items(data: Mapping[str, Any]) -> JSON:
    """A list, and its conditions."""
    fields = ("date", "sentence", "caption", "source", "place", "document_id", "chunk_id")
    rows = [
        ({"item": row["item"]} if row["model"] else {})
        | {name: _shortened(row[name], LONGEST_SENTENCE) for name in fields if row[name]}
        | {"quantities": [f"{quantity['value']:.12g} {quantity['unit']}" for quantity in row["quantities"]]}
        | ({"also": [f"{place['source']}, {place['place']}" for place in row["also"]]} if row["also"] else {})
        for row in data["items"]
    ]
    by = f"; {data['read']} read by {', '.join(data['models'])}" if data["calls"] else ""
    looked_at = f"{data['passages']} of {data['of_passages']} passages{by}; may be incomplete"
    summary = {name: data[name] for name in ("total", "sums", "understood")}
    return summary | {"looked_at": looked_at, "items": rows}


def cast(data: Mapping[str, Any]) -> JSON:
    """Persons of a text."""
    return {"total": data["total"], "members": [_member(row) for row in data["members"]]}


def _member(row: Mapping[str, Any]) -> JSON:
    first, described = row["first"], row["description"]
    shown: JSON = {name: row[name] for name in ("id", "name", "passages")} | {"names": row["names"][:ALIASES]}
    shown["first"] = {"sentence": _shortened(first["sentence"], LONGEST_SENTENCE)}
    shown["first"] |= {name: first[name] for name in ("source", "place", "document_id", "chunk_id")}
    shown["with"] = [
        f"{other['name']} ({other['passages']} passages, {other['facts']} facts)" for other in row["connections"]
    ]
    return shown | ({"is": f"{described['predicate']} {described['object']}"} if described else {})


def families(data: Mapping[str, Any]) -> JSON:
    """Families: members by generation, and ties."""
    return {
        "total": data["total"],
        "families": [
            {"members": family["members"][:FAMILY], "ties": [_tie(row) for row in family["ties"][:FAMILY]]}
            for family in data["families"]
        ],
        "alleged": [_said_in_words(row) for row in data["alleged"][:RELATIONS_COMPARED]],
    }


def _tie(row: Mapping[str, Any]) -> JSON:
    shown: JSON = {"tie": f"{row['first']} – {row['kind']} – {row['other']}", **_said_in_words(row["facts"][0])}
    return shown | {name: True for name in ("open", "denied") if row[name]}


def _said_in_words(fact: Mapping[str, Any]) -> JSON:
    words = f"{fact['subject']} {fact['predicate']} {fact['object']}"
    return {"fact": words, "sentence": _shortened(fact["sentence"], LONGEST_SENTENCE), "chunk_id": fact["chunk_id"]}


def timeline(data: Mapping[str, Any]) -> JSON:
    """Dated facts and documents."""
    fields = ("date", "source", "place", "document_id", "chunk_id")
    facts = [
        {name: row[name] for name in fields}
        | {"fact": f"{row['subject']} {row['predicate']} {row['object']}"}
        | {"sentence": _shortened(row["sentence"], LONGEST_SENTENCE)}
        for row in data["facts"]
    ]
    counts = {name: data[name] for name in ("total", "undated", "left_out")}
    return counts | {"facts": facts, "documents": data["documents"]}


def documents(data: Mapping[str, Any]) -> JSON:
    """Documents in a list."""
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
            "text": _shortened(piece["text"], LONGEST_TEXT),
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
    """The progress of a job."""
    fields = ("id", "workspace", "kind", "state", "items", "failed")
    progress = data["progress"] or {}
    report = data["report"] or {}
    shown: JSON = {name: data[name] for name in fields}
    shown |= {name: progress[name] for name in ("stage", "chunks", "chunks_total", "facts") if name in progress}
    shown |= {name: report[name] for name in ("added", "updated", "unchanged", "skipped") if report.get(name)}
    return shown | ({"error": data["error"]} if data["error"] else {})


def _paths(paths: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]) -> list[JSON]:
    document_of = {item["id"]: item["document_id"] for item in evidence}
    return [
        {
            "path": path["text"],
            "origin": path.get("origin", "ranked"),
            "score": round(path["score"], 3),
            "hops": [
                {
                    "fact": " ".join(filter(None, (hop["subject"], hop["predicate"], hop["object"], hop["when"]))),
                    **({"fact_id": hop["fact_id"]} if hop["fact_id"] else {}),
                    "subject_id": hop["subject_id"],
                    "object_id": hop["object_id"],
                    "sentence": hop["sentence"],
                    "place": hop.get("place", ""),
                    "chunk_id": hop["chunk_id"],
                    "document_id": document_of.get(hop["chunk_id"], ""),
                    **({} if hop["kind"] == "fact" else {"kind": hop["kind"]}),
                    **({"remark": CITES} if hop["kind"] == "unfound" and hop["chunk_id"] else {}),
                    **_notes(hop),
                }
                for hop in path["hops"]
            ],
        }
        for path in paths
    ]


def _place(number: int, item: Mapping[str, Any]) -> JSON:
    return {
        "n": number,
        "title": item["title"],
        "place": item["place"],
        "chunk_id": item["id"],
        "document_id": item["document_id"],
    }


def _citation(where: Mapping[str, Any]) -> JSON:
    fields = ("sentence", "place", "source", "document_id", "chunk_id")
    return {name: where[name] for name in fields} | _notes(where)


def _notes(statement: Mapping[str, Any]) -> JSON:
    """Who asserts it, when it is true, whether it is denied, and its premises, as far as the text gives them."""
    names = ("according_to", "when", "when_date", "denied", "premises")
    return {name: statement[name] for name in names if statement.get(name)}


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
