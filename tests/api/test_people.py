"""Cast lists and time lines over REST, on the real Neo4j: of a workspace, a document, a part."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

RAIN = "It rained on the town from morning to night, and nobody who had a fire went out. " * 60  # fills a passage
TEXTS = {
    "novel.txt": "Chapter 1\n\nMrs. Julia Verinder was the wife of Mr. John Verinder. Miss Rachel Verinder is the "
    "daughter of Mrs. Julia Verinder. Miss Rachel Verinder is the daughter of Mr. John Verinder.\n\n"
    f"{RAIN}\n\n"
    "Chapter 2\n\nMiss Rachel Verinder married Mr. Franklin Blake on 3 June 1849. Sergeant Cuff is a detective. "
    "Sergeant Cuff saw Miss Rachel Verinder in Dover.\n",
    "letter.txt": "Mr. Godfrey Ablewhite is not the son of Mr. John Verinder. Mr. John Verinder died in 1846. "
    "Lady Clack says that Mr. Septimus Luker is the brother of Mr. Godfrey Ablewhite.\n",
}
TRIPLES = {
    "novel.txt": [
        ["Mrs. Julia Verinder", "was the wife of", "Mr. John Verinder"],
        ["Miss Rachel Verinder", "is the daughter of", "Mrs. Julia Verinder"],
        ["Miss Rachel Verinder", "is the daughter of", "Mr. John Verinder"],
        ["Miss Rachel Verinder", "married", "Mr. Franklin Blake"],
        ["Sergeant Cuff", "is", "detective"],
        ["Sergeant Cuff", "saw", "Miss Rachel Verinder"],
    ],
    "letter.txt": [
        ["Mr. Godfrey Ablewhite", "is not the son of", "Mr. John Verinder"],
        ["Mr. John Verinder", "died in", "1846"],
        ["Mr. Septimus Luker", "is the brother of", "Mr. Godfrey Ablewhite"],
    ],
}


@pytest.fixture(scope="module")
def http(neo4j_address: Neo4jAddress) -> Iterator[httpx.Client]:
    with client_of(Service(WordRuntime(neo4j_address))) as client:
        yield client


@pytest.fixture(scope="module")
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        triples = "\n".join(json.dumps({"source": source, "triples": rows}) for source, rows in TRIPLES.items())
        files: Any = [("files", (source, text.encode())) for source, text in TEXTS.items()]
        sources = [
            {"name": source, "metadata": {"date": "1848-05-02"} if source == "letter.txt" else {}} for source in TEXTS
        ]
        data = {"sources": json.dumps(sources)}
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))], data=data)
        assert sent.status_code == 200, sent.text
        yield address


def get(http: httpx.Client, address: str, view: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
    response = http.get(address, params={**params, **({"view": json.dumps(view)} if view else {})})
    assert response.status_code == 200, response.text
    reply: dict[str, Any] = response.json()
    return reply


def test_the_cast_has_first_places_descriptions_and_whom_each_is_with(http: httpx.Client, case: str) -> None:
    found = get(http, f"{case}/cast", order="appearance")
    members = {row["name"]: row for row in found["members"]}
    assert found["total"] == len(members) and {"Dover", "detective"}.isdisjoint(members)
    cuff = next(row for name, row in members.items() if "Cuff" in name)
    rachel = next(row for name, row in members.items() if "Rachel" in name)
    assert (
        cuff["first"]["sentence"] == "Sergeant Cuff is a detective." and "chapter 2" in cuff["first"]["place"].lower()
    )
    assert (cuff["description"]["predicate"], cuff["description"]["object"]) == ("is", "detective")
    assert rachel["passages"] == 2 and rachel["id"] in {one["id"] for one in cuff["connections"]}
    assert all(row["description"] is None or not row["description"]["denied"] for row in members.values())
    page = get(http, f"{case}/cast", order="appearance", first=1, count=1)
    assert [row["id"] for row in page["members"]] == [found["members"][1]["id"]]


def test_a_document_and_a_part_have_their_own_persons(http: httpx.Client, case: str) -> None:
    documents = {row["source"]: row["id"] for row in get(http, f"{case}/documents")["documents"]}
    letter = {row["name"] for row in get(http, f"{case}/cast", document=documents["letter.txt"])["members"]}
    assert any("Luker" in name for name in letter) and not any("Rachel" in name for name in letter)
    part = get(http, f"{case}/cast", {"until": ["novel.txt:chapter 1"]}, document=documents["novel.txt"])
    assert not any("Cuff" in row["name"] or "Blake" in row["name"] for row in part["members"])
    rachel = next(row for row in part["members"] if "Rachel" in row["name"])
    assert rachel["passages"] == 1 and "Cuff" not in json.dumps(part)
    unknown = http.get(f"{case}/cast", params={"document": "0" * 48})
    assert unknown.status_code == 404 and unknown.json()["error"]["cure"]


def test_the_time_line_has_facts_and_documents_within_a_range(http: httpx.Client, case: str) -> None:
    found = get(http, f"{case}/timeline")
    assert [row["date"] for row in found["facts"]] == sorted(row["date"] for row in found["facts"])
    assert {"1846", "1849-06-03"} <= {row["date"] for row in found["facts"]}
    assert [row["source"] for row in found["documents"]] == ["letter.txt"] and found["undated"] == 0
    assert {"year": "1846", "facts": 1} in found["years"]
    early = get(http, f"{case}/timeline", **{"from": "1846", "to": "1849-01"})
    assert {row["date"][:4] for row in early["facts"]} == {"1846"} and early["years"] == found["years"]
    assert [row["date"] for row in early["documents"]] == ["1848-05-02"]
    seen = get(http, f"{case}/timeline", {"until": ["novel.txt:chapter 1"]})
    assert {row["date"] for row in seen["facts"]} == {"1846"}
    for params in ({"from": "soon"}, {"from": "1850", "to": "1849"}):
        refused = http.get(f"{case}/timeline", params=params)
        assert refused.status_code == 400 and refused.json()["error"]["cure"]


def test_families_have_generations_and_sentences_and_leave_out_what_is_denied_or_alleged(
    http: httpx.Client, case: str
) -> None:
    found = get(http, f"{case}/family", name="Miss Rachel Verinder")
    assert found["total"] == 1
    family = found["families"][0]
    generations = {row["name"]: row["generation"] for row in family["members"]}
    old, young = ({name for name, row in generations.items() if row == number} for number in (0, 1))
    assert any("Julia" in name for name in old) and any("John" in name for name in old)
    assert any("Rachel" in name for name in young) and any("Blake" in name for name in young)
    kinds = sorted(row["kind"] for row in family["ties"])
    assert kinds == ["parent", "parent", "spouse", "spouse"] and not any(row["open"] for row in family["ties"])
    assert all(fact["sentence"] and fact["chunk_id"] for row in family["ties"] for fact in row["facts"])
    whole = json.dumps(get(http, f"{case}/family"), ensure_ascii=False)
    assert "is not the son of" not in whole
    part = get(http, f"{case}/family", {"until": ["novel.txt:chapter 1"]}, name="Miss Rachel Verinder")
    assert "Blake" not in json.dumps(part)
    assert http.get(f"{case}/family", params={"name": "0" * 48}).status_code == 404


def test_what_a_person_states_is_told_from_what_texts_say(http: httpx.Client, case: str) -> None:
    words = "Miss Rachel Verinder married Mr. Franklin Blake on 3 June 1849."
    novel = next(row for row in get(http, f"{case}/documents")["documents"] if row["source"] == "novel.txt")
    (found,) = get(http, f"{case}/documents/{novel['id']}/find", text=words)["places"]
    place = {name: found[name] for name in ("chunk_id", "start", "end")}
    (married,) = get(http, f"{case}/timeline", **{"from": "1849-06-03", "to": "1849-06-03"})["facts"]
    ends = {"about": married["subject_id"], "other": married["object_id"]}
    stated = {"kind": "stated", "value": "left", "places": [place], **ends}
    http.post(f"{case}/corrections", json={"corrections": [stated]}).raise_for_status()
    for view in (None, {"until": ["novel.txt:chapter 2"]}):
        facts = get(http, f"{case}/timeline", view, **{"from": "1849-06-03", "to": "1849-06-03"})["facts"]
        assert {row["predicate"]: row["own"] for row in facts} == {married["predicate"]: False, "left": True}
