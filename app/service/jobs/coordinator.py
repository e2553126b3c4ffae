"""Runs the jobs: one server of those on one Neo4j does, with threads. The lease: graph/store/server/jobs.py.

A killed server leaves its jobs in Neo4j. The next server with the lease, the same after a restart or another, takes
them over. Extractions are cached by key, so nothing is read twice.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from filigraph.app.runtime import Runtime
from filigraph.graph.errors import Cancelled, FiligraphError, LeaseLost, StoreUnavailable, UnavailableError
from filigraph.graph.process.cancel import ShouldStop

if TYPE_CHECKING:
    from filigraph.graph.store import JobClaim, JobKind, JobRow, Jobs, WaitingJob

log = logging.getLogger("filigraph.server")

LEASE = 20.0  # seconds; a server that is gone for longer loses the lease
BUSY, IDLE = 1.0, 5.0  # seconds between two checks; each renews the lease
MAX_PAUSE_SECONDS = 60.0  # seconds between two checks of a store that does not answer, at most
POLL_SECONDS = 0.2  # seconds between two checks whether a waiting job was cancelled
SWEEP_SECONDS = 60.0  # seconds
KEEP_DAYS = 30  # days that a job is shown after its end
ATTEMPTS = 30  # starts of a job: a file that crashes the server must not do so for ever
STOP_WAIT_SECONDS = 5.0  # seconds that a server waits for its jobs when it stops

SETBACKS = 5  # times in a row that Neo4j may end a job without progress
REST = 1.0  # seconds until a restart after the first of them; doubled after each further one


@dataclass(frozen=True, kw_only=True)
class StopSignal:
    """Whether a job must stop: somebody `cancelled` it, or this server no longer works on it (`ends`)."""

    cancelled: ShouldStop
    ends: ShouldStop

    def __call__(self) -> bool:
        return self.cancelled() or self.ends()


class Waiting(Exception):
    """A job has to wait for others, at least so long; meanwhile it takes no other job's place."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__()


RunJob = Callable[["JobRow", "JobClaim", StopSignal], None]  # does the work, and records how it ended


def sleep_unless_cancelled(seconds: float, cancelled: ShouldStop) -> None:
    """Sleep. Raises Cancelled as soon as `cancelled` is true."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if cancelled():
            raise Cancelled
        time.sleep(POLL_SECONDS)


def retry_delay(failures: int) -> float:
    """Seconds until the next attempt after so many failures."""
    return min(IDLE * 2.0 ** min(failures, 10), MAX_PAUSE_SECONDS)


@dataclass(kw_only=True)
class _Running:
    """A job that a thread of ours works on."""

    workspace: str
    kind: JobKind
    token: int
    cancelled: threading.Event = field(default_factory=threading.Event)  # cancellation was requested
    lost: threading.Event = field(default_factory=threading.Event)  # the job is no longer ours, or this server stops


class Coordinator:
    """Polls for jobs and runs them, as long as it holds the lease. Thread-safe."""

    def __init__(self, runtime: Runtime, run: RunJob, *, sweep: Callable[[], None]) -> None:
        """`sweep` finishes interrupted work that no server is doing; it is called regularly, and may take long."""
        self._runtime = runtime
        self._run = run
        self._sweep = sweep
        self._sweeping: threading.Thread | None = None
        self._holder = uuid.uuid4().hex
        self._running: dict[str, _Running] = {}
        self._rests: dict[str, float] = {}  # job -> earliest time of its next start
        self._changed = threading.Condition()  # guards the field above
        self._awake = threading.Event()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.wanted = True  # there may be something to run
        self._swept = 0.0

    def start(self) -> None:
        """Begin to poll for jobs, or go on after a stop."""
        self._ended.clear()
        self._thread = threading.Thread(target=self._poll, name="jobs", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Poll at once: there is something new."""
        self._awake.set()

    @property
    def busy(self) -> bool:
        """Whether this server runs a job."""
        return bool(self._running)

    def stop(self) -> None:
        """Stop the running jobs, which go on later, and release the lease."""
        self._ended.set()
        self._awake.set()
        self._abandon_running()
        if self._thread:  # first: it may be about to begin a job
            self._thread.join(STOP_WAIT_SECONDS)
        with self._changed:
            self._changed.wait_for(lambda: not self._running, STOP_WAIT_SECONDS)
        store = self._runtime.store.peek()
        if self._thread and store:
            try:
                store.jobs.release_lease(self._holder)
            except FiligraphError as error:
                log.warning("the lease of the jobs could not be given back: %s", error)

    def _poll(self) -> None:
        reported, failures = "", 0
        while not self._ended.is_set():
            try:
                self._tick()
                reported, failures = "", 0
            except UnavailableError as error:
                if str(error) != reported:
                    log.warning("jobs wait: %s", error)
                reported, failures = str(error), failures + 1
                self._runtime.forget_store()
            except Exception:  # the thread must live on
                log.exception("jobs")
            busy = self._running or (self.wanted and not failures)
            self._awake.wait(BUSY if busy else retry_delay(failures))
            self._awake.clear()

    def _tick(self) -> None:
        """Renew the lease, pass cancellations on, begin waiting jobs."""
        # Reconnect to the user's Neo4j as soon as it is back. Restart a local one that failed as soon as possible (on a
        # full disk: once there is room); one that somebody stopped, only for a job.
        connect = self.wanted or self._runtime.settings.neo4j_uri or self._runtime.neo4j_fails()
        store = self._runtime.store() if connect else self._runtime.store.peek()
        if store is None:
            return
        jobs = store.jobs
        token = jobs.acquire_or_renew_lease(self._holder, seconds=LEASE)
        with self._changed:
            for running in self._running.values():
                if running.token != token:
                    running.lost.set()
        if token is None:
            return
        waiting = jobs.to_run()
        self.wanted = bool(waiting)
        for job in waiting:
            with self._changed:
                running_now = self._running.get(job.id)
                if running_now and job.cancel:
                    running_now.cancelled.set()
                rests = self._rests.get(job.id, 0.0) > time.monotonic()
                may = not running_now and (job.cancel or (not rests and self._may_begin(job)))
            if self._ended.is_set():
                return
            if not may:
                continue
            claimed = jobs.claim(job.id, token)
            if claimed:
                self._begin(claimed, token, jobs)
        if time.monotonic() - self._swept > SWEEP_SECONDS:
            self._swept = time.monotonic()
            jobs.sweep(days=KEEP_DAYS)
            if self._sweeping is None or not self._sweeping.is_alive():
                self._sweeping = threading.Thread(target=self._sweep_once, name="sweep", daemon=True)
                self._sweeping.start()

    def _sweep_once(self) -> None:
        try:
            self._sweep()
        except FiligraphError as error:
            log.warning("not all that was cut short could be finished: %s", error)
        except Exception:
            log.exception("sweep")

    def _may_begin(self, job: WaitingJob) -> bool:
        """Whether there is a free slot for a job, and nothing else changes its workspace.

        Questions change no workspace. A deletion asks no model and a client waits for it, so it needs no slot.
        """
        running = self._running.values()
        room = sum(other.kind != "delete" for other in running) < self._runtime.settings.jobs
        alone = not job.held and all(other.kind == "ask" for other in running if other.workspace == job.workspace)
        return (room or job.kind == "delete") and (alone or job.kind == "ask")

    def _begin(self, job: JobRow, token: int, jobs: Jobs) -> None:
        from filigraph.graph.store import JobClaim

        claim = JobClaim(job_id=job.id, token=token)
        if job.cancelling and not has_to_end_itself(job):
            jobs.finish(claim, "cancelled")
            return
        if job.setbacks >= SETBACKS:
            jobs.finish(claim, "failed", error=(job.code, job.cause, job.cure))
            return
        if job.attempts > ATTEMPTS:
            cause = f"The job was started {ATTEMPTS} times, and the server ended each time."
            jobs.finish(claim, "failed", error=("internal", cause, "Read the server's log, then retry the job."))
            return
        self._rests.pop(job.id, None)
        running = _Running(workspace=job.workspace, kind=job.kind, token=token)
        if job.cancelling:
            running.cancelled.set()
        with self._changed:
            self._running[job.id] = running
        threading.Thread(target=self._work, args=(job, claim, running), name=f"job {job.id[:8]}", daemon=True).start()

    def _work(self, job: JobRow, claim: JobClaim, running: _Running) -> None:
        ends = (running.lost, self._runtime.stopping, self._ended)
        stop = StopSignal(cancelled=running.cancelled.is_set, ends=lambda: any(event.is_set() for event in ends))
        try:
            try:
                self._run(job, claim, stop)
            except Cancelled:
                if running.cancelled.is_set():
                    self._runtime.store().jobs.finish(claim, "cancelled")
                else:  # the job goes on here or elsewhere
                    self._runtime.store().jobs.release(claim)
            except Waiting as later:
                self._rests[job.id] = time.monotonic() + later.seconds
                self._runtime.store().jobs.release(claim, "waiting")
            except LeaseLost:
                raise
            except FiligraphError as error:
                log.warning("job %s: %s", job.id, error)
                failure = (error.code, error.cause, error.cure)
                if isinstance(error, StoreUnavailable):  # the job is still ours, and goes on when the store is back
                    self._runtime.store().jobs.set_back(claim, failure)
                    self._rests[job.id] = time.monotonic() + REST * 2**job.setbacks
                else:
                    self._runtime.store().jobs.finish(claim, "failed", error=failure)
            except Exception:
                log.exception("job %s", job.id)
                cure = "Report it, with the server's log."
                failure = ("internal", "The server made a mistake.", cure)
                self._runtime.store().jobs.finish(claim, "failed", error=failure)
        except FiligraphError as error:
            log.warning("job %s is stopped here: %s", job.id, error)
        finally:
            with self._changed:
                del self._running[job.id]
                self._changed.notify_all()
            self._awake.set()

    def _abandon_running(self) -> None:
        with self._changed:
            for running in self._running.values():
                running.lost.set()


def has_to_end_itself(job: JobRow) -> bool:
    """Whether a cancelled job has something to finish, or to cancel elsewhere."""
    return begun_to_delete(job) or bool(job.options.get("batch"))


def begun_to_delete(job: JobRow) -> bool:
    """Whether a deletion may have removed documents but not yet their facts."""
    return job.kind == "delete" and job.progress.get("stage", "load") != "load"
