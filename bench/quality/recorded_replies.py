"""Recorded replies of a reader: files HASH.prompt.md -> HASH.reply.md in a folder. A prompt without a reply is written
there, and waits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLMRequest, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop


class Waiting(Exception):
    """A prompt has no reply yet."""


class RecordedReplies:
    """An LLM whose replies are files."""

    model = "recorded"

    def __init__(self, folder: Path) -> None:
        self.folder, self.usage = folder, Usage()

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        text = reply_to(self.folder, "", f"{request.system}\n\n{request.prompt}\n")
        used = estimate_tokens(request.system + request.prompt), estimate_tokens(text)
        self.usage += Usage(calls=1, tokens_in=used[0], tokens_out=used[1])
        return text

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        yield self.complete(request, cancel=cancel)


def reply_to(folder: Path, kind: str, prompt: str) -> str:
    """The recorded reply. If there is none, writes the prompt and raises Waiting."""
    name = kind + hashlib.blake2b(prompt.encode(), digest_size=8).hexdigest()
    reply = folder / f"{name}.reply.md"
    if not reply.exists() or not reply.read_text(encoding="utf-8").strip():
        (folder / f"{name}.prompt.md").write_text(prompt, encoding="utf-8")
        raise Waiting(name)
    return reply.read_text(encoding="utf-8")
