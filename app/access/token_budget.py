"""The tokens of an LLM that each workspace may use in a day."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from filigraph.graph.errors import LimitReached, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLM, LLMRequest, estimate_tokens
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.store import TokensSpent


@dataclass(frozen=True, kw_only=True)
class Reserved:
    """Tokens that are counted for a call in advance. If the server is killed, they remain counted."""

    day: str  # ISO 8601
    tokens: int


class Budget:
    """The tokens that each workspace may use of an LLM in a day (UTC). 0: no limit."""

    def __init__(
        self,
        spent: Callable[[str, Callable[[TokensSpent], int]], int],
        *,
        a_day: int,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.a_day = a_day
        self._spent = spent  # runs some work with the stored counts of a workspace
        self._clock = clock

    def check(self, workspace: str) -> None:
        """Raise LimitReached if nothing of today's tokens is left."""
        if self.a_day and self.add(workspace, 0) >= self.a_day:
            raise self._limit_error(workspace)

    def add(self, workspace: str, tokens: int) -> int:
        """Count tokens; returns today's new sum."""
        day = self.today()
        return self._spent(workspace, lambda spent: spent.add(workspace, day, tokens))

    def reserve(self, workspace: str, tokens: int) -> Reserved:
        """Count the expected tokens of a call in advance. Raises LimitReached if nothing of today's tokens is left: of
        several simultaneous calls at most one exceeds the limit.
        """
        reserved = Reserved(day=self.today(), tokens=tokens if self.a_day else 0)
        if self.a_day and self.add(workspace, tokens) - tokens >= self.a_day:
            self.add(workspace, -tokens)
            raise self._limit_error(workspace)
        return reserved

    def settle(self, workspace: str, reserved: Reserved, tokens: int) -> None:
        """Replace the reserved tokens with the used ones."""
        if self.a_day:
            self.add(workspace, tokens - (reserved.tokens if reserved.day == self.today() else 0))

    def today(self) -> str:
        """The current day, ISO 8601."""
        return self._clock().date().isoformat()

    def _limit_error(self, workspace: str) -> LimitReached:
        return LimitReached(
            f"The workspace {workspace} has used its {self.a_day:,} tokens of today.",
            cure="Wait until tomorrow (UTC), raise FILIGRAPH_LLM_TOKENS_A_DAY on the server, or read with "
            "`--extractor local`.",
        )


class Metered:
    """An LLM whose tokens are counted. When a workspace has used its tokens, it raises LLMUnavailable: as with a
    missing LLM server, a run leaves the rest unread, and `retry` reads it on another day.
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

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        reserved = self._reserve(request)
        try:
            return self._llm.complete(request, cancel=cancel)
        finally:
            self._settle(reserved)

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        reserved = self._reserve(request)
        try:
            yield from self._llm.stream(request, cancel=cancel)
        finally:
            self._settle(reserved)

    def _reserve(self, request: LLMRequest) -> Reserved:
        tokens = estimate_tokens(request.system + request.prompt) + request.max_tokens
        try:
            return self._budget.reserve(self._workspace, tokens)
        except LimitReached as error:
            raise LLMUnavailable(error.cause, cure=error.cure) from error

    def _settle(self, reserved: Reserved) -> None:
        """Count the usage since the last time; calls of other threads are counted by the first one to end."""
        with self._lock:
            now, before = self._llm.usage, self._counted
            self._counted = now
        used = now - before
        self._count(self._llm.model, used)
        self._budget.settle(self._workspace, reserved, used.tokens_in + used.tokens_out)
