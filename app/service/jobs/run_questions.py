"""What a job does whose items are questions: each answer is kept as soon as it is given."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.runtime import Runtime
from filigraph.app.service.jobs.coordinator import pause, rest
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.uploads.questions import result_of
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, LeaseLost, LLMDown, StoreUnavailable
from filigraph.graph.model import ShouldStop
from filigraph.graph.models.llm import Patience

if TYPE_CHECKING:
    from filigraph.graph.model import Answer
    from filigraph.graph.store import JobClaim, JobItem, JobRow, Jobs, JobState

WAIT = 900.0  # seconds that an LLM which does not answer is waited for
FAILURES = 3  # questions in a row without an answer: then the rest is not asked


def run_ask(runtime: Runtime, job: JobRow, claim: JobClaim, cancelled: ShouldStop, ask: Callable[..., Answer]) -> None:
    """Answer the questions of a job that are not answered yet.

    The LLM that answered when the job was asked for, or begun, is waited for where it does not answer: a question that
    it was to answer and did not has failed, with the passages that were found. After three in a row the rest is not
    asked.
    """
    jobs = runtime.store().jobs
    if job.llm is None:
        llm = runtime.llm()
        job = replace(job, llm=llm.model if llm else "")
        jobs.note_llm(claim, job.llm or "")
    items = list(jobs.waiting_items(job.id))
    meter = ProgressRecorder(jobs, claim, items, stage="ask")
    asker = _Asker(job, ask, meter, cancelled)
    for done, item in enumerate(items, 1):
        jobs.note_items(claim, [asker.answered(item)])
        meter.step(done)
        if cancelled():
            raise Cancelled
    jobs.finish(claim, state_of(jobs, job))


class _Asker:
    """Asks one question after the other, and remembers how the LLM fared."""

    def __init__(self, job: JobRow, ask: Callable[..., Answer], meter: ProgressRecorder, cancelled: ShouldStop) -> None:
        self._job = job
        self._ask = ask
        self._meter = meter
        self._cancelled = cancelled
        self._patience = Patience(WAIT, waits=True)
        self._failed = 0  # in a row

    def answered(self, item: JobItem) -> JobItem:
        """The item as it ended. Raises Cancelled, StoreUnavailable, LeaseLost."""
        if self._failed >= FAILURES:
            cause = f"It was not asked, after {FAILURES} questions in a row without an answer."
            return replace(item, state="failed", cause=cause, cure="See why those failed, then try the job again.")
        ended, error = self._tried(item)
        failures = itertools.count()
        while isinstance(error, LLMDown) and self._patience.lasts():
            if self._patience.begins():
                self._meter.waiting(f"{error.cause} {self._patience}")
            rest(pause(next(failures)), self._cancelled)
            ended, error = self._tried(item)
        if error is None:
            self._patience.answer()
        self._failed = 0 if error is None or isinstance(error, InputError) else self._failed + 1
        return ended

    def _tried(self, item: JobItem) -> tuple[JobItem, FiligraphError | None]:
        """The item as it ended now, and why it failed if it did."""
        failures: list[FiligraphError] = []
        ended = replace(item, state="done")
        try:
            answer = self._ask(
                self._job.workspace,
                item.name,
                settings={**_settings(self._job.options), "compare": False},
                on_retrieved=lambda _: None,
                on_token=lambda _: None,
                on_failure=failures.append,
                cancelled=self._cancelled,
                awaited=self._job.llm or "",
            )
            ended = replace(ended, result=result_of(answer))
        except (Cancelled, StoreUnavailable, LeaseLost):
            raise
        except FiligraphError as error:
            failures.append(error)
        if not failures:
            return ended, None
        (failure,) = failures
        return replace(ended, state="failed", cause=failure.cause, cure=failure.cure), failure


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """As they were before they were stored: JSON has no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def state_of(jobs: Jobs, job: JobRow) -> JobState:
    """How a job of which nothing waits has ended, by all of its items, whenever they were done."""
    failed = jobs.items(job.id, state="failed", first=0, count=0)[1]
    return "done" if not failed else "failed" if failed == job.items else "partial"
