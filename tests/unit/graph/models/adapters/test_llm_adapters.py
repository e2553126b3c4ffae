"""The contract of every LLM adapter, on a real HTTP server that speaks its protocol and misbehaves."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from filigraph.graph.errors import Cancelled, LLMDown, LLMRefused, LLMResponseError, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.http import ServerLLM
from filigraph.graph.models.adapters.ollama import OllamaLLM
from filigraph.graph.models.adapters.openai import OpenAILLM
from filigraph.graph.models.llm import LLM, LLMRequest, LLMSettings
from filigraph.graph.process.cancel import ShouldStop
from tests.patience import PATIENCE
from tests.unit.graph.llm_stub import Fail, Hang, Say, Stub, llm_stub

SETTINGS = LLMSettings(backoff=0.001, thinking_tokens=50)
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        yield running


@pytest.fixture(params=["ollama", "openai"])
def llm(request: pytest.FixtureRequest, stub: Stub) -> ServerLLM:
    return at(request.param, stub.url)


def at(kind: str, url: str, model: str = "mistral") -> ServerLLM:
    if kind == "ollama":
        return OllamaLLM(model, url=url, settings=SETTINGS)
    return OpenAILLM(model, url=f"{url}/v1", settings=SETTINGS)


def ask(llm: LLM, how: str, *, cancel: ShouldStop | None = None, **asked: Any) -> str:
    request = LLMRequest("Who?", system="Be brief.", **asked)
    return llm.complete(request, cancel=cancel) if how == "complete" else "".join(llm.stream(request, cancel=cancel))


both_ways = pytest.mark.parametrize("how", ["complete", "stream"])


@both_ways
def test_says_what_the_server_says(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["Ju", "les, ", "l'Étranger 夏"])]
    assert ask(llm, how, max_tokens=77) == "Jules, l'Étranger 夏"
    _, body = stub.requests[0]
    assert body["model"] == "mistral"
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}]
    assert body["stream"] is (how == "stream")


def test_streams_piece_by_piece(llm: ServerLLM, stub: Stub) -> None:
    stub.replies = [Say(pieces=["one ", "two ", "three"])]
    assert list(llm.stream(LLMRequest("Count."))) == ["one ", "two ", "three"]


def test_is_run_the_same_each_time(stub: Stub) -> None:
    stub.replies = [Say(pieces=["{}"])]
    at("ollama", stub.url).complete(LLMRequest("x", schema=SCHEMA, max_tokens=9))
    at("openai", stub.url).complete(LLMRequest("x", schema=SCHEMA, max_tokens=9))
    (_, ollama), (_, openai) = stub.requests
    assert ollama["options"] == {
        "temperature": 0.0,
        "seed": 7,
        "repeat_penalty": 1.1,
        "num_ctx": 8192,
        "num_predict": 9,
    }
    assert ollama["format"] == SCHEMA
    assert ollama["think"] is False
    assert (openai["temperature"], openai["seed"], openai["max_tokens"]) == (0.0, 7, 9)
    assert openai["response_format"]["json_schema"]["schema"] == SCHEMA


@both_ways
def test_thinking_is_no_part_of_the_reply(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["<th", "ink>Jules? No", "ra.</thi", "nk>\n", "\nNora"], thinking="Hm.")]
    assert ask(llm, how) == "Nora"


@both_ways
def test_a_thought_without_its_first_mark_is_no_part_of_the_reply(llm: ServerLLM, stub: Stub, how: str) -> None:
    swallowed = Say(pieces=["Let me ", "see: <think> no.\n", "</thi", "nk>", "\n\nNora", " it ", "is"])
    stub.replies = [Say(pieces=['{"a": ""}']), swallowed, swallowed, Say(pieces=["Let me"], cut=True), swallowed]
    ask(llm, "complete", schema=SCHEMA)  # which says nothing of how it thinks
    assert ask(llm, how) == "Nora it is"
    assert list(llm.stream(LLMRequest("Who?"))) == ["Nora", " it ", "is"], "it is known now, and given as it comes"
    assert ask(llm, how, max_tokens=30) == "Nora it is", "the limit had fallen in its thought"


@both_ways
def test_a_quoted_mark_is_text(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=['It says "<thi', 'nk>" and "', '</think>" [1].'])]
    assert ask(llm, how) == 'It says "<think>" and "</think>" [1].'


@both_ways
@pytest.mark.parametrize("thought", [Say(thinking="Hm", cut=True), Say(pieces=["<think>Hm"], cut=True)])
def test_a_limit_that_fell_in_the_thought_is_raised(llm: ServerLLM, stub: Stub, how: str, thought: Say) -> None:
    stub.replies = [thought, Say(pieces=["Nora"])]
    assert ask(llm, how, max_tokens=30) == "Nora"
    assert ask(llm, how, max_tokens=30) == "Nora"
    limits = [body["options"]["num_predict"] if "options" in body else body["max_tokens"] for _, body in stub.requests]
    assert limits == [30, 80, 80]


@both_ways
def test_a_missing_model_is_named_with_its_cure(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=404, body='{"error": "model \'mistral\' not found"}')]
    with pytest.raises(LLMUnavailable, match="has no model 'mistral'") as raised:
        ask(llm, how)
    assert raised.value.cure.endswith("ollama pull mistral") == isinstance(llm, OllamaLLM)
    assert ("FILIGRAPH_LLM=" in raised.value.cure) == isinstance(llm, OpenAILLM)
    assert len(stub.requests) == 1  # asking again would not bring it


@both_ways
def test_a_busy_server_is_asked_again(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=500, body="oops"), Fail(status=429, body="later"), Say(pieces=["Nora"])]
    assert ask(llm, how) == "Nora"


@both_ways
@pytest.mark.parametrize(
    "asked", [("Retry-After", "0.05"), ("retry-after-ms", "50"), ("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")]
)
def test_a_server_is_asked_again_when_it_says_so_however_often(
    llm: ServerLLM, stub: Stub, how: str, asked: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited, sleep = [0.0], time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: (waited.append(seconds), sleep(seconds)))
    later = Fail(status=429, body="later", headers=[asked])
    stub.replies = [*[later] * (SETTINGS.attempts + 1), Say(pieces=["Nora"])]
    begun = time.monotonic()
    assert ask(llm, how) == "Nora"
    if "GMT" in asked[1]:
        assert sum(waited) < 1, "that time is past"
    else:
        assert time.monotonic() - begun > 0.05 * (SETTINGS.attempts + 1)


@both_ways
def test_a_server_that_wants_more_time_than_there_is_tells_how_much(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=429, body="later", headers=[("Retry-After", "500")])]
    with pytest.raises(LLMDown) as raised:
        ask(llm, how)
    assert (raised.value.busy, raised.value.retry_after, len(stub.requests)) == (True, 500.0, 1)


@both_ways
@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            400,
            '{"error": {"message": "Refused by policy", "code": "content_filter"}}',
            "Refused by policy (content_filter)",
        ),
        (400, '{"error": "the prompt is too long"}', "the prompt is too long"),
        (413, "too large", "too large"),
        (403, '{"error": {"message": "Your input was flagged", "code": 403}}', "Your input was flagged"),
    ],
)
def test_a_refused_prompt_is_no_outage_and_tells_why(
    llm: ServerLLM, stub: Stub, how: str, status: int, body: str, said: str
) -> None:
    stub.replies = [Fail(status=status, body=body)]
    with pytest.raises(LLMRefused) as raised:
        ask(llm, how)
    assert f"answered {status}: {said}." in raised.value.cause
    assert len(stub.requests) == 1


@both_ways
@pytest.mark.parametrize(("code", "said"), [("502", "502"), ('"server_error"', "500")])
def test_an_error_in_a_good_status_is_tried_again_and_told(stub: Stub, how: str, code: str, said: str) -> None:
    body = f'{{"error": {{"message": "Provider failed", "code": {code}}}}}'
    fail = Fail(status=200, body=body if how == "complete" else f"data: {body}\n\n")
    stub.replies = [fail, Say(pieces=["Nora"])]
    assert ask(at("openai", stub.url), how) == "Nora"
    stub.replies = [fail]
    with pytest.raises(LLMUnavailable, match=f"answered {said}: Provider failed"):
        ask(at("openai", stub.url), how)


def test_a_stream_may_be_answered_at_once(stub: Stub) -> None:
    """As by a proxy that reports an error, or a server without streams."""
    stub.replies = [
        Fail(status=200, body='{"error": {"message": "Provider failed", "code": 503}}'),
        Fail(status=200, body='{"choices": [\n{"message": {"content": "Nora"}, "finish_reason": "stop"}]}'),
    ]
    assert ask(at("openai", stub.url), "stream") == "Nora"
    assert len(stub.requests) == 2


@pytest.mark.parametrize("tokens", ["1e999", "-1", str(10**30), '"five"', "[]", "null"])
def test_counts_that_cannot_be_are_estimated(stub: Stub, tokens: str) -> None:
    usage = f'{{"prompt_tokens": {tokens}, "completion_tokens": {tokens}}}'
    body = f'{{"choices": [{{"message": {{"content": "Nora"}}, "finish_reason": "stop"}}], "usage": {usage}}}'
    stub.replies = [Fail(status=200, body=body)]
    llm = at("openai", stub.url)
    assert ask(llm, "complete") == "Nora"
    assert 0 < llm.usage.tokens_in < 100 and 0 < llm.usage.tokens_out < 100


def test_a_stream_may_have_every_sign_that_json_allows(stub: Stub) -> None:
    said = '{"choices": [{"delta": {"content": "No\u2028ra\x85"}, "finish_reason": "stop"}]}'
    stub.replies = [Fail(status=200, body=f"data: {said}\n\ndata: [DONE]\n\n")]
    assert ask(at("openai", stub.url), "stream") == "No\u2028ra\x85"


@both_ways
def test_a_reply_that_a_filter_ended_is_refused(stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["The body"], finish="content_filter")]
    with pytest.raises(LLMRefused, match="content_filter"):
        ask(at("openai", stub.url), how)


@both_ways
def test_half_a_character_is_no_part_of_a_reply(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["No\ud800ra"])]
    assert ask(llm, how) == "No\N{REPLACEMENT CHARACTER}ra"


def test_one_token_is_enough_to_know_that_it_answers(llm: ServerLLM, stub: Stub) -> None:
    stub.replies = [Say(pieces=["<th"], cut=True)]
    llm.probe(5.0)
    stub.replies = [Fail(status=401, body="no such key")]
    with pytest.raises(LLMUnavailable, match="no such key") as raised:
        llm.probe(5.0)
    assert "API key" in raised.value.cure


@both_ways
def test_a_server_that_stays_busy_is_unavailable(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=500, body="<html>" + "out of memory " * 500)]
    with pytest.raises(LLMUnavailable, match="500") as raised:
        ask(llm, how)
    assert len(stub.requests) == SETTINGS.attempts
    assert len(raised.value.cause) < 400


@both_ways
@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_server_that_is_too_busy_may_come_back(llm: ServerLLM, stub: Stub, how: str, status: int) -> None:
    stub.replies = [Fail(status=status, body="later")]
    with pytest.raises(LLMDown, match=str(status)):
        ask(llm, how)


@both_ways
def test_an_error_of_the_server_itself_is_no_outage(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=500, body="this prompt is poison")]
    with pytest.raises(LLMUnavailable) as raised:
        ask(llm, how)
    assert not isinstance(raised.value, LLMDown)


@both_ways
def test_a_refused_key_is_not_tried_again(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=401, body="no")]
    with pytest.raises(LLMUnavailable, match="API key"):
        ask(llm, how)
    assert len(stub.requests) == 1


@both_ways
def test_a_server_that_hangs_is_left_at_the_deadline(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Hang()]
    with pytest.raises(LLMUnavailable, match=r"no full answer in 0.2 s"):
        ask(llm, how, timeout=0.2)
    assert stub.hung_up.wait(PATIENCE)
    assert len(stub.requests) == 1


@both_ways
def test_cancel_wakes_a_call_that_waits(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Hang()]
    with pytest.raises(Cancelled):
        ask(llm, how, timeout=200.0, cancel=lambda: bool(stub.requests))
    assert stub.hung_up.wait(PATIENCE)  # the server learns of it, so it stops generating


@both_ways
@pytest.mark.parametrize("body", ["garbage", "[1, 2]", '{"x": 1}', "null", '"text"', "[" * 100_000])
def test_garbage_is_told_apart_from_silence(llm: ServerLLM, stub: Stub, how: str, body: str) -> None:
    stub.replies = [Fail(status=200, body=body)]
    with pytest.raises(LLMResponseError, match="does not answer like an LLM server"):
        ask(llm, how)


@both_ways
def test_an_answer_that_breaks_off_is_no_answer(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["Jul"], broken=True)]
    with pytest.raises(LLMDown):
        ask(llm, how)


@both_ways
def test_a_redirect_is_not_followed(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=307, body="over there")]
    with pytest.raises(LLMUnavailable, match="307"):
        ask(llm, how)
    assert len(stub.requests) == 1


@both_ways
@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_nobody_there(kind: str, how: str) -> None:
    with llm_stub() as gone:
        url = gone.url
    llm = at(kind, url)
    with pytest.raises(LLMDown, match="No LLM answers at") as raised:
        ask(llm, how)
    assert raised.value.cure
    assert llm.usage == Usage(), "who never answered asks no price"


def test_check_knows_the_models(stub: Stub) -> None:
    for kind in ("ollama", "openai"):
        at(kind, stub.url).check()
        with pytest.raises(LLMUnavailable, match="has no model 'qwen'"):
            at(kind, stub.url, model="qwen").check()


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_check_says_when_nobody_is_there(kind: str) -> None:
    with llm_stub() as gone:
        url = gone.url
    with pytest.raises(LLMUnavailable, match="No LLM answers at"):
        at(kind, url).check()


def test_openai_leaves_out_what_the_server_refuses(stub: Stub) -> None:
    llm = at("openai", stub.url)
    stub.replies = [
        Fail(status=400, body='{"error": "response_format is not supported"}'),
        Fail(status=400, body="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
        Say(pieces=["Nora"]),
    ]
    assert llm.complete(LLMRequest("x", schema=SCHEMA, max_tokens=5)) == "Nora"
    assert llm.complete(LLMRequest("x", schema=SCHEMA, max_tokens=5)) == "Nora"
    _, last = stub.requests[-1]
    assert last["max_completion_tokens"] == 5
    assert not {"response_format", "max_tokens"} & set(last)
    assert len(stub.requests) == 4  # learned once


def test_the_key_is_sent_and_never_shown(stub: Stub) -> None:
    llm = OpenAILLM("mistral", url=f"{stub.url}/v1", api_key="sesame", settings=SETTINGS)
    stub.replies = [Fail(status=403, body="no")]
    with pytest.raises(LLMUnavailable) as raised:
        llm.complete(LLMRequest("x"))
    assert stub.headers[0]["Authorization"] == "Bearer sesame"
    assert "sesame" not in f"{raised.value} {llm!r}"


def test_calls_run_side_by_side(llm: ServerLLM, stub: Stub) -> None:
    stub.replies = [Say(pieces=["Nora"])]
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(llm.complete(LLMRequest("x")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["Nora"] * 8


def test_tokens_are_counted_as_the_server_counts_them(llm: ServerLLM, stub: Stub) -> None:
    stub.replies = [Say(pieces=["Nora"], tokens=(120, 30)), Say(pieces=["Nora"], thinking="Who?", tokens=(100, 500))]
    llm.complete(LLMRequest("Who?"))
    assert llm.usage == Usage(calls=1, tokens_in=120, tokens_out=30)
    llm.complete(LLMRequest("Who?"))
    assert llm.usage == Usage(calls=2, tokens_in=220, tokens_out=530)


@both_ways
def test_a_sent_prompt_is_counted_even_if_nobody_waits(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Hang()]
    with pytest.raises(Cancelled):
        ask(llm, how, timeout=200.0, cancel=lambda: bool(stub.requests))
    assert llm.usage.calls == 1 and llm.usage.tokens_in > 3 and llm.usage.tokens_out == 0


@both_ways
def test_who_refuses_asks_no_price(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Fail(status=403, body="no")]
    with pytest.raises(LLMUnavailable):
        ask(llm, how, cancel=lambda: len(stub.requests) > 0 and stub.hung_up.is_set())
    assert llm.usage == Usage()


@both_ways
def test_tokens_are_estimated_where_the_server_does_not_tell(llm: ServerLLM, stub: Stub, how: str) -> None:
    stub.replies = [Say(pieces=["Nora ", "and Jules, who wears the ring"])]
    ask(llm, how)
    assert llm.usage.calls == 1
    assert llm.usage.tokens_in > 3 and llm.usage.tokens_out > 5
