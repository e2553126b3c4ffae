"""Jobs: work that outlives the request that asked for it, and the server that began it."""

from __future__ import annotations

import io
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from filigraph.app.service.context import ServiceContext
from filigraph.app.service.jobs.coordinator import Coordinator, RunJob
from filigraph.app.service.summaries import SummaryWriter
from filigraph.app.uploads.questions import as_csv, read_questions
from filigraph.graph.errors import Cancelled, InputError, UnavailableError
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.store import ItemState, JobItem, JobKind, JobRow, Upload

ENDED = ("done", "partial", "failed", "cancelled")
POLL_SECONDS = 0.5  # poll interval of a watched job, in seconds


class JobRequests:
    """Jobs: submit, read, watch, cancel, retry and remove them."""

    def __init__(self, context: ServiceContext, run: RunJob, *, sweep: Callable[[], None]) -> None:
        self.context = context
        self.coordinator = Coordinator(context.runtime, run, sweep=sweep)

    def submit(
        self,
        workspace: str,
        kind: JobKind,
        uploads: Sequence[Upload],
        *,
        attached: Mapping[str, bytes],
        priority: int,
        options: Mapping[str, Any],
    ) -> JobRow:
        """Store a job with its files; it runs when its turn comes. `attached` files belong to the whole job.

        Raises InputError if two files have one name, the files of jobs exceed FILIGRAPH_JOBS_MB, or batches are wanted
        and the LLM has none; NotSetUp if chunks are to be embedded late and the embedder cannot.
        """
        from filigraph.graph.store import Upload

        if not uploads:
            raise InputError("The job has no files.", cure="Give at least one file.")
        if kind == "ingest":
            _refuse_twins(uploads)
        if options.get("late"):
            self.context.check_late(workspace)
        if options.get("batch"):
            if attached.get("triples"):
                raise InputError("With ready triples there are no LLM calls.", cure="Leave out --batch or --triples.")
            self.context.runtime.check_batches(options["extractor"])
        asks = kind != "delete" and options.get("writer") != "quotes"
        llm = self._llm_today(options) if asks and not attached.get("triples") else None
        job_id = uuid.uuid4().hex
        with self.context.connected():
            self.context.ensure_workspace(workspace)  # raises errors that would make the whole job fail
            jobs = self.context.runtime.store().jobs
            self._make_room(jobs.bytes_kept(), [upload.content for upload in uploads])
            jobs.create(job_id, workspace=workspace, kind=kind, priority=priority, options=options, llm=llm)
            own = [Upload(name=name, content=io.BytesIO(content)) for name, content in attached.items()]
            jobs.add(job_id, [*((-1 - n, upload) for n, upload in enumerate(own)), *enumerate(uploads)])
            job = jobs.sent(job_id)
        self.coordinator.wake()
        return job

    def _llm_today(self, options: Mapping[str, Any]) -> str | None:
        """The name of the LLM that answers now, "" if none does. If that LLM does not answer when the job begins,
        perhaps after a restart, the job waits for it. None if that is not known yet, or no LLM is wanted."""
        settings = self.context.runtime.settings
        if options.get("batch"):
            return settings.llm
        own = options.get("extractor") == "local" or options.get("writer") == "facts"
        if own or ("extractor" in options and settings.ray):
            return None
        llm = self.context.runtime.llm()
        return llm.model if llm else None

    def _make_room(self, stored: int, contents: Sequence[Any]) -> None:
        size = sum(content.seek(0, io.SEEK_END) for content in contents)
        for content in contents:
            content.seek(0)
        limit = self.context.runtime.settings.jobs_mb << 20
        if stored + size > limit:
            raise InputError(
                f"The files of jobs take {stored >> 20} MB; {size / (1 << 20):.1f} MB more would exceed the limit of "
                f"{limit >> 20} MB.",
                cure="Wait until jobs have ended, remove some that failed, or raise FILIGRAPH_JOBS_MB on the server.",
            )

    def job(self, job_id: str) -> JobRow:
        """Raises NotFound."""
        with self.context.connected():
            return self.context.runtime.store().jobs.job(job_id)

    def list_jobs(
        self, *, workspace: str | None, state: str | None, first: int, count: int
    ) -> tuple[list[JobRow], int]:
        """Some of the jobs, the newest first, and how many there are."""
        with self.context.connected():
            return self.context.runtime.store().jobs.jobs(workspace=workspace, state=state, first=first, count=count)

    def job_items(self, job_id: str, *, state: ItemState | None, first: int, count: int) -> tuple[list[JobItem], int]:
        """Some of the files or questions of a job, and how many there are. Raises NotFound."""
        with self.context.connected():
            self.context.runtime.store().jobs.job(job_id)
            return self.context.runtime.store().jobs.items(job_id, state=state, first=first, count=count)

    def watch(self, job_id: str, *, on_change: Callable[[JobRow], None], cancelled: ShouldStop) -> JobRow:
        """Call `on_change` with the job after each change, until the job has ended. Raises NotFound; Cancelled;
        UnavailableError if the server ends first."""
        last: JobRow | None = None
        while True:
            job = self.job(job_id)
            if job.state in ENDED:
                return job
            if self.context.runtime.stopping.is_set():
                raise UnavailableError(
                    "The server is stopping.", cure=("Start it again: the job then continues; watch it again.")
                )
            if cancelled():
                raise Cancelled("The client has disconnected.")
            if job != last:
                on_change(job)
                last = job
            time.sleep(POLL_SECONDS)

    def cancel_job(self, job_id: str) -> JobRow:
        """Request the cancellation of a job. Raises NotFound."""
        with self.context.connected():
            job = self.context.runtime.store().jobs.cancel(job_id)
        self.coordinator.wake()
        return job

    def retry_job(self, job_id: str) -> JobRow:
        """Repeat the failed items of a job. Raises NotFound, InputError."""
        with self.context.connected():
            job = self.context.runtime.store().jobs.retry(job_id)
        self.coordinator.wake()
        return job

    def remove_job(self, job_id: str) -> JobRow:
        """Remove an ended job with its stored files. Raises NotFound, InputError."""
        with self.context.connected():
            job = self.context.runtime.store().jobs.job(job_id)
            if job.state not in ENDED:
                raise InputError(f"The job {job_id} is {job.state}.", cure="Cancel it first.")
            self.context.runtime.store().jobs.remove(job_id)
        return job

    def submit_questions(
        self, workspace: str, questions: bytes, *, priority: int, settings: Mapping[str, Any]
    ) -> JobRow:
        """Submit a job that answers a file of questions. Raises InputError, NotFound."""
        from filigraph.graph.store import Upload

        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound
        uploads = [Upload(name=question, content=io.BytesIO()) for question in read_questions(questions)]
        return self.submit(workspace, "ask", uploads, attached={}, priority=priority, options=settings)

    def submit_demo(self, workspace: str) -> JobRow:
        """Submit a job that reads the demo's case file, under names that are the same on every machine."""
        from filigraph.graph.store import Upload

        case = sorted((files("filigraph.app") / "demo" / "case").iterdir(), key=lambda file: file.name)
        uploads = [Upload(name=f"demo/{file.name}", content=io.BytesIO(file.read_bytes())) for file in case]
        options = {"extractor": "local", "strategy": "paragraph"}  # an LLM on a slow machine takes many minutes
        return self.submit(workspace, "ingest", uploads, attached={}, priority=0, options=options)

    def submit_summaries(self, workspace: str, writer: SummaryWriter, *, priority: int) -> JobRow:
        """Submit a job that summarizes a workspace. Raises InputError, NotFound."""
        from filigraph.graph.store import Upload

        with self.context.connected():
            self.context.runtime.graph(workspace)  # raises NotFound
        whole = [Upload(name=workspace, content=io.BytesIO())]
        return self.submit(workspace, "summarize", whole, attached={}, priority=priority, options={"writer": writer})

    def answers(self, job_id: str) -> str:
        """The answers of a job so far, as CSV. Raises NotFound; InputError if it has no questions."""
        job = self.job(job_id)
        if job.kind != "ask":
            cause = f"The job {job_id} has no questions: it is of the kind {job.kind}."
            raise InputError(cause, cure="See GET /v1/jobs/{job_id}.")
        with self.context.connected():
            return as_csv(self.context.runtime.store().jobs.items(job_id, state=None, first=0, count=job.items)[0])


def _refuse_twins(uploads: Sequence[Upload]) -> None:
    """Raises InputError for two files with one name: the second would replace the first."""
    first: dict[str, int] = {}
    for number, upload in enumerate(uploads, 1):
        if first.setdefault(upload.name, number) != number:
            raise InputError(
                f"The files {first[upload.name]} and {number} are both called {upload.name[:200]!r}.",
                cure="Give each file its own name (the field `sources`): the name identifies a document.",
            )
