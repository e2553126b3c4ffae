"""The service: what the server can do, without HTTP. Its parts share one context."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from filigraph.app.access.audit_log import AuditLog
from filigraph.app.access.keys import Keys
from filigraph.app.runtime import Runtime
from filigraph.app.schemas.server import Check
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.doctor import examine
from filigraph.app.service.documents import Documents
from filigraph.app.service.evaluations import Evaluations
from filigraph.app.service.folders import Folders
from filigraph.app.service.forms import Forms
from filigraph.app.service.graph.browse import Browse
from filigraph.app.service.graph.comparison import ViewComparisons
from filigraph.app.service.graph.contradictions import Contradictions
from filigraph.app.service.graph.corrections import Corrections
from filigraph.app.service.graph.lists import Lists
from filigraph.app.service.graph.views import Views
from filigraph.app.service.ingestion import Ingestion
from filigraph.app.service.jobs.coordinator import StopSignal, retry_delay
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.app.service.jobs.requests import JobRequests
from filigraph.app.service.jobs.run_batches import run_batches
from filigraph.app.service.jobs.run_documents import run_delete, run_ingest
from filigraph.app.service.jobs.run_forms import run_fill
from filigraph.app.service.jobs.run_questions import run_ask
from filigraph.app.service.jobs.run_reading import run_reading
from filigraph.app.service.jobs.run_summaries import bring_up_to_date, run_summarize
from filigraph.app.service.news import News
from filigraph.app.service.notes import Notes
from filigraph.app.service.people import People
from filigraph.app.service.preparation import Preparation
from filigraph.app.service.questions import Questions
from filigraph.app.service.receipts import Receipts
from filigraph.app.service.searches import Searches
from filigraph.app.service.summaries import Summaries
from filigraph.app.service.transfer import Transfer
from filigraph.app.service.workspaces import Workspaces
from filigraph.graph.errors import FiligraphError
from filigraph.graph.process.gc_tuning import FrozenObjects

if TYPE_CHECKING:
    from filigraph.graph.store import AccessKeys, AuditEntries, JobClaim, JobRow

T = TypeVar("T")
log = logging.getLogger("filigraph.server")


@dataclass(frozen=True, kw_only=True)
class Health:
    """The health of the server; reading it does not block."""

    ready: bool
    problem: str
    starting: str  # the start-up work in progress, if it may take minutes
    neo4j_browser: str | None


class Service:
    """One for the server's life."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._frozen = FrozenObjects()
        self.context = context = ServiceContext(runtime)
        self.metrics = context.metrics
        self.keys = Keys(self._with_keys, public=runtime.settings.public)
        self.audit = AuditLog(self._with_audit, days=runtime.settings.audit_days)
        self.views = views = Views(context)
        self.ingestion = Ingestion(context)
        self.questions = Questions(context, views)
        self.comparisons = ViewComparisons(context, views, self.questions)
        self.news = News(context, views, self.questions)
        self.receipts = Receipts(context)
        self.notes = Notes(context, views, self.questions)
        self.summaries = Summaries(context, views)
        self.evaluations = Evaluations(context)
        self.corrections = Corrections(context)
        self.browse = Browse(context, views)
        self.people = People(context, views)
        self.transfer = Transfer(context, views)
        self.jobs = JobRequests(context, self._run_job, sweep=lambda: self.workspaces.finish_cut_short())
        self.folders = Folders(context, self.jobs)
        self.workspaces = Workspaces(context, self.jobs, self.folders)
        self.documents = Documents(context, views, self.jobs)
        self.searches = Searches(context, views, self.browse, self.documents)
        self.forms = Forms(context, views, self.jobs)
        self.contradictions = Contradictions(context, self.jobs)
        self.lists = Lists(context, views, self.jobs)
        self.preparation = Preparation(context, views, self.jobs.coordinator)
        self.problem = ""  # why loading fails

    def start(self) -> None:
        """Resume jobs, and begin to load."""
        self.jobs.coordinator.start()
        self.folders.start()
        threading.Thread(target=self._warm_up, name="warm", daemon=True).start()

    def _warm_up(self) -> None:
        """Connect and load everything that questions need, so that the first one is as quick as the second. What is
        not available yet is tried again until it is."""
        for failures in itertools.count():
            try:
                self.runtime.store.wait()  # as long as it takes
                self.questions.sweep_traces()
                self.runtime.embedder()
                self.runtime.reranker()
            except FiligraphError as error:
                if str(error) != self.problem:
                    log.warning("not ready: %s", error)
                self.problem = str(error)
            except Exception:
                log.exception("not ready")
                self.problem = "Something unforeseen happened; the server's log says what."
            else:
                self._frozen.begin()
                self.problem = ""
                self.preparation.start()
                return
            if self.runtime.stopping.wait(retry_delay(failures)):
                return

    def close(self) -> None:
        """Stop the jobs, flush the traces and close the store."""
        self.preparation.close()
        self.folders.close()
        self.jobs.coordinator.stop()
        self.questions.close()
        self.context.search_pool.close()
        self.context.contradictions.close()
        self.runtime.close()
        self._frozen.end()

    def health(self) -> Health:
        """The current health, without blocking. Questions load missing parts, so the server may become ready later."""
        ready = self.context.ready()
        problem = "" if ready else self.problem or self.runtime.trouble
        starting = "" if ready else self.runtime.starting or ("" if problem else self.context.missing())
        return Health(ready=ready, problem=problem, starting=starting, neo4j_browser=self.runtime.neo4j_browser())

    def _with_keys(self, work: Callable[[AccessKeys], T]) -> T:
        with self.context.connected():
            return work(self.runtime.store().keys)

    def _with_audit(self, work: Callable[[AuditEntries], T]) -> T:
        with self.context.connected():
            return work(self.runtime.store().audit)

    def doctor(self) -> list[Check]:
        return examine(self.runtime)

    def _run_job(self, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
        def summarize(meter: ProgressRecorder) -> None:
            bring_up_to_date(self.summaries, job, meter, stop)

        jobs = self.runtime.store().jobs
        if job.kind == "ask":
            run_ask(self.runtime, job, claim, stop, self.questions.ask)
        elif job.kind == "fill":
            run_fill(self.forms, job, claim, stop)
        elif job.kind == "delete":
            run_delete(self.documents, job, claim, stop)
        elif job.kind == "contradictions":
            run_reading(partial(self.contradictions.read, job.workspace), jobs, job, claim, stop)
        elif job.kind == "lists":
            run_reading(partial(self.lists.read, job.workspace, **self.lists.asked(job)), jobs, job, claim, stop)
        elif job.options.get("batch"):
            run_batches(self.ingestion, job, claim, stop, summarize)
        elif job.kind == "summarize":
            run_summarize(self.summaries, job, claim, stop)
        else:
            run_ingest(self.ingestion, job, claim, stop, summarize)
