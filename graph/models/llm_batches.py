"""Batches that an LLM reads: several calls at once, each reply handed on as soon as it is there, within a budget.

A batch that the LLM refuses, answers late, or answers twice with nothing that can be read, is not read: it is counted,
and the others go on. A later run asks only for what is missing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TypeVar

from filigraph.graph.errors import FiligraphError, LLMRefused, LLMResponseError, LLMSlow
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.prompts import Prompt
from filigraph.graph.process.cancel import ShouldStop, stop_if

T = TypeVar("T")
B = TypeVar("B")

UNREAD = (LLMRefused, LLMResponseError, LLMSlow)  # failures of one batch, not of the LLM

_NONE = re.compile(r"^[^\w\n]*none\b", re.IGNORECASE | re.MULTILINE)


def says_none(reply: str) -> bool:
    """Whether a reply says that a batch has none of what is looked for."""
    return bool(_NONE.search(reply))


@dataclass(kw_only=True)
class ReadingReport:
    """The result of a run, filled in as it proceeds."""

    kept: int = 0  # earlier readings
    asked: int = 0  # batches that were read
    left: int = 0  # batches that the budget left unread
    failed: int = 0  # batches that the LLM refused, or without a readable reply in time
    failure: FiligraphError | None = None  # the first of these
    usage: Usage = field(default_factory=Usage)


def within_budget(calls: Sequence[T], budget: int) -> Sequence[T]:
    """The first `budget` calls; all with 0."""
    return calls[:budget] if budget else calls


class BudgetSpent(Exception):
    """All calls of a budget are made."""


class BudgetLLM:
    """An LLM that answers `budget` requests, repeated ones included; 0: no limit. Thread-safe."""

    def __init__(self, llm: LLM, budget: int) -> None:
        self._llm = llm
        self.budget = budget
        self.calls = 0  # that were made
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        return self._llm.model

    @property
    def usage(self) -> Usage:
        return self._llm.usage

    def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
        self._take()
        return self._llm.complete(request, cancel=cancel)

    def stream(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> Iterator[str]:
        self._take()
        return self._llm.stream(request, cancel=cancel)

    def _take(self) -> None:
        with self._lock:
            if self.budget and self.calls >= self.budget:
                raise BudgetSpent
            self.calls += 1


@dataclass(frozen=True, kw_only=True)
class BatchReader:
    """Reads batches with an LLM."""

    name: str  # of its threads
    llm: BudgetLLM
    progress: Callable[[int, int], None] = lambda done, total: None
    in_flight: int = 2  # calls at once
    timeout: float = 300.0  # seconds for a call
    cancelled: ShouldStop = lambda: False

    def read(
        self, batches: Sequence[B], ask: Callable[..., T], keep: Callable[[T], object], report: ReadingReport
    ) -> None:
        """Ask about each batch, in their order, and `keep` each reply. Raises Cancelled, and what the LLM raises if it
        does not answer at all; replies until then are kept."""
        before = report.asked + report.failed
        total, done = before + len(batches), before
        self.progress(done, total)

        def asked(batch: B) -> T | None:
            try:
                return ask(batch, self.llm, timeout=self.timeout, cancelled=self.cancelled)
            except BudgetSpent:
                return None

        def ended(_: B, call: Future[T | None]) -> None:
            nonlocal done
            try:
                reply = call.result()
            except UNREAD as error:
                report.failed += 1
                report.failure = report.failure or error
            else:
                if reply is None:
                    report.left += 1
                else:
                    keep(reply)
                    report.asked += 1
            report.usage = self.llm.usage
            done += 1
            self.progress(done, total)

        ask_all(batches, asked, ended, in_flight=self.in_flight, name=self.name, cancelled=self.cancelled)


def ask_all(
    batches: Sequence[B],
    ask: Callable[[B], T],
    ended: Callable[[B, Future[T]], None],
    *,
    in_flight: int,
    name: str,
    cancelled: ShouldStop,
) -> None:
    """Ask about all batches, `in_flight` at once; `ended` has each call as soon as it has ended. If it raises, or on
    request, calls that have not begun are not made."""
    with ThreadPoolExecutor(in_flight, thread_name_prefix=f"{name}-llm") as pool:
        calls = {pool.submit(ask, batch): batch for batch in batches}
        try:
            for call in as_completed(calls):
                ended(calls[call], call)
                stop_if(cancelled)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def ask_twice(
    prompt: Prompt, complete: Callable[[str], str], read: Callable[[str], T | None], *, about: str, again: str
) -> T:
    """What `read` makes of a reply; where that is None, the LLM is asked once `again`. Raises as the LLM does;
    LLMResponseError if both replies are unreadable."""
    user = prompt.user
    for _ in range(2):
        reading = read(complete(user))
        if reading is not None:
            return reading
        user = f"{prompt.user}\n\nYour last reply could not be read. {again}"
    raise LLMResponseError(
        f"The LLM was asked twice for {about}, and no reply could be read.", cure="Try another model."
    )
