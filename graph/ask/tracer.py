"""Tracer: runs the steps of one answer and records for each its inputs, a summary of its result, and milliseconds."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from filigraph.graph.errors import Cancelled
from filigraph.graph.model.traces import Trace, TraceStep


class StepResult(Protocol):
    """What a step returns."""

    def summary(self) -> Mapping[str, Any]: ...  # for the trace


Result = TypeVar("Result", bound=StepResult)


class Tracer:
    """Runs steps; raises Cancelled instead of beginning one once `cancelled` is true."""

    def __init__(
        self,
        workspace: str,
        question: str,
        settings: Mapping[str, Any],
        trace_id: str,
        cancelled: Callable[[], bool],
        before: Sequence[TraceStep] = (),
    ) -> None:
        self.cancelled = cancelled
        self._steps = list(before)
        self._about = (trace_id or uuid.uuid4().hex, workspace, question, settings)

    def step(self, name: str, work: Callable[[], Result], **inputs: Any) -> Result:
        """Run and time a step; its outputs in the trace are the summary of its result. Raises Cancelled."""
        if self.cancelled():
            raise Cancelled("The question was withdrawn.")
        begin = time.perf_counter()
        result = work()
        outputs = dict(result.summary())
        taken = round((time.perf_counter() - begin) * 1000, 1)
        self._steps.append(TraceStep(name=name, milliseconds=taken, inputs=inputs, outputs=outputs))
        return result

    def add(self, steps: Sequence[TraceStep], **inputs: Any) -> None:
        """Add the steps of a search that was run for this answer, with more inputs."""
        self._steps += [replace(step, inputs={**step.inputs, **inputs}) for step in steps]

    def trace(self) -> Trace:
        id_, workspace, question, settings = self._about
        return Trace(id=id_, workspace=workspace, question=question, steps=tuple(self._steps), settings=settings)


def tracer_after(trace: Trace, cancelled: Callable[[], bool]) -> Tracer:
    """A tracer of the same answer that goes on after the steps of `trace`."""
    return Tracer(trace.workspace, trace.question, trace.settings, trace.id, cancelled, trace.steps)
