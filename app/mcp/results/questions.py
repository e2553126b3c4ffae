"""Answers, extracts and paths; the fields of a form; what an answer depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from filigraph.app.mcp.results.common import (
    JSON,
    LONGEST_SENTENCE,
    LONGEST_TEXT,
    STATEMENTS,
    VERDICTS,
    more_statements,
    own_mark,
    qualifiers,
    shorten,
    statement_of_side,
    statement_row,
)

LONGEST_EXTRACT = 800  # characters
LISTS = (
    "The question asks for a list or a number: the tool `items`, with the question as its text, lists and counts them."
)
CITES = "Not found in the texts: it cites this passage, which does not say it in one sentence."


def answer(data: Mapping[str, Any]) -> JSON:
    """An answer, its paths, and the places of its citations."""
    return {
        "answer": shorten(data["text"], LONGEST_TEXT),
        "generated": data["generated"],
        "answered": data["answered"],
        "missing": data["missing"],
        "ended": data.get("ended", ""),
        "looked_for": [look["text"] for reading in data.get("rounds", []) for look in reading["looks"]],
        "remark": data.get("remark", ""),
        "unsupported": [part["text"] for part in data["unsupported"]],
        "paths": _paths(data["paths"], data["citations"]),
        "citations": [_citation_row(number, item) for number, item in enumerate(data["citations"], start=1)],
        "trace_id": data["trace"]["id"],
        **({"list": LISTS} if data.get("asks_for_list") else {}),
        **_contradicted(data.get("contradictions")),
        **_difference_without(data.get("difference")),
    }


def _contradicted(pairs: Sequence[Mapping[str, Any]] | None) -> JSON:
    """Statements of other voices against sentences of the paths."""
    rows = [
        {
            "kind": pair["kind"],
            "verdict": VERDICTS[pair["verdict"]],
            "what": shorten(pair["what"], LONGEST_SENTENCE),
            "about": shorten(pair.get("about", ""), LONGEST_SENTENCE),
            **{end: statement_row(pair[end]) for end in ("said", "against")},
            "further": [statement_of_side(statement) for statement in pair.get("further", ())[: STATEMENTS - 2]],
            **more_statements(len(pair.get("further", ())) - (STATEMENTS - 2)),
        }
        for pair in pairs or ()
    ]
    return {"contradictions": rows} if rows else {}


def _difference_without(difference: Mapping[str, Any] | None) -> JSON:
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
        _citation_row(number, item)
        | {"text": shorten(item["text"], LONGEST_EXTRACT), "kept_by": item["kept_by"]}
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
                {"sentence": shorten(place["text"], LONGEST_SENTENCE), "source": place["source"]}
                | {name: place[name] for name in ("place", "document_id", "chunk_id")}
                for place in row["evidence"][:1]
            ],
        }
        for row in data["fields"]
    ]
    return {"form": data["name"], "title": data["title"], "about": data["about"], "fields": fields}


def dependency(data: Mapping[str, Any]) -> JSON:
    """The documents that something depends on."""
    documents = [{name: row[name] for name in ("source", "document_id", "weight")} for row in data["documents"]]
    return {**data, "documents": documents}


def asked_again(data: Mapping[str, Any]) -> JSON:
    """Earlier questions that were asked again: those whose answers changed, and the number of the others."""
    fields = ("question", "path_before", "path_now", "before_id", "now_id", "newer_documents")
    texts = ("text_before", "text_now")
    changed = [
        {name: row[name] for name in fields} | {name: shorten(row[name], LONGEST_EXTRACT) for name in texts}
        for row in data["answers"]
        if row["changed"]
    ]
    return {"asked": data["asked"], "left": data["left"], "changed": changed}


def _paths(paths: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]) -> list[JSON]:
    document_of = {item["id"]: item["document_id"] for item in evidence}
    return [
        {
            "path": path["text"],
            "origin": path.get("origin", "ranked"),
            "score": round(path["score"], 3),
            "hops": [
                {
                    "fact": " ".join(filter(None, (hop["subject"], hop["predicate"], hop["object"], hop["when"])))
                    + own_mark(hop.get("own", False)),
                    **({"fact_id": hop["fact_id"]} if hop["fact_id"] else {}),
                    "subject_id": hop["subject_id"],
                    "object_id": hop["object_id"],
                    "sentence": hop["sentence"],
                    "place": hop.get("place", ""),
                    "chunk_id": hop["chunk_id"],
                    "document_id": document_of.get(hop["chunk_id"], ""),
                    **({} if hop["kind"] == "fact" else {"kind": hop["kind"]}),
                    **({"remark": CITES} if hop["kind"] == "unfound" and hop["chunk_id"] else {}),
                    **qualifiers(hop),
                }
                for hop in path["hops"]
            ],
        }
        for path in paths
    ]


def _citation_row(number: int, item: Mapping[str, Any]) -> JSON:
    return {
        "n": number,
        "title": item["title"],
        "place": item["place"],
        "chunk_id": item["id"],
        "document_id": item["document_id"],
    }
