"""Reading with an LLM over REST, on the real Neo4j and an LLM server: estimate, report, retry, gaps, schema."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.runs.llm_letters import reply
from tests.unit.graph.llm_stub import Fail, Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

MET = Say(pieces=[reply([1, "Jules", "met", "Nora"])], tokens=(900, 120))
LETTER = b"Jules met Nora at the mill."


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [MET]
        yield running


@pytest.fixture
def http(neo4j_address: Neo4jAddress, stub: Stub) -> Iterator[httpx.Client]:
    """A server whose LLM is the stub: a model of its own in each test, so that its speed is unknown."""
    settings = {
        "FILIGRAPH_LLM_URL": f"{stub.url}/v1",
        "FILIGRAPH_LLM": f"model-{uuid.uuid4().hex}",
        "FILIGRAPH_LLM_PARALLEL": 1,
        "FILIGRAPH_LLM_PRICE_IN": 2.0,
        "FILIGRAPH_LLM_PRICE_OUT": 10.0,
    }
    runtime = WordRuntime(neo4j_address, **settings)
    with client_of(Service(runtime)) as client:
        yield client


@pytest.fixture
def case(workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.unused() as name:
        yield f"/v1/workspaces/{name}"


def post(http: httpx.Client, address: str, texts: dict[str, bytes] | None = None, **body: Any) -> dict[str, Any]:
    """The last event of a stream."""
    files = [("files", item) for item in (texts or {}).items()]
    response = http.post(address, files=files) if texts else http.post(address, json=body)
    return dict(json.loads(response.text.splitlines()[-1]))


def test_an_estimate_measures_once_and_an_ingest_tells_the_real_figures(
    http: httpx.Client, case: str, stub: Stub, store: Store
) -> None:
    texts = {f"{n}.txt": LETTER.replace(b"mill", b"mill on day %d" % n) for n in range(4)}
    found = post(http, f"{case}/estimate", texts)["estimate"]
    assert (found["documents"], found["chunks"], found["kept"], found["unchanged"]) == (4, 4, 0, 0)
    assert found["usage"]["calls"] == 4
    assert found["usage"]["tokens_out"] == 4 * 120, "as the model wrote when it was measured"
    assert found["usage"]["tokens_in"] > 4 * 200
    assert found["seconds"] > 0
    assert found["cost"] == pytest.approx((found["usage"]["tokens_in"] * 2 + 480 * 10) / 1e6)
    assert not any(row.name in case for row in store.workspaces()), "an estimate makes no workspace"

    measured = len(stub.requests)
    assert measured == 2
    again = post(http, f"{case}/estimate", texts)["estimate"]
    assert again == found and len(stub.requests) == measured, "the speed is known now"

    report = post(http, f"{case}/ingest", texts)["report"]
    assert report["usage"] == {"calls": 4, "tokens_in": 3600, "tokens_out": 480}
    assert report["cost"] == pytest.approx((3600 * 2 + 480 * 10) / 1e6)
    assert report["facts"] == 1

    after = post(http, f"{case}/estimate", {**texts, "new.txt": LETTER})["estimate"]
    assert (after["documents"], after["unchanged"], after["usage"]["calls"]) == (1, 4, 1)
    copy = post(http, f"{case}/estimate", {"copy.txt": texts["0.txt"]})["estimate"]
    assert (copy["chunks"], copy["kept"], copy["usage"]["calls"], copy["cost"]) == (1, 1, 0, 0.0)


def test_nothing_to_read_takes_nothing(http: httpx.Client, case: str, stub: Stub) -> None:
    found = post(http, f"{case}/estimate", {"a.png": b"\x89PNG\r\n\x1a\n"})["estimate"]
    assert (found["documents"], found["seconds"], found["usage"]["calls"]) == (0, None, 0)
    assert found["skipped"][0]["source"] == "a.png"
    assert stub.requests == []


def test_what_could_not_be_read_is_listed_and_retried(http: httpx.Client, case: str, stub: Stub) -> None:
    stub.replies = [MET, Fail(status=400, body="this prompt is not liked")]
    texts = {"a.txt": LETTER, "b.txt": b"Paul came home."}
    report = post(http, f"{case}/ingest", texts)["report"]
    assert report["failed_chunks"] == 1
    gaps = http.get(f"{case}/gaps").json()
    assert gaps["total"] == 1
    (gap,) = gaps["gaps"]
    assert gap["unread"] and "not liked" in gap["reason"]
    (partial,) = [row for row in http.get(f"{case}/documents").json()["documents"] if row["status"] == "partial"]
    assert (partial["source"], partial["unread"]) == (gap["source"], 1)

    stub.replies = [Say(pieces=[reply()], tokens=(900, 20))]
    report = post(http, f"{case}/retry")["report"]
    assert (report["updated"], report["failed_chunks"], report["usage"]["calls"]) == ([gap["source"]], 0, 1)
    (gap,) = http.get(f"{case}/gaps").json()["gaps"]
    assert (gap["unread"], gap["reason"]) == (False, "the LLM found no facts")
    assert http.get(f"{case}/gaps", params={"first": 1}).json() == {"total": 1, "gaps": []}
    assert {row["status"] for row in http.get(f"{case}/documents").json()["documents"]} == {"complete"}


SCHEMA = """
name: meetings
types: {Person: }
relations: [{name: met, from: Person, to: Person}]
examples: [{sentences: [Ann met Eve.], names: {Person: [Ann, Eve]}, facts: [[1, Ann, met, Eve]]}]
"""


def test_a_workspace_has_a_schema(http: httpx.Client, case: str, stub: Stub) -> None:
    assert http.get(f"{case}/schema").status_code == 404, "there is no such workspace yet"
    put = http.put(f"{case}/schema", json={"schema": SCHEMA, "mode": "enforce"}).json()
    assert (put["name"], put["mode"], put["yaml"]) == ("meetings", "enforce", SCHEMA)
    assert put == http.get(f"{case}/schema").json()

    report = post(http, f"{case}/ingest", {"a.txt": LETTER})["report"]
    assert "No p but these. Person to Person: met." in stub.requests[-1][1]["messages"][0]["content"]
    assert report["counts"] == {"facts outside the schema, dropped: ? - met - ?": 1}
    assert report["facts"] == 0

    assert http.put(f"{case}/schema", json={"schema": "novel"}).json()["name"] == "novel"
    assert http.delete(f"{case}/schema").json()["name"] == "general"
    assert http.get(f"{case}/schema").json()["ready"] == ["case", "general", "novel"]
    assert post(http, f"{case}/ingest", {"a.txt": LETTER})["report"]["facts"] == 1


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ({"schema": "nove"}, "There is no schema 'nove'."),
        ({"schema": "name: x\n"}, "There is no schema 'name: x'."),
        ({"schema": SCHEMA.replace("met,", "3: met,")}, "The schema cannot be used"),
        ({"schema": SCHEMA, "mode": "strict"}, "mode"),
        ({}, "schema"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(http: httpx.Client, case: str, body: object, cause: str) -> None:
    response = http.put(f"{case}/schema", json=body)
    assert response.status_code in (400, 422)
    assert cause in response.json()["error"]["cause"]
    assert http.get(f"{case}/schema").status_code == 404, "nothing was made"


def test_the_same_bytes_need_no_llm(http: httpx.Client, case: str, stub: Stub) -> None:
    assert post(http, f"{case}/ingest", {"letter.txt": LETTER})["event"] == "report"
    (row,) = http.get(f"{case}/documents").json()["documents"]
    stub.away = True

    def put(content: bytes) -> dict[str, Any]:
        answer = http.put(f"{case}/documents/{row['id']}", files={"file": ("x", content)})
        return dict(json.loads(answer.text.splitlines()[-1]))

    report = put(LETTER)["report"]
    assert report["unchanged"] == ["letter.txt"] and report["facts"] == row["facts"] == 1
    assert put(LETTER + b" Paul came.")["error"]["code"] == "llm_down"
