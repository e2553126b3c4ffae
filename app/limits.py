"""How much one caller may ask: requests a minute, and tokens of an LLM a day in each workspace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cachetools import LRUCache

from filigraph.graph.errors import LimitReached, LLMUnavailable
from filigraph.graph.llm import LLM, Cancel, Schema, Usage

if TYPE_CHECKING:
    from filigraph.graph.store import TokensSpent

CALLERS = 10_000  # that are told apart; who was not heard of longest is forgotten first


class RateLimit:
    """A token bucket for each caller: `a_minute` requests at once, refilled as fast. Thread-safe."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute = a_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: LRUCache[str, tuple[float, float]] = LRUCache(CALLERS)  # caller -> what was left, and when

    def take(self, caller: str) -> None:
        """Count a request. Raises LimitReached, with the seconds to wait in `retry_after`."""
        with self._lock:
            now = self._clock()
            left, at = self._buckets.get(caller, (float(self._a_minute), now))
            left = min(self._a_minute, left + (now - at) * self._a_minute / 60)
            self._buckets[caller] = (left - 1 if left >= 1 else left, now)
        if left < 1:
            wait = (1 - left) * 60 / self._a_minute
            raise LimitReached(
                f"That is more than {self._a_minute:,} requests a minute.",
                cure=f"Wait {wait:.0f} seconds, or raise FILIGRAPH_REQUESTS_A_MINUTE on the server.",
                retry_after=wait,
            )


class Budget:
    """The tokens that each workspace may have an LLM read and write in a day (UTC). 0: as many as it likes."""

    def __init__(
        self,
        spent: Callable[[Callable[[TokensSpent], int]], int],
        *,
        a_day: int,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.a_day = a_day
        self._spent = spent  # lets some work be done with the stored counts
        self._clock = clock

    def check(self, workspace: str) -> None:
        """Raise LimitReached if nothing is left of today's."""
        if self.a_day and self.add(workspace, 0) >= self.a_day:
            raise LimitReached(
                f"The workspace {workspace} has used its {self.a_day:,} tokens of today.",
                cure="Wait until tomorrow (UTC), raise FILIGRAPH_LLM_TOKENS_A_DAY on the server, or read with "
                "`--extractor local`.",
            )

    def add(self, workspace: str, tokens: int) -> int:
        """Count tokens; how many that makes today."""
        day = self._clock().date().isoformat()
        return self._spent(lambda spent: spent.add(workspace, day, tokens))


class Metered:
    """An LLM whose tokens are counted, and that is not asked any more when a workspace has used its tokens.

    Raises LLMUnavailable then: a run that is under way leaves the rest unread, as where the LLM's server is gone, and
    `retry` reads it another day.
    """

    def __init__(self, llm: LLM, workspace: str, budget: Budget, count: Callable[[str, Usage], None]) -> None:
        self._llm = llm
        self._workspace = workspace
        self._budget = budget
        self._count = count
        self._lock = threading.Lock()
        self._counted = llm.usage

    @property
    def model(self) -> str:
        return self._llm.model

    @property
    def usage(self) -> Usage:
        return self._llm.usage

    def complete(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Schema | None = None,
        max_tokens: int = 1024,
        timeout: float = 300.0,
        cancel: Cancel | None = None,
    ) -> str:
        self._check()
        try:
            return self._llm.complete(
                prompt, system=system, schema=schema, max_tokens=max_tokens, timeout=timeout, cancel=cancel
            )
        finally:
            self._settle()

    def stream(
        self,
        prompt: str,
        *,
        system: str = "",
        max_tokens: int = 1024,
        timeout: float = 300.0,
        cancel: Cancel | None = None,
    ) -> Iterator[str]:
        self._check()
        try:
            yield from self._llm.stream(prompt, system=system, max_tokens=max_tokens, timeout=timeout, cancel=cancel)
        finally:
            self._settle()

    def _check(self) -> None:
        try:
            self._budget.check(self._workspace)
        except LimitReached as error:
            raise LLMUnavailable(error.cause, cure=error.cure) from error

    def _settle(self) -> None:
        """Count what was asked since the last time; calls in other threads are counted by whoever ends first."""
        with self._lock:
            now, before = self._llm.usage, self._counted
            self._counted = now
        used = Usage(
            calls=now.calls - before.calls,
            tokens_in=now.tokens_in - before.tokens_in,
            tokens_out=now.tokens_out - before.tokens_out,
        )
        self._count(self._llm.model, used)
        if self._budget.a_day and used.tokens_in + used.tokens_out:
            self._budget.add(self._workspace, used.tokens_in + used.tokens_out)
