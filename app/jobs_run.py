"""What a job does while it runs, by its kind."""

from __future__ import annotations

import dataclasses
import itertools
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.aliases import read_aliases
from filigraph.app.jobs_coordinator import pause
from filigraph.app.library import LibraryService
from filigraph.app.questions import result_of
from filigraph.app.reading import Never, ReadingService
from filigraph.graph.errors import Cancelled, ClusterDown, FiligraphError, StoreUnavailable
from filigraph.graph.model import Source

if TYPE_CHECKING:
    from filigraph.graph.model import Answer
    from filigraph.graph.report import IngestReport, Progress
    from filigraph.graph.store import Fence, JobItem, JobRow, JobState

log = logging.getLogger("filigraph.server")

NOTED_EVERY = 1.0  # seconds between two notes of how far a job is
LOOK = 0.2  # seconds between two looks whether a job that waits is still wanted


class Meter:
    """How far a job is. Notes it once a second at most, and whenever a stage begins."""

    def __init__(self, service: ReadingService, fence: Fence, items: Sequence[JobItem], *, stage: str = "load") -> None:
        self._jobs = service.runtime.store().jobs
        self._fence = fence
        self._sizes = [max(item.size, 1) for item in items]
        self._begun = time.monotonic()
        self._noted = 0.0
        self._now: dict[str, Any] = {
            "stage": stage,
            "message": "",
            "documents": 0,
            "documents_total": len(items),
            "chunks": 0,
            "chunks_total": 0,
            "facts": 0,
            "rate": None,
            "seconds_left": None,
        }

    def opened(self) -> None:
        """One more item is being read."""
        self._now["documents"] += 1
        self._note(at_once=self._now["documents"] == self._now["documents_total"])

    def waiting(self, message: str) -> None:
        """Why nothing goes on."""
        self._now["message"] = message
        self._note(at_once=True)

    def progress(self, now: Progress) -> None:
        """What the pipeline tells."""
        begins = now.stage != self._now["stage"]
        self._now |= {"stage": now.stage, "message": "", "seconds_left": None}
        if now.stage == "extract":
            seconds = time.monotonic() - self._begun
            self._now |= {"chunks": now.done, "chunks_total": now.total, "facts": now.facts}
            self._now["rate"] = round(now.done / seconds, 2) if seconds > 0 else None
            loaded = sum(self._sizes[: self._now["documents"]]) / sum(self._sizes) if self._sizes else 1.0
            share = loaded * now.done / now.total
            self._now["seconds_left"] = round(seconds * (1 - share) / share, 1) if share else None
        self._note(at_once=begins)

    def step(self, done: int) -> None:
        """So many questions are answered."""
        seconds = time.monotonic() - self._begun
        left = self._now["documents_total"] - done
        self._now |= {"documents": done, "rate": round(done / seconds, 2) if seconds > 0 else None}
        self._now["seconds_left"] = round(seconds / done * left, 1) if done else None
        self._note()

    def _note(self, *, at_once: bool = False) -> None:
        clock = time.monotonic()
        if at_once or clock - self._noted >= NOTED_EVERY:
            self._noted = clock
            self._jobs.note_progress(self._fence, self._now)


def run_ingest(service: ReadingService, job: JobRow, fence: Fence, cancelled: Never) -> None:
    """Read the files of a job that are not read yet; then, if an earlier run of it left some, the unread chunks. A Ray
    cluster that is gone is waited for: it would fail every job that waits."""
    for failures in itertools.count():
        try:
            _read(service, job, fence, cancelled)
            return
        except ClusterDown as error:
            log.warning("job %s waits: %s", job.id, error)
            Meter(service, fence, []).waiting(str(error))
        until = time.monotonic() + pause(failures)
        while time.monotonic() < until:
            if cancelled():
                raise Cancelled
            time.sleep(LOOK)


def _read(service: ReadingService, job: JobRow, fence: Fence, cancelled: Never) -> None:
    jobs = service.runtime.store().jobs
    items = list(jobs.waiting_items(job.id))
    meter = Meter(service, fence, items)
    attached = jobs.attached(job.id)
    report: IngestReport | None = None
    if items or not job.unread:
        report = service.ingest(
            job.workspace,
            _sources(service, items, meter),
            names=[item.name for item in items],
            kind=job.options["extractor"],
            strategy=job.options["strategy"],
            triples=attached.get("triples"),
            aliases=read_aliases(attached["aliases"]) if "aliases" in attached else [],
            progress=meter.progress,
            waiting=meter.waiting,
            cancelled=cancelled,
            job=job.id,
        )
    if job.unread:
        again = service.retry(
            job.workspace,
            kind=job.options["extractor"],
            progress=meter.progress,
            waiting=meter.waiting,
            cancelled=cancelled,
            job=job.id,
        )
        if report:
            again.skipped[:0] = report.skipped
        report = again
    assert report is not None
    ended = _ended(items, report)
    bad = sum(item.state == "failed" for item in ended)
    state: JobState = "done"
    if bad or report.skipped or report.failed_chunks:
        state = "failed" if ended and bad == len(ended) == job.items else "partial"
    jobs.finish(fence, state, items=ended, report=_as_json(report))


def run_ask(service: ReadingService, job: JobRow, fence: Fence, cancelled: Never, ask: Callable[..., Answer]) -> None:
    """Answer the questions of a job that are not answered yet. Each answer is kept as soon as it is given."""
    jobs = service.runtime.store().jobs
    items = list(jobs.waiting_items(job.id))
    meter = Meter(service, fence, items, stage="ask")
    bad = 0
    for done, item in enumerate(items, 1):
        try:
            answer = ask(
                job.workspace,
                item.name,
                settings={**job.options, "sources": tuple(job.options["sources"]), "compare": False},
                on_retrieved=lambda _: None,
                on_token=lambda _: None,
                cancelled=cancelled,
            )
            ended = replace(item, state="done", result=result_of(answer))
        except (Cancelled, StoreUnavailable):
            raise
        except FiligraphError as error:
            bad += 1
            ended = replace(item, state="failed", cause=error.cause, cure=error.cure)
        jobs.note_items(fence, [ended])
        meter.step(done)
        if cancelled():
            raise Cancelled
    jobs.finish(fence, "done" if not bad else "failed" if bad == job.items else "partial")


def run_delete(service: LibraryService, job: JobRow, fence: Fence, cancelled: Never) -> None:
    """Delete the documents of a job that are still there, and what followed from them alone."""
    jobs = service.runtime.store().jobs
    items = list(jobs.waiting_items(job.id))
    meter = Meter(service, fence, items)
    service.remove_documents(
        job.workspace,
        [item.metadata["id"] for item in items],
        progress=meter.progress,
        waiting=meter.waiting,
        cancelled=cancelled,
        job=job.id,
    )
    jobs.finish(fence, "done", items=[replace(item, state="done") for item in items])


def _sources(service: ReadingService, items: Sequence[JobItem], meter: Meter) -> Iterator[Source]:
    """The files one after the other: only one is in memory."""
    for item in items:
        content = service.runtime.store().jobs.content(item)
        meter.opened()
        yield Source(name=item.name, content=content, media_type=item.media_type, metadata=item.metadata)


def _ended(items: Sequence[JobItem], report: IngestReport) -> list[JobItem]:
    skipped = {skipped.source: skipped for skipped in report.skipped}
    return [
        replace(item, state="failed", cause=skipped[item.name].cause, cure=skipped[item.name].cure)
        if item.name in skipped
        else replace(item, state="done")
        for item in items
    ]


def _as_json(report: IngestReport) -> dict[str, Any]:
    skipped = [dataclasses.asdict(skipped) for skipped in report.skipped]
    return {**vars(report), "skipped": skipped, "usage": dataclasses.asdict(report.usage)}
