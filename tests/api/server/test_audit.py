"""The server records who changed what, and refuses keys that ask too often or spend too much."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from functools import partial

import httpx
import pytest

from filigraph.app import server
from filigraph.app.access.audit_log import AuditLog
from filigraph.app.http.audit import shorten_subjects
from filigraph.app.http.limits import RateLimit
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.graph.errors import EmbedderMismatch, StoreUnavailable
from filigraph.graph.ingest.extract.schema import default_schema
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM
from tests.api.error_shape import shape
from tests.api.key_rows import SECRETS, bearer, row
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import HandMade, client_of, serving
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool


def test_what_changes_something_is_noted(http: httpx.Client, service: HandMade) -> None:
    service.key_rows = [row("admin", "admin")]
    files = [("files", (name, b"text")) for name in ("a.txt", "« été ».txt")]
    response = http.post("/v1/workspaces/case/ingest", files=files, headers=bearer("admin"))
    response.read()
    (entry,) = service.audited
    assert (entry.by, entry.action) == ("admin", "POST /v1/workspaces/{workspace}/ingest")
    assert (entry.workspace, entry.subject, entry.status) == ("case", "a.txt, « été ».txt", 200)
    assert (entry.id, entry.address) == (response.headers["x-request-id"], "127.0.0.1")
    assert SECRETS["admin"] not in str(entry)

    http.delete("/v1/workspaces/case/schema", headers=bearer("admin"))
    assert service.audited[-1].action == "DELETE /v1/workspaces/{workspace}/schema"
    shown = http.get("/v1/audit", headers=bearer("admin")).json()["entries"]
    assert [one["action"].split()[0] for one in shown] == ["DELETE", "POST"]


def test_what_changes_nothing_is_not_noted(http: httpx.Client, service: HandMade) -> None:
    http.post("/v1/workspaces/case/ask", json={"question": "x"})
    http.get("/v1/workspaces")
    http.post("/v1/workspaces/case/ingest")  # no files: refused
    http.put("/v1/workspaces/case/schema", json={"nonsense": 1})
    http.delete("/v1/session")
    service.key_rows = [row("read", "read")]
    service.keys.all()  # reads them
    http.delete("/v1/workspaces/case/schema", headers=bearer("read"))
    assert service.audited == []


def test_a_change_that_failed_on_the_way_is_noted(http: httpx.Client, service: HandMade) -> None:
    service.error = StoreUnavailable("Neo4j is gone.")
    http.delete("/v1/workspaces/case/schema")
    assert service.audited == []  # nobody could say whether there are keys: not let in
    service.error = None
    http.get("/v1/workspaces")
    service.error = StoreUnavailable("Neo4j is gone.")
    assert http.delete("/v1/workspaces/case/schema").status_code == 503
    assert service.audited[-1].status == 503
    service.error = RuntimeError("a mistake of ours")
    assert http.delete("/v1/workspaces/case/schema").status_code == 500
    assert service.audited[-1].status == 500


def test_what_was_changed_is_told(http: httpx.Client, service: HandMade) -> None:
    """Every request that changes something says what, where its address does not; and in which workspace."""
    case = "/v1/workspaces/case"
    file = {"file": ("case.jsonl", b"x")}
    split = {"kind": "split", "about": "e", "names": ["m"]}
    name = {"kind": "name", "about": "e", "value": "Jules"}
    for method, path, sent, subject in (
        ("POST", f"{case}/deletions", {"json": {"sources": ["lettres/"]}}, "job-1, lettres/"),
        ("POST", f"{case}/jobs", {"files": {"files": ("a.txt", b"x")}}, "job-1, a.txt"),
        ("POST", f"{case}/questions", {"files": {"questions": ("q.txt", b"x")}}, "job-1, q.txt"),
        ("POST", f"{case}/evaluate", {"files": {"questions": ("q.txt", b"x")}}, "q.txt"),
        ("POST", f"{case}/corrections", {"json": {"corrections": [split, name]}}, "split e m, name e Jules"),
        ("DELETE", f"{case}/corrections/x", {}, "x"),
        ("POST", f"{case}/predicates/fold", {"json": {"into": "porte", "forms": ["wears"]}}, "porte <-, wears"),
        ("PUT", f"{case}/schema", {"json": {"schema": "general"}}, default_schema().name),
        ("POST", f"{case}/import", {"files": file}, "case.jsonl"),
        ("POST", "/v1/jobs/job-1/cancel", {}, "job-1"),
        ("POST", "/v1/jobs/job-1/retry", {}, "job-1"),
        ("DELETE", "/v1/jobs/job-1", {}, "job-1"),
        ("DELETE", f"{case}/documents", {"json": {"sources": ["lettres/"], "ids": ["d"]}}, "lettres/, d"),
    ):
        if path.endswith("/documents"):
            service.error = StoreUnavailable("Neo4j is gone.")
        http.request(method, path, **sent)  # type: ignore[arg-type]
        assert service.audited, (method, path)
        entry = service.audited.pop()
        assert (entry.workspace, entry.subject) == ("case", subject), (method, path)


def test_how_a_stream_ended_is_noted(http: httpx.Client, service: HandMade) -> None:
    files = [("files", ("a.txt", b"text"))]
    for error, status in ((EmbedderMismatch("Another."), 409), (RuntimeError("a mistake of ours"), 500)):
        service.late_error = error
        response = http.post("/v1/workspaces/case/ingest", files=files)
        assert response.status_code == 200 and '"error"' in response.text
        assert service.audited.pop().status == status


def test_who_left_in_mid_stream_is_noted(http: httpx.Client, service: HandMade) -> None:
    service.hold.clear()
    with http.stream("POST", "/v1/workspaces/case/ingest", files=[("files", ("a.txt", b"text"))]) as response:
        next(response.iter_lines())
    assert service.cancelled.wait(PATIENCE)
    while not service.audited:
        time.sleep(0.01)
    assert service.audited.pop().status == 499


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    def gone(work: object) -> None:
        raise StoreUnavailable("Neo4j is gone.")

    service = HandMade()
    service.audit = AuditLog(gone, days=1)  # type: ignore[arg-type]
    with serving(service) as url:
        assert httpx.delete(f"{url}/v1/workspaces/case/schema").status_code == 200


def test_many_names_are_cut_short() -> None:
    assert shorten_subjects(["a", "b"]) == "a, b"
    long = shorten_subjects([f"letter {n}.txt" for n in range(500)])
    assert len(long) < 1050 and long.endswith("more")
    assert len(shorten_subjects(["x" * 5000])) == 1000
    assert shorten_subjects(["half \ud800"]) == "half ?"


def test_a_packed_body_is_not_unpacked(http: httpx.Client, service: HandMade) -> None:
    packed = gzip.compress(json.dumps({"question": "x" * 10_000_000}).encode())
    assert len(packed) < 20_000
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    response = http.post("/v1/workspaces/case/ask", content=packed, headers=headers)
    assert response.status_code == 400
    shape(response)
    assert service.told == {}


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may ask again because the machine was slow."""
    monkeypatch.setattr(server, "RateLimit", partial(RateLimit, clock=lambda: 0.0))


@pytest.mark.usefixtures("no_time_passes")
def test_who_asks_too_often_is_told_when_to_come_back() -> None:
    service = HandMade(Settings(FILIGRAPH_REQUESTS_A_MINUTE="5"))  # type: ignore[call-arg]
    with serving(service) as url:
        for _ in range(10):
            assert httpx.get(f"{url}/v1/workspaces").status_code == 200  # nobody else is here
        service.key_rows = [row("read", "read"), row("admin", "admin")]
        service.keys.all()
        for _ in range(5):
            assert httpx.get(f"{url}/v1/workspaces", headers=bearer("read")).status_code == 200
            assert httpx.get(f"{url}/v1/workspaces").status_code == 401
        for headers in (bearer("read"), {}):
            refused = httpx.get(f"{url}/v1/workspaces", headers=headers)
            assert refused.status_code == 429 and refused.headers["retry-after"] == "12"
            assert shape(refused)["code"] == "limit_reached"
        assert httpx.get(f"{url}/v1/workspaces", headers=bearer("admin")).status_code == 200
        assert httpx.get(f"{url}/v1/health").status_code == 200


@pytest.mark.usefixtures("no_time_passes")
@pytest.mark.parametrize("ask", [lambda url: httpx.post(url, json={"key": "wrong"}), httpx.get, httpx.delete])
def test_who_tries_keys_is_told_when_to_come_back(ask: Callable[[str], httpx.Response]) -> None:
    service = HandMade(Settings(FILIGRAPH_REQUESTS_A_MINUTE="5"))  # type: ignore[call-arg]
    service.key_rows = [row("admin", "admin")]
    with serving(service) as url:
        assert [ask(f"{url}/v1/session").status_code == 429 for _ in range(7)] == [False] * 5 + [True] * 2
        refused = httpx.post(f"{url}/v1/session", json={"key": "wrong"})
        assert shape(refused)["code"] == "limit_reached" and refused.headers["retry-after"] == "12"
        assert httpx.get(f"{url}/v1/workspaces", headers=bearer("admin")).status_code == 200


# ---- on the real Neo4j


class Answering(WordRuntime):
    """With a model that words answers."""

    def llm(self, awaited: str = "") -> LLM | None:
        return ScriptedLLM({"": "He wears the ring [1]."})


def test_a_life_with_a_budget(neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool) -> None:
    service = Service(Answering(neo4j_address, FILIGRAPH_LLM_TOKENS_A_DAY="10"))
    with workspace_pool.one() as name, client_of(service) as http:
        case = f"/v1/workspaces/{name}"
        send(http, case, BYTES)
        question = {"question": "Why be wary of Jules Delmas?"}
        answered = http.post(f"{case}/ask", json=question)
        assert answered.status_code == 200
        assert answered.json()["trace"]["id"] == answered.headers["x-request-id"]
        refused = http.post(f"{case}/ask", json=question)
        assert refused.status_code == 429 and "FILIGRAPH_LLM_TOKENS_A_DAY" in shape(refused)["cure"]
        found = http.post(f"{case}/retrieve", json=question)
        assert found.status_code == 200
        figures = http.get("/v1/metrics").text
        noted = http.get("/v1/audit", params={"workspace": name}).json()["entries"]
    assert [(one["by"], one["action"]) for one in noted] == [("local", "POST /v1/workspaces/{workspace}/ingest")]
    assert sorted(BYTES)[0] in noted[0]["subject"]
    assert "filigraph_neo4j_up 1.0" in figures
    assert 'filigraph_llm_calls_total{model="scripted"} 1.0' in figures
    assert 'filigraph_stage_seconds_count{run="ask",stage="walk"} 2.0' in figures
    assert 'filigraph_stage_seconds_count{run="ingest",' in figures


@pytest.mark.parametrize("parameters", [{"limit": 0}, {"limit": 5000}, {"before": "yesterday"}])
def test_what_cannot_be_asked_of_the_log(http: httpx.Client, parameters: dict[str, str]) -> None:
    assert http.get("/v1/audit", params=parameters).status_code == 422
