from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from filigraph.app.client.rest import CLASSES, Client, written_to
from filigraph.app.version import installed_version
from filigraph.graph import errors

HEALTH = {"live": True, "ready": True, "version": installed_version(), "pid": 1, "max_upload_bytes": 1}


def client(answer: Callable[[httpx.Request], httpx.Response]) -> Client:
    return Client("http://127.0.0.1:1/", transport=httpx.MockTransport(answer))


def answering(status: int, body: Any) -> Client:
    return client(lambda _: httpx.Response(status, json=body))


def test_codes_come_back_as_our_classes() -> None:
    for code, cls in CLASSES.items():
        body = {"error": {"code": code, "cause": "C.", "cure": "D.", "request_id": "r"}}
        with pytest.raises(cls) as caught:
            answering(500, body).get("/v1/x")
        assert type(caught.value) is cls
        assert (caught.value.code, caught.value.cause, caught.value.cure) == (code, "C.", "D.")


def test_a_code_without_a_class_keeps_its_code() -> None:
    body = {"error": {"code": "too_large", "cause": "C.", "cure": "D.", "request_id": "r"}}
    with pytest.raises(errors.FiligraphError) as caught:
        answering(413, body).post("/v1/x", {})
    assert caught.value.code == "too_large"
    assert errors.FiligraphError.code == "internal"


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>a router</html>"),
        httpx.Response(200, json={"version": "1.0"}),
        httpx.Response(200, json={"live": True, "version": "\x1b[31mred"}),
        httpx.Response(200, json=[1]),
        httpx.Response(404, json={"live": True, "version": "1.0"}),
    ],
)
def test_what_is_no_filigraph_is_told_so(response: httpx.Response) -> None:
    with pytest.raises(errors.ServerUnavailable, match="not a Filigraph server") as caught:
        client(lambda _: response).check_version()
    assert "red" not in str(caught.value)


def test_another_version_is_refused_with_the_cure() -> None:
    with pytest.raises(errors.ServerUnavailable, match=r"version 999\.0") as caught:
        answering(200, {**HEALTH, "version": "999.0"}).check_version()
    assert "filigraph down" in caught.value.cure


def test_the_same_version_is_fine() -> None:
    assert answering(200, HEALTH).check_version()["ready"]


@pytest.mark.parametrize(
    ("failure", "cause"),
    [
        (httpx.ConnectError("refused"), "No Filigraph server answers"),
        (httpx.ReadTimeout("slow"), "in time"),
        (httpx.ReadError("reset"), "mid-answer"),
        (httpx.RemoteProtocolError("cut"), "mid-answer"),
    ],
)
def test_httpx_errors_become_ours(failure: Exception, cause: str) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise failure

    for call in (
        lambda c: c.get("/v1/x"),
        lambda c: c.post("/v1/x", {}),
        lambda c: list(c.stream("/v1/x")),
        lambda c: c.health(),
    ):
        with pytest.raises(errors.ServerUnavailable, match=cause) as caught:
            call(client(fail))
        assert caught.value.cure


def _lines(*events: Any) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def test_a_stream() -> None:
    text = _lines({"event": "token", "text": "é"}, {"event": "alive"}, {"event": "answer", "answer": {}})
    told = list(client(lambda _: httpx.Response(200, text=text)).stream("/v1/x", json={}))
    assert [event["event"] for event in told] == ["token", "answer"]


def test_a_stream_that_ends_in_an_error_raises_it() -> None:
    error = {"code": "llm_unavailable", "cause": "C.", "cure": "D.", "request_id": "r"}
    text = _lines({"event": "token", "text": "x"}, {"event": "error", "error": error})
    stream = client(lambda _: httpx.Response(200, text=text)).stream("/v1/x", json={})
    assert next(stream)["text"] == "x"
    with pytest.raises(errors.LLMUnavailable, match="C"):
        next(stream)


def test_a_stream_that_is_cut() -> None:
    stream = client(lambda _: httpx.Response(200, text='{"event": "tok')).stream("/v1/x", json={})
    with pytest.raises(errors.ServerUnavailable, match="mid-answer"):
        next(stream)


def test_a_failure_without_an_envelope() -> None:
    with pytest.raises(errors.ServerUnavailable, match="502"):
        client(lambda _: httpx.Response(502, text="Bad gateway")).get("/v1/x")


def test_links_and_devices_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    file, link = tmp_path / "export.jsonl", tmp_path / "link"
    link.symlink_to(file)
    for output in (link, Path("/dev/null")):
        with written_to(output) as opened:
            opened.write(b"{}")
    assert link.is_symlink() and file.read_bytes() == b"{}" and Path("/dev/null").is_char_device()
    with pytest.raises(errors.InputError), written_to(tmp_path) as opened:
        opened.write(b"{}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.jsonl", "link"]


def test_a_text_may_have_every_sign_that_json_allows() -> None:
    events = [{"event": "token", "text": "a\u2028b\x85c\u2029"}, {"event": "answer"}]
    body = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    assert list(client(lambda _: httpx.Response(200, text=body)).stream("/v1/x")) == events


def test_a_text_that_no_address_can_hold_is_told() -> None:
    for ask in (client(lambda _: httpx.Response(200, json={})).get, client(lambda _: httpx.Response(200)).text):
        with pytest.raises(errors.InputError, match="cannot be sent"):
            ask(f"/v1/find?text={'a' * 70_000}")
