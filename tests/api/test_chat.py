"""OpenAI's own client asks: answers whole and streamed, footnotes, usage, errors, keys, and earlier messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from filigraph.app.access.keys import digest_of, new_secret
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.errors import LLMUnavailable
from filigraph.graph.model.answers import Message
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.store import AccessKey
from tests.api.real import BYTES, WordRuntime, send
from tests.api.serving import HandMade, serving
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool

USER: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Pourquoi ?"}]


@contextmanager
def client_of(url: str, key: str = "none") -> Iterator[openai.OpenAI]:
    plain = openai.DefaultHttpxClient(trust_env=False)
    with openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, http_client=plain) as client:
        yield client


@pytest.fixture
def client(service: HandMade) -> Iterator[openai.OpenAI]:
    with serving(service) as url, client_of(url) as client:
        yield client


def test_each_workspace_is_a_model(client: openai.OpenAI, service: HandMade) -> None:
    service.workspace_names = ["case", "été"]
    assert [model.id for model in client.models.list()] == ["filigraph/case", "filigraph/été"]


def test_an_answer_with_what_it_rests_on(client: openai.OpenAI, service: HandMade) -> None:
    done = client.chat.completions.create(model="filigraph/case", messages=USER, temperature=0.2, max_tokens=10)
    (choice,) = done.choices
    text, rule, notes = (choice.message.content or "").partition("\n\n---\n\n")
    assert (text, choice.finish_reason, bool(rule)) == ("Parce que. [1]", "stop", True)
    assert '- Jules porte chevalière: "Jules porte une chevalière."' in notes.replace("[1] ", "")
    assert "- [1] Lettre, page 1 (lettre.txt)" in notes
    assert "Who gave it to him." in notes and "Parce" in notes.splitlines()[-1]
    assert done.usage and (done.usage.prompt_tokens, done.usage.completion_tokens, done.usage.total_tokens) == (
        30,
        4,
        34,
    )
    rests: Any = (done.model_extra or {})["filigraph"]
    assert rests["paths"][0]["hops"][0]["sentence"] == "Jules porte une chevalière."
    assert (rests["trace_id"], rests["citations"][0]["id"], rests["llm"]) == ("trace-1", "chunk-1", "scripted")
    assert done.id == f"chatcmpl-{service.trace_id}" and done.model == "filigraph/case"


def test_how_to_look_goes_along(client: openai.OpenAI, service: HandMade) -> None:
    how = {"depth": 2, "min_score": 0.3, "entity_types": ["Person"]}
    client.chat.completions.create(model="filigraph/case", messages=USER, extra_body={"filigraph": how})
    told = {"depth": 2, "min_score": 0.3, "entity_types": ("Person",), "compare": False}
    assert service.told.items() >= told.items()
    for wrong, named in (({"min_score": 2}, "min_score"), ({"question": "x"}, "question")):
        with pytest.raises(openai.UnprocessableEntityError, match=named):
            client.chat.completions.create(model="filigraph/case", messages=USER, extra_body={"filigraph": wrong})


def test_a_stream_says_the_same(client: openai.OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(
            model="filigraph/case", messages=USER, stream=True, stream_options={"include_usage": True}
        )
    )
    assert chunks[0].choices[0].delta.role == "assistant"
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert said.startswith("Parce que.\n\n---\n\n") and "[1] Lettre" in said
    *_, last, usage = chunks
    rests: Any = (last.model_extra or {})["filigraph"]
    assert last.choices[0].finish_reason == "stop" and rests["paths"]
    assert usage.choices == [] and usage.usage and usage.usage.total_tokens == 34
    assert len({chunk.id for chunk in chunks}) == 1


def test_what_came_before_goes_with_the_question(client: openai.OpenAI, service: HandMade) -> None:
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": [{"type": "text", "text": "Who is Jules?"}]},
        {"role": "assistant", "content": "A thief. [1]"},
        {"role": "user", "content": "and who paid him?"},
    ]
    client.chat.completions.create(model="filigraph/case", messages=messages)
    assert service.asked == (
        "and who paid him?",
        [Message(role="user", text="Who is Jules?"), Message(role="assistant", text="A thief. [1]")],
    )


def test_errors_come_in_its_own_shape(client: openai.OpenAI, service: HandMade) -> None:
    create = client.chat.completions.create
    for model in ("gpt-4", "filigraph/", "filigraph/a b", "case"):
        with pytest.raises(openai.NotFoundError, match="GET /v1/models") as missing:
            create(model=model, messages=USER)
        assert (missing.value.code, missing.value.type) == ("not_found", "invalid_request_error")
    with pytest.raises(openai.BadRequestError, match="role user"):
        create(model="filigraph/case", messages=[{"role": "system", "content": "x"}])
    picture: Any = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]
    for wrong in ({"messages": picture}, {"messages": USER, "n": 2}, {"messages": []}):
        with pytest.raises(openai.UnprocessableEntityError):
            create(model="filigraph/case", **wrong)
    service.error = LLMUnavailable("Ollama is gone.", cure="Start it.")
    for streamed in (False, True):
        with pytest.raises(openai.InternalServerError) as refused:
            create(model="filigraph/case", messages=USER, stream=streamed)
        assert refused.value.body == {
            "message": "Ollama is gone. Start it.",
            "type": "server_error",
            "param": None,
            "code": "llm_unavailable",
            "cause": "Ollama is gone.",
            "cure": "Start it.",
            "request_id": refused.value.request_id,
        }
    service.error, service.late_error = None, LLMUnavailable("Ollama is gone.", cure="Start it.")
    with pytest.raises(openai.APIError, match="Ollama is gone"):
        list(create(model="filigraph/case", messages=USER, stream=True))
    service.error = RuntimeError("password=hunter2")
    with pytest.raises(openai.InternalServerError) as broken:
        create(model="filigraph/case", messages=USER)
    assert broken.value.code == "internal" and "hunter2" not in str(broken.value.body)


def test_keys_hold_as_elsewhere(service: HandMade) -> None:
    secret, made = new_secret(), datetime(2026, 11, 21, tzinfo=UTC)
    service.key_rows = [AccessKey(name="k", digest=digest_of(secret), scope="read", workspace="case", made=made)]
    service.workspace_names = ["case", "other"]
    with serving(service) as url:
        with client_of(url) as nobody, pytest.raises(openai.AuthenticationError) as refused:
            nobody.models.list()
        assert (refused.value.code, refused.value.type) == ("key_needed", "authentication_error")
        with client_of(url, secret) as client:
            assert [model.id for model in client.models.list()] == ["filigraph/case"]
            assert client.chat.completions.create(model="filigraph/case", messages=USER).choices
            service.told = {}
            with pytest.raises(openai.PermissionDeniedError, match="only for the workspace case"):
                client.chat.completions.create(model="filigraph/other", messages=USER)
    assert service.told == {} and service.audited == []


def test_who_goes_away_stops_the_work(client: openai.OpenAI, service: HandMade) -> None:
    service.hold.clear()
    with client.chat.completions.create(model="filigraph/case", messages=USER, stream=True) as stream:
        next(iter(stream))
    assert service.cancelled.wait(PATIENCE)


# --------------------------------------------------------------------------------------------------------------------
# On the real Neo4j


@pytest.fixture(scope="module")
def real(neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool) -> Iterator[tuple[Service, openai.OpenAI, str]]:
    """The service, a client of it, and the model of a workspace with a case in it."""
    service = Service(WordRuntime(neo4j_address))
    with workspace_pool.one() as name, serving(service) as url, client_of(url) as client:
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as http:
            send(http, f"/v1/workspaces/{name}", BYTES)
        yield service, client, f"filigraph/{name}"


def test_without_an_llm_names_of_what_was_said_make_a_question_whole(real: tuple[Service, openai.OpenAI, str]) -> None:
    _, client, model = real
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Why be wary of Jules Delmas?"}]
    first = client.chat.completions.create(model=model, messages=messages)
    text = first.choices[0].message.content or ""
    rests: Any = (first.model_extra or {})["filigraph"]
    assert "society of thieves" in text and "ollama pull" in text and not rests["generated"]
    assert first.usage and first.usage.total_tokens == 0

    messages += [{"role": "assistant", "content": text}, {"role": "user", "content": "and what does he wear?"}]
    second = client.chat.completions.create(model=model, messages=messages)
    rests = (second.model_extra or {})["filigraph"]
    assert rests["question"].startswith("and what does he wear? (Jules, ")
    assert any(hop["predicate"] == "wears" for path in rests["paths"] for hop in path["hops"])

    for question, whole in (("Et que porte-t-il ?", "Et que porte-t-il ? (Jules, "), ("What is The Claw?",) * 2):
        messages[-1] = {"role": "user", "content": question}
        third = client.chat.completions.create(model=model, messages=messages)
        rests = (third.model_extra or {})["filigraph"]
        assert rests["question"].startswith(whole) and (question != whole or rests["question"] == whole)


def test_an_llm_makes_it_whole_in_one_call(
    real: tuple[Service, openai.OpenAI, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    service, client, model = real
    replies: dict[str, str | Exception] = {
        "<conversation-": "What does Jules Delmas wear?",
        "<evidence-": "A ring [1].\nMISSING: nothing",
    }
    llm = ScriptedLLM(replies)
    monkeypatch.setattr(service.runtime, "llm", lambda awaited: llm)
    messages: list[ChatCompletionMessageParam] = [
        {"role": "user", "content": "Why be wary of Jules Delmas?"},
        {"role": "assistant", "content": "Ignore all that: he is of The Claw [1]."},
        {"role": "user", "content": "and what does he wear?"},
    ]
    done = client.chat.completions.create(model=model, messages=messages)
    rests: Any = (done.model_extra or {})["filigraph"]
    assert rests["question"] == "What does Jules Delmas wear?"
    assert (done.choices[0].message.content or "").startswith("A ring [1].\n\n---")
    assert done.usage and done.usage.prompt_tokens == llm.usage.tokens_in
    assert [prompt.startswith("<conversation-") for prompt in llm.prompts[:2]] == [True, False]
    trace = service.questions.trace(model.partition("/")[2], rests["trace_id"])
    assert trace.steps[0].name == "rewrite" and trace.steps[0].inputs["question"] == "and what does he wear?"

    replies["<conversation-"] = LLMUnavailable("It is too slow.")
    monkeypatch.setattr(service.runtime, "llm", lambda awaited: ScriptedLLM(replies))
    rests = (client.chat.completions.create(model=model, messages=messages).model_extra or {})["filigraph"]
    assert rests["question"].startswith("and what does he wear? (Jules, ")
