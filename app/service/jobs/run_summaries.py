"""A job that summarizes a workspace, by itself or after reading.

Each summary is stored as it is written, so after a crash it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.jobs.coordinator import StopSignal
from filigraph.app.service.jobs.llm_items import wait_for_llm
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.service.summaries import Summaries, SummaryWriter
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.store import JobClaim, JobRow


def run_summarize(summaries: Summaries, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
    """Do a job that summarizes a workspace."""
    jobs = summaries.context.runtime.store().jobs
    items = list(jobs.waiting_items(job.id))
    used = Usage(**job.progress.get("usage", {}))
    bring_up_to_date(summaries, job, ProgressRecorder(jobs, claim, items, stage="summarize", used=used), stop)
    jobs.note_items(claim, [replace(item, state="done") for item in items])
    jobs.finish(claim, "done")


def bring_up_to_date(summaries: Summaries, job: JobRow, recorder: ProgressRecorder, stop: StopSignal) -> None:
    """Write the summaries that are missing. It waits for an LLM that answered when the job was submitted."""
    watcher = ProgressCallbacks(progress=recorder.progress, waiting=recorder.waiting, cancelled=stop)
    writer: SummaryWriter = "llm" if job.llm else job.options.get("writer", "auto")

    def run() -> None:
        summaries.summarize(job.workspace, writer, watcher, awaited=job.llm or "", job=job.id)

    wait_for_llm(run, recorder, stop)
