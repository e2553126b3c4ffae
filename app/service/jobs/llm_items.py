"""Items of a job that an LLM answers. It waits for an LLM that does not answer; after some failures in a row it does
not ask the rest."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from filigraph.app.service.jobs.coordinator import retry_delay, sleep_unless_cancelled
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.graph.errors import Cancelled, FiligraphError, InputError, LeaseLost, LLMDown, StoreUnavailable
from filigraph.graph.models.llm import Patience
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.store import JobItem, JobRow, Jobs, JobState

MAX_WAIT_SECONDS = 900.0  # seconds to wait for an LLM that does not answer
FAILURES = 3  # items in a row without an answer, after which the rest is not asked

Result = TypeVar("Result")
Try = Callable[["JobItem"], tuple["JobItem", FiligraphError | None]]  # the item as it ended, and why it failed


def wait_for_llm(run: Callable[[], Result], recorder: ProgressRecorder, cancelled: ShouldStop) -> Result:
    """Run it again as long as the LLM does not answer. Raises LLMDown after MAX_WAIT_SECONDS."""
    patience = Patience(MAX_WAIT_SECONDS, waits=True)
    recorder.begin()
    for failures in itertools.count():
        try:
            return run()
        except LLMDown as error:
            if not patience.lasts():
                raise
            if patience.begins():
                recorder.waiting(f"{error.cause} {patience}")
            recorder.used = recorder.usage
            sleep_unless_cancelled(retry_delay(failures), cancelled)
    raise AssertionError("it counts for ever")


class LLMItems:
    """Does one item after the other, and counts the failures of the LLM."""

    def __init__(self, attempt: Try, recorder: ProgressRecorder, cancelled: ShouldStop) -> None:
        self._attempt = attempt
        self._recorder = recorder
        self._cancelled = cancelled
        self._patience = Patience(MAX_WAIT_SECONDS, waits=True)
        self._failed = 0  # in a row

    def run_item(self, item: JobItem) -> JobItem:
        """Do an item; returns it with its result. Raises Cancelled, StoreUnavailable, LeaseLost."""
        if self._failed >= FAILURES:
            cause = f"It was not asked, because {FAILURES} in a row got no answer."
            return replace(item, state="failed", cause=cause, cure="Check why those failed, then retry the job.")
        ended, error = self._try_item(item)
        failures = itertools.count()
        while isinstance(error, LLMDown) and self._patience.lasts():
            if self._patience.begins():
                self._recorder.waiting(f"{error.cause} {self._patience}")
            sleep_unless_cancelled(max(retry_delay(next(failures)), error.retry_after or 0.0), self._cancelled)
            ended, error = self._try_item(item)
        if error is None:
            self._patience.answer()
        self._failed = 0 if error is None or isinstance(error, InputError) else self._failed + 1
        return ended

    def _try_item(self, item: JobItem) -> tuple[JobItem, FiligraphError | None]:
        error: FiligraphError | None
        try:
            ended, error = self._attempt(item)
        except (Cancelled, StoreUnavailable, LeaseLost):
            raise
        except FiligraphError as raised:
            ended, error = item, raised
        if error is None:
            return replace(ended, state="done"), None
        return replace(ended, state="failed", cause=error.cause, cure=error.cure), error


def state_of(jobs: Jobs, job: JobRow) -> JobState:
    """The final state of a job without waiting items, from all of its items, also those of earlier attempts."""
    failed = jobs.items(job.id, state="failed", first=0, count=0)[1]
    return "done" if not failed else "failed" if failed == job.items else "partial"
