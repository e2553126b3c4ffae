"""Corrections over REST: what rules joined or nearly joined, what persons decide, and former ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service import context
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.near_misses import FILES
from tests.api.real import WordRuntime, elsewhere
from tests.api.serving import client_of
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def service(neo4j_address: Neo4jAddress) -> Service:
    return Service(WordRuntime(neo4j_address))


@pytest.fixture(scope="module")
def http(service: Service) -> Iterator[httpx.Client]:
    with client_of(service) as client:
        yield client


@pytest.fixture
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    """The address of a workspace with the case in it."""
    with workspace_pool.one() as name:
        assert http.post(f"/v1/workspaces/{name}/ingest", files=FILES).status_code == 200
        yield f"/v1/workspaces/{name}"


def got(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()


def entity(http: httpx.Client, case: str, name: str) -> str:
    found = got(http.get(f"{case}/entities", params={"name": name}))["entities"]
    return str(found[0]["id"])


def pair(first: str, second: str, *, same: bool) -> dict[str, Any]:
    return {"corrections": [{"kind": "same" if same else "distinct", "about": first, "other": second}]}


def test_a_near_miss_is_accepted_and_undone(http: httpx.Client, case: str) -> None:
    near = got(http.get(f"{case}/corrections/review", params={"count": 1}))
    assert near["total"] >= 1 and len(near["near_misses"]) == 1
    miss = near["near_misses"][0]
    first, second = miss["names"][0], miss["others"][0]
    for side in (first, second):
        assert side["form"] in side["sentence"] and side["document_id"] and side["source"]
        pieces = got(http.get(f"{case}/documents/{side['document_id']}/text", params={"chunk": side["chunk_id"]}))
        text = next(piece["text"] for piece in pieces["pieces"] if piece["id"] == side["chunk_id"])
        assert text[side["start"] : side["end"]] == side["sentence"]
    (made,) = got(http.post(f"{case}/corrections", json=pair(first["id"], second["id"], same=True)))["corrections"]
    again = got(http.post(f"{case}/corrections", json=pair(first["id"], second["id"], same=True)))
    assert [row["id"] for row in again["corrections"]] == [made["id"]] and not again["refused"], (
        "sent twice, taken once"
    )
    told = got(http.get(f"{case}/corrections", params={"by": "person"}))
    assert [row["id"] for row in told["corrections"]] == [made["id"]] and told["corrections"][0]["kind"] == "same"
    refused = http.post(f"{case}/corrections", json=pair(second["id"], first["id"], same=False))
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert error["code"] == "already_decided" and made["id"] in error["cause"] and made["id"] in error["cure"]
    assert got(http.delete(f"{case}/corrections/{made['id']}")) == {"undone": made["id"]}
    assert http.delete(f"{case}/corrections/{made['id']}").status_code == 404
    assert got(http.get(f"{case}/corrections/review"))["total"] == near["total"]
    apart = [got(http.post(f"{case}/corrections", json=pair(first["id"], second["id"], same=False))) for _ in range(2)]
    assert not apart[1]["refused"] and apart[0]["corrections"][0]["id"] == apart[1]["corrections"][0]["id"]


def test_who_is_told_apart_is_not_asked_again(http: httpx.Client, case: str) -> None:
    (first, *_) = found = got(http.get(f"{case}/corrections/who"))["questions"]
    assert all(side["form"] in side["sentence"] for side in (first["name"], *first["others"]))
    assert first["name"]["entity_id"] not in {other["entity_id"] for other in first["others"]}
    assert got(http.get(f"{case}/corrections/who", params={"count": 1}))["questions"] == [first]
    rows = [{"kind": "distinct", "about": first["name"]["id"], "other": other["id"]} for other in first["others"]]
    assert not got(http.post(f"{case}/corrections", json={"corrections": rows}))["refused"]
    again = got(http.get(f"{case}/corrections/who"))["questions"]
    assert again == found[1:]
    assert http.get(f"{case}/corrections/who", params={"count": 0}).status_code == 422


def test_an_old_id_means_the_entity_of_today_or_is_told_why_not(http: httpx.Client, case: str) -> None:
    claw, griffe = entity(http, case, "The Claw"), entity(http, case, "La Griffe")
    mention = got(http.get(f"{case}/entities/{griffe}/names"))["forms"][0]["id"]
    got(http.post(f"{case}/corrections", json=pair(claw, griffe, same=True)))
    today = {got(http.get(f"{case}/entities/{id_}"))["entity"]["id"] for id_ in (claw, griffe, mention)}
    assert len(today) == 1 and today <= {claw, griffe}
    for more in ("names", "neighbourhood", "places"):
        assert got(http.get(f"{case}/entities/{griffe}/{more}")) == got(http.get(f"{case}/entities/{claw}/{more}"))
    note = next(row for row in got(http.get(f"{case}/documents"))["documents"] if row["source"] == "note.txt")
    got(http.delete(f"{case}/documents/{note['id']}"))
    gone = http.get(f"{case}/entities/{mention}")
    assert gone.status_code == 404 and "occur in no document any more" in gone.json()["error"]["cause"]


def test_places_are_split_off_and_an_entity_is_called_otherwise(http: httpx.Client, case: str) -> None:
    jean = entity(http, case, "Jean Delmas")
    told = got(http.get(f"{case}/entities/{jean}/places"))
    assert told["total"] == len(told["places"])
    thief = [place for place in told["places"] if "thief" in place["sentence"] or "stole" in place["sentence"]]
    chosen = [{key: place[key] for key in ("chunk_id", "start", "end")} for place in thief]
    split = {"kind": "split", "about": jean, "places": chosen}
    (made,) = got(http.post(f"{case}/corrections", json={"corrections": [split]}))["corrections"]
    assert made["kind"] == "split_off"
    names = got(http.get(f"{case}/entities/{jean}/names"))
    assert made["id"] in {row["id"] for row in names["decisions"]}
    other = next(row["other_id"] for row in names["decisions"] if row["id"] == made["id"])
    name = {"kind": "name", "about": other, "value": "The thief Delmas", "note": "The diary says so."}
    got(http.post(f"{case}/corrections", json={"corrections": [name]}))
    assert got(http.get(f"{case}/entities/{other}"))["entity"]["name"] == "The thief Delmas"
    assert got(http.get(f"{case}/entities", params={"name": "thief delmas"}))["entities"][0]["id"] == other


def test_what_is_not_a_correction(http: httpx.Client, case: str) -> None:
    unknown = {"kind": "apart", "about": "a", "other": "b"}
    for body in ({}, {"corrections": []}, {"corrections": [{"about": "a"}]}, {"corrections": [unknown]}):
        assert http.post(f"{case}/corrections", json=body).status_code == 422
    assert http.post(f"{case}/corrections", json=pair("a", "b", same=True)).status_code == 404
    assert http.post(f"{case}/corrections", json=pair("Delmas", "Lyon", same=True)).status_code == 400
    assert http.post("/v1/workspaces/none/corrections", json=pair("a", "b", same=True)).status_code == 404
    assert http.get(f"{case}/corrections", params={"count": 0}).status_code == 422


def test_a_decision_does_not_wait_for_ever(
    http: httpx.Client, store: Store, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "LOCK_TIMEOUT", 0.01)
    with elsewhere(store, case):
        response = http.post(f"{case}/corrections", json=pair("The Claw", "La Griffe", same=True))
    assert response.status_code == 503 and response.json()["error"]["code"] == "busy"
