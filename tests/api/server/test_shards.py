"""Workspaces on two real Neo4j servers: created, asked, moved and moved back while questions continue."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress, start_neo4j, stop_neo4j
from filigraph.app.service import transfer
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.service import Service
from filigraph.graph.errors import Cancelled, NotFound
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import client_of
from tests.conftest import NEO4J_VERSION
from tests.short_lived import short_lived
from tests.workspace_pool import WorkspacePool

pytestmark = pytest.mark.slow  # a second Neo4j is started
QUESTION = "Why be wary of Jules?"
NOBODY = "bolt://127.0.0.1:9"


@pytest.fixture(scope="module")
def east(test_home: Path) -> Iterator[Neo4jAddress]:
    """A second Neo4j."""
    home = test_home / "east"
    (home / "cache" / "neo4j").mkdir(parents=True)
    (home / "cache" / "neo4j" / "jars").symlink_to((test_home / "cache" / "neo4j" / "jars").resolve())
    with short_lived():
        address = start_neo4j(version=NEO4J_VERSION, home=home, progress=False)
    yield address
    stop_neo4j(version=NEO4J_VERSION, home=home)


@pytest.fixture
def service(neo4j_address: Neo4jAddress, east: Neo4jAddress) -> Service:
    made = Service(
        WordRuntime(
            neo4j_address,
            FILIGRAPH_NEO4J_SHARDS=f"east={east.uri}, gone={NOBODY}",
            NEO4J_USERNAME=east.username,
            NEO4J_PASSWORD=east.password,
        )
    )
    made.transfer.questions_end = 0.0
    return made


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture(scope="module")
def name(workspace_pool: WorkspacePool) -> Iterator[str]:
    """One for all workspaces here, so that both servers have its indexes from the second test on."""
    with workspace_pool.unused() as name:
        yield name


@pytest.fixture
def case(http: httpx.Client, name: str) -> Iterator[str]:
    """The path of a workspace with a case in it, at home."""
    path = f"/v1/workspaces/{name}"
    send(http, path, BYTES)
    yield path
    http.delete(path, params={"confirm": name})


def moved(http: httpx.Client, case: str, shard: str) -> dict[str, Any]:
    response = http.post(f"{case}/move", json={"shard": shard})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = json.loads(response.text.splitlines()[-1])["moved"]
    return found


def shard_of(http: httpx.Client, name: str) -> str:
    """As the list of workspaces says; each is there once."""
    rows = [row for row in http.get("/v1/workspaces").json()["workspaces"] if row["name"] == name]
    assert len(rows) == 1
    return str(rows[0]["shard"])


def test_a_workspace_is_moved_while_questions_go_on(
    http: httpx.Client, case: str, name: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = http.post(f"{case}/ask", json={"question": QUESTION, "stream": False}).json()
    ended, failures, answered = threading.Event(), list[str](), Counter[int]()

    def ask(client: int) -> None:
        while not ended.wait(0.1):  # else the move gets no processor
            response = http.post(f"{case}/retrieve", json={"question": QUESTION})
            if response.status_code != 200 or not response.json()["evidence"]:
                failures.append(response.text)
            answered[client] += 1

    def wait(_: float) -> None:
        """Until each client has the answer to the question that it is asking, however slow the machine is."""
        before = answered.copy()
        while not all(answered[client] > before[client] for client in range(2)):
            assert all(client.is_alive() for client in clients)
            time.sleep(0.01)

    monkeypatch.setattr(service.runtime.stopping, "wait", wait)
    clients = [threading.Thread(target=ask, args=(client,)) for client in range(2)]
    for client in clients:
        client.start()
    try:
        assert moved(http, case, "east")["chunks"] == len(BYTES)
        assert shard_of(http, name) == "east"
        assert moved(http, case, "east")["chunks"] == 0, "it is there"
        with pytest.raises(NotFound):
            service.runtime.store().workspace(name)
        send(http, case, {"new.md": b"Alice Quorn met Jules in Paris."})
        during = http.get(f"{case}/export/hash").json()["sha256"]
        assert moved(http, case, "home")["chunks"] == len(BYTES) + 1
        assert shard_of(http, name) == "home"
    finally:
        ended.set()
        for client in clients:
            client.join()
    assert not failures
    assert http.get(f"{case}/export/hash").json()["sha256"] == during
    assert http.get(f"{case}/traces/{asked['trace']['id']}").status_code == 200, "what was answered stays"
    with pytest.raises(NotFound):
        service.runtime.shard("east").workspace(name)


def test_a_workspace_is_made_where_it_was_placed(http: httpx.Client, name: str, service: Service) -> None:
    case = f"/v1/workspaces/{name}"
    assert moved(http, case, "east") == {"shard": "east", "chunks": 0}
    send(http, case, BYTES)
    assert shard_of(http, name) == "east"
    service.runtime.shard("east").workspace(name)
    assert http.delete(case, params={"confirm": name}).status_code == 200
    assert service.runtime.shard_of(name) == "home", "nothing is kept of it"


def test_a_move_that_is_cut_short_leaves_all_as_it_was(
    http: httpx.Client, case: str, name: str, service: Service
) -> None:
    steps = iter([False] * 20)
    with pytest.raises(Cancelled):
        service.transfer.move(name, "east", ProgressCallbacks(cancelled=lambda: next(steps, True)))
    assert shard_of(http, name) == "home"
    with pytest.raises(NotFound):
        service.runtime.shard("east").workspace(name, unfinished=True)


def test_a_copy_that_a_killed_server_began_is_cleared_away(
    http: httpx.Client, case: str, name: str, service: Service
) -> None:
    east = service.runtime.shard("east")
    east.create_workspace(name, fingerprint="words-64", dimensions=64)
    east.database.change("workspace_filling", name=name, filling="new")
    service.workspaces.finish_cut_short()
    with pytest.raises(NotFound):
        east.workspace(name, unfinished=True)
    assert shard_of(http, name) == "home"


def test_the_copy_that_a_killed_server_left_behind_is_deleted(
    http: httpx.Client, case: str, name: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = service.runtime.store()
    with monkeypatch.context() as killed:
        killed.setattr(transfer, "remove_left_copy", lambda *_: None)
        assert moved(http, case, "east")["chunks"] == len(BYTES)
    home.workspace(name)
    assert shard_of(http, name) == "east"
    service.workspaces.finish_cut_short()
    with pytest.raises(NotFound):
        home.workspace(name)
    assert not [row for row in home.placements.rows() if row.leaving]
    assert http.post(f"{case}/retrieve", json={"question": QUESTION}).json()["evidence"]


def test_a_wait_for_a_moved_workspace_locks_its_copy(case: str, name: str, service: Service) -> None:
    home = service.runtime.store()
    lock = home.workspace_locks.acquire(name, "another server", seconds=60)
    assert lock

    def meanwhile(_: str) -> None:
        home.placements.place(name, "east")
        home.workspace_locks.release(lock)

    with service.context.locked(name, ProgressCallbacks(waiting=meanwhile)) as store:
        assert store.version == service.runtime.shard("east").version
        with pytest.raises(NotFound):
            store.workspace(name)  # nothing was copied in this test
    home.placements.forget(name)


def test_a_shard_that_does_not_answer_keeps_nobody_else_waiting(
    http: httpx.Client, case: str, name: str, service: Service
) -> None:
    lost = f"lost-{uuid.uuid4().hex[:12]}"
    service.runtime.store().placements.place(lost, "gone")
    response = http.get(f"/v1/workspaces/{lost}")
    assert response.status_code == 503
    assert "Shard gone" in response.json()["error"]["cause"]
    assert http.post(f"{case}/move", json={"shard": "gone"}).status_code == 503
    assert shard_of(http, name) == "home"
    checks = {row["name"]: row["state"] for row in http.get("/v1/doctor").json()["checks"]}
    assert (checks["Neo4j, shard east"], checks["Neo4j, shard gone"]) == ("ok", "broken")
    service.runtime.store().placements.forget(lost)


def test_a_shard_that_is_not_named_is_an_error_with_its_cure(http: httpx.Client, case: str) -> None:
    response = http.post(f"{case}/move", json={"shard": "west"})
    assert response.status_code == 409
    assert "FILIGRAPH_NEO4J_SHARDS" in json.dumps(response.json())
