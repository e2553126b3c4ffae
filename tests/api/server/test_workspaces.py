"""Workspaces over REST, on the real Neo4j: requests that name one during its import or deletion, and what a kill
leaves.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service import context, workspaces
from filigraph.app.service.jobs import coordinator
from filigraph.app.service.service import Service
from filigraph.graph.store import Graph, JobRow, Jobs, Store
from tests.api.real import BYTES, TRIPLES_FILE, WordRuntime, elsewhere, send
from tests.api.serving import client_of
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often: nobody is to wait for a test."""
    monkeypatch.setattr(coordinator, "BUSY", 0.05)
    monkeypatch.setattr(coordinator, "IDLE", 0.05)


@pytest.fixture
def service(neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address))


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def name(workspace_pool: WorkspacePool) -> Iterator[str]:
    """The name of a workspace that is gone afterwards."""
    with workspace_pool.unused() as name:
        yield name


def submit(http: httpx.Client, case: str) -> httpx.Response:
    files = [("files", item) for item in BYTES.items()]
    return http.post(f"{case}/jobs", files=[*files, ("triples", ("t", TRIPLES_FILE))])


def job(http: httpx.Client, job_id: str) -> dict[str, object]:
    return dict(http.get(f"/v1/jobs/{job_id}").json())


def delete(http: httpx.Client, name: str) -> httpx.Response:
    return http.delete(f"/v1/workspaces/{name}", params={"confirm": name})


def test_naming_a_workspace_during_its_import_changes_nothing(
    http: httpx.Client, name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = f"/v1/workspaces/{name}"
    send(http, case, BYTES)
    exported = http.get(f"{case}/export").content
    assert delete(http, name).status_code == 200
    begun, go_on = threading.Event(), threading.Event()
    finish = Graph.finish_reading

    def slowly(*arguments: object, **more: object) -> None:
        if not begun.is_set():
            begun.set()
            assert go_on.wait(PATIENCE)
        finish(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Graph, "finish_reading", slowly)
    monkeypatch.setattr(context, "LOCK_TIMEOUT", 0.0)
    monkeypatch.setattr(workspaces, "LOCK_TIMEOUT", 0.0)
    told: dict[str, str] = {}
    sent = {"files": [("files", ("new.txt", b"Nora left."))], "data": {"extractor": "local"}}

    def do(what: str, **sent: Any) -> None:
        told[what] = http.post(f"{case}/{what}", **sent).text.splitlines()[-1]

    imports = threading.Thread(target=do, args=("import",), kwargs={"files": {"file": exported}})
    ingests = threading.Thread(target=do, args=("ingest",), kwargs=sent)
    imports.start()
    assert begun.wait(PATIENCE)
    ingests.start()
    try:
        for refused in (
            http.put(case),
            http.put(f"{case}/schema", json={"schema": "case", "mode": None}),
            submit(http, case),
            delete(http, name),
        ):
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy"), refused.text
    finally:
        go_on.set()
        imports.join()
        ingests.join()
    assert json.loads(told["import"])["imported"]["same"]
    assert json.loads(told["ingest"])["report"]["added"] == ["new.txt"]
    assert len(http.get(f"{case}/documents").json()["documents"]) == len(BYTES) + 1


def test_an_interrupted_deletion_is_finished_when_asked_again(http: httpx.Client, name: str, store: Store) -> None:
    send(http, f"/v1/workspaces/{name}", BYTES)
    store.database.change("workspace_deleting", name=name)
    assert http.get(f"/v1/workspaces/{name}").status_code == 404
    assert delete(http, name).status_code == 200
    assert not store.database.rows("workspace_record", name=name)
    assert delete(http, name).status_code == 404


def test_the_server_finishes_interrupted_changes_that_nobody_works_on(
    service: Service, http: httpx.Client, name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mark in ("workspace_deleting", "workspace_filling"):
        filling = {"filling": "new"} if mark == "workspace_filling" else {}
        with elsewhere(store, name):  # before there is anything to finish: the server looks for it by itself, too
            store.create_workspace(name, fingerprint="words-64", dimensions=64)
            store.database.change(mark, name=name, **filling)
            service.workspaces.finish_cut_short()
            assert store.unfinished() == [name], "somebody is at it"
        with monkeypatch.context() as patch:
            patch.setattr(coordinator, "SWEEP_SECONDS", 0.0)
            while store.unfinished():
                assert http.get(f"/v1/workspaces/{name}").status_code == 404
        assert not store.database.rows("workspace_record", name=name)


def test_a_deletion_that_is_refused_lets_the_jobs_go_on(
    http: httpx.Client, name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    http.put(f"/v1/workspaces/{name}")
    with elsewhere(store, name):
        waits = submit(http, f"/v1/workspaces/{name}").json()["id"]
        with monkeypatch.context() as patch:
            patch.setattr(workspaces, "LOCK_TIMEOUT", 0.0)
            assert delete(http, name).status_code == 503
        assert (job(http, waits)["state"] in ("queued", "running"), job(http, waits)["cancelling"]) == (True, False)
    ended = json.loads(http.get(f"/v1/jobs/{waits}/events").text.splitlines()[-1])["job"]
    assert ended["state"] == "done"


def test_a_deleted_workspace_takes_its_running_and_waiting_jobs(
    http: httpx.Client, name: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, cancelled, ask = threading.Event(), threading.Event(), Graph.write_mentions
    cancel = Jobs.cancel

    def slowly(*arguments: object, **more: object) -> None:
        begun.set()
        cancelled.wait(30)  # not for ever: the next write notices a lock that ran out while the machine stood still
        ask(*arguments, **more)  # type: ignore[arg-type]

    def cancel_and_tell(*arguments: object) -> JobRow:
        row = cancel(*arguments)  # type: ignore[arg-type]
        cancelled.set()
        return row

    monkeypatch.setattr(Graph, "write_mentions", slowly)
    monkeypatch.setattr(Jobs, "cancel", cancel_and_tell)
    first = submit(http, f"/v1/workspaces/{name}").json()["id"]
    assert begun.wait(PATIENCE)
    second = submit(http, f"/v1/workspaces/{name}").json()["id"]
    assert delete(http, name).status_code == 200
    assert cancelled.is_set()
    assert not store.database.rows("workspace_record", name=name)
    for gone in (first, second):
        assert http.get(f"/v1/jobs/{gone}").status_code == 404
