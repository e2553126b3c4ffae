"""Many clients at once, slow and silent ones: the server still answers, and always reports its health."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from filigraph.app.http import connections
from filigraph.app.service.context import CONCURRENT_SEARCHES
from filigraph.graph.errors import Cancelled, UnavailableError
from tests.api.error_shape import shape
from tests.api.serving import HandMade, leave
from tests.patience import PATIENCE

ASK = "/v1/workspaces/case/ask"
QUESTION = {"question": "Pourquoi ?"}


def until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.005)


def working() -> int:
    return sum(thread.name.startswith("work ") for thread in threading.enumerate())


def test_a_hundred_questions_at_once_leave_the_server_responsive(http: httpx.Client, service: HandMade) -> None:
    service.hold.clear()
    with ThreadPoolExecutor(100) as clients:
        asked = [
            clients.submit(httpx.post, f"{http.base_url}{ASK}", json=QUESTION, timeout=PATIENCE) for _ in range(100)
        ]
        until(lambda: working() == 100)
        assert http.get("/v1/health/live", timeout=PATIENCE).status_code == 200
        service.hold.set()
    assert [one.result().status_code for one in asked] == [200] * 100


def test_requests_that_wait_hold_up_no_others(http: httpx.Client, service: HandMade) -> None:
    waiting = threading.Semaphore(0)
    free = threading.Event()

    def gaps(*_: object, **__: object) -> tuple[list[object], int]:
        waiting.release()
        free.wait()
        return [], 0

    service.gaps = gaps  # type: ignore[assignment, method-assign]
    with ThreadPoolExecutor(60) as clients:
        address = f"{http.base_url}/v1/workspaces/case/gaps"
        asked = [clients.submit(httpx.get, address, timeout=PATIENCE) for _ in range(60)]
        try:
            for _ in range(60):
                assert waiting.acquire(timeout=PATIENCE)  # each has a thread
            assert http.get("/v1/health", timeout=PATIENCE).status_code == 200
            assert http.get("/v1/workspaces", timeout=PATIENCE).status_code == 200
        finally:
            free.set()
    assert {one.result().status_code for one in asked} == {200}


def test_too_many_at_once_are_told_to_come_back(
    http: httpx.Client, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_REQUESTS", 2)
    service.hold.clear()
    with ThreadPoolExecutor(2) as clients:
        asked = [clients.submit(httpx.post, f"{http.base_url}{ASK}", json=QUESTION, timeout=PATIENCE) for _ in range(2)]
        until(lambda: working() == 2)
        refused = http.get("/v1/workspaces")
        assert refused.status_code == 503 and refused.headers["retry-after"] == "2"
        assert shape(refused)["code"] == "busy"
        assert http.get("/v1/health").status_code == 200
        service.hold.set()
    assert [one.result().status_code for one in asked] == [200, 200]
    assert http.get("/v1/workspaces").status_code == 200


def test_work_that_nobody_waits_for_counts_until_it_has_ended(
    http: httpx.Client, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_REQUESTS", 1)
    end = threading.Event()

    def work(cancelled: Callable[[], bool]) -> None:
        service.working.set()
        until(cancelled)
        service.cancelled.set()
        end.wait()

    service.work = work  # type: ignore[method-assign]
    leave(http, service, "POST", ASK, json=QUESTION)
    assert service.cancelled.wait(PATIENCE)
    try:
        assert http.get("/v1/workspaces").status_code == 503
    finally:
        end.set()
    until(lambda: http.get("/v1/workspaces").status_code == 200)


def test_readiness_has_a_status(http: httpx.Client, service: HandMade) -> None:
    service.problem = "Neo4j refuses the password."
    refused = http.get("/v1/health/ready")
    assert refused.status_code == 503
    error = shape(refused)
    assert error["cause"] == "Neo4j refuses the password." and "doctor" in error["cure"]
    assert http.get("/v1/health/live").json() == {"live": True}
    service.context.ready = lambda: True  # type: ignore[method-assign]
    assert http.get("/v1/health/ready").json() == {"live": True}


def test_what_waits_for_a_turn_goes_when_nobody_waits_for_it(service: HandMade) -> None:
    with ExitStack() as taken:
        for _ in range(CONCURRENT_SEARCHES):
            taken.enter_context(service.context.search_slot(lambda: False))
        with pytest.raises(Cancelled), service.context.search_slot(lambda: True):
            raise AssertionError("there was no turn left")


def test_a_search_has_an_end_and_what_follows_has_its_own(service: HandMade) -> None:
    service.runtime.settings = service.runtime.settings.model_copy(update={"question_seconds": -1})
    with service.context.search_slot(lambda: False) as over, pytest.raises(UnavailableError) as caught:
        over()
    assert "FILIGRAPH_QUESTION_SECONDS" in caught.value.cure
    assert over() is False


# --------------------------------------------------------------------------------------------------------------------
# Slow clients


def said_to(http: httpx.Client, sent: bytes) -> bytes:
    """What the server says to these bytes, until it closes the connection."""
    with socket.create_connection((http.base_url.host, http.base_url.port or 80), timeout=PATIENCE) as client:
        client.sendall(sent)
        return b"".join(iter(lambda: client.recv(65536), b""))


@pytest.mark.parametrize("sent", [b"", b"GET /v1/health HTTP/1.1\r\nHost:"])
def test_a_client_that_sends_no_request_is_left(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
    assert said_to(http, sent) == b""


def test_a_client_that_stops_in_its_second_request_is_left(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
    first = b"GET /v1/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = said_to(http, first + b"GET /v1/he")
    assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"live":true}')


def test_a_client_that_waits_for_its_answer_is_not_left(
    http: httpx.Client, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.01)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.01)
    service.hold.clear()
    threading.Timer(0.1, service.hold.set).start()
    assert http.post(ASK, json=QUESTION).status_code == 200


def test_a_body_that_stops_coming_is_waited_for_no_longer(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.05)
    head = f"POST {ASK} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
    start, _, body = said_to(http, head.encode() + b'{"quest').partition(b"\r\n\r\n")
    assert start.startswith(b"HTTP/1.1 408")
    assert json.loads(body)["error"]["code"] == "too_slow"


def test_what_is_no_http_is_refused_in_the_envelope(http: httpx.Client) -> None:
    start, _, body = said_to(http, b"nonsense\r\n\r\n").partition(b"\r\n\r\n")
    assert start.startswith(b"HTTP/1.1 400") and b"content-type: application/json" in start.lower()
    error = json.loads(body)["error"]
    assert error["code"] == "bad_input" and error["request_id"].encode() in start
