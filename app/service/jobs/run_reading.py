"""A job that has an LLM read what is stored: the contradictions of a workspace, or the items of a list.

Each reply is stored as it comes, so after a crash it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.jobs.coordinator import StopSignal
from filigraph.app.service.jobs.llm_items import state_of, wait_for_llm
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.graph.errors import FiligraphError
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.store import JobClaim, JobItem, JobRow, Jobs


class ReadingReport(Protocol):
    @property
    def asked(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def failure(self) -> FiligraphError | None: ...


class Reading(Protocol):
    """Reads what was not read yet."""

    def __call__(self, watcher: ProgressCallbacks, *, budget: int, awaited: str, job: str) -> ReadingReport: ...


def run_reading(read: Reading, jobs: Jobs, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
    """Read what was not read yet. It waits for the LLM that answered when the job was submitted."""
    items = list(jobs.waiting_items(job.id))
    used = Usage(**job.progress.get("usage", {}))
    recorder = ProgressRecorder(jobs, claim, items, stage=job.kind, used=used)
    report = _read(read, job, recorder, stop)
    jobs.note_items(claim, [_ended_item(item, report) for item in items])
    jobs.finish(claim, state_of(jobs, job))


def _read(read: Reading, job: JobRow, recorder: ProgressRecorder, stop: StopSignal) -> ReadingReport:
    watcher = ProgressCallbacks(progress=recorder.progress, waiting=recorder.waiting, cancelled=stop)
    budget = int(job.options["budget"])

    def run() -> ReadingReport:
        left = max(1, budget - recorder.usage.calls) if budget else 0
        return read(watcher, budget=left, awaited=job.llm or "", job=job.id)

    return wait_for_llm(run, recorder, stop)


def _ended_item(item: JobItem, report: ReadingReport) -> JobItem:
    if not report.failed:
        return replace(item, state="done")
    cause = f"Of {report.asked + report.failed} calls {report.failed} failed."
    if report.failure:
        cause += f" The first: {report.failure.cause}"
    return replace(item, state="failed", cause=cause, cure="Retry the job, or use another model.")
