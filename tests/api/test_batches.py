"""Jobs that send LLM requests in a provider's batches, over REST, on the real Neo4j and a provider on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.jobs import coordinator, provider_batches, run_batches
from filigraph.app.service.service import Service
from filigraph.graph.models.adapters import http as llm_http
from filigraph.graph.models.llm import LLMSettings
from tests.api.job_requests import statuses, submit, until, watch
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime
from tests.api.serving import client_of
from tests.provider import Body, Provider, providing
from tests.runs.llm_letters import reply
from tests.workspace_pool import WorkspacePool

LETTERS = {f"{name}.txt": f"Jules met {name} at the mill.".encode() for name in ("Nora", "Paul", "Anna", "Remi")}
# who is named after "met" in a prompt: the text itself stands last in it
NAMES = [name.removesuffix(".txt") for name in LETTERS]


def named(body: Body) -> str:
    return next(name for name in NAMES if f"met {name}" in body["messages"][-1]["content"])


def met(body: Body) -> str:
    return reply([1, "Jules", "met", named(body)])


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often: nobody is to wait for a test."""
    monkeypatch.setattr(coordinator, "BUSY", 0.05)
    monkeypatch.setattr(coordinator, "IDLE", 0.05)
    monkeypatch.setattr(run_batches, "POLL_SECONDS", 0.2)
    monkeypatch.setattr(provider_batches, "SETTLES", 0.0)
    monkeypatch.setattr(llm_http, "LLMSettings", lambda: LLMSettings(attempts=1))


@pytest.fixture
def provider() -> Iterator[Provider]:
    with providing(met) as provider:
        yield provider


def served(address: Neo4jAddress, provider: Provider, **settings: object) -> Service:
    told = {"FILIGRAPH_LLM_URL": provider.url, "FILIGRAPH_LLM": "stub", "FILIGRAPH_LLM_PRICE_IN": 1000}
    return Service(WordRuntime(address, **told, FILIGRAPH_LLM_BATCH_LINES=3, **settings))


@pytest.fixture
def http(neo4j_address: Neo4jAddress, provider: Provider) -> Iterator[httpx.Client]:
    with client_of(served(neo4j_address, provider)) as client:
        yield client


@pytest.fixture
def case(workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        yield f"/v1/workspaces/{name}"


def the_hash(http: httpx.Client, case: str) -> str:
    return str(http.get(f"{case}/export/hash").json()["sha256"])


@pytest.mark.essential
def test_batches_give_the_graph_of_the_direct_mode_at_half_the_price(
    http: httpx.Client, case: str, provider: Provider, workspace_pool: WorkspacePool
) -> None:
    with workspace_pool.one() as direct:
        expected = watch(http, submit(http, f"/v1/workspaces/{direct}", LETTERS, cast="false"))[-1]["report"]
        sha256 = the_hash(http, f"/v1/workspaces/{direct}")
    asked, provider.quick = provider.chats, False
    estimate = http.post(
        f"{case}/estimate", files=[("files", item) for item in LETTERS.items()], data={"batch": "true"}
    )
    job = submit(http, case, LETTERS, batch="true")
    until(http, job, "waiting")
    now = http.get(f"/v1/jobs/{job['id']}").json()
    assert now["progress"]["message"] == "Waiting for the provider: 0 of 4 replies are back."
    assert http.get(f"{case}/documents").json()["total"] == 0, "nothing is half there meanwhile"
    other = submit(http, case, {"letter.txt": BYTES["letter.txt"]}, TRIPLES_FILE)
    assert watch(http, other)[-1]["state"] == "done", "it keeps nobody waiting, in its own workspace neither"
    assert http.request("DELETE", f"{case}/documents", json={"sources": ["letter.txt"]}).status_code == 200

    provider.quick = True
    told = watch(http, job)
    report = told[-1]["report"]
    assert told[-1]["state"] == "done" and the_hash(http, case) == sha256
    assert (provider.chats, len(provider.batches)) == (asked, 2), "three lines fit into a batch"
    assert len(provider.sent) == len(set(provider.sent)) == 4
    assert report["cost"] == pytest.approx(expected["cost"] / 2) == pytest.approx(4 * 900 * 1000 / 1e6 / 2)
    same = (
        "added",
        "chunks",
        "extracted",
        "triplets",
        "failed_chunks",
        "notes",
        "counts",
        "usage",
        "entities",
        "facts",
    )
    assert {name: report[name] for name in same} == {name: expected[name] for name in same}
    assert provider.files == {}, "no text is left there"

    priced = json.loads(estimate.text.splitlines()[-1])["estimate"]
    assert priced["usage"]["calls"] == 4 and priced["seconds"] is None
    assert priced["cost"] == pytest.approx(priced["usage"]["tokens_in"] * 1000 / 1e6 / 2)
    watch(http, submit(http, case, LETTERS, batch="true"))
    assert len(provider.sent) == 4, "what is stored is not asked for again"


def test_failed_or_unreadable_replies_are_asked_once_more(http: httpx.Client, case: str, provider: Provider) -> None:
    broken: list[str] = []

    def answer(body: Body) -> str:
        repaired = "not the JSON" in body["messages"][-1]["content"]
        broken.append(named(body))
        return "I would rather not." if named(body) == "Nora" and not repaired else met(body)

    provider.reply = answer
    provider.failure = lambda body: {"message": "it is not liked"} if named(body) == "Paul" else None
    last = watch(http, submit(http, case, LETTERS, batch="true"))[-1]
    assert (last["state"], last["report"]["failed_chunks"]) == ("partial", 1)
    assert broken.count("Nora") == 2, "its reply was to be repaired"
    assert len(provider.sent) == 6 and len(set(provider.sent)) == 5
    assert [provider.bodies[id_] for id_ in provider.sent].count(provider.bodies[provider.sent[1]]) == 2
    (gap,) = (gap for gap in http.get(f"{case}/gaps").json()["gaps"] if gap["unread"])
    assert gap["source"] == "Paul.txt" and "failed 2 times: it is not liked" in gap["reason"]
    assert statuses(http, case)["Nora.txt"] == "complete"

    provider.failure = lambda _: None
    http.post(f"/v1/jobs/{last['id']}/retry")
    last = watch(http, last)[-1]
    assert (last["state"], last["report"]["failed_chunks"], len(provider.sent)) == ("done", 0, 7)
    assert set(statuses(http, case).values()) == {"complete"}


def test_a_parameter_that_the_provider_refuses_is_left_out(http: httpx.Client, case: str, provider: Provider) -> None:
    unknown = {"message": "Unsupported parameter: 'max_tokens' is not supported with this model."}
    provider.failure = lambda body: unknown if "max_tokens" in body else None
    assert watch(http, submit(http, case, LETTERS, batch="true"))[-1]["state"] == "done"
    assert len(provider.sent) == 8 and "max_completion_tokens" in provider.bodies[provider.sent[-1]]


def test_an_expired_batch_keeps_what_came_back(http: httpx.Client, case: str, provider: Provider) -> None:
    provider.quick = False
    job = submit(http, case, LETTERS, batch="true")
    until(http, job, "waiting")
    first, second = provider.batches
    provider.end(first, answered=2, status="expired")
    provider.end(second)
    provider.quick = True
    last = watch(http, job)[-1]
    assert last["state"] == "done"
    assert len(provider.sent) == 5 and len(set(provider.sent)) == 4, "one line was late, and asked once more"
    assert last["report"]["usage"]["calls"] == 4


def test_a_cancelled_job_cancels_its_batches_and_keeps_their_replies(
    http: httpx.Client, case: str, provider: Provider
) -> None:
    provider.quick = False
    job = submit(http, case, LETTERS, batch="true")
    until(http, job, "waiting")
    http.post(f"/v1/jobs/{job['id']}/cancel")
    assert watch(http, job)[-1]["state"] == "cancelled"
    assert [batch["status"] for batch in provider.batches.values()] == ["cancelling"] * 2
    first, second = provider.batches
    provider.end(first, answered=2)
    provider.end(second, answered=0)
    provider.quick = True
    http.post(f"/v1/jobs/{job['id']}/retry")
    last = watch(http, job)[-1]
    assert (last["state"], last["report"]["failed_chunks"]) == ("done", 0)
    assert len(provider.sent) == 6, "two of four were answered before the end"


def test_a_batch_cancelled_elsewhere_ends_the_job_until_a_retry(
    http: httpx.Client, case: str, provider: Provider
) -> None:
    provider.quick = False
    job = submit(http, case, {"Nora.txt": LETTERS["Nora.txt"], "Paul.txt": LETTERS["Paul.txt"]}, batch="true")
    until(http, job, "waiting")
    provider.end(*provider.batches, answered=1, status="cancelled")
    last = watch(http, job)[-1]
    assert last["state"] == "failed" and "Somebody cancelled" in last["error"]["cause"]
    provider.quick = True
    http.post(f"/v1/jobs/{job['id']}/retry")
    assert watch(http, job)[-1]["state"] == "done"
    assert len(provider.sent) == 3


def test_a_full_provider_makes_the_job_wait_and_a_refusal_ends_it(
    http: httpx.Client, case: str, provider: Provider
) -> None:
    provider.quick = False
    job = submit(http, case, LETTERS, batch="true")
    until(http, job, "waiting")
    first, second = provider.batches
    provider.refuse(second, "token_limit_exceeded")
    provider.end(first)
    provider.quick = True
    assert watch(http, job)[-1]["state"] == "done"
    assert len(provider.batches) == 3

    provider.quick = False
    job = submit(http, case, {"more.txt": b"Later Jules met Nora again."}, batch="true")
    until(http, job, "waiting")
    provider.refuse(list(provider.batches)[-1], "invalid_model")
    last = watch(http, job)[-1]
    assert last["state"] == "failed" and "Enqueued" in last["error"]["cause"]


def test_two_jobs_send_one_text_once(http: httpx.Client, case: str, provider: Provider) -> None:
    provider.quick = False
    first = submit(http, case, {"a.txt": LETTERS["Nora.txt"]}, batch="true")
    until(http, first, "waiting")
    second = submit(http, case, {"b.txt": LETTERS["Nora.txt"]}, batch="true")
    until(http, second, "waiting")
    provider.quick = True
    assert [watch(http, job)[-1]["state"] for job in (first, second)] == ["done", "done"]
    assert len(provider.sent) == 1 and provider.chats == 0


def test_a_provider_that_is_away_is_waited_for(http: httpx.Client, case: str, provider: Provider) -> None:
    provider.quick = False
    job = submit(http, case, LETTERS, batch="true")
    until(http, job, "waiting")
    provider.close()
    while "asked again" not in http.get(f"/v1/jobs/{job['id']}").json()["progress"]["message"]:
        assert http.get(f"/v1/jobs/{job['id']}").json()["state"] in ("waiting", "running")
    again = Provider(met, like=provider)
    try:
        assert watch(http, job)[-1]["state"] == "done"
        assert again.sent == []
    finally:
        again.close()


def test_jobs_that_cannot_run_in_batches_are_refused_at_once(
    neo4j_address: Neo4jAddress, http: httpx.Client, case: str, provider: Provider
) -> None:
    def refused(client: httpx.Client, triples: bytes = b"", **data: str) -> str:
        files: list[Any] = [("files", ("a.txt", b"Jules met Nora."))]
        files += [("triples", ("t", triples))] if triples else []
        answer = client.post(f"{case}/jobs", files=files, data={"batch": "true", **data})
        assert answer.status_code == 400, answer.text
        error = answer.json()["error"]
        return f"{error['cause']} {error['cure']}"

    assert "local extractor has no batches" in refused(http, extractor="local")
    assert "triples" in refused(http, TRIPLES_FILE)
    provider.has_batches = False
    assert "has no batches" in refused(http) and "Leave out --batch" in refused(http, extractor="llm")
    with client_of(Service(WordRuntime(neo4j_address))) as ollama:
        assert "FILIGRAPH_LLM_URL" in refused(ollama)
    assert http.get("/v1/jobs", params={"workspace": case.rsplit("/", 1)[1]}).json()["total"] == 0
