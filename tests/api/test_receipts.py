"""Receipts over REST, on the real Neo4j: which parts of an answer still hold, here and in an import."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool

TEXTS = {
    "letter.txt": "Jules Delmas wears a signet ring. Sophie loves Jules Delmas.\n",
    "report.txt": "The signet ring is the emblem of The Claw. The Claw is a society of thieves.\n",
}
TRIPLES = {
    "letter.txt": [["Jules Delmas", "wears", "signet ring"], ["Sophie", "loves", "Jules Delmas"]],
    "report.txt": [["signet ring", "is the emblem of", "The Claw"], ["The Claw", "is", "society of thieves"]],
}
WARY = "The Claw is a society of thieves: has the signet ring that Jules Delmas wears its emblem?"


@pytest.fixture(scope="module")
def service(neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address))


@pytest.fixture(scope="module")
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        triples = "\n".join(json.dumps({"source": source, "triples": rows}) for source, rows in TRIPLES.items())
        files: Any = [("files", (source, text.encode())) for source, text in TEXTS.items()]
        sent = http.post(f"{address}/ingest", files=[*files, ("triples", ("t", triples.encode()))])
        assert sent.status_code == 200, sent.text
        yield address


def receipt_of(http: httpx.Client, case: str) -> dict[str, Any]:
    answer = http.post(f"{case}/ask", json={"question": WARY}).json()
    response = http.get(f"{case}/traces/{answer['trace']['id']}/receipt")
    assert response.status_code == 200, response.text
    return dict(response.json())


def verified(http: httpx.Client, case: str, receipt: dict[str, Any]) -> dict[str, Any]:
    response = http.post(f"{case}/receipts/verify", json=receipt)
    assert response.status_code == 200, response.text
    return dict(response.json())


def whys(found: dict[str, Any]) -> list[str]:
    """Why each hop of the first path does not hold."""
    return [hop["why"] for hop in found["paths"][0]["hops"]]


def test_all_holds_until_something_changes(http: httpx.Client, case: str) -> None:
    receipt = receipt_of(http, case)
    assert len(receipt["paths"][0]["hops"]) >= 2
    assert {one["source"] for one in receipt["documents"]} == set(TEXTS) and all(
        len(one["sha256"]) == 64 for one in receipt["documents"]
    )
    found = verified(http, case, receipt)
    assert found["holds"] and found["same"] and found["signature"] == "none" and not any(whys(found))

    deleted = http.request("DELETE", f"{case}/documents", json={"sources": ["report.txt"]})
    assert deleted.status_code == 200, deleted.text
    found = verified(http, case, receipt)
    assert not found["holds"] and not found["same"]
    assert {"source": "report.txt", "state": "gone"} in found["documents"]
    assert {"source": "letter.txt", "state": "same"} in found["documents"]
    assert set(whys(found)) == {"gone"}


def test_a_hop_whose_fact_a_person_rejects_does_not_hold(http: httpx.Client, case: str) -> None:
    receipt = receipt_of(http, case)
    answer = http.get(f"{case}/traces/{receipt['trace']}/answer").json()
    wrong = {"corrections": [{"kind": "rejected", "about": answer["paths"][0]["hops"][0]["fact_id"]}]}
    assert http.post(f"{case}/corrections", json=wrong).status_code == 200
    assert whys(verified(http, case, receipt)) == ["fact", *[""] * (len(receipt["paths"][0]["hops"]) - 1)]


def test_a_decision_that_is_undone_parts_the_path(http: httpx.Client, case: str) -> None:
    text = "The bandits of The Iron Hand hold the quay. The Iron Hand fears the law.\n"
    triples = {"source": "more.txt", "triples": [["bandits", "of", "Iron Hand"], ["Iron Hand", "fears", "law"]]}
    files: Any = [("files", ("more.txt", text.encode())), ("triples", ("t", json.dumps(triples).encode()))]
    assert http.post(f"{case}/ingest", files=files).status_code == 200
    same = {"kind": "same", "about": "The Claw", "other": "Iron Hand"}
    assert http.post(f"{case}/corrections", json={"corrections": [same]}).status_code == 200
    receipt = receipt_of(http, case)
    assert [one["kind"] for one in receipt["decisions"]] == ["same"]
    decided = http.get(f"{case}/corrections", params={"by": "person"}).json()["corrections"][0]["id"]
    body = {"question": WARY, "view": {"without_decisions": [decided]}}
    without = http.post(f"{case}/ask", json=body).json()["trace"]["id"]
    assert not http.get(f"{case}/traces/{without}/receipt").json()["decisions"]
    assert verified(http, case, receipt)["decisions"][0]["holds"]
    assert http.delete(f"{case}/corrections/{decided}").status_code < 300
    found = verified(http, case, receipt)
    assert not found["decisions"][0]["holds"] and not found["holds"]


def test_the_view_of_an_answer_is_in_its_receipt(http: httpx.Client, case: str) -> None:
    view = {"without": ["report.txt"]}
    answer = http.post(f"{case}/ask", json={"question": WARY, "view": view}).json()
    receipt = http.get(f"{case}/traces/{answer['trace']['id']}/receipt").json()
    assert receipt["settings"]["view"] == view
    assert "view" not in receipt_of(http, case)["settings"]
    assert verified(http, case, receipt)["holds"]


def test_an_import_under_another_name_verifies(
    http: httpx.Client, case: str, service: Service, workspace_pool: WorkspacePool
) -> None:
    receipt = receipt_of(http, case)
    export = http.get(f"{case}/export").content
    with workspace_pool.unused() as name:
        made = http.post(f"/v1/workspaces/{name}/import", files={"file": ("case.jsonl", export)})
        assert made.status_code == 200, made.text
        found = verified(http, f"/v1/workspaces/{name}", receipt)
    assert found["holds"] and found["same"]


def test_a_signature_tells_whether_a_receipt_was_changed(
    http: httpx.Client, case: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "key.pem"
    key.write_bytes(Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    settings = service.runtime.settings.model_copy(update={"signing_key": key})
    monkeypatch.setattr(service.runtime, "settings", settings)
    receipt = receipt_of(http, case)
    found = verified(http, case, receipt)
    assert found["signature"] == "valid" and found["key"] == receipt["signature"]["key"] and found["holds"]

    receipt["answer"] += " Jules is innocent."
    found = verified(http, case, receipt)
    assert found["signature"] == "invalid" and not found["holds"]


def test_what_is_not_a_receipt_or_a_key_is_refused(
    http: httpx.Client, case: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for body in ({}, {"format": "else"}, []):
        assert http.post(f"{case}/receipts/verify", json=body).status_code == 422
    assert http.get(f"{case}/traces/none/receipt").status_code == 404
    key = tmp_path / "key.pem"
    key.write_text("not a key")
    answer = http.post(f"{case}/ask", json={"question": WARY}).json()
    monkeypatch.setattr(service.runtime, "settings", service.runtime.settings.model_copy(update={"signing_key": key}))
    refused = http.get(f"{case}/traces/{answer['trace']['id']}/receipt")
    assert refused.status_code >= 400 and "openssl" in refused.json()["error"]["cure"]
