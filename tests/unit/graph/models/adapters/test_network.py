"""Proxies and certificates of the environment, on real sockets; and when to send a request again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time
from typing import ClassVar

import pytest

from filigraph.graph.errors import LLMUnavailable
from filigraph.graph.models.adapters.network import certificates, proxy_for, retry_after
from filigraph.graph.models.adapters.ollama import OllamaLLM
from filigraph.graph.models.adapters.openai import OpenAILLM
from filigraph.graph.models.llm import LLMRequest

NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://llm.example.test/v1", "http://proxy.test:3128"),
        ("https://llm.example.test/v1", "http://secure.test:3129"),
        ("http://inside.corp.test/v1", None),
        ("http://corp.test:8080/v1", None),
        ("http://10.1.2.3:8000", None),
        ("http://11.1.2.3:8000", "http://proxy.test:3128"),
        ("http://localhost:8000", None),
        ("http://127.0.0.9:8000", None),
        ("http://[::1]:8000", None),
    ],
)
def test_the_proxy_of_the_environment_but_never_for_this_machine(
    url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.test:3128")
    monkeypatch.setenv("HTTPS_PROXY", "secure.test:3129")
    monkeypatch.setenv("NO_PROXY", "corp.test, 10.0.0.0/8")
    assert proxy_for(url) == proxy


class Proxy(BaseHTTPRequestHandler):
    """Answers in the name of any host, as a proxy does that reaches it."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append(self.path)
        body = b'{"choices": [{"message": {"content": "Nora"}, "finish_reason": "stop"}]}'
        if self.path.endswith("/api/chat"):
            body = b'{"model": "m", "message": {"role": "assistant", "content": "Nora"}, "done": true}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on standard error."""


@pytest.fixture
def proxy() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_llm_is_asked_through_the_proxy(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    assert OpenAILLM("m", url="http://llm.example.test/v1").complete(LLMRequest("Who?")) == "Nora"
    assert OllamaLLM("m", url="http://llm.example.test").complete(LLMRequest("Who?")) == "Nora"
    assert Proxy.asked[-2:] == ["http://llm.example.test/v1/chat/completions", "http://llm.example.test/api/chat"]


def test_environment_authorities_are_trusted_and_bad_files_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
    with pytest.raises(LLMUnavailable, match=r"/nowhere/ca\.pem") as raised:
        certificates()
    assert "REQUESTS_CA_BUNDLE" in raised.value.cure


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "6"}, 6.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_that_is_to_come() -> None:
    assert 55 < (retry_after({"retry-after": formatdate(time() + 60, usegmt=True)}) or 0.0) <= 61
