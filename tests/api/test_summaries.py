"""Summaries over REST, on the real Neo4j: by sentences, by an LLM server, their cost, and who may request them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, priced_runtime, send
from tests.api.serving import client_of
from tests.unit.graph.llm_stub import Fail, Hang, Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

WRITTEN = Say(
    pieces=[json.dumps({"summary": "A ring is worn.", "tags": ["ring"], "left_out": ["a dinner"]})], tokens=(700, 60)
)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [WRITTEN]
        yield running


@pytest.fixture
def http(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[httpx.Client]:
    with client_of(Service(priced_runtime(neo4j_address, stub.url))) as client:
        yield client


@pytest.fixture
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    """The address of a workspace with the case in it."""
    with workspace_pool.one() as name:
        send(http, f"/v1/workspaces/{name}", BYTES)
        yield f"/v1/workspaces/{name}"


def run(http: httpx.Client, case: str, writer: str) -> list[dict[str, Any]]:
    response = http.post(f"{case}/summarize", json={"writer": writer})
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def outline(http: httpx.Client, case: str, source: str = "", **more: int) -> list[dict[str, Any]]:
    rows = http.get(f"{case}/documents").json()["documents"]
    id_ = next(row["id"] for row in rows if row["source"] == source) if source else ""
    return list(http.get(f"{case}/outline", params={"document_id": id_, **more}).json()["summaries"])


def test_sentences_of_the_texts(http: httpx.Client, case: str, stub: Stub) -> None:
    asked = len(stub.requests)
    *progress, last = run(http, case, "quotes")
    assert {event["stage"] for event in progress if event["event"] == "progress"} == {"summarize"}
    assert last["event"] == "report" and len(stub.requests) == asked
    report = last["report"]
    assert (report["documents"], report["summaries"], report["written"], report["levels"]) == (4, 5, 5, 2)
    (letter,) = outline(http, case, "letter.txt")
    assert letter["text"].startswith("Dear aunt, Jules Delmas came to dinner.")
    assert letter["quotes"][0]["text"] in BYTES["letter.txt"].decode()
    assert "Jules" in [entity["name"] for entity in letter["entities"]]
    (folder,) = outline(http, case)
    assert (folder["document_id"], folder["level"], len(folder["covers"])) == ("", 2, 4)
    assert outline(http, case, "letter.txt", lowest=2) == []


def test_a_view_has_the_summaries_of_what_it_shows_whole(http: httpx.Client, case: str) -> None:
    run(http, case, "quotes")
    letter, report = (
        {row["source"]: row["id"] for row in http.get(f"{case}/documents").json()["documents"]}[source]
        for source in ("letter.txt", "report.txt")
    )

    def shown(document: str, **view: Any) -> list[dict[str, Any]]:
        reply = http.get(f"{case}/outline", params={"document_id": document, "view": json.dumps(view)})
        assert reply.status_code == 200, reply.text
        rows: list[dict[str, Any]] = reply.json()["summaries"]
        return rows

    (whole,) = outline(http, case, "letter.txt")
    (seen,) = shown(letter, sources=["letter.txt"])
    assert (seen["id"], seen["text"], seen["covers"]) == (whole["id"], whole["text"], whole["covers"])
    named = {entity["name"] for entity in seen["entities"]}
    assert "Jules" in named and not any("Paul" in name for name in named)
    assert shown("", until=["report.txt:100 %"]) == outline(http, case)
    assert shown("", without=["report.txt"]) == []  # that of all says what the report says
    hidden = http.get(
        f"{case}/outline", params={"document_id": report, "view": json.dumps({"without": ["report.txt"]})}
    )
    assert hidden.status_code == 404 and hidden.json()["error"]["cause"] == f"There is no document {report}."


def test_an_llm_words_them_and_its_cost_is_known_before(http: httpx.Client, case: str) -> None:
    expected = http.get(f"{case}/summarize/estimate").json()
    assert (expected["writer"], expected["summaries"], expected["kept"], expected["usage"]["calls"]) == (
        "llm:m",
        5,
        0,
        5,
    )
    assert expected["cost"] > 0
    report = run(http, case, "auto")[-1]["report"]
    assert report["usage"] == {"calls": 5, "tokens_in": 3500, "tokens_out": 300}
    (letter,) = outline(http, case, "letter.txt")
    assert (letter["text"], letter["tags"], letter["omissions"]) == ("A ring is worn.", ["ring"], ["a dinner"])
    assert http.get(f"{case}/summarize/estimate").json()["usage"]["calls"] == 0


@pytest.mark.parametrize(
    ("status", "said"), [(501, (503, "llm_unavailable")), (400, (502, "llm_refused"))], ids=["fails", "refuses"]
)
def test_a_server_that_fails_is_said(
    http: httpx.Client, case: str, stub: Stub, status: int, said: tuple[int, str]
) -> None:
    stub.replies = [Fail(status=status, body="no")]
    response = http.post(f"{case}/summarize", json={"writer": "llm"})
    assert (response.status_code, response.json()["error"]["code"]) == said
    assert outline(http, case, "letter.txt") == []


def test_what_cannot_be_asked(http: httpx.Client, case: str) -> None:
    assert http.post(f"{case}/summarize", json={"writer": "poet"}).status_code == 422
    assert http.get(f"{case}/outline", params={"document_id": "none"}).status_code == 404
    assert http.get("/v1/workspaces/nowhere/outline").status_code == 404
    assert (
        json.loads(http.post("/v1/workspaces/nowhere/summarize", json={}).text.splitlines()[-1])["error"]["code"]
        == "not_found"
    )


def test_a_job_summarizes_and_says_how_far_it_is(http: httpx.Client, case: str, stub: Stub) -> None:
    job = http.post(f"{case}/summaries", json={"writer": "quotes"})
    assert job.status_code == 202 and job.json()["kind"] == "summarize"
    last = json.loads(http.get(f"/v1/jobs/{job.json()['id']}/events").text.splitlines()[-1])["job"]
    assert (last["state"], last["failed"], last["error"]) == ("done", 0, None)
    assert last["progress"]["documents"] == last["progress"]["documents_total"] == 5
    assert len(outline(http, case, "letter.txt")) == 1
    again = http.post(f"{case}/summaries", json={"writer": "llm"}).json()
    assert again["llm"] == "m"
    assert json.loads(http.get(f"/v1/jobs/{again['id']}/events").text.splitlines()[-1])["job"]["state"] == "done"
    assert outline(http, case, "letter.txt")[0]["text"] == "A ring is worn."


def test_a_job_that_is_cancelled_keeps_what_was_written(http: httpx.Client, case: str, stub: Stub) -> None:
    asked = len(stub.requests)
    stub.replies = [WRITTEN, Hang()]
    job = http.post(f"{case}/summaries", json={"writer": "llm"}).json()
    while len(stub.requests) < asked + 2:  # the second document is being asked for
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    http.post(f"/v1/jobs/{job['id']}/cancel")
    assert json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]["state"] == "cancelled"
    stub.replies = [WRITTEN]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]["state"] == "done"
    assert outline(http, case, "letter.txt")[0]["text"] == "A ring is worn."


def test_a_job_reads_and_summarizes_for_what_was_said_before(http: httpx.Client, case: str, stub: Stub) -> None:
    files = [("files", (name, BYTES["letter.txt"] + name.encode())) for name in ("b.txt", "c.txt")]
    told = {"extractor": "local", "summarize": "true"}
    estimate = http.post(f"{case}/estimate", files=files, data=told).text.splitlines()[-1]
    expected = json.loads(estimate)["estimate"]
    assert (expected["summary_writer"], expected["summaries"], expected["summary_usage"]["calls"]) == ("llm:m", 3, 3)
    assert expected["summary_cost"] > 0 and expected["cost"] == 0
    asked = len(stub.requests)
    job = http.post(f"{case}/jobs", files=files, data=told).json()
    last = json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]
    assert (last["state"], last["progress"]["stage"], len(last["report"]["added"])) == ("done", "summarize", 2)
    calls = len(stub.requests) - asked
    assert (calls, last["report"]["usage"]["calls"]) == (7, 7)  # with the case's four documents; its folder is theirs
    assert outline(http, case, "b.txt")[0]["text"] == "A ring is worn."
    estimate = http.post(f"{case}/estimate", files=files, data=told).text.splitlines()[-1]
    assert json.loads(estimate)["estimate"]["summaries"] == 1  # the two have no folder of their own


def test_shares_of_a_workspace(http: httpx.Client, case: str) -> None:
    assert http.get(f"{case}/shares").json()["shares"]["detail"] == {"overview": 0.3, "windows": 0.0}
    set_ = http.put(f"{case}/shares/detail", json={"overview": 0.9, "windows": 0.1})
    assert set_.json()["shares"]["detail"] == {"overview": 0.9, "windows": 0.1}
    assert http.put(f"{case}/shares/detail", json={"overview": 0.9, "windows": 0.2}).status_code == 400
    assert http.put(f"{case}/shares/poetry", json={}).status_code == 422
    assert http.get(f"{case}/shares").json()["shares"]["detail"]["overview"] == 0.9
    assert http.put(f"{case}/shares/detail", json={}).json()["shares"]["detail"]["overview"] == 0.3


def test_a_deletion_says_what_has_no_summaries_now(http: httpx.Client, case: str) -> None:
    def missing(address: str) -> Any:
        found = http.get(address).json()
        return found.get("missing_summaries") or found["missing"]

    nothing = {"documents": 0, "above": False}
    assert missing(f"{case}/documents") == nothing, "nobody wanted summaries"
    run(http, case, "quotes")
    first, second, *_ = (row["id"] for row in http.get(f"{case}/documents").json()["documents"])
    assert http.delete(f"{case}/documents/{first}").json()["missing_summaries"] == nothing
    assert outline(http, case)[0]["covers"], "made anew, of sentences"
    run(http, case, "llm")
    deleted = http.request("DELETE", f"{case}/documents", json={"ids": [second]}).json()
    assert deleted["missing_summaries"] == {"documents": 0, "above": True}
    assert outline(http, case) == []
    for path in ("documents", "stats", "outline"):
        assert missing(f"{case}/{path}") == {"documents": 0, "above": True}
