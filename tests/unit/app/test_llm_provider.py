from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from filigraph.app.llm_provider import choose_llm, ollama_models, pick_model
from filigraph.app.settings import Settings, load_settings

TAGS: dict[str, bytes] = {"body": b""}


class Ollama(BaseHTTPRequestHandler):
    """Answers as Ollama does when it is asked for its models."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/tags" else 404)
        self.end_headers()
        self.wfile.write(TAGS["body"])

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on standard error."""


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Ollama)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{server.server_port}")
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def has(*models: str) -> Settings:
    TAGS["body"] = json.dumps({"models": [{"name": name} for name in models]}).encode()
    return load_settings()


def test_the_default_model_of_ollama(ollama: str) -> None:
    choice = choose_llm(has("qwen:latest", "mistral:latest"))
    assert choice.llm is not None and choice.llm.model == "mistral:latest"


def test_no_model_names_the_command_that_brings_one(ollama: str) -> None:
    for settings in (has(), has("qwen:latest", "phi:latest")):
        choice = choose_llm(settings)
        assert choice.llm is None and "`ollama pull mistral`" in choice.cure


def test_a_wanted_model_that_is_not_there(ollama: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILIGRAPH_LLM", "llama3")
    choice = choose_llm(has("mistral:latest"))
    assert choice.llm is None and "`ollama pull llama3`" in choice.cure


def test_no_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    choice = choose_llm(load_settings())
    assert choice.llm is None and "`ollama pull mistral`" in choice.cure


def test_an_openai_compatible_server_comes_first(ollama: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILIGRAPH_LLM_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("FILIGRAPH_LLM", "gpt")
    monkeypatch.setenv("FILIGRAPH_LLM_KEY", "hunter2")
    choice = choose_llm(has("mistral:latest"))
    assert choice.llm is not None and choice.llm.model == "gpt"
    assert "hunter2" not in repr(choice)


@pytest.mark.parametrize("body", [b"", b"<html>", b"{}", b"[]", b'{"models": null}', b'{"models": [1]}'])
def test_what_answers_as_ollama_and_is_none(ollama: str, body: bytes) -> None:
    TAGS["body"] = body
    assert ollama_models(ollama) is None


@pytest.mark.parametrize(
    ("models", "wanted", "picked"),
    [
        (["mistral:7b-q4", "qwen:latest"], "", "mistral:7b-q4"),
        (["qwen:latest"], "", "qwen:latest"),
        (["qwen:latest", "phi:latest"], "", None),
        (["qwen:0.5b"], "qwen", None),
        (["qwen:0.5b"], "qwen:0.5b", "qwen:0.5b"),
        (["qwen:latest"], "qwen", "qwen:latest"),
    ],
)
def test_which_model(models: list[str], wanted: str, picked: str | None) -> None:
    assert pick_model(models, wanted) == picked
