"""Contradictions that an LLM reads, over REST, on the real Neo4j: priced, read once, exported, deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime, priced_runtime, send
from tests.api.serving import client_of
from tests.unit.graph.llm_stub import Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

LISTED = "".join(f"[1] | [{n}] | who wears it\n" for n in range(2, 9))
PAIRS = Say(pieces=[f"MATTER who wears it\n{LISTED}"], tokens=(900, 60))
CHECK = Say(pieces=["1 | CONTRADICTION | [1] | [2] | whether he wears it"], tokens=(500, 20))


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [PAIRS]
        yield running


@pytest.fixture
def http(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[httpx.Client]:
    with client_of(Service(priced_runtime(neo4j_address, stub.url))) as client:
        yield client


def read(http: httpx.Client, case: str) -> dict[str, Any]:
    job = http.post(f"{case}/contradictions/read", json={}).json()
    ended: dict[str, Any] = json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]
    return ended


def said(row: dict[str, Any]) -> tuple[Any, ...]:
    sentences = [(one["side"], one["sentence"]) for one in row["statements"]]
    return row["about"], sentences, [{**one, "model": ""} for one in row["pairs"]]


def test_it_is_priced_read_once_exported_and_gone_with_a_document(
    http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool
) -> None:
    with workspace_pool.one() as name, workspace_pool.one() as copy:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        stub.requests.clear()
        stub.replies = [PAIRS, CHECK]
        priced = http.get(f"{case}/contradictions/read/estimate").json()
        assert (priced["model"], priced["usage"]["calls"], priced["cost"] > 0) == ("m", 2, True)
        assert not stub.requests
        assert read(http, case)["state"] == "done"
        assert len(stub.requests) == 2
        page = http.get(f"{case}/contradictions").json()
        found, read_pairs = page["matters"], [pair for row in page["matters"] for pair in row["pairs"]]
        assert page["total_pairs"] == len(read_pairs) > page["total"] == 1
        assert found[0]["about"] == "whether he wears it"
        assert {(pair["kind"], pair["model"], pair["verdict"]) for pair in read_pairs} == {
            ("read", "m", "contradiction")
        }
        assert {one["side"] for one in found[0]["statements"]} == {1, 2}
        assert http.get(f"{case}/contradictions/read/estimate").json()["usage"]["calls"] == 0
        assert read(http, case)["state"] == "done" and len(stub.requests) == 2  # nothing is asked twice
        export = http.get(f"{case}/export").content
        assert b'"kind":"contradiction_readings"' in export
        http.delete(f"/v1/workspaces/{copy}")
        answer = http.post(f"/v1/workspaces/{copy}/import", files={"file": ("case.jsonl", export)})
        assert '"same": true' in answer.text or '"same":true' in answer.text, answer.text
        copied = http.get(f"/v1/workspaces/{copy}/contradictions").json()["matters"]
        assert [said(row) for row in copied] == [said(row) for row in found]
        gone = found[0]["statements"][0]["document_id"]
        http.delete(f"{case}/documents/{gone}")
        assert http.get(f"{case}/contradictions").json()["total"] == 0


DENIAL = "I declare that Jules Delmas never wears the heavy signet ring of the Moreau house."
DENIED = {"source": "denial.txt", "triples": [("Jules Delmas", "never wears", "heavy signet ring of the Moreau house")]}


def test_an_answer_shows_who_denies_what_its_path_says(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool
) -> None:
    with client_of(Service(WordRuntime(neo4j_address))) as client, workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        texts = BYTES | {"denial.txt": DENIAL.encode()}
        files = [("files", (name, content)) for name, content in texts.items()]
        facts = ("triples", ("t", TRIPLES_FILE + f"\n{json.dumps(DENIED)}".encode()))
        whose = {"denial.txt": {"author": "Notary Roux", "date": "1912-04-02"}}
        sources = json.dumps([{"name": name, "metadata": whose.get(name, {})} for name in texts])
        sent = client.post(f"{case}/ingest", files=[*files, facts], data={"sources": sources})
        assert '"report"' in sent.text, sent.text
        assert client.get(f"{case}/contradictions").json()["total"] == 1  # found: no answer waits for them
        asked = {"question": "Why be wary of Jules Delmas?", "llm": False}
        answer = client.post(f"{case}/ask", json=asked).json()
        (one,) = answer["contradictions"]
        assert (one["kind"], one["path_id"], one["hop"]) == ("denial", answer["paths"][0]["id"], 1)
        assert one["said"]["sentence"] == "Jules wears a heavy signet ring of the Moreau house."
        against = one["against"]
        assert (against["voice"], against["denied"], against["date"]) == ("Notary Roux", True, "1912-04-02")
        assert against["sentence"] == DENIAL
        kept = client.get(f"{case}/traces/{answer['trace']['id']}/answer").json()
        assert kept["contradictions"] == answer["contradictions"]
        without = client.post(f"{case}/ask", json=asked | {"view": {"without": ["denial.txt"]}}).json()
        assert without["paths"] and without["contradictions"] == []
        within = client.post(f"{case}/ask", json=asked | {"view": {"without": ["report.txt"]}}).json()
        assert [row["against"]["sentence"] for row in within["contradictions"]] == [DENIAL]


def test_without_an_llm_it_says_so(neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool) -> None:
    with client_of(Service(WordRuntime(neo4j_address))) as client, workspace_pool.one() as name:
        send(client, f"/v1/workspaces/{name}", BYTES)
        for answer in (
            client.post(f"/v1/workspaces/{name}/contradictions/read", json={}),
            client.get(f"/v1/workspaces/{name}/contradictions/read/estimate"),
        ):
            assert answer.status_code == 400 and "LLM" in answer.json()["error"]["cause"]
