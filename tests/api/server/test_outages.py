"""Neo4j stops and comes back while nobody asks for anything but health; a Ray cluster that jobs wait for."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.jobs import coordinator
from filigraph.app.service.service import Service
from filigraph.graph.errors import ClusterDown
from filigraph.graph.store import Jobs, Store, connect
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime
from tests.api.serving import client_of
from tests.patience import PATIENCE
from tests.relay import Relay, relay_to


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator, "IDLE", 0.05)
    monkeypatch.setattr(coordinator, "MAX_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(connect, "RETRY_SECONDS", 0.1)


@pytest.fixture
def relay(neo4j_address: Neo4jAddress) -> Iterator[Relay]:
    with relay_to(neo4j_address) as relay:
        yield relay


@pytest.fixture
def service(relay: Relay, neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address, NEO4J_URI=relay.uri, NEO4J_PASSWORD=neo4j_address.password))


def becomes(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ready(http: httpx.Client) -> bool:
    return bool(http.get("/v1/health").json()["ready"])


def test_a_server_that_nobody_asks_is_ready_again_when_neo4j_is_back(service: Service, relay: Relay) -> None:
    relay.open()
    with client_of(service) as http:
        jobs = service.jobs.coordinator
        for _ in range(2):
            assert becomes(lambda: ready(http) and not jobs.wanted)  # it has looked: there are no jobs
            relay.shut()
            assert becomes(lambda: not ready(http))
            relay.open()
        assert becomes(lambda: ready(http))


def test_a_server_that_starts_before_neo4j_is_ready_once_that_is_there(service: Service, relay: Relay) -> None:
    with client_of(service) as http:
        assert becomes(lambda: "Neo4j" in http.get("/v1/health").json()["problem"])
        relay.open()
        assert becomes(lambda: ready(http))
        relay.shut()
        assert becomes(lambda: not ready(http))
        assert not http.get("/v1/health").json()["problem"], "that of the start is over"


def test_a_scrape_while_neo4j_is_away_says_so_at_once(
    service: Service, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay.open()
    service.runtime.store()
    assert {"filigraph_neo4j_up 1.0", 'filigraph_jobs{state="running"} 0.0'} <= set(
        service.metrics.text().decode().splitlines()
    )
    relay.shut()
    monkeypatch.setattr(Jobs, "queue", lambda self: pytest.fail("a query is tried for 20 seconds"))
    told = service.metrics.text().decode()
    assert "filigraph_neo4j_up 0.0" in told.splitlines() and "filigraph_jobs{" not in told
    service.close()


class ClusterAway(WordRuntime):
    """Its cluster cannot be reached, until it can; then the server reads by itself."""

    away = True
    asked = 0

    def cluster_run(self, cancelled: object, tell: object) -> None:
        self.asked += 1
        if self.away:
            raise ClusterDown("No Ray cluster answers.", cure="Start Ray.")


@pytest.mark.slow
def test_jobs_wait_for_a_cluster_that_is_away(neo4j_address: Neo4jAddress, store: Store) -> None:
    case = f"test-{uuid.uuid4().hex[:12]}"
    runtime = ClusterAway(neo4j_address)
    with client_of(Service(runtime)) as http:

        def submit() -> str:
            files = [("files", ("letter.txt", BYTES["letter.txt"])), ("triples", ("t", TRIPLES_FILE))]
            sent = http.post(f"/v1/workspaces/{case}/jobs", files=files)
            return str(sent.json()["id"])

        def job(id_: str) -> dict[str, Any]:
            return dict(http.get(f"/v1/jobs/{id_}").json())

        first, second = submit(), submit()
        assert becomes(lambda: runtime.asked > 1), "it is tried again"
        assert "No Ray cluster answers" in job(first)["progress"]["message"]
        assert (job(first)["state"], job(second)["state"]) == ("running", "queued")
        http.post(f"/v1/jobs/{first}/cancel")
        assert becomes(lambda: job(first)["state"] == "cancelled")
        runtime.away = False
        assert becomes(lambda: job(second)["state"] == "done")
    store.delete_workspace(case)


def test_who_waits_for_days_waits_no_longer_than_a_minute() -> None:
    assert coordinator.retry_delay(0) == 0.05
    assert coordinator.retry_delay(100_000) == coordinator.MAX_PAUSE_SECONDS
