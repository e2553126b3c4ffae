"""A tracer records the input and output of its steps, and stops between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from filigraph.graph.ask.tracer import Tracer, tracer_after
from filigraph.graph.errors import Cancelled


@dataclass(frozen=True)
class Found:
    ids: list[str]

    def summary(self) -> dict[str, Any]:
        return {"count": len(self.ids)}


def tracer(*, cancelled: bool = False) -> Tracer:
    return Tracer("w", "Who?", {"keep": 10}, "t", lambda: cancelled)


def test_a_step_returns_its_result_and_leaves_its_summary() -> None:
    traced = tracer()
    assert traced.step("search", lambda: Found(["a", "b"]), method="dense").ids == ["a", "b"]
    (step,) = traced.trace().steps
    assert (step.name, step.inputs, step.outputs) == ("search", {"method": "dense"}, {"count": 2})


def test_a_step_that_fails_leaves_nothing() -> None:
    def fail() -> Found:
        raise ValueError("broken")

    traced = tracer()
    with pytest.raises(ValueError, match="broken"):
        traced.step("search", fail)
    assert traced.trace().steps == ()


def test_no_step_begins_once_it_is_cancelled() -> None:
    with pytest.raises(Cancelled):
        tracer(cancelled=True).step("search", lambda: pytest.fail("it ran"))


def test_a_trace_goes_on_after_its_steps() -> None:
    first = tracer()
    first.step("search", lambda: Found([]))
    second = tracer_after(first.trace(), lambda: False)
    second.step("rank", lambda: Found(["a"]))
    trace = second.trace()
    assert (trace.id, [step.name for step in trace.steps]) == ("t", ["search", "rank"])
