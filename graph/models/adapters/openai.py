"""A model behind any server that speaks OpenAI's chat completions: llama.cpp, vLLM, LM Studio, Ollama's /v1, OpenAI."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import httpx

from filigraph.graph.errors import LLMRefused
from filigraph.graph.models.adapters.http import (
    Call,
    Capabilities,
    ReplyPiece,
    ServerLLM,
    client_arguments,
    one_line,
    plausible_tokens,
    translate_common,
    translate_status,
)
from filigraph.graph.models.llm import LLMRequest, LLMSettings
from filigraph.graph.text.lines import lines_of

OPTIONAL_PARAMETERS = ("response_format", "seed", "temperature", "max_tokens")  # some servers reject some of them


class OpenAILLM(ServerLLM):
    """`OpenAILLM("mistral", url="http://127.0.0.1:8080/v1")`.

    A parameter that the server refuses by name is left out from then on (`max_tokens` becomes
    `max_completion_tokens`). There is no repeat penalty in this protocol.
    """

    def __init__(
        self,
        model: str,
        *,
        url: str,
        api_key: str = "",
        settings: LLMSettings | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        super().__init__(model, url=url, settings=settings, capabilities=capabilities)
        self.headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def _pieces(self, request: LLMRequest, call: Call, *, stream: bool) -> Iterator[ReplyPiece]:
        with httpx.Client(headers=self.headers, **client_arguments(call, self.url)) as client:
            while True:
                body = {**self.body(request, refused=self.capabilities.refused), "stream": stream}
                with client.stream("POST", f"{self.url}/chat/completions", json=body) as response:
                    if response.is_success:
                        yield from _streamed(response) if stream else _unstreamed(response.read())
                        return
                    response.read()
                    refused = {name for name in OPTIONAL_PARAMETERS if name in body and name in response.text}
                    if response.status_code not in (400, 422) or not refused:
                        response.raise_for_status()
                    self.capabilities.refused |= refused

    def body(self, request: LLMRequest, *, refused: Collection[str], thinks: bool = False) -> dict[str, Any]:
        """The body of the request, without `refused` parameters, with room for a model that `thinks`."""
        room = self.settings.thinking_tokens if thinks else 0
        limit = request.max_tokens + room
        messages = [{"role": "system", "content": request.system}] if request.system else []
        messages.append({"role": "user", "content": request.prompt})
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "temperature": self.settings.temperature,
            "seed": self.settings.seed,
            "max_tokens": limit,
        }
        if request.schema:
            named = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if "max_tokens" in refused:
            body["max_completion_tokens"] = limit
        return {name: value for name, value in body.items() if name not in refused}

    def _models(self, call: Call) -> list[str]:
        with httpx.Client(headers=self.headers, **client_arguments(call, self.url)) as client:
            response = client.get(f"{self.url}/models")
            if response.status_code in (404, 405):
                return []  # an optional part of the protocol
            response.raise_for_status()
            return [str(model["id"]) for model in response.json()["data"]]

    def translate(self, error: Exception) -> Exception:
        if isinstance(error, _ErrorInReply):
            return translate_status(self.url, error.status, error.body)
        if isinstance(error, httpx.HTTPStatusError):
            status, text = error.response.status_code, error.response.text
            if status == 404 and "model" in text:
                return self.model_missing()
            return translate_status(self.url, status, text)
        return translate_common(error, self.url, "Start the server, or correct its address.")


class _ErrorInReply(Exception):
    """An error that a router reports with status 200: {"error": {"message": "Provider failed", "code": 502}}."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(body)
        self.status, self.body = status, body


def _loaded(text: str | bytes) -> Any:
    """A reply or a part of it; raises _ErrorInReply if it is an error."""
    body = json.loads(text)
    error = body.get("error") if isinstance(body, dict) and not body.get("choices") else None
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and code >= HTTPStatus.BAD_REQUEST else HTTPStatus.INTERNAL_SERVER_ERROR
        raise _ErrorInReply(int(status), json.dumps(body))
    return body


def _unstreamed(reply: str | bytes) -> Iterator[ReplyPiece]:
    body = _loaded(reply)
    choice, usage = body["choices"][0], body.get("usage") or {}
    piece = _piece(choice["message"], choice.get("finish_reason") or "stop")
    tokens_in, tokens_out = counted(usage)
    yield replace(piece, tokens_in=tokens_in, tokens_out=tokens_out)


def counted(usage: dict[str, Any]) -> tuple[int, int]:
    """The tokens of a call, in and out; 0 for a count that cannot be one."""
    tokens_in, tokens_out = (plausible_tokens(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return tokens_in, tokens_out


def _streamed(response: httpx.Response) -> Iterator[ReplyPiece]:
    """Server-sent events: `data: {...}` a line, `data: [DONE]` at the end. Some servers and proxies answer at once
    instead, above all with an error."""
    events, other = 0, list[str]()
    for line in lines_of(response.iter_bytes()):
        if not line.startswith("data:"):
            if not events:
                other.append(line)
            continue
        data = line.removeprefix("data:").strip()
        events += 1
        if data == "[DONE]":
            yield ReplyPiece(done=True)
            return
        for choice in _loaded(data)["choices"]:
            yield _piece(choice["delta"], choice.get("finish_reason"))
    if not events:
        if not "".join(other).lstrip().startswith("{"):
            raise ValueError("no server-sent events")
        yield from _unstreamed("\n".join(other))


def text_of(content: Any) -> str:
    """The text of a message; some servers give it in parts, of which thoughts are some."""
    if not isinstance(content, list):
        return content or ""
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def _piece(message: dict[str, Any], finish: str | None) -> ReplyPiece:
    """A piece of a reply. Raises LLMRefused if a filter ended the reply."""
    if finish == "content_filter" or (refusal := message.get("refusal")):
        why = (
            "its content filter ended the reply (content_filter)"
            if finish == "content_filter"
            else one_line(str(refusal))
        )
        raise LLMRefused(
            f"The LLM refuses to answer: {why}.", cure=("Use another model, or leave out what it refuses.")
        )
    thinking = message.get("reasoning_content") or message.get("reasoning")
    return ReplyPiece(
        text=text_of(message.get("content")), thinking=thinking or "", done=finish is not None, cut=finish == "length"
    )
