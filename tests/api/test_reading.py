"""What readers of an answer look at: the answer as it was given, and the documents behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

QUESTION = {"question": "Why be wary of Jules Delmas?", "compare": True}


@pytest.fixture(scope="module")
def http(neo4j_address: Neo4jAddress) -> Iterator[httpx.Client]:
    service = Service(WordRuntime(neo4j_address))
    with client_of(service) as client:
        yield client


@pytest.fixture(scope="module")
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    """The address of a workspace with the case in it."""
    with workspace_pool.one() as name:
        send(http, f"/v1/workspaces/{name}", BYTES)
        yield f"/v1/workspaces/{name}"


def test_an_answer_can_be_had_again(http: httpx.Client, case: str) -> None:
    answer = http.post(f"{case}/ask", json=QUESTION).json()
    kept = http.get(f"{case}/traces/{answer['trace']['id']}/answer").json()
    assert {key: kept[key] for key in answer} == answer
    assert kept["version"] and kept["embedder"] == "words" and kept["at"].endswith("Z")
    cited = {piece["id"] for piece in kept["citations"]}
    assert cited.isdisjoint(piece["id"] for piece in kept["uncited"])
    told = {row["id"]: row for row in kept["documents"]}
    assert {piece["document_id"] for piece in kept["citations"] + kept["uncited"]} == set(told)
    for row in told.values():
        assert row["sha256"] == hashlib.sha256(BYTES[row["source"]]).hexdigest()
    rows = http.get(f"{case}/traces").json()["traces"]
    assert {row["id"]: (row["method"], row["answered"]) for row in rows} == {
        answer["trace"]["id"]: ("filigraph", True),
        answer["vector_only"]["trace"]["id"]: ("dense", False),
    }


def test_a_search_has_no_answer(http: httpx.Client, case: str) -> None:
    found = http.post(f"{case}/retrieve", json={"question": QUESTION["question"]}).json()
    response = http.get(f"{case}/traces/{found['trace']['id']}/answer")
    assert response.status_code == 404 and "belongs to a search" in response.json()["error"]["cause"]
    assert http.get(f"{case}/traces/none/answer").status_code == 404


def test_a_document_opens_at_the_sentence_behind_a_hop(http: httpx.Client, case: str) -> None:
    answer = http.post(f"{case}/ask", json=QUESTION).json()
    pieces = {piece["id"]: piece for piece in answer["citations"]}
    for hop in answer["paths"][0]["hops"]:
        document = pieces[hop["chunk_id"]]["document_id"]
        text = http.get(f"{case}/documents/{document}/text", params={"chunk": hop["chunk_id"]}).json()
        (piece,) = [piece for piece in text["pieces"] if piece["id"] == hop["chunk_id"]]
        assert piece["text"][hop["start"] : hop["end"]] == hop["sentence"]
        assert (text["id"], text["chunks"]) == (document, 1)


def test_a_document_is_read_in_part(http: httpx.Client, case: str) -> None:
    document = http.get(f"{case}/documents").json()["documents"][0]["id"]
    whole = http.get(f"{case}/documents/{document}/text").json()
    assert whole["pieces"][0]["text"] == BYTES[whole["source"]].decode()
    assert http.get(f"{case}/documents/{document}/text", params={"first": 1}).json()["pieces"] == []
    gone = http.get(f"{case}/documents/{document}/text", params={"chunk": "none"})
    assert gone.status_code == 404 and "was changed" in gone.json()["error"]["cause"]
    assert http.get(f"{case}/documents/none/text").status_code == 404
    for wrong in ({"count": 0}, {"count": 101}, {"first": -1}):
        assert http.get(f"{case}/documents/{document}/text", params=wrong).status_code == 422


def test_an_entity_is_looked_for(http: httpx.Client, case: str) -> None:
    found = http.get(f"{case}/entities", params={"name": "CLÁW"}).json()["entities"]
    assert [(row["name"], row["facts"]) for row in found] == [("The Claw", 3)]
    everybody = http.get(f"{case}/entities", params={"count": 1000}).json()
    assert everybody["total"] == len(everybody["entities"]) > 3
    pages = [http.get(f"{case}/entities", params={"first": n, "count": 2}).json() for n in (0, 2)]
    assert [page["total"] for page in pages] == [everybody["total"]] * 2
    assert pages[0]["entities"] + pages[1]["entities"] == everybody["entities"][:4]
    chunks = [row["chunks"] for row in everybody["entities"]]
    assert chunks == sorted(chunks, reverse=True)
    assert http.get(f"{case}/entities", params={"name": "claw", "first": 1}).json() == {"total": 1, "entities": []}
    assert http.get(f"{case}/entities", params={"name": "x" * 201}).status_code == 422
    assert http.get("/v1/workspaces/none/entities").status_code == 404


def test_why_names_are_one(http: httpx.Client, case: str) -> None:
    (jules,) = http.get(f"{case}/entities", params={"name": "Jules Delmas"}).json()["entities"]
    names = http.get(f"{case}/entities/{jules['id']}/names").json()
    assert {name["form"] for name in names["forms"]} == {"Jules", "Jules Delmas"}
    assert ("Jules", "Jules Delmas", True) in {
        (*sorted((row["form"], row["other"])), row["same"]) for row in names["decisions"]
    }
    for name in names["forms"]:
        params = {"chunk": name["first"]["chunk_id"]}
        text = http.get(f"{case}/documents/{name['document_id']}/text", params=params).json()["pieces"][0]["text"]
        assert text[name["first"]["start"] : name["first"]["end"]] == name["form"]
    assert http.get(f"{case}/entities/none/names").status_code == 404


def test_what_is_near(http: httpx.Client, case: str) -> None:
    (claw,) = http.get(f"{case}/entities", params={"name": "the claw"}).json()["entities"]
    near = http.get(f"{case}/entities/{claw['id']}/neighbourhood", params={"hops": 2}).json()["facts"]
    said = {(fact["subject"], fact["predicate"], fact["object"], fact["hop"]) for fact in near}
    assert ("The Claw", "is", "society of thieves", 1) in said
    assert ("Jules", "wears", "The heavy signet ring of the Moreau house", 2) in said
    one = http.get(f"{case}/entities/{claw['id']}/neighbourhood").json()["facts"]
    assert one == [fact for fact in near if fact["hop"] == 1]
    assert http.get(f"{case}/entities/none/neighbourhood").status_code == 404
    assert http.get(f"{case}/entities/{claw['id']}/neighbourhood", params={"hops": 3}).status_code == 422


def test_an_old_answer_tells_that_documents_came_since(http: httpx.Client, case: str) -> None:
    answer = http.post(f"{case}/ask", json=QUESTION).json()
    thread = answer["trace"]["id"]

    def newer() -> list[int]:
        kept = http.get(f"{case}/traces/{thread}/answer").json()
        rows = {row["id"]: row for row in http.get(f"{case}/traces").json()["traces"]}
        threads = {row["id"]: row for row in http.get(f"{case}/threads").json()["threads"]}
        (turn,) = http.get(f"{case}/threads/{thread}").json()["turns"]
        return [row["newer_documents"] for row in (kept, rows[thread], threads[thread], turn)]

    assert newer() == [0, 0, 0, 0]
    send(http, case, {"new.txt": b"Nora left Lyon.", **BYTES})
    assert newer() == [1, 1, 1, 1], "what is there unchanged did not come since"
    send(http, case, {"new.txt": b"Nora left Lyon at ten."})
    assert newer() == [1, 1, 1, 1]
