"""Cast lists over REST, on the real Neo4j: of a workspace, a document, a part; the client and the command."""

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
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))])
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
