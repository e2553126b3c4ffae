"""An LLM with scripted replies, for tests and for trying an answer without a model."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping

from filigraph.graph.errors import Cancelled
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLMRequest, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop


class ScriptedLLM:
    """Answers a prompt by the first key of `replies` that occurs in it; "" is in every prompt.

    A reply that is an exception is raised. Order and threads make no difference, so parallel extraction is as
    deterministic as sequential. `prompts` keeps the prompts, in the order of the calls.
    """

    def __init__(self, replies: Mapping[str, str | Exception], *, model: str = "scripted") -> None:
        self.prompts: list[str] = []
        self._replies = dict(replies)
        self._model = model
        self._usage = Usage()
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        return self._model

    @property
    def usage(self) -> Usage:
        return self._usage

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        if cancel and cancel():
            raise Cancelled()
        with self._lock:
            self.prompts.append(request.prompt)
        reply = next((reply for key, reply in self._replies.items() if key in request.prompt), "")
        if isinstance(reply, Exception):
            raise reply
        tokens_in = estimate_tokens(request.system + request.prompt)
        used = Usage(calls=1, tokens_in=tokens_in, tokens_out=estimate_tokens(reply))
        with self._lock:
            self._usage += used
        return reply

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        """Word by word."""
        reply = self.complete(request, cancel=cancel)
        for word in re.findall(r"\S+\s*|\s+", reply):
            if cancel and cancel():
                raise Cancelled()
            yield word
