"""The batches of a server that speaks OpenAI's `/v1/files` and `/v1/batches`: OpenAI, Groq, LiteLLM's proxy.

A batch is a file of JSON lines, each with a `custom_id` and the body of a chat completion; replies and failures come
in files of such lines, in any order. The batch has our tag in its `metadata`, by which it is found again.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx

from filigraph.graph.errors import FiligraphError, InputError, LLMDown, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.http import (
    TemporaryFailure,
    call_with_deadline,
    call_with_retries,
    client_arguments,
    one_line,
)
from filigraph.graph.models.adapters.openai import OPTIONAL_PARAMETERS, OpenAILLM, counted, text_of
from filigraph.graph.models.batches import BatchReply, BatchState, ProviderBatch
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.models.thinking import strip_thinking
from filigraph.graph.process.cancel import ShouldStop

ENDPOINT = "/v1/chat/completions"
TAG = "filigraph"  # the key in a batch's metadata
PAGE_BATCHES = 100  # batches that are listed at once
QUICK, LONG = 60.0, 1800.0  # seconds for a call, and for one that moves a file
THINKS = "thinks"  # the hint that a model thinks before it answers
_STATES: dict[str, BatchState] = {
    "completed": "ended",
    "expired": "ended",
    "cancelled": "cancelled",
    "failed": "refused",
}
_FULL = "token_limit_exceeded"  # the error code of a full queue at the provider

T = TypeVar("T")


class OpenAIBatches:
    """The batches of the server of an `OpenAILLM`."""

    def __init__(self, llm: OpenAILLM, *, cancel: ShouldStop | None = None) -> None:
        self._llm = llm
        self._cancel = cancel

    @property
    def model(self) -> str:
        return self._llm.model

    def check(self) -> None:
        def probe(client: httpx.Client) -> bool:
            response = client.get(self._address("batches"), params={"limit": 1})
            if response.status_code in (400, 404, 405, 501):
                return False
            response.raise_for_status()
            return isinstance(response.json().get("data"), list)

        if not self._ask(probe):
            raise InputError(
                f"The LLM server at {self._llm.url} has no batches: it does not know {self._llm.url}/batches.",
                cure="Leave out --batch, or set FILIGRAPH_LLM_URL to a provider with batches.",
            )

    def line(self, request_id: str, request: LLMRequest, hints: Collection[str]) -> bytes:
        body = self._llm.body(request, refused=hints, thinks=THINKS in hints)
        line = {"custom_id": request_id, "method": "POST", "url": ENDPOINT, "body": body}
        return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def upload(self, tag: str, file: Path) -> str:
        def send(client: httpx.Client) -> str:
            with file.open("rb") as content:
                part = {"file": (f"{tag}.jsonl", content, "application/jsonl")}
                response = client.post(self._address("files"), data={"purpose": "batch"}, files=part)
            response.raise_for_status()
            return str(response.json()["id"])

        return self._ask(send, seconds=LONG)

    def create(self, tag: str, file_id: str) -> ProviderBatch:
        body = {
            "input_file_id": file_id,
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {TAG: tag},
        }

        def make(client: httpx.Client) -> ProviderBatch:
            response = client.post(self._address("batches"), json=body, headers={"Idempotency-Key": tag})
            response.raise_for_status()
            return _batch(response.json())

        return self._ask(make, again=False)

    def find(self, tag: str, file_id: str) -> ProviderBatch | None:
        after: dict[str, str] = {}
        while True:
            page = self._ask(lambda client, after=after: self._page(client, after))  # type: ignore[misc]
            for row in page.get("data") or []:
                if (row.get("metadata") or {}).get(TAG) == tag or (file_id and row.get("input_file_id") == file_id):
                    return _batch(row)
            if not page.get("has_more") or not page.get("data"):
                return None
            after = {"after": str(page["data"][-1]["id"])}

    def _page(self, client: httpx.Client, after: dict[str, str]) -> dict[str, Any]:
        response = client.get(self._address("batches"), params={"limit": str(PAGE_BATCHES), **after})
        response.raise_for_status()
        return dict(response.json())

    def poll(self, batch_id: str) -> ProviderBatch | None:
        def get(client: httpx.Client) -> ProviderBatch | None:
            response = client.get(self._address("batches", batch_id))
            if response.status_code == 404:
                return None
            response.raise_for_status()
            return _batch(response.json())

        return self._ask(get)

    def cancel(self, batch_id: str) -> None:
        def post(client: httpx.Client) -> None:
            response = client.post(self._address("batches", batch_id, "cancel"))
            if response.status_code not in (400, 404, 409):  # it has ended
                response.raise_for_status()

        self._ask(post)

    def replies(self, batch: ProviderBatch) -> Iterator[BatchReply]:
        for file_id in batch.files:
            with tempfile.TemporaryFile() as file:
                self._ask(lambda client, id_=file_id, to=file: self._download(client, id_, to), seconds=LONG)  # type: ignore[misc]
                file.seek(0)
                for line in file:
                    reply = _reply(line)
                    if reply:
                        yield reply

    def _download(self, client: httpx.Client, file_id: str, to: Any) -> None:
        to.seek(0)
        to.truncate()
        with client.stream("GET", self._address("files", file_id, "content")) as response:
            if not response.is_success:
                response.read()
            response.raise_for_status()
            for piece in response.iter_bytes():
                to.write(piece)

    def delete_file(self, file_id: str) -> None:
        def delete(client: httpx.Client) -> None:
            response = client.delete(self._address("files", file_id))
            if response.status_code not in (404, 405):
                response.raise_for_status()

        self._ask(delete, again=False)

    def _address(self, *parts: str) -> str:
        return "/".join((self._llm.url, *parts))

    def _ask(self, work: Callable[[httpx.Client], T], *, seconds: float = QUICK, again: bool = True) -> T:
        with call_with_deadline(seconds, self._cancel, self._llm.url) as call:

            def attempt() -> T:
                try:
                    with httpx.Client(headers=self._llm.headers, **client_arguments(call, self._llm.url)) as client:
                        return work(client)
                except FiligraphError:
                    raise
                except Exception as error:
                    raise self._llm.translate(error) from error

            try:
                return call_with_retries(call, self._llm.settings, self._llm.url, attempt) if again else attempt()
            except TemporaryFailure as refused:
                raise refused.error from refused
            except LLMUnavailable as error:
                if call.seconds_left() <= 0:  # a slow server may be quick later
                    raise LLMDown(error.cause, cure="Check whether the provider reports an outage.") from error
                raise


def _batch(row: dict[str, Any]) -> ProviderBatch:
    counts = row.get("request_counts") or {}
    problems = [problem for problem in (row.get("errors") or {}).get("data") or [] if isinstance(problem, dict)]
    return ProviderBatch(
        id=str(row["id"]),
        state=_STATES.get(str(row["status"]), "running"),
        back=int(counts.get("completed") or 0) + int(counts.get("failed") or 0),
        files=tuple(str(id_) for id_ in (row.get("output_file_id"), row.get("error_file_id")) if id_),
        why=one_line("; ".join(str(problem.get("message") or problem.get("code")) for problem in problems)),
        queue_full=any(problem.get("code") == _FULL for problem in problems),
    )


def _reply(line: bytes) -> BatchReply | None:
    """One line of a file of replies or failures; None if it is unreadable."""
    try:
        row = json.loads(line)
        id_, response, error = str(row["custom_id"]), row.get("response") or {}, row.get("error")
        status, body = int(response.get("status_code") or 0), response.get("body") or {}
        if error or status != 200:
            cause = one_line(_message(error or body) or f"status {status}")
            hints = {name for name in OPTIONAL_PARAMETERS if name in cause} if status in (400, 422) else set()
            return BatchReply(id=id_, error=cause, hints=frozenset(hints))
        choice, usage = body["choices"][0], body.get("usage") or {}
        message = choice["message"]
        tokens_in, tokens_out = counted(usage)
        used = Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out)
        content = text_of(message.get("content"))
        text = strip_thinking(content)
        thought = "<think" in content or message.get("reasoning_content") or message.get("reasoning")
        if not text.strip() and thought and choice.get("finish_reason") == "length":
            why = "the limit fell in its thought"
            return BatchReply(id=id_, error=why, hints=frozenset({THINKS}), usage=used)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None
    return BatchReply(id=id_, text=text, usage=used)


def _message(error: Any) -> str:
    """A provider's message about a failure, from any of the usual formats."""
    if isinstance(error, dict):
        return _message(error.get("message") or error.get("error") or error.get("code"))
    return str(error or "")
