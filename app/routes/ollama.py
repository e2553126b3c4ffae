"""Ollama's chat API, for programs without another: each workspace is a model, `filigraph/NAME`. The OpenAPI description
leaves it out, because it is Ollama's protocol; docs/clients.md mentions it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from filigraph.app.http.chat_errors import with_ollama_fields
from filigraph.app.http.envelope import JSONText, request_id_of
from filigraph.app.http.stream import NDJSON, Emit, WorkResponse
from filigraph.app.routes.chat_answer import answer_chat, models_of, read_question
from filigraph.app.routes.common import CallerDep, ServiceDep
from filigraph.app.schemas.chat import GroundingOut
from filigraph.app.schemas.ollama import (
    OllamaChatIn,
    OllamaChatOut,
    OllamaMessageOut,
    OllamaModelOut,
    OllamaModelsOut,
    OllamaVersionOut,
)
from filigraph.app.version import installed_version
from filigraph.graph.process.cancel import ShouldStop

NEVER = datetime(1970, 1, 1, tzinfo=UTC)

router = APIRouter(prefix="/api", include_in_schema=False)


@router.get("/version")
def version() -> OllamaVersionOut:
    """The version of the server."""
    return OllamaVersionOut(version=installed_version())


@router.get("/tags")
def tags(service: ServiceDep, caller: CallerDep) -> OllamaModelsOut:
    """The workspaces that the caller may see, as Ollama lists models."""
    return OllamaModelsOut(
        models=[
            OllamaModelOut(name=name, model=name, modified_at=NEVER, digest=hashlib.sha256(name.encode()).hexdigest())
            for name in models_of(service, caller)
        ]
    )


@router.post("/chat")
def chat(body: OllamaChatIn, request: Request, service: ServiceDep, caller: CallerDep) -> Response:
    """Answers the last question of a conversation, like OpenAI's route. A client that disconnects stops the work."""
    conversation = read_question(body.model, body.messages, caller)
    begun = time.monotonic_ns()

    def job(emit: Emit, cancelled: ShouldStop) -> OllamaChatOut:
        trace_id = request_id_of(request.scope)
        answered = answer_chat(service, conversation, body.filigraph, emit, cancelled, trace_id=trace_id, reader=caller)
        return OllamaChatOut(
            model=body.model,
            created_at=datetime.now(UTC),
            message=OllamaMessageOut(content="" if body.stream else answered.text),  # a stream has sent it before
            done_reason="length" if answered.answer.cut_short else "stop",
            total_duration=time.monotonic_ns() - begun,
            prompt_eval_count=answered.usage.tokens_in,
            eval_count=answered.usage.tokens_out,
            filigraph=GroundingOut.of(answered.answer),
        )

    return WorkResponse(
        job,
        events=body.stream,
        last="completion",
        event_format=ChatLines(body.model),
        stopping=service.runtime.stopping.is_set,
    )


class ChatLines:
    """An answer as it is written, in Ollama's JSON lines."""

    media_type = NDJSON

    def __init__(self, model: str) -> None:
        self._model = model

    def write(self, kind: str, fields: Mapping[str, Any]) -> bytes:
        if kind == "completion":
            return _line(fields["completion"])
        if kind == "error":  # the status has been sent long ago
            return _line(with_ollama_fields(fields))
        # A piece without text shows that the answer is on its way.
        message = {"role": "assistant", "content": fields["text"] if kind == "token" else ""}
        message |= {"thinking": fields["text"]} if kind == "thinking" else {}
        head = {"model": self._model, "created_at": datetime.now(UTC).isoformat()}
        return _line({**head, "message": message, "done": False})


def _line(data: Mapping[str, Any]) -> bytes:
    return bytes(JSONText(data).body) + b"\n"
