"""Batches that an LLM reads: failures of one batch, budgets, order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from filigraph.graph.errors import Cancelled, FiligraphError, LLMDown, LLMRefused, LLMResponseError, LLMSlow
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.adapters.scripted import ScriptedLLM
from filigraph.graph.models.llm import LLM, LLMRequest
from filigraph.graph.models.llm_batches import BatchReader, BudgetLLM, ReadingReport, ask_twice, says_none
from filigraph.graph.models.prompts import Prompt


@dataclass(frozen=True)
class Asked:
    """A batch with its prompt."""

    prompt: str
    usage: Usage = Usage(calls=1)  # noqa: RUF009


def twice(batch: Asked, llm: LLM, **_: Any) -> str:
    return ask_twice(
        Prompt(system="", user=batch.prompt),
        lambda user: llm.complete(LLMRequest(user)),
        lambda reply: None if reply == "?" else reply,
        about="a test",
        again="Again.",
    )


def read(
    replies: dict[str, str | Exception], *, budget: int = 0, stop_after: int = 99
) -> tuple[ReadingReport, list[str], list[tuple[int, int]]]:
    report, kept, told = ReadingReport(), list[str](), list[tuple[int, int]]()
    reader = BatchReader(
        name="test",
        llm=BudgetLLM(ScriptedLLM(replies), budget),
        progress=lambda done, total: told.append((done, total)),
        in_flight=1,
        timeout=1.0,
        cancelled=lambda: len(kept) >= stop_after,
    )
    try:
        reader.read([Asked(prompt) for prompt in "abc"], twice, kept.append, report)
    except Cancelled:
        assert stop_after < 3
    return report, kept, told


@pytest.mark.parametrize("failure", [LLMRefused("no"), LLMSlow("late"), "?"])
def test_a_batch_without_a_reply_is_counted_and_the_others_are_read(failure: str | Exception) -> None:
    report, kept, told = read({"b": failure, "a": "A", "c": "C"})
    assert (kept, report.asked, report.failed, report.left) == (["A", "C"], 2, 1, 0)
    said = failure.cause if isinstance(failure, FiligraphError) else "The LLM was asked twice for a test"
    assert report.failure and report.failure.cause.startswith(said)
    assert told[0] == (0, 3) and told[-1] == (3, 3)


def test_repeated_calls_count_in_the_budget() -> None:
    report, kept, _ = read({"b": "?", "a": "A", "c": "C"}, budget=3)
    assert (kept, report.asked, report.failed, report.left) == (["A"], 1, 1, 1)
    report, kept, _ = read({"a": "?", "b": "B", "c": "C"}, budget=1)
    assert (kept, report.failed, report.left) == ([], 0, 3)


def test_an_llm_that_is_gone_ends_the_run() -> None:
    with pytest.raises(LLMDown):
        read({"b": LLMDown("gone"), "a": "A", "c": "C"})


def test_what_was_read_before_a_stop_is_kept() -> None:
    _, kept, _ = read({"a": "A", "b": "B", "c": "C"}, stop_after=1)
    assert kept == ["A"]


def test_two_unreadable_replies_are_a_failure() -> None:
    llm = ScriptedLLM({"": "?"})
    with pytest.raises(LLMResponseError, match="twice for a test"):
        twice(Asked("x"), llm)
    assert llm.prompts == ["x", "x\n\nYour last reply could not be read. Again."]
    assert twice(Asked("x"), ScriptedLLM({"Again.": "yes", "": "?"})) == "yes"


def test_a_reply_may_say_that_there_is_nothing() -> None:
    assert says_none("\n\n **None** of these.")
    assert not says_none("\n" * 1_000_000 + "x")
    assert not says_none("A nonesuch | 3 | the text")
