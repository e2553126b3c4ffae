"""Documents over REST, on the real Neo4j: listed by page and by source, updated, deleted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any, cast

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service import documents
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import BYTES, WordRuntime, elsewhere, send
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def service(neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address))


@pytest.fixture(scope="module")
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    """The case, in two folders."""
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        send(http, address, BYTES)
        sources = [{"name": f"press/{n}.txt", "metadata": {"date": f"191{n}"}} for n in range(3)]
        files = [("files", (f"{n}", b"Nora left Lyon on day %d." % n)) for n in range(3)]
        http.post(f"{address}/ingest", files=files, data={"sources": json.dumps(sources), "extractor": "local"})
        yield address


def listed(http: httpx.Client, case: str, **asked: object) -> tuple[int, list[str]]:
    found = http.get(f"{case}/documents", params=asked).json()  # type: ignore[arg-type]
    return found["total"], [row["source"] for row in found["documents"]]


def test_documents_are_listed_by_page_source_and_metadata(http: httpx.Client, case: str) -> None:
    everything = sorted([*BYTES, "press/0.txt", "press/1.txt", "press/2.txt"])
    assert listed(http, case) == (7, everything)
    assert listed(http, case, first=2, count=3) == (7, everything[2:5])
    assert listed(http, case, source="press/") == (3, ["press/0.txt", "press/1.txt", "press/2.txt"])
    assert listed(http, case, source=["press/?.txt", "letter.txt"], count=1) == (4, ["letter.txt"])
    assert listed(http, case, where="date=1911") == (1, ["press/1.txt"])
    refused = http.get(f"{case}/documents", params={"where": "date"})
    assert refused.status_code == 400 and "key=value" in refused.json()["error"]["cause"]


def test_one_document_with_its_metadata(http: httpx.Client, case: str) -> None:
    row = http.get(f"{case}/documents", params={"source": "press/2.txt"}).json()["documents"][0]
    found = http.get(f"{case}/documents/{row['id']}").json()
    assert found == {**row, "metadata": {"date": "1912"}, "places": [], "thread": []}
    assert http.get(f"{case}/documents/none").status_code == 404


def test_a_mail_is_shown_with_its_thread(http: httpx.Client, case: str) -> None:
    mails = {
        "9.eml": b"From: Ada <a@x.y>\nTo: Bo <b@x.y>\nDate: Mon, 02 May 2022 09:00:00\nSubject: Boat\n\nIt is sold.\n",
        "8.eml": b"From: Bo <b@x.y>\nTo: Ada <a@x.y>\nDate: Tue, 03 May 2022 09:00:00\nSubject: RE: Boat\n\nThanks.\n",
        "7.eml": b"From: Cy <c@x.y>\nTo: Di <d@x.y>\nDate: Tue, 03 May 2022 09:00:00\nSubject: Boat\n\nAnother one.\n",
    }
    files = [("files", (name, content)) for name, content in mails.items()]
    sources = json.dumps([{"name": name} for name in mails])
    http.post(f"{case}/ingest", files=files, data={"sources": sources, "extractor": "local"})
    row = http.get(f"{case}/documents", params={"source": "8.eml"}).json()["documents"][0]
    thread = http.get(f"{case}/documents/{row['id']}").json()["thread"]
    assert [(mail["source"], mail["date"], mail["sender"]) for mail in thread] == [
        ("9.eml", "2022-05-02", "Ada <a@x.y>"),
        ("8.eml", "2022-05-03", "Bo <b@x.y>"),
    ]


def test_a_document_is_updated_under_its_own_name(http: httpx.Client, case: str) -> None:
    row = http.get(f"{case}/documents", params={"source": "press/2.txt"}).json()["documents"][0]
    address = f"{case}/documents/{row['id']}"

    def update(content: bytes) -> dict[str, list[str]]:
        answer = http.put(address, files={"file": ("x", content)}, data={"extractor": "local"})
        return dict(json.loads(answer.text.splitlines()[-1])["report"])

    assert update(b"Nora left Lyon on day 2.")["unchanged"] == ["press/2.txt"]
    assert update(b"Nora came back to Lyon.")["updated"] == ["press/2.txt"]
    assert http.get(f"{address}/text").json()["pieces"][0]["text"] == "Nora came back to Lyon."
    assert http.get(address).json()["metadata"] == {"date": "1912"}
    assert http.put(f"{case}/documents/none", files={"file": ("x", b"x")}).status_code == 404


def test_metadata_are_changed_without_reading_anything_again(http: httpx.Client, case: str, store: Store) -> None:
    graph = store.graph(case.rpartition("/")[2])
    (row,) = (row for row in graph.document_rows() if row.source == "press/2.txt")
    chunks = graph.stored_chunks([row.id])

    def sent(address: str, field: str, **data: str) -> dict[str, list[str]]:
        files = {field: ("x", b"Nora left Lyon on day 2.")}
        answer = http.request("PUT" if field == "file" else "POST", address, files=files, data=data)
        return dict(json.loads(answer.text.splitlines()[-1])["report"])

    def ingested(**known: object) -> dict[str, list[str]]:
        sources = json.dumps([{"name": "press/2.txt", **known}])
        return sent(f"{case}/ingest", "files", sources=sources, extractor="local")

    again = ingested(metadata={"date": "1920", "paper": "Le Progrès"})
    assert (again["updated"], again["chunks"]) == (["press/2.txt"], 0)
    assert listed(http, case, where="date=1920") == (1, ["press/2.txt"])
    assert listed(http, case, where="date=1912") == (0, [])
    assert ingested()["unchanged"] == ["press/2.txt"], "who gives none leaves those that were given"
    address = f"{case}/documents/{row.id}"
    assert sent(address, "file", metadata='{"date": "1921"}')["updated"] == ["press/2.txt"]
    assert http.get(address).json()["metadata"] == {"date": "1921"}
    assert http.put(address, files={"file": ("x", b"x")}, data={"metadata": '{"date": 1921}'}).status_code == 400
    (after,) = (found for found in graph.document_rows() if found.id == row.id)
    assert (after.status, after.recipe, graph.stored_chunks([row.id])) == ("complete", row.recipe, chunks)


def test_what_a_mail_says_of_itself_is_that_of_the_last_one_sent(http: httpx.Client, case: str) -> None:
    def mail(sender: str) -> bytes:
        return f"From: {sender}\nTo: Brun\nSubject: The ring\n\nI saw {sender} in Lyon.\n".encode()

    sources = json.dumps([{"name": "mail.eml", "metadata": {"box": "7"}}])
    data = {"sources": sources, "extractor": "local"}
    http.post(f"{case}/ingest", files={"files": ("x", mail("Nora"))}, data=data)
    (row,) = http.get(f"{case}/documents", params={"source": "mail.eml"}).json()["documents"]
    address = f"{case}/documents/{row['id']}"
    assert http.get(address).json()["metadata"] == {"box": "7", "from": "Nora", "to": "Brun", "thread": "the ring"}
    assert http.put(address, files={"file": ("x", mail("Jules"))}).status_code == 200
    assert http.get(address).json()["metadata"] == {"box": "7", "from": "Jules", "to": "Brun", "thread": "the ring"}


def test_the_same_content_changes_nothing_however_it_was_read(http: httpx.Client, case: str, store: Store) -> None:
    graph = store.graph(case.rpartition("/")[2])
    files = {"files": ("cut.txt", b"Nora left Lyon. Jules stayed.")}
    http.post(f"{case}/ingest", files=files, data={"strategy": "sentence", "extractor": "local"})
    before = {row.source: row for row in graph.document_rows()}
    for name, content in (("letter.txt", BYTES["letter.txt"]), ("cut.txt", files["files"][1])):
        address = f"{case}/documents/{before[name].id}"
        answer = http.put(address, files={"file": ("x", content)}).text
        assert json.loads(answer.splitlines()[-1])["report"]["unchanged"] == [name]
        assert http.put(address, files={"file": ("x", content + b" Paul came.")}).status_code == 200
    after = {row.source: row for row in graph.document_rows()}
    assert after["cut.txt"].recipe == before["cut.txt"].recipe, "cut, and read, as it was"
    recipes = [rows["letter.txt"].recipe for rows in (before, after)]
    assert [recipe and recipe.read_by for recipe in recipes] == ["triples", "local"]


def test_documents_are_deleted_all_or_none(http: httpx.Client, case: str) -> None:
    def delete(**which: Any) -> httpx.Response:
        return http.request("DELETE", f"{case}/documents", json=which)

    before = listed(http, case)
    for which in ({"ids": ["none"], "sources": ["press/"]}, {"sources": ["press/", "nowhere/*"]}):
        refused = delete(**which)
        assert refused.status_code == 404 and listed(http, case) == before
    assert delete().status_code == 400 and delete(sources=["press/1*"]).status_code == 404
    letter = http.get(f"{case}/documents", params={"source": "letter.txt"}).json()["documents"][0]
    gone = delete(ids=[letter["id"]], sources=["press/1*", "press/2.txt"], glob=True).json()["deleted"]
    assert [row["source"] for row in gone] == ["letter.txt", "press/1.txt", "press/2.txt"]
    jobs = http.get("/v1/jobs", params={"workspace": case.rsplit("/", 1)[1]}).json()
    assert jobs["total"] == 0, "the job that did it is gone, too"
    assert listed(http, case)[1] == ["cutting.txt", "inventory.txt", "press/0.txt", "report.txt"]


def test_as_many_ids_as_may_be_named_fit_into_a_request(http: httpx.Client, case: str) -> None:
    most = [f"{n:048x}" for n in range(10_000)]
    assert http.request("DELETE", f"{case}/documents", json={"ids": most}).status_code == 404
    assert http.request("DELETE", f"{case}/documents", json={"ids": [*most, "one more"]}).status_code == 422


def test_documents_are_deleted_without_anybody_waiting(http: httpx.Client, case: str) -> None:
    def delete(**which: list[str]) -> httpx.Response:
        return http.post(f"{case}/deletions", json=which)

    assert delete(sources=["nowhere/*"]).status_code == 404 and delete().status_code == 400
    told = delete(sources=["press/"])
    job = told.json()
    assert told.status_code == 202 and (job["kind"], job["items"]) == ("delete", 3)
    ended = json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]
    assert (ended["state"], ended["failed"], ended["report"]) == ("done", 0, None)
    assert listed(http, case) == (4, sorted(BYTES))
    found = http.get(f"/v1/jobs/{job['id']}/items").json()["items"]
    assert [(item["name"], item["state"]) for item in found] == [(f"press/{n}.txt", "done") for n in range(3)]


def test_who_deletes_while_documents_are_read_is_told(
    http: httpx.Client, case: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LOCK_TIMEOUT", 0.0)
    with elsewhere(store, case):
        refused = http.request("DELETE", f"{case}/documents", json={"sources": ["*"], "glob": True})
    assert refused.status_code == 503 and refused.json()["error"]["code"] == "busy"
    assert listed(http, case)[0] == 7


def test_facts_are_listed_by_page_entity_predicate_and_document(
    http: httpx.Client, workspace_pool: WorkspacePool
) -> None:
    with workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)

        def facts(**asked: object) -> tuple[int, list[str]]:
            found = http.get(f"{case}/facts", params=asked).json()  # type: ignore[arg-type]
            return found["total"], [row["text"] for row in found["facts"]]

        total, texts = facts()
        assert total == len(texts) == 6
        assert facts(first=4, count=1) == (6, texts[4:5])
        (claw,) = http.get(f"{case}/entities", params={"name": "The Claw", "count": 1}).json()["entities"]
        assert facts(entity=claw["id"])[0] == 3
        assert facts(entity=claw["id"], predicate="hunts") == (1, ["Inspector Brun hunts The Claw"])
        (letter,) = http.get(f"{case}/documents", params={"source": "letter.txt"}).json()["documents"]
        assert facts(document=letter["id"])[0] == 2
        assert facts(predicate="x' OR 1=1 //")[0] == 0


def test_a_phrase_is_found_in_all_documents_however_it_is_set(
    http: httpx.Client, workspace_pool: WorkspacePool
) -> None:
    texts = {
        "a.txt": "Ann said it. «\u202fJ’ai l’anneau d’Anne-Marie\u202f», dit-elle.\n\nThe lamp went out.".encode(),
        "b.txt": b"She wrote: j'ai\nl'anneau d'Anne Marie. And again: J'AI L'ANNEAU D'ANNE-MARIE!",
        "c.txt": b"Marie Anne d'anneau j'ai. The quick-\ntempered mate left the ship.",
        "d.txt": "ｶﾞﾙｼｱは東京で船を売った。".encode(),
    }
    with workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        send(http, case, texts)

        def find(text: str, **asked: int) -> dict[str, Any]:
            return cast(dict[str, Any], http.get(f"{case}/find", params={"text": text, **asked}).json())

        found = find("\"J'ai l'anneau d'Anne-Marie\"")
        assert (found["total"], found["documents"]) == (3, 2)
        assert [row["source"] for row in found["places"]] == ["a.txt", "b.txt", "b.txt"]
        assert [row["source"] for row in find("anneau d'Anne Marie", first=2, count=5)["places"]] == ["b.txt"]
        assert find("Anne Marie anneau")["total"] == 0
        assert find("the quick-tempered mate")["total"] == 1
        assert [find(text)["total"] for text in ("ガルシア", "東京で", "船", "京東")] == [1, 1, 1, 0]
        (row,) = http.get(f"{case}/documents", params={"source": "b.txt"}).json()["documents"]
        within = http.get(f"{case}/documents/{row['id']}/find", params={"text": "«J’ai l’anneau d’Anne-Mar"}).json()
        assert (within["total"], [place["start"] for place in within["places"]]) == (2, [11, 50])
        assert http.get(f"{case}/find", params={"text": "« »"}).json()["error"]["cure"] == "Enter at least one word."
        assert http.get(f"/v1/workspaces/none-{uuid.uuid4().hex}/find", params={"text": "Anne"}).status_code == 404


def test_the_life_of_a_workspace(http: httpx.Client) -> None:
    case = f"/v1/workspaces/test-{uuid.uuid4().hex[:12]}"
    assert http.get(case).status_code == 404
    made = http.put(case).json()
    assert made == http.put(case).json() == http.get(case).json()
    send(http, case, BYTES)
    refused = http.delete(case)
    assert refused.status_code == 400 and made["name"] in refused.json()["error"]["cure"]
    assert http.delete(case, params={"confirm": "another"}).status_code == 400
    assert http.get(f"{case}/stats").json()["stats"]["documents"] == 4
    assert http.delete(case, params={"confirm": made["name"]}).json() == made
    assert http.get(case).status_code == 404
    assert http.delete(case, params={"confirm": made["name"]}).status_code == 404


def test_texts_are_scored_where_a_cross_encoder_is_loaded(http: httpx.Client, service: Service) -> None:
    class ByLength:
        name = "by-length"

        def score(self, question: str, texts: list[str], *, cancelled: object) -> list[float]:
            return [len(text) / 100 for text in texts]

    body = {"query": "Who is Jules?", "documents": ["Nobody.", "A man with a ring."]}
    refused = http.post("/v1/rerank", json=body)
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert error["code"] == "not_set_up" and "FILIGRAPH_RERANKER" in error["cure"]
    service.runtime.reranker = type(service.runtime.reranker)(ByLength)
    assert http.post("/v1/rerank", json=body).json() == {"model": "by-length", "scores": [0.07, 0.18]}
    service.runtime.reranker = type(service.runtime.reranker)(lambda: None)
    assert http.post("/v1/rerank", json={**body, "documents": []}).status_code == 422
