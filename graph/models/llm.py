"""The seam to a language model: one Protocol, and what every caller and every adapter shares.

Adapters: `adapters/ollama.py`, `adapters/openai.py` (any OpenAI-compatible server), `adapters/scripted.py` (for tests).
No model at all is a supported mode: callers that need one take it as an argument, and None never reaches them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from hashlib import blake2b
from typing import Any, Protocol

from filigraph.graph.process.cancel import ShouldStop

Schema = Mapping[str, Any]  # a JSON schema

DEFAULT_MODEL = "mistral"


@dataclass(frozen=True, kw_only=True)
class LLMSettings:
    """How a model is run. The defaults make the same prompt give the same answer, as far as the server allows."""

    temperature: float = 0.0
    seed: int = 7
    repeat_penalty: float = 1.1  # small models loop without it
    context_tokens: int = 8192  # constant: Ollama loads the model again when it changes
    thinking_tokens: int = 4096  # added to the limit of a model that thinks before it answers
    attempts: int = 3  # for a server that refuses or is busy; an answer that is too slow is not asked for again
    backoff: float = 1.0  # seconds before the second attempt; doubled before each further one


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What was asked of a model. Tokens as its server counts them, thinking included; estimated where it does not."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(
            calls=self.calls - earlier.calls,
            tokens_in=self.tokens_in - earlier.tokens_in,
            tokens_out=self.tokens_out - earlier.tokens_out,
        )


@dataclass(frozen=True)
class LLMRequest:
    """What a model is asked."""

    prompt: str
    _: KW_ONLY
    system: str = ""
    schema: Schema | None = None  # the reply is JSON by it; not every server enforces that: read it with tolerance
    max_tokens: int = 1024  # of the reply, thinking not counted; it may be cut there, in mid-word
    timeout: float = 300.0  # seconds for the whole call, retries included


class LLM(Protocol):
    """A language model. Calls may come from several threads at once. Thinking (`<think>`) is not part of the reply.

    Raises LLMUnavailable (no such model; LLMDown where the server is gone or too busy for now, LLMSlow where no answer
    came in time, LLMRefused where it will not answer this request), LLMResponseError (an answer that is not of the
    server's own protocol), and Cancelled within a second of `cancel` becoming true.
    """

    @property
    def model(self) -> str: ...

    @property
    def usage(self) -> Usage:
        """What was asked so far, of this object."""
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
    """How long to wait for a server that does not answer: `seconds` from its last answer; before the first one not at
    all, or as long with `waits`. Thread-safe."""

    def __init__(self, seconds: float, *, waits: bool = False) -> None:
        self.answered = False
        self._seconds = seconds
        self._waits = waits
        self._since: float | None = None  # its last answer, or the first time that there was none
        self._begun = False

    def __str__(self) -> str:
        return f"Waiting for it, {self._seconds / 60:.0f} minutes at most."

    def lasts(self, *, busy: bool = False) -> bool:
        """Whether it is to be waited for, now that it does not answer. One that says that it is `busy` is there."""
        if self._since is None and (self._waits or busy):
            self._since = time.monotonic()
        return self.left() > 0

    def left(self) -> float:
        """Seconds that it is still waited for; 0 where it is not."""
        return 0.0 if self._since is None else max(self._seconds - (time.monotonic() - self._since), 0.0)

    def answer(self) -> None:
        """It has answered."""
        self.answered, self._since, self._begun = True, time.monotonic(), False

    def begins(self) -> bool:
        """Whether nobody has waited since its last answer."""
        begun, self._begun = self._begun, True
        return not begun


# --------------------------------------------------------------------------------------------------------------------
# Size and fences


def estimate_tokens(text: str) -> int:
    """About how many tokens a model's own tokenizer would make of `text`; rather too many than too few.

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
