"""What an agent sees of answers."""

from __future__ import annotations

from typing import Any

from filigraph.app.mcp.results.graph import comparison, connections, contradictions
from filigraph.app.mcp.results.passages import items
from filigraph.app.mcp.results.questions import CITES, answer


def side(id_: str, name: str) -> dict[str, Any]:
    return {"id": id_, "name": name, "type": "Person", "chunks": 1, "first": []}


def fact(subject: str, object_: str, *, own: bool = False) -> dict[str, Any]:
    return {"subject": subject, "predicate": "loves", "object": object_, "own": own}


def test_namesakes_that_are_compared_keep_their_facts_apart() -> None:
    shown = comparison(
        {
            "entities": [side("1", "Paul"), side("2", "Paul"), side("3", "Ann")],
            "relations": [
                {
                    "predicate": "loves",
                    "facts": [[fact("Paul", "Eve")], [fact("Paul", "Zoe")], [fact("Ann", "Tom", own=True)]],
                }
            ],
            "shared": [],
            "pairs": [{"first": 0, "other": 1, "between": [], "passages": 0, "together": []}],
        }
    )
    assert shown["facts_by_predicate"] == {
        "loves": {
            "Paul (1)": ["Paul loves Eve"],
            "Paul (2)": ["Paul loves Zoe"],
            "Ann": ["Ann loves Tom (stated by a person)"],
        }
    }
    assert shown["pairs"][0]["names"] == ["Paul (1)", "Paul (2)"]


def test_an_item_that_is_not_its_sentence_is_named() -> None:
    of = {"quantities": [], "also": [], "model": "", "sentence": "He had a coat; a jersey; a rosary."}
    fields = ("date", "caption", "source", "place", "document_id", "chunk_id")
    rows = [dict.fromkeys(fields, "x") | of | {"item": item} for item in ("a jersey", "a rosary", of["sentence"])]
    page = {"calls": 0, "passages": 1, "of_passages": 1, "total": 3, "sums": [], "understood": {}, "items": rows}
    assert [row.get("item") for row in items(page)["items"]] == ["a jersey", "a rosary", None]


def test_a_step_in_a_text_is_marked() -> None:
    ends = {"subject": "Ann", "predicate": "is named with", "object": "key", "subject_id": "1", "object_id": "2"}
    said = {"sentence": "Ann. The key.", "place": "", "source": "a.txt", "document_id": "3", "chunk_id": "4"}
    paths = [{"facts": [ends | said | {"only_near": known} for known in (True, False)], "alike": []}]
    shown = connections({"verdict": "text", "hubs": ["Paris"], "paths": paths})
    assert (shown["verdict"], shown["hubs"]) == ("text", ["Paris"])
    assert [step.get("only_near") for step in shown["paths"][0]] == [True, None]


def test_a_step_that_is_not_found_says_so_of_the_passage_that_it_cites() -> None:
    words = {"subject": "Jules", "predicate": "met", "object": "Paul", "when": "", "sentence": "", "place": "page 2"}
    step = {"kind": "unfound", "fact_id": "", "subject_id": "", "object_id": "", **words}
    path = {"text": "", "score": 0.0, "hops": [{**step, "chunk_id": "c"}, {**step, "chunk_id": ""}]}
    plain = {"text": "", "generated": True, "answered": True, "missing": "", "unsupported": [], "trace": {"id": "t"}}
    cited = {"id": "c", "title": "", "place": "", "document_id": "d"}
    (shown,) = answer({**plain, "paths": [path], "citations": [cited]})["paths"]
    first, second = shown["hops"]
    assert (first["kind"], first["chunk_id"], first["document_id"], first["remark"]) == ("unfound", "c", "d", CITES)
    assert "remark" not in second


def test_a_step_that_a_person_states_says_so() -> None:
    words = {"subject": "Jules", "predicate": "met", "object": "Paul", "when": "", "sentence": "x", "place": ""}
    step = {"kind": "fact", "fact_id": "f", "subject_id": "", "object_id": "", "chunk_id": "c", **words}
    path = {"text": "", "score": 0.0, "hops": [{**step, "own": True}, {**step, "own": False}]}
    plain = {"text": "", "generated": True, "answered": True, "missing": "", "unsupported": [], "trace": {"id": "t"}}
    (shown,) = answer({**plain, "paths": [path], "citations": []})["paths"]
    assert [hop["fact"] for hop in shown["hops"]] == ["Jules met Paul (stated by a person)", "Jules met Paul"]


def said(number: int, *, asked: bool = True) -> dict[str, Any]:
    names = ("voice", "sentence", "source", "place", "date", "document_id", "chunk_id")
    return dict.fromkeys(names, "x") | {"sentence": f"sentence {number}", "side": 1, "asked": asked}


def matter(statements: list[dict[str, Any]]) -> dict[str, Any]:
    pair = {"kind": "read", "verdict": "contradiction", "what": "", "model": "m"}
    page = {"total": 1, "matters": [{"about": "when", "pairs": [pair], "statements": statements}]}
    (row,) = contradictions(page)["may_disagree"]
    found: dict[str, Any] = row
    return found


def test_statements_that_are_not_shown_are_counted() -> None:
    row = matter([said(n, asked=n < 2) for n in range(7)])
    assert len(row["statements"]) == 4 and row["more_statements"] == 3
    assert row["asked_for"] == "2 of 7 statements, these first"


def test_of_a_matter_that_is_shown_whole_nothing_is_said() -> None:
    assert not {"more_statements", "asked_for"} & matter([said(0), said(1)]).keys()
