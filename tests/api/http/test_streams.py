"""Work that runs while the client listens: events, errors in mid-stream, and clients that disconnect."""

from __future__ import annotations

import json
import threading
from typing import Any

import httpx
import pytest

from filigraph.app.http import stream
from filigraph.graph.errors import EmbedderMismatch, LLMUnavailable
from filigraph.graph.model.names import AliasGroup
from tests.api.serving import HandMade, leave
from tests.patience import PATIENCE

ASK = "/v1/workspaces/case/ask"
INGEST = "/v1/workspaces/case/ingest"
FILES = [("files", ("a.txt", "Élodie".encode())), ("files", ("b.bin", b"\x00\xff"))]


def events(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.status_code == 200
    assert response.headers["content-type"] == stream.NDJSON
    return [json.loads(line) for line in response.text.splitlines()]


def test_ask_at_once(http: httpx.Client, service: HandMade) -> None:
    answer = http.post(ASK, json={"question": "Pourquoi ?", "compare": True, "depth": 2}).json()
    assert answer["text"] == "Parce que. [1]"
    assert answer["vector_only"]["text"] == "Une chevalière. [1]"
    assert answer["paths"][0]["hops"][0]["sentence"] == "Jules porte une chevalière."
    assert service.told["depth"] == 2


def test_ask_as_a_stream(http: httpx.Client) -> None:
    told = events(http.post(ASK, json={"question": "Pourquoi ?", "stream": True}))
    assert [event["event"] for event in told] == ["retrieved", "token", "token", "answer"]
    assert told[0]["paths"][0]["text"] == "Jules porte chevalière"
    assert told[0]["trace_id"] == "trace-1"
    assert "".join(event["text"] for event in told[1:3]) == "Parce que."
    assert told[3]["answer"]["citations"][0]["kept_by"] == "graph"


@pytest.mark.parametrize("streamed", [True, False])
def test_what_fails_first_has_its_own_status(http: httpx.Client, service: HandMade, streamed: bool) -> None:
    service.error = EmbedderMismatch("Another embedder.")
    response = http.post(ASK, json={"question": "Pourquoi ?", "stream": streamed})
    assert response.status_code == 409


def test_what_fails_later_is_the_last_line(http: httpx.Client, service: HandMade) -> None:
    service.late_error = LLMUnavailable("Ollama is gone.", cure="Start it.")
    told = events(http.post(ASK, json={"question": "Pourquoi ?", "stream": True}))
    assert told[-1]["event"] == "error"
    assert told[-1]["error"]["code"] == "llm_unavailable"
    assert http.post(ASK, json={"question": "Pourquoi ?"}).status_code == 503


def test_a_mistake_in_mid_stream_shows_nothing_of_itself(http: httpx.Client, service: HandMade) -> None:
    service.late_error = RuntimeError("password=hunter2")
    response = http.post(ASK, json={"question": "Pourquoi ?", "stream": True})
    assert events(response)[-1]["error"]["code"] == "internal"
    assert "hunter2" not in response.text


@pytest.mark.parametrize("streamed", [True, False])
def test_who_goes_away_stops_the_work(http: httpx.Client, service: HandMade, streamed: bool) -> None:
    service.hold.clear()
    leave(http, service, "POST", ASK, json={"question": "Pourquoi ?", "stream": streamed})
    assert service.cancelled.wait(PATIENCE)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "workspaces/case/retrieve", {"question": "Pourquoi ?"}),
        ("POST", "rerank", {"query": "Pourquoi ?", "documents": ["Parce que."]}),
        ("POST", "embed_late_chunk", {"texts": ["Parce que."]}),
        ("GET", "workspaces/case/export", None),
        ("GET", "workspaces/case/export/hash", None),
        ("GET", "workspaces/case/predicates/suggestions", None),
    ],
)
def test_who_goes_away_stops_whatever_takes_long(
    http: httpx.Client, service: HandMade, method: str, path: str, body: Any
) -> None:
    service.hold.clear()
    leave(http, service, method, f"/v1/{path}", json=body)
    assert service.cancelled.wait(PATIENCE)


def test_a_server_that_stops_stops_the_work(http: httpx.Client, service: HandMade) -> None:
    service.hold.clear()
    with http.stream("POST", INGEST, files=FILES) as response:
        lines = response.iter_lines()
        next(lines)
        service.runtime.stopping.set()
        assert service.cancelled.wait(PATIENCE)
        assert json.loads(list(lines)[-1])["event"] == "report"


def test_a_silent_stream_says_that_it_lives(
    http: httpx.Client, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "ALIVE_SECONDS", 0.01)
    service.hold.clear()
    with http.stream("POST", INGEST, files=FILES) as response:
        for line in response.iter_lines():
            if json.loads(line)["event"] == "alive":
                service.hold.set()
    assert service.hold.is_set()


@pytest.fixture
def begins(service: HandMade, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """No question is looked at before this is set: as where an LLM needs minutes for the first chunk."""
    monkeypatch.setattr(stream, "ALIVE_SECONDS", 0.01)
    begins, ask = threading.Event(), service.ask

    def late(*asked: Any, **options: Any) -> Any:
        assert begins.wait(PATIENCE)
        return ask(*asked, **options)

    monkeypatch.setattr(service.questions, "ask", late)
    return begins


def test_a_stream_says_that_it_lives_before_anything_has_happened(http: httpx.Client, begins: threading.Event) -> None:
    with http.stream("POST", ASK, json={"question": "Pourquoi ?", "stream": True}) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == stream.NDJSON
        lines = response.iter_lines()
        assert json.loads(next(lines)) == {"event": "alive"}
        begins.set()
        told = [event for event in map(json.loads, lines) if event["event"] != "alive"]
    assert [event["event"] for event in told] == ["retrieved", "token", "token", "answer"]


def test_what_fails_after_a_sign_of_life_is_the_last_line(
    http: httpx.Client, service: HandMade, begins: threading.Event
) -> None:
    with http.stream("POST", ASK, json={"question": "Pourquoi ?", "stream": True}) as response:
        assert response.status_code == 200
        lines = response.iter_lines()
        next(lines)
        service.error = EmbedderMismatch("Another embedder.")
        begins.set()
        assert json.loads(list(lines)[-1])["error"]["code"] == "embedder_mismatch"


def test_an_answer_at_once_has_one_body_however_long_it_takes(http: httpx.Client, begins: threading.Event) -> None:
    threading.Timer(0.2, begins.set).start()
    assert http.post(ASK, json={"question": "Pourquoi ?"}).json()["text"] == "Parce que. [1]"


def test_ingest(http: httpx.Client, service: HandMade) -> None:
    told = events(http.post(INGEST, files=FILES, data={"extractor": "local", "strategy": "sentence"}))
    kinds = [event["event"] for event in told]
    assert kinds[0] == "waiting" and kinds[-1] == "report" and set(kinds[1:-1]) == {"progress"}
    assert told[1]["done"] == 1 and told[-2]["done"] == 100  # the first and the last of a stage are never dropped
    assert len(told) < 50  # and most between are
    report = told[-1]["report"]
    assert report["added"] == ["a.txt", "b.bin"]
    assert report["skipped"] == [{"source": "bad.bin", "cause": "It is binary.", "cure": "Send text."}]
    assert [source.content for source in service.got] == ["Élodie".encode(), b"\x00\xff"]
    assert (service.told["kind"], service.told["strategy"], service.told["triples"]) == ("local", "sentence", None)


def test_ingest_under_names_of_the_clients_choice(http: httpx.Client, service: HandMade) -> None:
    names = ['a "quoted"\nname', "../../etc/passwd"]
    sources = [{"name": names[0], "metadata": {"date": "1912"}}, {"name": names[1], "media_type": "text/plain"}]
    extras = [("triples", ("t", b"{}")), ("aliases", ("a", b"The Claw = La Griffe"))]
    events(http.post(INGEST, files=[*FILES, *extras], data={"sources": json.dumps(sources)}))
    assert [source.name for source in service.got] == names
    assert service.got[0].metadata == {"date": "1912"}
    assert service.told["triples"] == b"{}"
    assert service.told["aliases"] == [AliasGroup(names=("The Claw", "La Griffe"))]


@pytest.mark.parametrize(
    "sources",
    ["{", "[]", '[{"name": ""}, {"name": "b"}]', '[{"name": "a", "path": "/etc"}, {"name": "b"}]', '[{"name": "a"}]'],
)
def test_ingest_under_names_that_do_not_fit(http: httpx.Client, service: HandMade, sources: str) -> None:
    response = http.post(INGEST, files=FILES, data={"sources": sources})
    assert response.status_code == 400
    assert "sources" in response.json()["error"]["cause"]
    assert service.got == []


def test_ingest_with_an_alias_file_that_is_none(http: httpx.Client, service: HandMade) -> None:
    response = http.post(INGEST, files=[*FILES, ("aliases", ("a", b"alone"))])
    assert response.status_code == 400
    assert "Line 1" in response.json()["error"]["cause"]
    assert service.got == []
