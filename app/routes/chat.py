"""OpenAI's chat API, for its clients: each workspace is a model, `filigraph/NAME`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from filigraph.app.http.chat_errors import with_openai_fields
from filigraph.app.http.envelope import JSONText, request_id_of
from filigraph.app.http.stream import Emit, WorkResponse
from filigraph.app.routes.chat_answer import answer_chat, models_of, read_question
from filigraph.app.routes.common import CallerDep, ServiceDep, errors
from filigraph.app.schemas.chat import (
    ChatIn,
    ChatMessageOut,
    ChatOut,
    ChatUsageOut,
    ChoiceOut,
    GroundingOut,
    ModelOut,
    ModelsOut,
)
from filigraph.graph.process.cancel import ShouldStop

SSE = "text/event-stream"

router = APIRouter(prefix="/v1", tags=["chat"])

_CHAT_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": ChatOut,
        "description": "The answer; with `stream`, server-sent events: `chat.completion.chunk` objects, the last one "
        "with `filigraph`, then `[DONE]`.",
        "content": {SSE: {"schema": {"type": "string", "description": "Server-sent events."}}},
    },
    **errors(404, 409, 422, 499, 502),
}


@router.get("/models", summary="List workspaces as models", responses=errors())
def models(service: ServiceDep, caller: CallerDep) -> ModelsOut:
    """The workspaces that the caller may see, as OpenAI's clients list models."""
    return ModelsOut(data=[ModelOut(id=name) for name in models_of(service, caller)])


@router.post("/chat/completions", summary="Answer a chat", responses=_CHAT_RESPONSES)
def chat(body: ChatIn, request: Request, service: ServiceDep, caller: CallerDep) -> Response:
    """Answers the last question of a conversation as `ask` does, for clients of OpenAI's chat API. A follow-up
    question is first rewritten so that it is understood by itself. Below the answer, and in `filigraph`, is its
    evidence. A client that disconnects stops the work."""
    conversation = read_question(body.model, body.messages, caller)
    asked_id, created = request_id_of(request.scope), int(time.time())

    def job(emit: Emit, cancelled: ShouldStop) -> ChatOut:
        answered = answer_chat(service, conversation, body.filigraph, emit, cancelled, trace_id=asked_id, reader=caller)
        return ChatOut(
            id=f"chatcmpl-{asked_id}",
            created=created,
            model=body.model,
            choices=[
                ChoiceOut(
                    message=ChatMessageOut(content=answered.text),
                    finish_reason="length" if answered.answer.cut_short else "stop",
                )
            ],
            usage=ChatUsageOut(
                prompt_tokens=answered.usage.tokens_in,
                completion_tokens=answered.usage.tokens_out,
                total_tokens=answered.usage.tokens_in + answered.usage.tokens_out,
            ),
            filigraph=GroundingOut.of(answered.answer),
        )

    with_usage = body.stream_options is not None and bool(body.stream_options.include_usage)
    return WorkResponse(
        job,
        events=bool(body.stream),
        last="completion",
        event_format=CompletionEvents(f"chatcmpl-{asked_id}", created, body.model, with_usage=with_usage),
        stopping=service.runtime.stopping.is_set,
    )


class CompletionEvents:
    """An answer as it is written, in OpenAI's server-sent events."""

    media_type = SSE

    def __init__(self, id_: str, created: int, model: str, *, with_usage: bool) -> None:
        self._head = {"id": id_, "object": "chat.completion.chunk", "created": created, "model": model}
        self._with_usage = with_usage

    def write(self, kind: str, fields: Mapping[str, Any]) -> bytes:
        if kind == "retrieved":
            return self._chunk({"role": "assistant", "content": ""})
        if kind == "token":
            return self._chunk({"content": fields["text"]})
        if kind == "thinking":  # in the form in which other servers stream a model's thoughts
            return self._chunk({"reasoning_content": fields["text"]})
        if kind == "error":  # the status has been sent long ago
            return _event(with_openai_fields(fields, 500))
        if kind == "completion":
            done = fields["completion"]
            payload = self._chunk({}, done["choices"][0]["finish_reason"], filigraph=done["filigraph"])
            if self._with_usage:
                payload += _event({**self._head, "choices": [], "usage": done["usage"]})
            return payload + b"data: [DONE]\n\n"
        return b": alive\n\n"

    def _chunk(self, delta: Mapping[str, str], finish_reason: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        usage = {"usage": None} if self._with_usage else {}
        return _event({**self._head, "choices": [choice], **usage, **more})


def _event(data: Mapping[str, Any]) -> bytes:
    return b"data: " + bytes(JSONText(data).body) + b"\n\n"
