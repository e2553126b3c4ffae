"""Saved searches over REST, on the real Neo4j: what is new since the last look, and which key owns them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.real import WordRuntime
from tests.api.serving import client_of
from tests.no_keys import no_keys
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool

RAIN = "It rained on the town from morning to night, and nobody who had a fire went out. " * 8
TEXTS = {
    "letter.txt": f"Sophie loves Jules Delmas.\n\n{RAIN}\n\nJules Delmas wears a ring.\n",
    "report.txt": "The Claw robbed Sophie.\n",
}
MORE = {"diary.txt": "Today Sophie left Jules Delmas.\n"}
LOVES = "Sophie loves Jules Delmas."
LEFT = "Today Sophie left Jules Delmas."


@pytest.fixture(scope="module")
def http(neo4j_address: Neo4jAddress) -> Iterator[httpx.Client]:
    with client_of(Service(WordRuntime(neo4j_address))) as client:
        yield client


@pytest.fixture
def case(http: httpx.Client, workspace_pool: WorkspacePool) -> Iterator[str]:
    with workspace_pool.one() as name:
        address = f"/v1/workspaces/{name}"
        ingest(http, address, TEXTS)
        yield address


def ingest(http: httpx.Client, case: str, texts: dict[str, str], **options: str) -> None:
    rows = {source: [[*text.split(" ")[:1], "is in", source]] for source, text in texts.items()}
    rows |= {"letter.txt": [["Sophie", "loves", "Jules Delmas"]], "report.txt": [["The Claw", "robbed", "Sophie"]]}
    rows |= {"diary.txt": [["Sophie", "left", "Jules Delmas"]]}
    triples = "\n".join(json.dumps({"source": source, "triples": rows[source]}) for source in texts)
    files: Any = [("files", (source, text.encode())) for source, text in texts.items()]
    sent = http.post(f"{case}/ingest", files=[*files, ("triples", ("t", triples.encode()))], data=options)
    assert sent.status_code == 200 and '"error"' not in sent.text, sent.text


def save(http: httpx.Client, case: str, saved_as: str, /, **query: Any) -> None:
    saved = http.post(f"{case}/searches", json={"name": saved_as, "query": query})
    assert saved.status_code == 200, saved.text


def run(http: httpx.Client, case: str, name: str, **asked: Any) -> dict[str, Any]:
    reply = http.post(f"{case}/searches/{name}/run", json=asked)
    assert reply.status_code == 200, reply.text
    hits: dict[str, Any] = reply.json()
    return hits


def counts(hits: dict[str, Any]) -> tuple[int, int, int]:
    return hits["new"], hits["gone"], hits["total"]


def sentences(hits: dict[str, Any]) -> list[list[str]]:
    return [[one["text"] for one in row["sentences"]] for row in hits["passages"]]


def names(http: httpx.Client, case: str) -> list[str]:
    return [row["name"] for row in http.get(f"{case}/searches").json()["searches"]]


@pytest.mark.parametrize(
    ("query", "before", "after"),
    [
        ({"name": ["Sophie", "Jules Delmas"]}, 1, 2),
        ({"text": "jules delmas"}, 1, 2),
    ],
    ids=str,
)
def test_what_came_since_the_last_look_is_new_and_comes_first(
    http: httpx.Client, case: str, query: dict[str, Any], before: int, after: int
) -> None:
    save(http, case, "both", **query)
    assert counts(run(http, case, "both")) == (0, 0, before)

    ingest(http, case, MORE)
    assert counts(run(http, case, "both", count=0)) == (1, 0, after)  # counted, not looked at
    hits = run(http, case, "both", count=1)
    assert counts(hits) == (1, 0, after) and sentences(hits) == [[LEFT]]
    rest = run(http, case, "both", first=1)  # the same look goes on
    assert rest["since"] == hits["since"] and counts(rest) == counts(hits)
    assert rest["new"] == 1 and [LEFT] not in sentences(rest) and len(rest["passages"]) == after - 1
    assert sentences(run(http, case, "both", new=True)) == []
    assert counts(run(http, case, "both")) == (0, 0, after)

    http.request("DELETE", f"{case}/documents", json={"sources": ["diary.txt"]}).raise_for_status()
    assert counts(run(http, case, "both")) == (0, 1, before)
    assert counts(run(http, case, "both")) == (0, 0, before)


def test_the_same_text_in_other_chunks_is_not_new(http: httpx.Client, case: str) -> None:
    save(http, case, "love", text="loves Jules")
    save(http, case, "both", name=["Sophie", "Jules Delmas"])
    chunks = http.get(f"{case}/stats").json()["stats"]["chunks"]
    http.request("DELETE", f"{case}/documents", json={"sources": ["letter.txt"]}).raise_for_status()
    ingest(http, case, {"letter.txt": TEXTS["letter.txt"]}, strategy="sentence", size="30")
    assert http.get(f"{case}/stats").json()["stats"]["chunks"] > chunks
    for name in ("love", "both"):
        hits = run(http, case, name)
        assert counts(hits) == (0, 0, 1) and sentences(hits) == [[LOVES]]


def test_a_name_that_is_gone_and_comes_back(http: httpx.Client, case: str) -> None:
    save(http, case, "claw", name=["The Claw"])
    assert http.post(f"{case}/searches", json={"name": "x", "query": {"name": ["Nobody Atall"]}}).status_code == 404
    http.request("DELETE", f"{case}/documents", json={"sources": ["report.txt"]}).raise_for_status()
    assert counts(run(http, case, "claw")) == (0, 1, 0)
    ingest(http, case, {"report.txt": TEXTS["report.txt"]})
    assert counts(run(http, case, "claw")) == (1, 0, 1)


def test_searches_are_listed_replaced_and_deleted(http: httpx.Client, case: str) -> None:
    save(http, case, "b", text="Sophie")
    save(http, case, "L’été à Lyon, 2", text="ring")
    save(http, case, "b", text="Claw", view={"sources": ["report.txt"]})
    rows = http.get(f"{case}/searches").json()["searches"]
    assert [row["name"] for row in rows] == ["L’été à Lyon, 2", "b"]
    assert (rows[1]["query"]["text"], rows[1]["query"]["view"]["sources"]) == ("Claw", ["report.txt"])
    assert run(http, case, "b")["total"] == 1
    assert http.delete(f"{case}/searches/b").json() == {"deleted": "b"}
    assert names(http, case) == ["L’été à Lyon, 2"]
    assert http.delete(f"{case}/searches/b").status_code == 404
    assert http.post(f"{case}/searches/b/run", json={}).status_code == 404
    for body in (
        {"name": "a/b", "query": {"text": "Sophie"}},
        {"name": "", "query": {"text": "Sophie"}},
        {"name": "a", "query": {"words": "Sophie"}},
    ):
        assert http.post(f"{case}/searches", json=body).status_code == 422, body
    for query in ({}, {"text": "Sophie", "source": ["report.txt"]}, {"name": ["a" * 48]}):
        assert http.post(f"{case}/searches", json={"name": "a", "query": query}).status_code == 400, query


def test_a_look_leaves_alone_what_was_saved_anew_or_deleted_meanwhile(
    http: httpx.Client, case: str, store: Store
) -> None:
    graph = store.graph(case.rpartition("/")[2])
    save(http, case, "b", text="Sophie")
    (read,) = graph.searches()
    save(http, case, "b", text="Claw")
    graph.look_at_search(read, read.after_showing([], "2026-01-01"))
    (anew,) = graph.searches()
    assert (anew.query, len(anew.seen)) == ({"text": "Claw"}, 1)
    looked = anew.after_showing([], "2026-01-01")
    graph.look_at_search(anew, looked)
    assert graph.searches() == [looked]
    http.delete(f"{case}/searches/b").raise_for_status()
    graph.look_at_search(looked, looked)
    assert names(http, case) == []


def test_a_search_is_run_in_the_view_that_its_reader_has_now(http: httpx.Client, case: str) -> None:
    part, more = {"sources": ["letter.txt"]}, {"sources": ["letter.txt", "report.txt"]}
    saved = http.post(f"{case}/searches", json={"name": "a", "query": {"text": "Sophie"}, "view": part}).json()
    assert saved["query"]["view"]["sources"] == []
    assert counts(run(http, case, "a", view=part)) == (0, 0, 1)
    assert counts(run(http, case, "a", view=more, count=0)) == (1, 0, 2)
    assert counts(run(http, case, "a")) == (1, 0, 2)
    save(http, case, "a", text="Sophie", view=part)
    assert counts(run(http, case, "a")) == (0, 0, 1)
    assert counts(run(http, case, "a", view=None)) == (0, 0, 1)
    assert counts(run(http, case, "a", view={})) == (1, 0, 2)


def test_a_search_whose_names_became_one_tells_what_helps(http: httpx.Client, case: str) -> None:
    save(http, case, "both", name=["Sophie", "Jules Delmas"])
    found = http.get(f"{case}/entities").json()["entities"]
    first, other = (next(row["id"] for row in found if row["name"] == name) for name in ("Sophie", "Jules Delmas"))
    same = {"corrections": [{"kind": "same", "about": first, "other": other}]}
    http.post(f"{case}/corrections", json=same).raise_for_status()
    refused = http.post(f"{case}/searches/both/run", json={})
    assert refused.status_code == 400
    assert refused.json()["error"]["cure"].endswith("separate the names. Else delete the saved search.")
    assert http.delete(f"{case}/searches/both").status_code == 200


def test_a_search_that_this_version_cannot_run_is_not_listed(http: httpx.Client, case: str, store: Store) -> None:
    save(http, case, "b", text="Sophie")
    graph = store.graph(case.rpartition("/")[2])
    (known,) = graph.searches()
    graph.write_searches([replace(known, name="a", query={"colour": "red"})])
    assert names(http, case) == ["b"]
    assert http.post(f"{case}/searches/a/run", json={}).status_code == 404
    save(http, case, "a", text="ring")
    assert names(http, case) == ["a", "b"]


def test_exports_keep_searches_and_their_hash_ignores_them(
    http: httpx.Client, case: str, workspace_pool: WorkspacePool
) -> None:
    before = http.get(f"{case}/export/hash").json()["sha256"]
    save(http, case, "both", name=["Sophie", "Jules Delmas"])
    assert http.get(f"{case}/export/hash").json()["sha256"] == before
    response = http.get(f"{case}/export")
    exported = response.content
    assert response.headers["etag"] == f'"{hashlib.sha256(exported).hexdigest()}"', "clients check the file by it"
    with workspace_pool.unused() as name:
        copy = f"/v1/workspaces/{name}"
        imported = http.post(f"{copy}/import", files={"file": ("export.jsonl", exported)})
        assert json.loads(imported.text.splitlines()[-1])["imported"]["same"], imported.text
        assert names(http, copy) == ["both"]
        ingest(http, copy, MORE)
        assert counts(run(http, copy, "both")) == (1, 0, 2)
        assert counts(run(http, case, "both")) == (0, 0, 1)


@contextmanager
def keyed(http: httpx.Client, secret: str) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=http.base_url, headers={"authorization": f"Bearer {secret}"}, timeout=PATIENCE
    ) as client:
        yield client


def test_each_key_has_its_own_and_a_limited_one_finds_in_its_part_alone(
    http: httpx.Client, case: str, store: Store
) -> None:
    save(http, case, "of all", text="Sophie")
    part = {"name": "part", "workspace": case.rpartition("/")[2], "view": {"sources": ["letter*.txt"]}}
    with ExitStack() as closing:
        closing.enter_context(no_keys(store))
        root = http.post("/v1/keys", json={"name": "root", "scope": "admin"}).json()["key"]
        admin = closing.enter_context(keyed(http, root))
        made = [{"name": "ada", "scope": "read"}, {"name": "eve", "scope": "read"}, part]
        secrets = [admin.post("/v1/keys", json=body).json()["key"] for body in made]
        ada, eve, limited = (closing.enter_context(keyed(http, secret)) for secret in secrets)
        save(ada, case, "mine", text="Sophie")
        assert names(ada, case) == ["mine", "of all"] and names(eve, case) == names(admin, case) == ["of all"]
        assert eve.post(f"{case}/searches/mine/run", json={}).status_code == 404
        assert eve.delete(f"{case}/searches/mine").status_code == 404

        assert names(limited, case) == []
        save(limited, case, "mine", text="Sophie")
        hits = run(limited, case, "mine")
        assert hits["total"] == 1 and sentences(hits) == [[LOVES]]
        assert run(ada, case, "mine")["total"] == 2
        named = {"name": "x", "query": {"text": "Sophie", "view": {"named": "x"}}}
        assert limited.post(f"{case}/searches", json=named).status_code == 403
        wider = {"text": "Sophie", "view": {"sources": ["report.txt"]}}
        assert "Claw" not in limited.post(f"{case}/searches", json={"name": "x", "query": wider}).text
        ingest(admin, case, {"letter 2.txt": MORE["diary.txt"], "other.txt": "Sophie met the baker.\n"})
        assert sentences(run(limited, case, "mine", new=True)) == [[LEFT]]
        assert limited.delete(f"{case}/searches/mine").status_code == 200
        assert names(ada, case) == ["mine", "of all"]
