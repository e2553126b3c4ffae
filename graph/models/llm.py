"""The interface of a language model: one Protocol, and code shared by all callers and adapters.

Adapters: `adapters/ollama.py`, `adapters/openai.py` (any OpenAI-compatible server), `adapters/scripted.py` (for tests).
Filigraph also runs without a model: code that needs one takes it as an argument, which is never None.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from hashlib import blake2b
from typing import Any, Protocol

from filigraph.graph.model.usage import Usage
from filigraph.graph.process.cancel import ShouldStop

Schema = Mapping[str, Any]  # a JSON schema

DEFAULT_MODEL = "mistral"


@dataclass(frozen=True, kw_only=True)
class LLMSettings:
    """Settings of a model. With the defaults, the same prompt gives the same answer, as far as the server allows."""

    temperature: float = 0.0
    seed: int = 7
    repeat_penalty: float = 1.1  # small models loop without it
    context_tokens: int = 8192  # constant: Ollama loads the model again when it changes
    thinking_tokens: int = 4096  # added to the limit of a model that thinks before it answers
    attempts: int = 3  # for a server that refuses or is busy; too slow an answer is not retried
    backoff: float = 1.0  # seconds before the second attempt; doubled before each further one


@dataclass(frozen=True)
class LLMRequest:
    """A request to a model."""

    prompt: str
    _: KW_ONLY
    system: str = ""
    schema: Schema | None = None  # of a JSON reply; some servers do not enforce it, so parse with tolerance
    max_tokens: int = 1024  # of the reply, without thinking; the reply may be cut there, in mid-word
    timeout: float = 300.0  # seconds for the whole call, retries included


class LLM(Protocol):
    """A language model. Calls may come from several threads at once. Thinking (`<think>`) is not part of the reply.

    Raises LLMUnavailable (no such model; LLMDown if the server is gone or too busy for now, LLMSlow if no answer came
    in time, LLMRefused if it will not answer this request), LLMResponseError (an answer that is not of the server's own
    protocol), and Cancelled within a second of `cancel` becoming true.
    """

    @property
    def model(self) -> str: ...

    @property
    def usage(self) -> Usage:
        """The usage of this object so far."""
        ...

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        """The whole reply."""
        ...

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        """The reply, piece by piece as it is written."""
        ...


# --------------------------------------------------------------------------------------------------------------------
# Waiting


class Patience:
    """How long to wait for a server that does not answer: `seconds` from its last answer. Before its first answer: not
    at all, or as long with `waits`. Thread-safe."""

    def __init__(self, seconds: float, *, waits: bool = False) -> None:
        self.answered = False
        self._seconds = seconds
        self._waits = waits
        self._since: float | None = None  # time of its last answer, or of the first failure
        self._begun = False

    def __str__(self) -> str:
        return f"Waiting for it, {self._seconds / 60:.0f} minutes at most."

    def lasts(self, *, busy: bool = False) -> bool:
        """Whether to go on waiting, after the server did not answer. A server that reports `busy` is alive, so it is
        waited for even before its first answer."""
        if self._since is None and (self._waits or busy):
            self._since = time.monotonic()
        return self.seconds_left() > 0

    def seconds_left(self) -> float:
        """Seconds left to wait; 0 if the wait is over, or there is none."""
        return 0.0 if self._since is None else max(self._seconds - (time.monotonic() - self._since), 0.0)

    def answer(self) -> None:
        self.answered, self._since, self._begun = True, time.monotonic(), False

    def begins(self) -> bool:
        """Whether no wait has begun since its last answer; from then on one has."""
        begun, self._begun = self._begun, True
        return not begun


# --------------------------------------------------------------------------------------------------------------------
# Size and fences


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of `text`; rather too many than too few.

    Three and a half characters of ASCII, or three bytes of anything else. (Measured with Qwen 2.5 on 2,000 characters
    each: 4.3 characters a token in an English novel, 3.4 in a French one.)
    """
    plain = sum(1 for character in text if character < "\x80")
    other = len(text.encode("utf-8", "replace")) - plain
    return -(-2 * plain // 7) - (-other // 3)


def fence(*texts: str) -> str:
    """A tag that occurs in none of `texts`, so nothing in them can close what it opens. The same texts, the same tag:
    a prompt must not change from one run to the next."""
    digest = blake2b(digest_size=8)
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
    while True:
        tag = digest.hexdigest()[:8]
        if not any(tag in text.lower() for text in texts):
            return tag
        digest.update(b"again")
