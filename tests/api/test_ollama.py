"""Ollama's own client asks: models, answers whole and streamed, errors, keys, and earlier messages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import ollama
import pytest

from filigraph.app.access.keys import digest_of, new_secret
from filigraph.graph.errors import LLMUnavailable
from filigraph.graph.model.answers import Message
from filigraph.graph.store import AccessKey
from tests.api.serving import HandMade, serving

USER = [{"role": "user", "content": "Pourquoi ?"}]
MODEL = "filigraph/case"


@pytest.fixture
def client(service: HandMade) -> Iterator[ollama.Client]:
    with serving(service) as url, ollama.Client(host=url, trust_env=False) as client:
        yield client


def test_each_workspace_is_a_model(client: ollama.Client, service: HandMade) -> None:
    service.workspace_names = ["case", "été"]
    assert [row.model for row in client.list().models] == ["filigraph/case", "filigraph/été"]
    assert client._request_raw("GET", "/api/version").json()["version"]


@pytest.mark.parametrize("model", [MODEL, f"{MODEL}:latest"])
def test_an_answer_with_what_it_rests_on(client: ollama.Client, service: HandMade, model: str) -> None:
    done = client.chat(model, messages=USER, options={"temperature": 0.1}, keep_alive="1m")
    text, rule, notes = (done.message.content or "").partition("\n\n---\n\n")
    assert (text, done.done, done.done_reason, bool(rule)) == ("Parce que. [1]", True, "stop", True)
    assert "- [1] Lettre, page 1 (lettre.txt)" in notes
    assert (done.prompt_eval_count, done.eval_count, done.model) == (30, 4, model)
    plain: Any = client._request_raw("POST", "/api/chat", json={"model": model, "messages": USER, "stream": False})
    assert plain.json()["filigraph"]["paths"][0]["hops"][0]["sentence"] == "Jules porte une chevalière."


def test_a_stream_says_the_same(client: ollama.Client, service: HandMade) -> None:
    *parts, last = client.chat(MODEL, messages=USER, stream=True)
    said = "".join(part.message.content or "" for part in parts)
    assert said.startswith("Parce que.\n\n---\n\n") and "[1] Lettre" in said
    assert not any(part.done for part in parts)
    assert (last.done, last.done_reason, last.message.content, last.eval_count) == (True, "stop", "", 4)
    how = {"model": MODEL, "messages": USER, "filigraph": {"depth": 2}}
    assert client._request_raw("POST", "/api/chat", json=how).text.splitlines()[-1].startswith('{"model":')
    assert service.told["depth"] == 2


def test_what_came_before_goes_with_the_question(client: ollama.Client, service: HandMade) -> None:
    before = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": "Who is Jules?"},
        {"role": "assistant", "content": "A thief. [1]"},
    ]
    client.chat(MODEL, messages=[*before, {"role": "user", "content": "and who paid him?"}])
    assert service.asked == (
        "and who paid him?",
        [Message(role="user", text="Who is Jules?"), Message(role="assistant", text="A thief. [1]")],
    )


def test_errors_come_in_its_own_shape(client: ollama.Client, service: HandMade) -> None:
    for model in ("mistral", "filigraph/", "case"):
        with pytest.raises(ollama.ResponseError, match="A model is filigraph/WORKSPACE") as missing:
            client.chat(model, messages=USER)
        assert missing.value.status_code == 404
    for wrong in ([], [{"role": "user", "content": "x", "images": ["aGk="]}]):
        with pytest.raises(ollama.ResponseError) as refused:
            client.chat(MODEL, messages=wrong)
        assert refused.value.status_code == 422
    service.error = LLMUnavailable("Ollama is gone.", cure="Start it.")
    with pytest.raises(ollama.ResponseError, match=r"^Ollama is gone\. Start it\."):
        client.chat(MODEL, messages=USER)
    service.error, service.late_error = None, LLMUnavailable("Ollama is gone.", cure="Start it.")
    with pytest.raises(ollama.ResponseError, match="Ollama is gone"):
        list(client.chat(MODEL, messages=USER, stream=True))
    service.late_error, service.error = None, RuntimeError("password=hunter2")
    with pytest.raises(ollama.ResponseError, match="The server made a mistake") as broken:
        client.chat(MODEL, messages=USER)
    assert "hunter2" not in broken.value.error


def test_keys_hold_as_elsewhere(service: HandMade) -> None:
    secret, made = new_secret(), datetime(2026, 11, 21, tzinfo=UTC)
    service.key_rows = [AccessKey(name="k", digest=digest_of(secret), scope="read", workspace="case", made=made)]
    service.workspace_names = ["case", "other"]
    with serving(service) as url:
        with ollama.Client(host=url, trust_env=False) as nobody, pytest.raises(ollama.ResponseError) as refused:
            nobody.list()
        assert refused.value.status_code == 401
        headers = {"Authorization": f"Bearer {secret}"}
        with ollama.Client(host=url, headers=headers, trust_env=False) as client:
            assert [row.model for row in client.list().models] == [MODEL]
            assert client.chat(MODEL, messages=USER).done
            with pytest.raises(ollama.ResponseError, match="only for the workspace case"):
                client.chat("filigraph/other", messages=USER)
