"""A job whose items are files to read or documents to delete.

Questions: run_questions.py. An LLM that is asked in provider's batches: run_batches.py.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from filigraph.app.runtime import ExtractorKind
from filigraph.app.service.context import ProgressCallbacks
from filigraph.app.service.documents import Documents
from filigraph.app.service.ingestion import IngestCallbacks, Ingestion, IngestRequest
from filigraph.app.service.jobs.coordinator import StopSignal, begun_to_delete, retry_delay, sleep_unless_cancelled
from filigraph.app.service.jobs.llm_items import state_of
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.uploads.aliases import read_aliases
from filigraph.graph.errors import ClusterDown
from filigraph.graph.model.documents import Cut, Source
from filigraph.graph.model.usage import Usage

if TYPE_CHECKING:
    from filigraph.graph.ingest.extract.contract import Extractor
    from filigraph.graph.ingest.incoming import Arrival
    from filigraph.graph.ingest.report import IngestReport
    from filigraph.graph.records.workspaces import DerivedCounts
    from filigraph.graph.store import JobClaim, JobItem, JobRow

log = logging.getLogger("filigraph.server")


# Makes a fixed extractor for a job; the argument is the usage that was counted already.
MakeExtractor = Callable[[Usage], "Extractor"]
Summarize = Callable[[ProgressRecorder], None]  # called after reading if the job asks for summaries


def run_ingest(reading: Ingestion, job: JobRow, claim: JobClaim, stop: StopSignal, summarize: Summarize) -> None:
    """Do an ingest. It waits for a Ray cluster that is gone; otherwise every waiting job would fail."""
    for failures in itertools.count():
        try:
            read_files(reading, job, claim, stop, summarize)
            return
        except ClusterDown as error:
            log.warning("job %s waits: %s", job.id, error)
            ProgressRecorder(reading.context.runtime.store().jobs, claim, []).waiting(str(error))
        sleep_unless_cancelled(retry_delay(failures), stop)


def read_files(
    reading: Ingestion,
    job: JobRow,
    claim: JobClaim,
    stop: StopSignal,
    summarize: Summarize,
    make_extractor: MakeExtractor | None = None,
) -> None:
    """Read the chunks that an earlier run of a job left unread, then its unread files; then summarize, if the job asks
    for it.

    Files are recorded as they are read, with the report so far; after a crash the job goes on with both. The extractor
    is chosen once, when the job is submitted or first begun. Later it waits for an LLM that does not answer.
    """
    from filigraph.graph.ingest.report import IngestReport

    jobs = reading.context.runtime.store().jobs
    items = list(jobs.waiting_items(job.id))
    report = IngestReport.of_json(job.report) if job.report else IngestReport()
    noted = Usage(**job.progress.get("usage", {}))  # also of interrupted work since files were recorded
    report.usage = max(report.usage, noted, key=lambda usage: usage.calls)
    recorder = ProgressRecorder(jobs, claim, items, used=report.usage)
    attached = jobs.attached(job.id)
    kind: ExtractorKind = job.options["extractor"]
    if job.llm is not None:
        kind = "llm" if job.llm else "local"

    @cache
    def totals() -> DerivedCounts:  # slow to count, and unchanged until names are resolved
        return reading.context.runtime.graph(job.workspace).derived_counts()

    def chosen(extractor: Extractor) -> None:
        llm = extractor.name.removeprefix("llm:") if extractor.expensive else ""
        if llm != job.llm:
            jobs.note_llm(claim, llm)

    def stored(arrivals: Sequence[Arrival], now: IngestReport) -> None:
        ended = [_ended_item(items[arrival.source], arrival) for arrival in arrivals if arrival.last]
        now.entities, now.facts = totals().entities, totals().facts
        jobs.note_items(claim, ended, report=_report_of(reading, job, report + now))

    watcher = ProgressCallbacks(progress=recorder.progress, waiting=recorder.waiting, cancelled=stop)
    if job.unread:
        report.failed_chunks = 0  # these chunks are read now
        report += reading.retry(
            job.workspace,
            kind=kind,
            cast=job.options.get("cast"),
            awaited=job.llm or "",
            watcher=watcher,
            job=job.id,
            extractor=make_extractor(report.usage) if make_extractor else None,
        )
        recorder.used = report.usage
    if items or not job.unread:
        request = IngestRequest(
            sources=sources_of(reading, items, recorder.begin),
            names=[item.name for item in items],
            kind=kind,
            **cut_of(job),
            triples=attached.get("triples"),
            aliases=read_aliases(attached["aliases"]) if "aliases" in attached else [],
            cast=job.options.get("cast"),
            awaited=job.llm or "",
            job=job.id,
            extractor=make_extractor(report.usage) if make_extractor else None,
        )
        callbacks = IngestCallbacks(chosen=chosen, loaded=recorder.loaded, stored=stored)
        report += reading.ingest(job.workspace, request, watcher, callbacks=callbacks)
    if job.options.get("summarize"):
        recorder.used = report.usage
        summarize(recorder)
        report.usage = recorder.usage
        report.unsummarized = 0
    state = state_of(jobs, job)
    if state == "done" and (report.skipped or report.failed_chunks):
        state = "partial"
    jobs.finish(claim, state, report=_report_of(reading, job, report))


def run_delete(documents: Documents, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
    """Delete the documents of a job that still exist, and the data derived from them alone."""
    jobs = documents.context.runtime.store().jobs
    items = {item.metadata["id"]: item for item in jobs.waiting_items(job.id)}
    recorder = ProgressRecorder(jobs, claim, list(items.values()))
    gone = 0

    def removed(ids: Sequence[str]) -> None:
        nonlocal gone
        gone += len(ids)
        jobs.note_items(claim, [replace(items[id_], state="done") for id_ in ids])
        recorder.step(gone)

    give_up = stop.ends if begun_to_delete(job) else stop
    watcher = ProgressCallbacks(progress=recorder.progress, waiting=recorder.waiting, cancelled=give_up)
    documents.remove_documents(job.workspace, list(items), watcher=watcher, removed=removed, stop=stop, job=job.id)
    jobs.finish(claim, "done")


def cut_of(job: JobRow) -> dict[str, Any]:
    """The cut of a job's files; an older Filigraph recorded less of it."""
    return {name: job.options[name] for name in Cut().fields() if name in job.options}


def sources_of(
    reading: Ingestion, items: Sequence[JobItem], begin: Callable[[], None] = lambda: None
) -> Iterator[Source]:
    """The files one after the other: only one is in memory. Calls `begin` first."""
    begin()
    for item in items:
        content = reading.context.runtime.store().jobs.content(item)
        yield Source(name=item.name, content=content, media_type=item.media_type, metadata=item.metadata)


def _ended_item(item: JobItem, arrival: Arrival) -> JobItem:
    """The item of a file whose last document is stored. If a file has several documents, an unusable one is only
    reported."""
    if arrival.skipped and arrival.documents == 1:
        return replace(item, state="failed", cause=arrival.skipped.cause, cure=arrival.skipped.cure)
    return replace(item, state="done")


def _report_of(reading: Ingestion, job: JobRow, report: IngestReport) -> dict[str, Any]:
    """A report of all attempts, with what they cost together."""
    report.cost = reading.cost(report.usage, batch=bool(job.options.get("batch")))
    return report.as_json()
