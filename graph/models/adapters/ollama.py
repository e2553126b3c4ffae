"""A model served by Ollama, through the `ollama` client."""

from __future__ import annotations

import json
from collections.abc import Iterator

import ollama

from filigraph.graph.errors import LLMUnavailable
from filigraph.graph.models.adapters.http import (
    Call,
    Capabilities,
    ReplyPiece,
    ServerLLM,
    client_arguments,
    translate_common,
    translate_status,
)
from filigraph.graph.models.llm import DEFAULT_MODEL, LLMRequest, LLMSettings

DEFAULT_URL = "http://127.0.0.1:11434"


class OllamaLLM(ServerLLM):
    """`OllamaLLM("mistral")`. Thinking is switched off where the model allows it: it costs minutes on a CPU."""

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        url: str = DEFAULT_URL,
        settings: LLMSettings | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        super().__init__(model, url=url, settings=settings, capabilities=capabilities)

    def _pieces(self, request: LLMRequest, call: Call, *, stream: bool) -> Iterator[ReplyPiece]:
        messages = [{"role": "system", "content": request.system}] if request.system else []
        messages.append({"role": "user", "content": request.prompt})
        with ollama.Client(host=self.url, **client_arguments(call, self.url)) as client:
            replies = client.chat(
                self.model,
                messages,
                stream=stream,
                think=False,
                format=dict(request.schema) if request.schema else None,
                options={
                    "temperature": self.settings.temperature,
                    "seed": self.settings.seed,
                    "repeat_penalty": self.settings.repeat_penalty,
                    "num_ctx": self.settings.context_tokens,
                    "num_predict": request.max_tokens,
                },
            )
            for reply in replies if stream else [replies]:
                yield ReplyPiece(
                    text=reply.message.content or "",
                    thinking=reply.message.thinking or "",
                    done=bool(reply.done),
                    cut=reply.done_reason == "length",
                    tokens_in=reply.prompt_eval_count or 0,
                    tokens_out=reply.eval_count or 0,
                )

    def _models(self, call: Call) -> list[str]:
        with ollama.Client(host=self.url, **client_arguments(call, self.url)) as client:
            return [model.model or "" for model in client.list().models] or ["(none)"]

    def missing_cure(self) -> str:
        return f"Run: ollama pull {self.model}"

    def translate(self, error: Exception) -> Exception:
        if isinstance(error, ollama.ResponseError):
            message = error.error if isinstance(error.error, str) else json.dumps(error.error)
            if error.status_code == 404 and "model" in message:
                return self.model_missing()
            if error.status_code < 0:  # said in the middle of a reply
                return LLMUnavailable(f"Ollama gave up: {message}.", cure="Read its log.")
            return translate_status(self.url, error.status_code, message)
        return translate_common(error, self.url, "Start Ollama: ollama serve")
