"""The budget of tokens for a day."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from filigraph.app.access.token_budget import Budget, Metered
from filigraph.graph.errors import LimitReached, LLMUnavailable
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLMRequest
from filigraph.graph.process.cancel import ShouldStop


class Spent:
    """The counts of one day in memory."""

    def __init__(self) -> None:
        self.tokens: dict[tuple[str, str], int] = {}
        self.lock = threading.Lock()

    def add(self, workspace: str, day: str, tokens: int) -> int:
        with self.lock:
            self.tokens[workspace, day] = self.tokens.get((workspace, day), 0) + tokens
            return self.tokens[workspace, day]

    def budget(self, a_day: int, clock: Callable[[], datetime] | None = None) -> Budget:
        def work(_: str, do: Callable[[Any], int]) -> int:
            return do(self)

        return Budget(work, a_day=a_day, clock=clock or (lambda: datetime(2026, 11, 21, 23, 59, tzinfo=UTC)))


def test_a_budget_lasts_a_day() -> None:
    now = datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
    budget = Spent().budget(100, clock=lambda: now)
    budget.add("case", 99)
    budget.check("case")
    budget.add("case", 1)
    with pytest.raises(LimitReached) as caught:
        budget.check("case")
    assert "100 tokens of today" in caught.value.cause and "FILIGRAPH_LLM_TOKENS_A_DAY" in caught.value.cure
    budget.check("other")
    now += timedelta(minutes=1)
    budget.check("case")


def test_without_a_budget_nothing_is_counted() -> None:
    spent = Spent()
    spent.budget(0).check("case")
    assert spent.tokens == {}


def test_every_call_is_counted_once_from_however_many_threads() -> None:
    spent, seen = Spent(), []
    llm = ScriptedLLM({"": "yes"})
    metered = Metered(llm, "case", spent.budget(10**9), lambda model, usage: seen.append(usage))
    threads = [threading.Thread(target=metered.complete, args=(LLMRequest("why?"),)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "".join(metered.stream(LLMRequest("why?"))) == "yes"
    total = sum(seen, Usage())
    assert total == llm.usage and total.calls == 21
    assert sum(spent.tokens.values()) == total.tokens_in + total.tokens_out > 0


def test_of_calls_at_once_one_goes_beyond_the_budget() -> None:
    spent, answer = Spent(), threading.Event()

    class Waiting(ScriptedLLM):
        def complete(self, request: LLMRequest, *, cancel: ShouldStop | None = None) -> str:
            answer.wait()
            return super().complete(request, cancel=cancel)

    llm = Waiting({"": "yes"})
    refused: list[LLMUnavailable] = []

    def ask() -> None:
        try:
            Metered(llm, "case", spent.budget(1), lambda model, usage: None).complete(LLMRequest("why?"))
        except LLMUnavailable as error:
            refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    while len(refused) < 19:
        assert sum(thread.is_alive() for thread in threads) > 0
    answer.set()
    for thread in threads:
        thread.join()
    assert llm.usage.calls == 1
    assert sum(spent.tokens.values()) == llm.usage.tokens_in + llm.usage.tokens_out


def test_what_was_reserved_yesterday_is_not_given_back_today() -> None:
    spent, now = Spent(), datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
    budget = spent.budget(100, clock=lambda: now)
    reserved = budget.reserve("case", 50)
    now += timedelta(minutes=1)
    budget.settle("case", reserved, 30)
    assert spent.tokens["case", "2026-11-22"] == 30


def test_a_call_that_fails_gives_its_tokens_back() -> None:
    spent = Spent()
    metered = Metered(ScriptedLLM({"": LLMUnavailable("Gone.")}), "case", spent.budget(100), lambda model, usage: None)
    with pytest.raises(LLMUnavailable, match="Gone"):
        metered.complete(LLMRequest("why?"))
    assert sum(spent.tokens.values()) == 0


def test_when_the_tokens_are_used_up_the_model_is_not_asked() -> None:
    spent = Spent()
    llm = ScriptedLLM({"": "yes"})
    metered = Metered(llm, "case", spent.budget(5), lambda model, usage: None)
    metered.complete(LLMRequest("why? " * 10))
    for ask in (lambda: metered.complete(LLMRequest("why?")), lambda: list(metered.stream(LLMRequest("why?")))):
        with pytest.raises(LLMUnavailable, match="tokens of today"):
            ask()
    assert llm.usage.calls == 1 and metered.model == llm.model
