"""A job whose items are batches of a form's fields: their values are stored as soon as they are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.forms import Forms
from filigraph.app.service.jobs.coordinator import StopSignal
from filigraph.app.service.jobs.llm_items import LLMItems, state_of
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.graph.errors import Cancelled, FiligraphError
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.store import JobClaim, JobItem, JobRow


def run_fill(forms: Forms, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
    """Fill the fields of a form that are not up to date. It waits for the LLM that answered when the job was submitted,
    or begun; fields that the LLM did not fill have failed."""
    from filigraph.graph.fill import FillReport, fill_batch
    from filigraph.graph.forms.plan import batches

    jobs = forms.context.runtime.store().jobs
    if job.llm is None:
        job = replace(job, llm=forms.writer_today(job.options["writer"]))
        jobs.note_llm(claim, job.llm or "")
    items = list(jobs.waiting_items(job.id))
    used = Usage(**job.progress.get("usage", {}))
    recorder = ProgressRecorder(jobs, claim, items, stage="fill", used=used)
    watcher = ProgressCallbacks(progress=recorder.progress, waiting=recorder.waiting, cancelled=stop)
    name, about = job.options["form"], job.options["about"]
    form = forms.form_about(job.workspace, name, about, job.options["language"])
    with forms.filler(job.workspace, watcher, awaited=job.llm or "", job=job.id) as filler:
        report = FillReport()

        def attempt(item: JobItem) -> tuple[JobItem, FiligraphError | None]:
            for batch in batches(form, size=len(form.fields), only=item.metadata["fields"].split()):
                fill_batch(batch, name, about, filler, report)
            return item, None

        filled = LLMItems(attempt, recorder, stop)
        recorder.begin()
        for done, item in enumerate(items, 1):
            jobs.note_items(claim, [filled.run_item(item)])
            recorder.step(done, report.usage)
            if stop():
                raise Cancelled
        filler.graph.finish_fill(name, about, [field.id for field in form.fields])
    jobs.finish(claim, state_of(jobs, job))
