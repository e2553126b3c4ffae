"""A job whose items are questions: each answer is stored as soon as it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.runtime import Runtime
from filigraph.app.service.jobs.llm_items import LLMItems, state_of
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.uploads.questions import result_of
from filigraph.graph.errors import Cancelled, FiligraphError
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.model.answers import Answer
    from filigraph.graph.store import JobClaim, JobItem, JobRow


def run_ask(runtime: Runtime, job: JobRow, claim: JobClaim, cancelled: ShouldStop, ask: Callable[..., Answer]) -> None:
    """Answer the questions of a job that are not answered yet.

    It waits for the LLM that answered when the job was submitted, or begun. A question that the LLM did not answer has
    failed, with the passages that were found. After three in a row the rest is not asked.
    """
    jobs = runtime.store().jobs
    if job.llm is None:
        llm = runtime.llm() if job.options.get("llm", True) else None
        job = replace(job, llm=llm.model if llm else "")
        jobs.note_llm(claim, job.llm or "")
    items = list(jobs.waiting_items(job.id))
    recorder = ProgressRecorder(jobs, claim, items, stage="ask")
    llm_items = LLMItems(lambda item: _answered(job, item, ask, cancelled), recorder, cancelled)
    for done, item in enumerate(items, 1):
        jobs.note_items(claim, [llm_items.run_item(item)])
        recorder.step(done)
        if cancelled():
            raise Cancelled
    jobs.finish(claim, state_of(jobs, job))


def _answered(
    job: JobRow, item: JobItem, ask: Callable[..., Answer], cancelled: ShouldStop
) -> tuple[JobItem, FiligraphError | None]:
    """A question with its answer, and why the LLM gave none if it did not."""
    failures: list[FiligraphError] = []
    answer = ask(
        job.workspace,
        item.name,
        settings={**_settings(job.options), "compare": False},
        on_retrieved=lambda _: None,
        on_token=lambda _: None,
        on_failure=failures.append,
        cancelled=cancelled,
        awaited=job.llm or "",
    )
    if answer.ended == "cancelled":  # it is asked again when the job goes on
        raise Cancelled
    return replace(item, result=result_of(answer)), next(iter(failures), None)


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as they were before they were stored: JSON has no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
