"""The whole way over REST, on the real Neo4j: ingest, ask, look, delete, and errors in between."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.errors import Busy, Cancelled, LLMUnavailable
from filigraph.graph.ingest.extract.triples import TripleExtractor
from filigraph.graph.model.documents import Chunk
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.workspaces import HOME_SHARD
from filigraph.graph.store import Store
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import client_of, serving
from tests.patience import PATIENCE
from tests.runs.claw_case import TEXTS
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def service(neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address))


@pytest.fixture(scope="module")
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def case(workspace_pool: WorkspacePool) -> Iterator[str]:
    """The address of a workspace that is empty."""
    with workspace_pool.one() as name:
        yield f"/v1/workspaces/{name}"


@pytest.mark.essential
def test_the_whole_way(http: httpx.Client, case: str) -> None:
    told = send(http, case, BYTES)
    report = told[-1]["report"]
    assert sorted(report["added"]) == sorted(TEXTS) and report["skipped"] == []
    assert {event.get("stage") for event in told[:-1]} >= {"extract", "facts"}  # `alive` has none

    documents = http.get(f"{case}/documents").json()["documents"]
    assert [document["source"] for document in documents] == sorted(TEXTS)
    assert all(document["status"] == "complete" for document in documents)
    assert case.rpartition("/")[2] in {row["name"] for row in http.get("/v1/workspaces").json()["workspaces"]}

    question = {"question": "Why be wary of Jules Delmas?", "compare": True}
    answer = http.post(f"{case}/ask", json=question).json()
    path = next(path for path in answer["paths"] if len(path["hops"]) == 3)
    assert path["hops"][2]["sentence"] == "The police say that The Claw is a society of thieves."
    assert not answer["generated"] and "ollama pull mistral" in answer["text"]
    assert answer["vector_only"]["paths"] == []

    trace = http.get(f"{case}/traces/{answer['trace']['id']}").json()
    assert trace == answer["trace"] and {step["name"] for step in trace["steps"]} >= {"search", "walk", "rank"}
    assert http.get(f"/v1/workspaces/other/traces/{trace['id']}").status_code == 404
    asked = http.get(f"{case}/traces").json()["traces"]
    assert [row["id"] for row in asked] == [answer["vector_only"]["trace"]["id"], trace["id"]]
    assert asked[0]["at"] < asked[0]["expires"] and asked[0]["question"] == question["question"]
    assert [row["id"] for row in http.get(f"{case}/traces", params={"count": 1}).json()["traces"]] == [asked[0]["id"]]
    second = http.get(f"{case}/traces", params={"first": 1}).json()
    assert second["total"] == 2 and [row["id"] for row in second["traces"]] == [asked[1]["id"]]
    found = http.post(f"{case}/retrieve", json={"question": question["question"]}).json()
    assert [path["text"] for path in found["paths"]] == [path["text"] for path in answer["paths"]]

    entity = http.get(f"{case}/entities/{path['hops'][2]['subject_id']}").json()["entity"]
    assert entity["name"] == "The Claw"
    assert http.get(f"{case}/entities/none").status_code == 404
    assert http.get(f"{case}/stats").json()["stats"]


def test_a_trace_outlives_the_server(neo4j_address: Neo4jAddress, http: httpx.Client, case: str) -> None:
    send(http, case, BYTES)
    with serving(Service(WordRuntime(neo4j_address))) as url:
        found = httpx.post(f"{url}{case}/retrieve", json={"question": "Why be wary of Jules Delmas?"}).json()
    assert http.get(f"{case}/traces/{found['trace']['id']}").json() == found["trace"]
    error = http.get(f"{case}/traces/none").json()["error"]
    assert "none" in error["cause"] and "FILIGRAPH_TRACE_DAYS" in error["cure"]


def test_with_an_llm_the_words_come_after_the_path(
    http: httpx.Client, service: Service, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(http, case, BYTES)
    replies: dict[str, str | Exception] = {"Jules": "Jules wears the ring of The Claw [1]. Ask Baron Zorn."}
    monkeypatch.setattr(service.runtime, "llm", lambda awaited: ScriptedLLM(replies))
    body = {"question": "Why be wary of Jules Delmas?", "stream": True}
    told = [json.loads(line) for line in http.post(f"{case}/ask", json=body).text.splitlines()]
    kinds = list(dict.fromkeys(event["event"] for event in told))
    assert kinds == ["retrieved", "token", "answer"]
    assert told[0]["evidence"] and told[0]["paths"]
    answer = told[-1]["answer"]
    assert (
        answer["generated"]
        and answer["model"] == "scripted"
        and [(part["kind"], part["text"]) for part in answer["unsupported"]] == [("name", "Ask Baron Zorn")]
    )

    replies["Jules"] = LLMUnavailable("Ollama is gone.", cure="Start it.")
    broken = [json.loads(line) for line in http.post(f"{case}/ask", json=body).text.splitlines()]
    assert broken[0]["event"] == "retrieved"
    answer = broken[-1]["answer"]  # the evidence is worth having without an LLM, and says why there is none
    assert not answer["generated"] and "Ollama is gone." in answer["text"] + answer["missing"]


class SlowLLM(ScriptedLLM):
    """Begins to answer, and goes on only when nobody wants it any more."""

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield "ANSWER: Jules wears the ring "
        while not (cancel and cancel()):
            time.sleep(0.01)
        raise Cancelled


def test_a_question_that_is_cancelled_ends_with_what_was_read(
    http: httpx.Client, service: Service, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(http, case, BYTES)
    monkeypatch.setattr(service.runtime, "llm", lambda awaited: SlowLLM({}))
    body = {"question": "Why be wary of Jules Delmas?", "stream": True}
    with http.stream("POST", f"{case}/ask", json=body) as response:
        lines = response.iter_lines()
        found = json.loads(next(lines))
        while json.loads(next(lines))["event"] != "token":
            pass
        assert http.post(f"{case}/ask/{found['trace_id']}/cancel").status_code == 202
        answer = json.loads(list(lines)[-1])["answer"]
    assert (answer["ended"], answer["answered"], answer["generated"]) == ("cancelled", False, True)
    assert answer["text"].endswith("Jules wears the ring") and answer["citations"] and answer["paths"]
    kept = http.get(f"{case}/traces/{found['trace_id']}/answer").json()
    assert (kept["ended"], kept["text"]) == ("cancelled", answer["text"])
    assert kept["trace"]["steps"][-1]["name"] == "cancelled"
    gone = http.post(f"{case}/ask/{found['trace_id']}/cancel")
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "not_found")


def test_who_goes_away_while_an_llm_reads_finds_what_was_read(
    http: httpx.Client, service: Service, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(http, case, BYTES)
    monkeypatch.setattr(service.runtime, "llm", lambda awaited: SlowLLM({}))
    with http.stream("POST", f"{case}/ask", json={"question": "Why be wary of Jules?", "stream": True}) as response:
        lines = response.iter_lines()
        trace_id = json.loads(next(lines))["trace_id"]
        while json.loads(next(lines))["event"] != "token":
            pass
    until = time.monotonic() + PATIENCE
    while (kept := http.get(f"{case}/traces/{trace_id}/answer")).status_code == 404 and time.monotonic() < until:
        time.sleep(0.05)
    assert kept.json()["ended"] == "cancelled"


def test_ingest_twice_changes_nothing(http: httpx.Client, case: str) -> None:
    send(http, case, BYTES)
    before = http.get(f"{case}/stats").json()
    report = send(http, case, BYTES)[-1]["report"]
    assert sorted(report["unchanged"]) == sorted(TEXTS)
    assert http.get(f"{case}/stats").json() == before


def test_what_cannot_be_used_is_reported_and_the_rest_goes_on(http: httpx.Client, case: str) -> None:
    bad = {"empty.txt": b"", "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(50), "broken.pdf": b"%PDF-1.4 nonsense"}
    report = send(http, case, {**bad, **BYTES})[-1]["report"]
    assert {entry["source"] for entry in report["skipped"]} == set(bad)
    assert all(entry["cause"] and entry["cure"] for entry in report["skipped"])
    assert sorted(report["added"]) == sorted(TEXTS)


@pytest.mark.essential
def test_a_deleted_document_leaves_nothing_behind(http: httpx.Client, case: str, store: Store) -> None:
    name = case.rpartition("/")[2]
    rest = {source: content for source, content in BYTES.items() if source != "cutting.txt"}
    send(http, case, rest)
    never = list(store.graph(name).dump())
    send(http, case, BYTES)
    (document,) = [d for d in http.get(f"{case}/documents").json()["documents"] if d["source"] == "cutting.txt"]
    assert list(store.graph(name).dump()) != never
    assert http.delete(f"{case}/documents/{document['id']}").json()["source"] == "cutting.txt"
    assert list(store.graph(name).dump()) == never
    assert http.delete(f"{case}/documents/{document['id']}").status_code == 404


def test_a_workspace_that_is_not_there(http: httpx.Client) -> None:
    for path in ("documents", "stats", "entities/x", "traces", "traces/x"):
        assert http.get(f"/v1/workspaces/none/{path}").status_code == 404
    for path in ("ask", "retrieve"):
        assert http.post(f"/v1/workspaces/none/{path}", json={"question": "Why?"}).status_code == 404
    assert http.delete("/v1/workspaces/none/documents/x").status_code == 404


@pytest.mark.parametrize("question", ["", " \n ", "why " * 10_001])
def test_a_question_that_is_none(http: httpx.Client, case: str, question: str) -> None:
    send(http, case, BYTES)
    for path in ("ask", "retrieve"):
        response = http.post(f"{case}/{path}", json={"question": question})
        assert response.status_code == 400
        assert response.json()["error"]["cure"]


def test_another_embedder_is_refused(http: httpx.Client, store: Store) -> None:
    store.create_workspace("another", fingerprint="another", dimensions=8)
    response = http.post("/v1/workspaces/another/ingest", files=[("files", ("a.txt", b"text"))])
    store.delete_workspace("another")
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "embedder_mismatch"


def test_no_llm_where_one_is_asked_for(http: httpx.Client, case: str) -> None:
    response = http.post(f"{case}/ingest", files=[("files", ("a.txt", b"text"))], data={"extractor": "llm"})
    assert response.status_code == 400
    assert "ollama pull mistral" in response.json()["error"]["cure"]


def test_an_evaluation_is_kept_until_the_workspace_goes(http: httpx.Client, case: str, store: Store) -> None:
    send(http, case, BYTES)
    rows = [
        {"id": "wary", "question": "Why be wary of Jules?", "type": "bridge", "gold": ["letter.txt", "cutting.txt"]},
        {"id": "quote", "question": "Who is a baker?", "type": "single", "gold": ["Paul Delmas is a  baker in Lyon."]},
        {"id": "unknown", "question": "Who?", "gold": ["none.txt"]},
    ]  # fmt: skip
    files = {"questions": ("q.jsonl", "\n".join(map(json.dumps, rows)).encode())}
    indexed = {"index_seconds": {"embed": 1.5}, "indexed_passages": 4}

    def run(**data: Any) -> Any:
        response = http.post(f"{case}/evaluate", files=files, data=data)
        return json.loads(response.text.splitlines()[-1])["evaluation"]

    first = run(indexed=json.dumps(indexed))
    assert (first["questions"], first["skipped"], first["passages"]) == (2, 1, 4)
    assert first["problems"] == ["question unknown: its gold is not in the workspace: 'none.txt'"]
    assert first["methods"]["filigraph"]["recall@5"] == 1.0
    assert first["path_coverage@3"] == {"bridge": 1.0, "comparison": None}
    second = run(methods=["bm25"], limit=1)
    assert second["index_seconds"] == {"embed": 1.5} and second["indexed_passages"] == 4  # taken over
    assert http.get(f"{case}/evaluations").json() == {"total": 2, "evaluations": [second, first]}
    assert http.get(f"{case}/evaluations", params={"first": 1}).json() == {"total": 2, "evaluations": [first]}

    name = case.rpartition("/")[2]
    store.delete_workspace(name)
    assert http.get(f"{case}/evaluations").status_code == 404
    send(http, case, BYTES)
    assert http.get(f"{case}/evaluations").json() == {"total": 0, "evaluations": []}
    assert http.post("/v1/workspaces/none/evaluate", files=files).status_code == 404
    empty = http.post(f"{case}/evaluate", files={"questions": ("q.jsonl", b"")})
    assert empty.status_code == 400 and "empty" in empty.json()["error"]["cause"]


class Slow:
    """An extractor that reads a chunk only when it is told to."""

    name, version, batch, expensive, usage = "slow", "1", 1, False, Usage()

    def __init__(self) -> None:
        self.reading = threading.Event()
        self.go = threading.Event()

    def extract(self, chunks: Sequence[Chunk]) -> Iterator[Any]:
        self.reading.set()
        assert self.go.wait(PATIENCE)
        yield from TripleExtractor({}).extract(chunks)


@pytest.fixture
def slow(service: Service, monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    monkeypatch.setattr(service.runtime, "extractor", lambda kind, **_: made)
    return made


def test_two_ingests_of_one_workspace_take_turns(http: httpx.Client, case: str, slow: Slow) -> None:
    def run(name: str) -> list[dict[str, Any]]:
        response = http.post(f"{case}/ingest", files=[("files", (name, b"The Claw met Jules."))])
        return [json.loads(line) for line in response.text.splitlines()]

    with ThreadPoolExecutor(2) as both:
        first = both.submit(run, "first.txt")
        assert slow.reading.wait(PATIENCE)
        with http.stream("POST", f"{case}/ingest", files=[("files", ("second.txt", b"The Claw met Paul."))]) as second:
            lines = second.iter_lines()
            assert next(told for line in lines if (told := json.loads(line)["event"]) != "alive") == "waiting"
            assert not first.done()
            slow.go.set()
            assert json.loads(list(lines)[-1])["report"]["added"] == ["second.txt"]
        assert first.result()[-1]["report"]["added"] == ["first.txt"]


def test_who_goes_away_loses_nothing_that_was_read(http: httpx.Client, service: Service, case: str, slow: Slow) -> None:
    with http.stream("POST", f"{case}/ingest", files=[("files", ("a.txt", b"The Claw met Jules."))]):
        assert slow.reading.wait(PATIENCE)
    slow.go.set()
    with service.context.workspace_locks.acquire(case.rpartition("/")[2], waiting=lambda _: None, give_up=lambda: None):
        pass  # the work has ended
    response = http.post(f"{case}/ingest", files=[("files", ("a.txt", b"The Claw met Jules."))])
    assert json.loads(response.text.splitlines()[-1])["report"]["skipped"] == []
    assert [d["status"] for d in http.get(f"{case}/documents").json()["documents"]] == ["complete"]


@pytest.mark.parametrize("at", ["", HOME_SHARD])
@pytest.mark.usefixtures("http")  # it closes the store
def test_the_lock_of_a_workspace_is_one_whether_its_shard_is_named_or_not(service: Service, at: str) -> None:
    """The sweep, which names the shard, once took the lock of an import under way, and would have cleared it away."""
    context, name = service.context, f"case-{uuid.uuid4().hex[:12]}"
    other = "" if at else HOME_SHARD
    with context.locked_soon(name, at=at) as store:
        with pytest.raises(Busy), context.locked_soon(name, patience=0.0, at=other):
            pass
        store.database.write(lambda _: None)  # raises LeaseLost once the lock is another's
    with context.locked_soon(name, patience=0.0, at=other):
        pass


def test_a_store_that_is_gone_is_connected_to_again(http: httpx.Client, service: Service, case: str) -> None:
    send(http, case, BYTES)
    service.runtime.store().close()  # what a restart of Neo4j does to the driver
    assert http.get(f"{case}/stats").status_code in (200, 503)
    assert http.get(f"{case}/stats").status_code == 200


def test_doctor_looks_at_everything(http: httpx.Client) -> None:
    checks = {check["name"]: check for check in http.get("/v1/doctor").json()["checks"]}
    assert list(checks) == ["Neo4j", "Embedder", "Reranker", "LLM", "Local extractor", "OCR", "Disk", "Memory"]
    assert checks["Neo4j"]["state"] == checks["Local extractor"]["state"] == "ok"
    assert checks["LLM"]["state"] == "none" and "ollama pull mistral" in checks["LLM"]["cure"]
    assert "64 dimensions" in checks["Embedder"]["detail"]
    assert all(check["cure"] for check in checks.values() if check["state"] != "ok")
