"""Jobs over REST, on the real Neo4j and an LLM server: done without a waiting client, ended, retried, taken over."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service import documents
from filigraph.app.service.documents import Documents
from filigraph.app.service.ingestion import Ingestion
from filigraph.app.service.jobs import coordinator, llm_items
from filigraph.app.service.jobs.coordinator import StopSignal
from filigraph.app.service.service import Service
from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.ingest import incoming
from filigraph.graph.ingest.extract import llm as extract_llm
from filigraph.graph.ingest.report import IngestReport
from filigraph.graph.models.adapters import http as llm_http
from filigraph.graph.models.llm import LLMSettings
from filigraph.graph.store import Store
from tests.api.job_requests import statuses, submit, until, watch
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime, elsewhere
from tests.api.serving import client_of, serving
from tests.patience import PATIENCE
from tests.runs.llm_letters import reply
from tests.unit.graph.llm_stub import Fail, Hang, Say, Stub, llm_stub
from tests.workspace_pool import WorkspacePool

MET = Say(pieces=[reply([1, "Jules", "met", "Nora"])], tokens=(900, 120))
LETTER = b"Jules met Nora at the mill."


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often: nobody is to wait for a test."""
    monkeypatch.setattr(coordinator, "BUSY", 0.05)
    monkeypatch.setattr(coordinator, "IDLE", 0.05)
    monkeypatch.setattr(coordinator, "REST", 0.0)
    monkeypatch.setattr(extract_llm, "LONGEST_PAUSE", 0.05)
    monkeypatch.setattr(llm_http, "LLMSettings", lambda: LLMSettings(attempts=1))


@pytest.fixture
def file_by_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are stored to their end one after the other."""
    monkeypatch.setattr(incoming, "GROUP", 1)
    monkeypatch.setattr(incoming, "BATCHES", 0)


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        running.replies = [MET]
        yield running


@pytest.fixture
def service(neo4j_address: Neo4jAddress, stub: Stub) -> Service:
    settings = {
        "FILIGRAPH_LLM_URL": f"{stub.url}/v1",
        "FILIGRAPH_LLM": f"model-{uuid.uuid4().hex}",
        "FILIGRAPH_LLM_PARALLEL": 1,
        "FILIGRAPH_JOBS": 1,
        "FILIGRAPH_JOBS_MB": 3,
    }
    return Service(WordRuntime(neo4j_address, **settings))


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def case(workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        yield f"/v1/workspaces/{name}"


def test_who_watches_is_told_that_the_server_ends(
    http: httpx.Client, case: str, service: Service, store: Store, stub: Stub
) -> None:
    stub.replies = [Hang()]
    job = submit(http, case, {"letter.txt": LETTER})
    with http.stream("GET", f"/v1/jobs/{job['id']}/events") as response:
        lines = response.iter_lines()
        while json.loads(next(lines)).get("job", {}).get("state") != "running":
            pass
        service.runtime.stopping.set()
        last = [json.loads(line) for line in lines][-1]
    assert last["event"] == "error" and last["error"]["code"] == "unavailable"
    assert "stopping" in last["error"]["cause"] and "watch it again" in last["error"]["cure"]


def test_files_are_read_without_anybody_waiting(http: httpx.Client, case: str) -> None:
    job = submit(http, case, {**BYTES, "scan.png": b"\x89PNG\r\n\x1a\n"}, TRIPLES_FILE)
    assert (job["state"], job["items"], job["kind"]) == ("queued", 5, "ingest")
    last = watch(http, job)[-1]
    assert (last["state"], last["failed"], last["error"]) == ("partial", 1, None)
    assert sorted(last["report"]["added"]) == sorted(BYTES)
    assert last["report"]["facts"] == 6
    assert last["progress"]["documents"] == last["progress"]["documents_total"] == 5
    assert last["started"] <= last["finished"]
    found = http.get(f"/v1/jobs/{job['id']}/items", params={"state": "failed"}).json()
    assert found["total"] == 1
    assert found["items"][0]["name"] == "scan.png" and "PNG" in found["items"][0]["cause"]
    assert http.get(f"/v1/jobs/{job['id']}/items", params={"first": 1, "count": 2}).json()["total"] == 5
    assert statuses(http, case) == dict.fromkeys(BYTES, "complete")

    again = http.post(f"/v1/jobs/{job['id']}/retry").json()
    assert again["state"] in ("queued", "running")
    last = watch(http, job)[-1]
    assert last["progress"]["documents_total"] == 1, "only what failed is tried again"
    assert (last["state"], last["report"]["unchanged"]) == ("partial", [])


def test_jobs_are_listed_and_removed(http: httpx.Client, case: str) -> None:
    name = case.rsplit("/", 1)[1]
    first, second = (submit(http, case, {f"{n}.txt": LETTER}) for n in "ab")
    for job in (first, second):
        watch(http, job)
    found = http.get("/v1/jobs", params={"workspace": name, "state": "done"}).json()
    assert (found["total"], [job["id"] for job in found["jobs"]]) == (2, [second["id"], first["id"]])
    assert (
        http.get("/v1/jobs", params={"workspace": name, "first": 1, "count": 1}).json()["jobs"][0]["id"] == first["id"]
    )
    assert http.get("/v1/jobs", params={"workspace": name, "state": "failed"}).json() == {"total": 0, "jobs": []}
    assert http.delete(f"/v1/jobs/{first['id']}").status_code == 200
    assert http.get(f"/v1/jobs/{first['id']}").status_code == 404
    assert http.get(f"/v1/jobs/{first['id']}/events").status_code == 404
    refused = http.post(f"/v1/jobs/{second['id']}/retry")
    assert refused.status_code == 400 and "is done" in refused.json()["error"]["cause"]


def test_a_job_that_is_cancelled_ends_and_what_was_read_stays(http: httpx.Client, case: str, stub: Stub) -> None:
    stub.replies = [MET, Hang()]
    job = submit(http, case, {"a.txt": LETTER, "b.txt": b"Paul came home."})
    until(http, job, "running")
    while len(stub.requests) < 2:  # the second chunk is being asked for
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] == "running"
    assert http.delete(f"/v1/jobs/{job['id']}").status_code == 400, "it runs"
    told = http.post(f"/v1/jobs/{job['id']}/cancel").json()
    assert told["cancelling"] or told["state"] == "cancelled", "it may have ended before it is told of"
    last = watch(http, job)[-1]
    assert (last["state"], last["cancelling"]) == ("cancelled", False)
    assert stub.hung_up.wait(PATIENCE), "the LLM's request was closed"
    assert "partial" in statuses(http, case).values()

    asked = len(stub.requests)
    stub.replies = [Say(pieces=[reply()], tokens=(900, 20))]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"
    assert len(stub.requests) == asked + 1, "what was read is not read again"
    assert statuses(http, case) == {"a.txt": "complete", "b.txt": "complete"}


def test_chunks_that_could_not_be_read_are_read_by_a_retry(http: httpx.Client, case: str, stub: Stub) -> None:
    stub.replies = [MET, Fail(status=400, body="this prompt is not liked")]
    job = submit(http, case, {"a.txt": LETTER, "b.txt": b"Paul came home."})
    last = watch(http, job)[-1]
    assert (last["state"], last["failed"], last["report"]["failed_chunks"]) == ("partial", 0, 1)
    stub.replies = [MET]
    asked = len(stub.requests)
    http.post(f"/v1/jobs/{job['id']}/retry")
    last = watch(http, job)[-1]
    assert (last["state"], len(stub.requests)) == ("done", asked + 1)
    assert statuses(http, case) == {"a.txt": "complete", "b.txt": "complete"}


def test_so_many_at_once_the_highest_priority_first(http: httpx.Client, case: str, stub: Stub, store: Store) -> None:
    stub.replies = [Hang()]
    blocking = submit(http, case, {"a.txt": LETTER})
    until(http, blocking, "running")
    other = f"{case}-other"
    low, high = submit(http, other, {"b.txt": LETTER}), submit(http, other, {"c.txt": LETTER}, priority="5")
    assert {http.get(f"/v1/jobs/{job['id']}").json()["state"] for job in (low, high)} == {"queued"}
    figures = http.get("/v1/metrics").text.splitlines()
    assert {'filigraph_jobs{state="queued"} 2.0', 'filigraph_jobs{state="running"} 1.0'} <= set(figures)
    stub.replies = [MET]
    http.post(f"/v1/jobs/{blocking['id']}/cancel")
    low, high = (watch(http, job)[-1] for job in (low, high))
    assert (low["state"], high["state"]) == ("done", "done")
    assert high["finished"] <= low["started"]
    store.delete_workspace(other.rsplit("/", 1)[1])


def test_a_job_that_waits_is_cancelled_at_once(http: httpx.Client, case: str, stub: Stub) -> None:
    stub.replies = [Hang()]
    blocking = submit(http, case, {"a.txt": LETTER})
    until(http, blocking, "running")
    waiting = submit(http, case, {"b.txt": LETTER})
    http.post(f"/v1/jobs/{waiting['id']}/cancel")
    assert watch(http, waiting)[-1]["state"] == "cancelled"
    assert http.get(f"/v1/jobs/{blocking['id']}").json()["state"] == "running"
    http.post(f"/v1/jobs/{blocking['id']}/cancel")
    watch(http, blocking)


def test_a_server_that_ends_lets_its_jobs_wait_and_the_next_one_goes_on(
    neo4j_address: Neo4jAddress, service: Service, case: str, stub: Stub, store: Store
) -> None:
    stub.replies = [MET, Hang()]
    with client_of(service) as http:
        job = submit(http, case, {"a.txt": LETTER, "b.txt": b"Paul came home."})
        until(http, job, "running")
        while len(stub.requests) < 2:
            assert http.get(f"/v1/jobs/{job['id']}").json()["state"] == "running"
    assert store.jobs.job(job["id"]).state == "queued"
    stub.replies = [MET]
    asked = len(stub.requests)
    next_one = Service(
        WordRuntime(
            neo4j_address,
            FILIGRAPH_LLM_URL=f"{stub.url}/v1",
            FILIGRAPH_LLM=service.runtime.settings.llm,
            FILIGRAPH_LLM_PARALLEL=1,
        )
    )
    with client_of(next_one) as http:
        assert watch(http, job)[-1]["state"] == "done"
        assert statuses(http, case) == {"a.txt": "complete", "b.txt": "complete"}
    assert len(stub.requests) == asked + 1


def test_two_servers_run_a_job_once(
    neo4j_address: Neo4jAddress, service: Service, http: httpx.Client, case: str, stub: Stub
) -> None:
    with (
        serving(
            Service(
                WordRuntime(
                    neo4j_address, FILIGRAPH_LLM_URL=f"{stub.url}/v1", FILIGRAPH_LLM=service.runtime.settings.llm
                )
            )
        ) as url,
        httpx.Client(base_url=url, trust_env=False) as other,
    ):
        done = [submit(client, case, {f"{n}.txt": LETTER + b" %d" % n}) for n, client in enumerate((http, other) * 3)]
        ended = [watch(other, job)[-1] for job in done]
    assert {job["state"] for job in ended} == {"done"}
    assert {job["attempts"] for job in ended} == {1}
    assert len(stub.requests) == 6


def test_more_than_is_kept_is_refused(http: httpx.Client, case: str) -> None:
    refused = http.post(f"{case}/jobs", files=[("files", ("a.txt", b"a" * (4 << 20)))])
    assert refused.status_code == 400
    assert "FILIGRAPH_JOBS_MB" in refused.json()["error"]["cure"]


def test_what_would_fail_wholly_is_refused_at_once(http: httpx.Client, case: str) -> None:
    refused = http.post(f"{case}/jobs", files=[("files", ("a", b"a")), ("aliases", ("a", b"alone"))])
    assert refused.status_code == 400 and "Line 1" in refused.json()["error"]["cause"]
    assert http.post(f"{case}/jobs", data={"priority": "1"}).status_code == 422


def test_an_llm_that_is_not_there_fails_the_job(neo4j_address: Neo4jAddress, case: str) -> None:
    with (
        serving(Service(WordRuntime(neo4j_address))) as url,
        httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as http,
    ):
        job = submit(http, case, {"a.txt": LETTER})
        last = watch(http, job)[-1]
    assert last["state"] == "failed"
    assert last["error"]["code"] == "bad_input" and "Ollama" in last["error"]["cause"]


def ask(http: httpx.Client, case: str, questions: str, **data: str) -> httpx.Response:
    return http.post(f"{case}/questions", files={"questions": ("q", questions.encode())}, data=data)


def test_a_file_of_questions_is_answered(http: httpx.Client, case: str, stub: Stub) -> None:
    watch(http, submit(http, case, BYTES, TRIPLES_FILE))
    stub.replies = [Say(pieces=["Because of the ring. [1]"])]
    asked = 'Why be wary of Jules Delmas?\n{"question": "Who hunts The Claw?"}\n' + "x " * 10_001
    job = ask(http, case, asked, settings='{"keep": 2, "sources": ["letter.txt"]}').json()
    assert (job["kind"], job["items"]) == ("ask", 3)
    last = watch(http, job)[-1]
    assert (last["state"], last["failed"], last["report"]) == ("partial", 1, None)
    answered = http.get(f"/v1/jobs/{job['id']}/answers")
    assert answered.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answered.text)))
    assert [row["question"] for row in rows[:2]] == ["Why be wary of Jules Delmas?", "Who hunts The Claw?"]
    assert rows[0]["answer"] == "Because of the ring. [1]"
    assert {row["evidence"].splitlines()[0] for row in rows[:2]} == {"[1] letter.txt, paragraph 1"}
    assert "longer than" in rows[2]["error"] and not rows[2]["answer"]
    trace = http.get(f"{case}/traces/{rows[0]['trace']}").json()
    assert trace["settings"]["sources"] == ["letter.txt"]


def test_questions_go_on_where_they_were_stopped(http: httpx.Client, case: str, stub: Stub) -> None:
    watch(http, submit(http, case, BYTES, TRIPLES_FILE))
    stub.requests.clear()
    stub.replies = [Say(pieces=["Because. [1]"]), Hang()]
    job = ask(http, case, "Who is Jules?\nWho is Brun?\nWho is Paul?").json()
    while len(stub.requests) < 2:
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    http.post(f"/v1/jobs/{job['id']}/cancel")
    assert watch(http, job)[-1]["state"] == "cancelled"
    stub.replies = [Say(pieces=["Later. [1]"])]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"
    rows = csv.DictReader(io.StringIO(http.get(f"/v1/jobs/{job['id']}/answers").text))
    assert [row["answer"] for row in rows] == ["Because. [1]", "Later. [1]", "Later. [1]"]


@pytest.mark.parametrize(
    ("settings", "status"),
    [('{"depth": 9}', 400), ("[]", 400), ("{", 400), ('{"keep": "x"}', 400), ('{"stream": true}', 400)],
)
def test_settings_that_cannot_be_used_are_refused(http: httpx.Client, case: str, settings: str, status: int) -> None:
    http.put(case)
    assert ask(http, case, "Who?", settings=settings).status_code == status


def test_a_job_that_asks_nothing_has_no_answers(http: httpx.Client, case: str) -> None:
    assert ask(http, "/v1/workspaces/none", "Who?").status_code == 404, "there is no such workspace"
    job = submit(http, case, {"a.txt": LETTER})
    watch(http, job)
    assert http.get(f"/v1/jobs/{job['id']}/answers").status_code == 400


def test_deletions_and_jobs_that_wait_for_a_workspace_take_no_room(
    http: httpx.Client, case: str, stub: Stub, store: Store
) -> None:
    other = f"{case}-other"
    watch(http, submit(http, other, {"b.txt": LETTER}))
    with elsewhere(store, other):
        waits = submit(http, other, {"c.txt": LETTER})
        stub.replies = [Hang()]
        blocking = submit(http, case, {"a.txt": LETTER + b" Twice."})
        until(http, blocking, "running")
        assert http.get(f"/v1/jobs/{waits['id']}").json()["state"] == "queued"
    assert http.request("DELETE", f"{other}/documents", json={"sources": ["b.txt"]}).status_code == 200
    assert http.get(f"/v1/jobs/{blocking['id']}").json()["state"] == "running"
    stub.replies = [MET]
    http.post(f"/v1/jobs/{blocking['id']}/cancel")
    assert watch(http, waits)[-1]["state"] == "done"
    store.delete_workspace(other.rsplit("/", 1)[1])


def test_questions_do_not_hold_up_what_is_read(neo4j_address: Neo4jAddress, case: str, stub: Stub) -> None:
    model = {"FILIGRAPH_LLM_URL": f"{stub.url}/v1", "FILIGRAPH_LLM": f"model-{uuid.uuid4().hex}"}
    with client_of(Service(WordRuntime(neo4j_address, FILIGRAPH_JOBS=2, **model))) as http:
        watch(http, submit(http, case, BYTES, TRIPLES_FILE))
        stub.replies = [Hang()]
        asked = ask(http, case, "Who is Jules?").json()
        until(http, asked, "running")
        assert watch(http, submit(http, case, {"new.txt": LETTER}, extractor="local"))[-1]["state"] == "done"
        assert http.get(f"/v1/jobs/{asked['id']}").json()["state"] == "running"
        http.post(f"/v1/jobs/{asked['id']}/cancel")
        watch(http, asked)


# --------------------------------------------------------------------------------------------------------------------
# Overnight


def go_on(address: Neo4jAddress, first: Service, **settings: object) -> Service:
    """Another server, set up as the first one."""
    known = first.runtime.settings
    return Service(
        WordRuntime(
            address,
            **{
                "FILIGRAPH_LLM_URL": known.llm_url,
                "FILIGRAPH_LLM": known.llm,
                "FILIGRAPH_LLM_PARALLEL": 1,
                **settings,
            },
        )
    )


def wait_until(http: httpx.Client, job: dict[str, Any], true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        now: dict[str, Any] = http.get(f"/v1/jobs/{job['id']}").json()
        if true(now):
            return now
        assert now["state"] in ("queued", "running"), now


def waits_for_llm(job: dict[str, Any]) -> bool:
    return bool(job["progress"]) and "Waiting for it" in job["progress"]["message"]


@pytest.mark.parametrize("extractor", ["auto", "llm"])
def test_a_job_that_an_llm_began_waits_for_it(
    neo4j_address: Neo4jAddress, stub: Stub, case: str, extractor: str
) -> None:
    ollama = {"OLLAMA_HOST": stub.url, "FILIGRAPH_LLM_PARALLEL": 1}
    stub.replies = [MET, Hang()]
    with client_of(Service(WordRuntime(neo4j_address, **ollama))) as http:
        job = submit(http, case, {"a.txt": LETTER, "b.txt": b"Paul came home."}, extractor=extractor)
        assert job["llm"] == "mistral:latest", "it is chosen now: it may not be up when the job begins"
        while len(stub.requests) < 2:
            assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    stub.away = True
    with client_of(Service(WordRuntime(neo4j_address, **ollama))) as http:
        wait_until(http, job, waits_for_llm)
        assert set(statuses(http, case).values()) == {"partial"}, "it is not read by another meanwhile"
        stub.replies, stub.away = [MET], False
        last = watch(http, job)[-1]
    assert (last["state"], last["report"]["failed_chunks"], last["llm"]) == ("done", 0, "mistral:latest")
    assert last["report"]["kept_extractions"] == 1


def test_a_job_that_was_begun_without_an_llm_goes_on_without(
    neo4j_address: Neo4jAddress, stub: Stub, case: str
) -> None:
    stub.away = True
    with client_of(Service(WordRuntime(neo4j_address, OLLAMA_HOST=stub.url))) as http:
        job = submit(http, case, {"a.txt": LETTER, "scan.png": b"\x89PNG\r\n\x1a\n"}, extractor="auto")
        assert job["llm"] is None
        last = watch(http, job)[-1]
        assert (last["state"], last["llm"]) == ("partial", "")
        stub.away = False
        http.post(f"/v1/jobs/{job['id']}/retry")
        assert watch(http, job)[-1]["llm"] == ""
    assert stub.requests == []


def test_a_server_at_an_address_that_is_not_up_yet_is_waited_for(http: httpx.Client, case: str, stub: Stub) -> None:
    stub.away = True
    job = submit(http, case, {"a.txt": LETTER})
    wait_until(http, job, waits_for_llm)
    stub.away = False
    assert watch(http, job)[-1]["state"] == "done"


@pytest.mark.usefixtures("file_by_file")
def test_files_are_noted_when_read_and_deleted_ones_stay_deleted(
    http: httpx.Client, case: str, stub: Stub, store: Store
) -> None:
    kept = store.jobs.bytes_kept()
    stub.replies = [MET, Hang()]
    files = {"a.txt": LETTER, "scan.png": b"\x89PNG\r\n\x1a\n", "c.txt": b"Paul came home."}
    job = submit(http, case, files)
    while len(stub.requests) < 2:
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    found = http.get(f"/v1/jobs/{job['id']}/items").json()["items"]
    assert [item["state"] for item in found] == ["done", "failed", "waiting"] and "PNG" in found[1]["cause"]
    now = http.get(f"/v1/jobs/{job['id']}").json()
    assert (now["failed"], now["report"]["added"]) == (1, ["a.txt"])
    assert store.jobs.bytes_kept() - kept == len(files["scan.png"]) + len(files["c.txt"])
    (listed,) = http.get("/v1/jobs", params={"workspace": case.rsplit("/", 1)[1]}).json()["jobs"]
    assert listed["report"] is None, "a list does not name all the files of all jobs"
    http.post(f"/v1/jobs/{job['id']}/cancel")
    told = watch(http, job)
    assert all(event["report"] is None for event in told[:-1])
    assert told[-1]["report"]["added"] == ["a.txt"]

    assert http.request("DELETE", f"{case}/documents", json={"sources": ["a.txt"]}).status_code == 200
    stub.replies = [MET]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "partial"
    assert statuses(http, case) == {"c.txt": "complete"}


@pytest.mark.usefixtures("file_by_file")
def test_the_report_is_of_all_attempts(neo4j_address: Neo4jAddress, service: Service, case: str, stub: Stub) -> None:
    stub.replies = [MET, Fail(status=400, body="not liked"), MET, Hang()]
    with client_of(service) as http:
        job = submit(http, case, {f"{n}.txt": b"Jules met Nora on day %d." % n for n in range(4)})
        while len(stub.requests) < 4:
            assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    stub.replies = [MET]
    with client_of(go_on(neo4j_address, service, FILIGRAPH_LLM_PRICE_IN=1000)) as http:
        last = watch(http, job)[-1]
    report = last["report"]
    assert report["added"] == [f"{n}.txt" for n in range(4)]
    assert (last["state"], report["failed_chunks"], report["chunks"]) == ("partial", 1, 4)
    assert (report["usage"]["calls"], report["cost"]) == (3, pytest.approx(2.7))


def test_files_of_one_name_are_refused(http: httpx.Client, case: str) -> None:
    files = [("files", (name, LETTER)) for name in ("a.txt", "b.txt", "a.txt")]
    refused = http.post(f"{case}/jobs", files=files)
    assert refused.status_code == 400
    assert "files 1 and 3 are both called 'a.txt'" in refused.json()["error"]["cause"]


def test_a_row_that_bears_the_name_of_a_file_does_not_fail_the_file(http: httpx.Client, case: str) -> None:
    row = json.dumps({"id": "a.txt", "text": "Paul came home."}).encode()
    job = submit(http, case, {"a.txt": LETTER, "rows.jsonl": row})
    assert watch(http, job)[-1]["failed"] == 1
    found = http.get(f"/v1/jobs/{job['id']}/items").json()["items"]
    assert [item["state"] for item in found] == ["done", "failed"] and "twice" in found[1]["cause"]


def test_a_bad_file_of_rows_costs_only_itself(http: httpx.Client, case: str) -> None:
    job = submit(http, case, {"bad.jsonl": b"\x00\xff\xfe\x00PNG\x01\x02", "a.txt": LETTER})
    last = watch(http, job)[-1]
    assert (last["state"], last["failed"], last["error"]) == ("partial", 1, None)
    assert statuses(http, case) == {"a.txt": "complete"}


class Refusing(Ingestion):
    """Its Neo4j answers, but refuses one thing each time."""

    begun = 0

    def ingest(self, *_: Any, **__: Any) -> IngestReport:
        self.begun += 1
        raise StoreUnavailable("Neo4j: no memory is left.", cure="Give it more.")


def test_what_neo4j_refuses_each_time_ends_the_job_with_its_cause(neo4j_address: Neo4jAddress, case: str) -> None:
    service = Service(WordRuntime(neo4j_address))
    service.ingestion = refusing = Refusing(service.context)
    with client_of(service) as http:
        job = submit(http, case, {"a.txt": LETTER}, extractor="local")
        last = watch(http, job)[-1]
    assert (last["state"], refusing.begun) == ("failed", coordinator.SETBACKS)
    assert last["error"]["cause"] == "Neo4j: no memory is left." and last["error"]["cure"] == "Give it more."


def test_questions_are_judged_by_all_attempts(http: httpx.Client, case: str, stub: Stub) -> None:
    watch(http, submit(http, case, BYTES, TRIPLES_FILE))
    stub.requests.clear()
    stub.replies = [Fail(status=400, body="not liked"), Hang()]
    job = ask(http, case, "Who is Jules?\nWho is Brun?").json()
    while len(stub.requests) < 2:
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    http.post(f"/v1/jobs/{job['id']}/cancel")
    assert watch(http, job)[-1]["failed"] == 1
    stub.replies = [Say(pieces=["Because. [1]\nMISSING: his age"])]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"
    rows = list(csv.DictReader(io.StringIO(http.get(f"/v1/jobs/{job['id']}/answers").text)))
    assert [(row["answer"], row["missing"]) for row in rows] == [("Because. [1]", "his age")] * 2


def test_failures_of_an_earlier_attempt_count(
    neo4j_address: Neo4jAddress, service: Service, case: str, stub: Stub
) -> None:
    stub.replies = [Fail(status=400, body="not liked"), Hang()]
    with client_of(service) as http:
        watch(http, submit(http, case, BYTES, TRIPLES_FILE))
        job = ask(http, case, "Who is Jules?\nWho is Brun?").json()
        while len(stub.requests) < 2:
            assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("queued", "running")
    stub.replies = [Say(pieces=["Because. [1]"])]
    with client_of(go_on(neo4j_address, service)) as http:
        last = watch(http, job)[-1]
        assert (last["state"], last["failed"], last["attempts"]) == ("partial", 1, 1)
        assert http.post(f"/v1/jobs/{job['id']}/retry").status_code == 200
        assert watch(http, job)[-1]["state"] == "done"


def test_an_llm_that_is_away_is_waited_for_by_questions(http: httpx.Client, case: str, stub: Stub) -> None:
    watch(http, submit(http, case, BYTES, TRIPLES_FILE))
    stub.away = True
    job = ask(http, case, "Who is Jules?").json()
    wait_until(http, job, waits_for_llm)
    stub.replies, stub.away = [Say(pieces=["Because. [1]"])], False
    assert watch(http, job)[-1]["state"] == "done"


def test_questions_that_an_llm_did_not_answer_have_failed(
    http: httpx.Client, case: str, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llm_items, "MAX_WAIT_SECONDS", 0.0)
    watch(http, submit(http, case, BYTES, TRIPLES_FILE))
    stub.replies = [Say(pieces=["Because. [1]"]), Fail(status=503, body="It ends.")]
    stub.requests.clear()
    asked = "\n".join(f"Who is number {n}?" for n in range(9))
    job = ask(http, case, asked).json()
    last = watch(http, job)[-1]
    assert (last["state"], last["failed"], len(stub.requests)) == ("partial", 8, 4), "one, then three in a row"
    rows = list(csv.DictReader(io.StringIO(http.get(f"/v1/jobs/{job['id']}/answers").text)))
    assert not rows[0]["error"] and "It ends." in rows[1]["error"] and "not asked" in rows[8]["error"]
    assert rows[1]["evidence"] and not rows[1]["missing"], "what was found stays"
    stub.replies = [Say(pieces=["Because. [1]"])]
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"


def test_a_deletion_that_is_cancelled_leaves_no_facts_of_what_is_gone(
    http: httpx.Client, service: Service, case: str, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    monkeypatch.setattr(documents, "DOOMED", 1)
    watch(http, submit(http, case, {"a.txt": LETTER, "b.txt": b"Jules met Nora again."}))
    remove = Documents.remove_documents
    begun: list[StopSignal] = []

    def cancelled_then(self: Documents, workspace: str, ids: Sequence[str], *, removed: Any, **more: Any) -> None:
        """Somebody cancels once the first one is gone."""

        def told(ids: Sequence[str]) -> None:
            removed(ids)
            begun.append(more["stop"])
            http.post(f"/v1/jobs/{job['id']}/cancel")
            while not more["stop"].cancelled():
                service.jobs.coordinator.wake()

        remove(self, workspace, ids, removed=told, **more)

    monkeypatch.setattr(Documents, "remove_documents", cancelled_then)
    job = http.post(f"{case}/deletions", json={"sources": ["*"], "glob": True}).json()
    assert watch(http, job)[-1]["state"] == "cancelled"
    assert len(begun) == 1 and list(statuses(http, case)) == ["b.txt"]
    found = http.get(f"/v1/jobs/{job['id']}/items").json()["items"]
    assert [item["state"] for item in found] == ["done", "waiting"]
    graph = store.graph(case.rsplit("/", 1)[1])
    assert not graph.needs_deriving()

    monkeypatch.setattr(Documents, "remove_documents", remove)
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"
    assert store.graph(case.rsplit("/", 1)[1]).stats().entities == 0
