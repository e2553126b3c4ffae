"""The client of a provider's batches, against one on loopback: found again, read with tolerance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from filigraph.graph.errors import InputError, LLMDown, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.openai import OpenAILLM
from filigraph.graph.models.adapters.openai_batches import OpenAIBatches
from filigraph.graph.models.batches import BatchReply, ProviderBatch
from filigraph.graph.models.llm import LLMRequest, LLMSettings
from tests.provider import Provider, providing

ASKED = LLMRequest("Who?", system="Be brief.", schema={"type": "object"}, max_tokens=50)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with providing(lambda body: f"You asked: {body['messages'][-1]['content']}") as provider:
        yield provider


@pytest.fixture
def batches(provider: Provider) -> OpenAIBatches:
    return OpenAIBatches(OpenAILLM("stub", url=provider.url, settings=LLMSettings(attempts=1)))


def submit(batches: OpenAIBatches, tag: str, folder: Path) -> ProviderBatch:
    file = folder / tag
    file.write_bytes(batches.line(f"{tag}-1", ASKED, ()))
    return batches.create(tag, batches.upload(tag, file))


def test_requests_go_and_replies_come_back(batches: OpenAIBatches, provider: Provider, tmp_path: Path) -> None:
    created = submit(batches, "a", tmp_path)
    assert created.state == "running"
    now = batches.poll(created.id)
    assert now and (now.state, now.back, len(now.files)) == ("ended", 1, 1)
    usage = Usage(calls=1, tokens_in=900, tokens_out=100)
    assert list(batches.replies(now)) == [BatchReply(id="a-1", text="You asked: Who?", usage=usage)]
    body = provider.bodies["a-1"]
    assert body["model"] == "stub" and body["max_tokens"] == 50 and "stream" not in body
    assert batches.poll("batch-of-nobody") is None


def test_a_batch_is_found_by_its_tag_or_its_file_on_any_page(batches: OpenAIBatches, tmp_path: Path) -> None:
    made = {tag: submit(batches, tag, tmp_path).id for tag in "abcde"}
    for tag, id_ in made.items():
        found = batches.find(tag, "")
        assert found and found.id == id_
    by_file = batches.find("unknown", "file-1")
    assert by_file and by_file.id == made["a"]
    assert batches.find("unknown", "") is None


def line(**row: Any) -> bytes:
    return json.dumps({"custom_id": "x", **row}).encode() + b"\n"


def said(message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
    return {"status_code": 200, "body": {"choices": [{"message": message, "finish_reason": finish}]}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (line(response=said({"content": "<think>hm</think>Yes."})), "Yes.||"),
        (line(response=said({"content": None})), "||"),
        (
            line(response=said({"content": "", "reasoning": "Let me"}, "length")),
            "|the limit fell in its thought|thinks",
        ),
        (line(response={"status_code": 500, "body": "oh"}), "|oh|"),
        (line(response={"status_code": 400, "body": {"error": {"message": "no seed here"}}}), "|no seed here|seed"),
        (line(response=None, error={"code": "batch_expired"}), "|batch_expired|"),
    ],
)
def test_what_a_line_says(content: bytes, expected: str, batches: OpenAIBatches, provider: Provider) -> None:
    provider.files["file-x"] = content
    (reply,) = batches.replies(ProviderBatch(id="x", state="ended", files=("file-x",)))
    assert f"{reply.text}|{reply.error}|{','.join(reply.hints)}" == expected


def test_lines_that_cannot_be_read_are_left_out(batches: OpenAIBatches, provider: Provider) -> None:
    bad = [b"\xff\xfe\n", b"[]\n", b"{\n", line(response=said([])), line(response={"status_code": "x"}), b"[" * 10_000]  # type: ignore[arg-type]
    provider.files["file-x"] = b"".join(bad[:-1]) + line(response=said({"content": "Yes."})) + bad[-1]
    assert [r.text for r in batches.replies(ProviderBatch(id="x", state="ended", files=("file-x",)))] == ["Yes."]


def test_a_hint_changes_what_is_asked(batches: OpenAIBatches) -> None:
    body = json.loads(batches.line("x", ASKED, {"max_tokens", "seed", "thinks"}))["body"]
    assert "seed" not in body and "max_tokens" not in body
    assert body["max_completion_tokens"] == 50 + LLMSettings().thinking_tokens


def test_a_server_without_batches_or_that_is_away_says_so(batches: OpenAIBatches, provider: Provider) -> None:
    batches.check()
    provider.has_batches = False
    with pytest.raises(InputError, match=r"has no batches.*Leave out --batch"):
        batches.check()
    provider.close()
    with pytest.raises(LLMDown):
        batches.check()
    with pytest.raises(LLMUnavailable):
        batches.create("a", "file-1")
