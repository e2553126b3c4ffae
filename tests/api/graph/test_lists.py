"""Lists that an LLM reads, over REST, on the real Neo4j: priced, read once, resumed, exported, gone with a document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, WordRuntime, priced_runtime, send
from tests.api.serving import client_of
from tests.unit.graph.llm_stub import Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

TEXT = "List all who wear a ring."
RING = "Jules wears a heavy signet ring of the Moreau house."
# whatever number its passage has in the prompt
FOUND = Say(pieces=["".join(f"Jules | [{n}] | wears a heavy signet ring\n" for n in range(1, 9))], tokens=(900, 60))


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [FOUND]
        yield running


@pytest.fixture
def http(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[httpx.Client]:
    with client_of(Service(priced_runtime(neo4j_address, stub.url))) as client:
        yield client


def read(http: httpx.Client, case: str, **body: Any) -> dict[str, Any]:
    job = http.post(f"{case}/items/read", json={"text": TEXT} | body).json()
    assert (job["kind"], job["names"]) == ("lists", [TEXT]), job
    ended: dict[str, Any] = json.loads(http.get(f"/v1/jobs/{job['id']}/events").text.splitlines()[-1])["job"]
    return ended


def listed(http: httpx.Client, case: str, **params: Any) -> dict[str, Any]:
    page: dict[str, Any] = http.get(f"{case}/items", params={"text": TEXT} | params).json()
    return page


def test_it_is_priced_read_once_exported_and_gone_with_a_document(
    http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool
) -> None:
    with workspace_pool.one() as name, workspace_pool.one() as copy:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        stub.requests.clear()
        before = listed(http, case)
        assert (before["read"], before["calls"], before["of_calls"], before["models"]) == (0, 0, 0, [])
        priced = http.get(f"{case}/items/read/estimate", params={"text": TEXT}).json()
        assert (priced["model"], priced["usage"]["calls"], priced["cost"] > 0) == ("m", 1, True)
        assert priced["passages"] == priced["of_passages"] == before["of_passages"]
        assert not stub.requests
        ended = read(http, case)
        assert (ended["state"], ended["progress"]["documents"], ended["progress"]["documents_total"]) == ("done", 1, 1)
        assert len(stub.requests) == 1
        found = listed(http, case)
        (item,) = found["items"]
        assert (item["item"], item["model"], item["sentence"]) == ("Jules", "m", RING)
        assert (found["total"], found["calls"], found["of_calls"], found["models"]) == (1, 1, 1, ["m"])
        assert found["read"] == found["of_passages"] and found["left_out"] == 7
        assert read(http, case)["state"] == "done" and len(stub.requests) == 1  # nothing is asked twice
        assert http.get(f"{case}/items/read/estimate", params={"text": TEXT}).json()["kept"] == 1
        export = http.get(f"{case}/export").content
        assert b'"kind":"list_readings"' in export
        http.delete(f"/v1/workspaces/{copy}")
        answer = http.post(f"/v1/workspaces/{copy}/import", files={"file": ("case.jsonl", export)})
        assert '"same": true' in answer.text or '"same":true' in answer.text, answer.text
        assert [row["item"] for row in listed(http, f"/v1/workspaces/{copy}")["items"]] == ["Jules"]
        http.delete(f"{case}/documents/{item['document_id']}")
        left = listed(http, case)
        assert left["calls"] == 0 and not any(row["model"] for row in left["items"])


def test_a_view_is_read_by_itself(http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool) -> None:
    with workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        hidden = "letter.txt"
        view = {"without": [hidden]}
        read(http, case)
        assert listed(http, case, view=json.dumps(view))["calls"] == 0  # the LLM read what the view hides
        stub.requests.clear()
        stub.replies = [Say(pieces=["NONE"], tokens=(900, 2))]
        assert read(http, case, view=view)["state"] == "done"
        (request,) = stub.requests
        assert RING not in json.dumps(request)
        seen = listed(http, case, view=json.dumps(view))
        assert (seen["calls"], seen["items"]) == (1, [])
        assert [row["item"] for row in listed(http, case)["items"]] == ["Jules"]


def test_items_of_two_calls_are_one_if_the_llm_says_so(
    http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool
) -> None:
    found = "".join(
        f"Jules | [{n}] | wears a heavy signet ring\nOld Jules | [{n}] | Old Jules wears a ring\n" for n in range(1, 25)
    )
    stub.replies = [Say(pieces=[found]), Say(pieces=[found]), Say(pieces=["1 | SAME | 2"])]
    with workspace_pool.one() as name, workspace_pool.one() as copy:
        case = f"/v1/workspaces/{name}"
        long = f"Old Jules wears a ring. {'The rain fell on the roof all day. ' * 800}"
        send(http, case, {**BYTES, "long.txt": long.encode()})
        stub.requests.clear()
        assert http.get(f"{case}/items/read/estimate", params={"text": TEXT}).json()["usage"]["calls"] == 3
        assert read(http, case)["state"] == "done" and len(stub.requests) == 3
        (item,) = listed(http, case)["items"]
        assert (item["item"], [place["source"] for place in item["also"]]) == ("Old Jules", ["letter.txt"])
        export = http.get(f"{case}/export").content
        http.delete(f"/v1/workspaces/{copy}")
        http.post(f"/v1/workspaces/{copy}/import", files={"file": ("case.jsonl", export)})
        assert [row["item"] for row in listed(http, f"/v1/workspaces/{copy}")["items"]] == ["Old Jules"]


def test_calls_that_fail_are_asked_again(http: httpx.Client, stub: Stub, workspace_pool: WorkspacePool) -> None:
    with workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        stub.replies = [Say(pieces=["I cannot say."], tokens=(900, 6))]
        ended = read(http, case)
        assert (ended["state"], listed(http, case)["calls"]) == ("failed", 0)
        (item,) = http.get(f"/v1/jobs/{ended['id']}/items").json()["items"]
        assert item["cause"].startswith("Of 1 calls 1 failed. The first: The LLM was asked twice for a list")
        stub.replies = [FOUND]
        assert read(http, case)["state"] == "done"
        assert [row["item"] for row in listed(http, case)["items"]] == ["Jules"]


def test_without_an_llm_it_says_so(neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool) -> None:
    with client_of(Service(WordRuntime(neo4j_address))) as client, workspace_pool.one() as name:
        case = f"/v1/workspaces/{name}"
        send(client, case, BYTES)
        for answer in (
            client.post(f"{case}/items/read", json={"text": TEXT}),
            client.get(f"{case}/items/read/estimate", params={"text": TEXT}),
        ):
            assert answer.status_code == 400 and "LLM" in answer.json()["error"]["cause"]
