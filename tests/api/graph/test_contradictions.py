"""Contradictions that an LLM reads, over REST, on the real Neo4j: priced, read once, exported, deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime, send
from tests.api.serving import client_of
from tests.unit.graph.llm_stub import Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

PAIRS = Say(pieces=["".join(f"[1] | [{n}] | who wears it\n" for n in range(2, 9))], tokens=(900, 60))


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [PAIRS]
        yield running


@pytest.fixture
def http(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[httpx.Client]:
    settings = {"FILIGRAPH_LLM_URL": f"{stub.url}/v1", "FILIGRAPH_LLM": "m", "FILIGRAPH_LLM_PRICE_IN": 2.0}
    with client_of(Service(WordRuntime(neo4j_address, FILIGRAPH_LLM_PRICE_OUT=10.0, **settings))) as client:
        yield client


def read(http: httpx.Client, case: str) -> dict[str, Any]:
    job = http.post(f"{case}/contradictions/read", json={}).json()
    ended: dict[str, Any] = json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]
    return ended


def said(row: dict[str, Any]) -> tuple[str, ...]:
    return (row["kind"], row["verdict"], row["what"], row["first"]["sentence"], row["other"]["sentence"])


def test_it_is_priced_read_once_exported_and_gone_with_a_document(
    http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool
) -> None:
    with workspace_pool.one() as name, workspace_pool.one() as copy:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        stub.requests.clear()
        priced = http.get(f"{case}/contradictions/read/estimate").json()
        assert (priced["model"], priced["usage"]["calls"], priced["cost"] > 0) == ("m", 1, True)
        assert not stub.requests
        assert read(http, case)["state"] == "done"
        assert len(stub.requests) == 1
        found = http.get(f"{case}/contradictions").json()["contradictions"]
        read_pairs = [row for row in found if row["kind"] == "read"]
        assert read_pairs and {row["model"] for row in read_pairs} == {"m"}
        assert {row["verdict"] for row in read_pairs} == {"contradiction"}
        assert all(row["first"]["source"] != row["other"]["source"] for row in read_pairs)
        assert read(http, case)["state"] == "done" and len(stub.requests) == 1  # nothing is asked twice
        export = http.get(f"{case}/export").content
        assert b'"kind":"contradiction_readings"' in export
        http.delete(f"/v1/workspaces/{copy}")
        answer = http.post(f"/v1/workspaces/{copy}/import", files={"file": ("case.jsonl", export)})
        assert '"same": true' in answer.text or '"same":true' in answer.text, answer.text
        copied = http.get(f"/v1/workspaces/{copy}/contradictions").json()["contradictions"]
        assert [said(row) for row in copied] == [said(row) for row in found]
        gone = read_pairs[0]["first"]["document_id"]
        http.delete(f"{case}/documents/{gone}")
        left = http.get(f"{case}/contradictions").json()["contradictions"]
        assert not [row for row in left if row["kind"] == "read"]


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
