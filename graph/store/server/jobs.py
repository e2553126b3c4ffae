"""Jobs: their work, their progress, and the server that runs them.

One server at a time, the one that holds the *lease*, runs jobs. Taking the lease gives a *token*, higher than any
before. A claimed job has the token. To note its outcome, a worker first locks the job and checks that job and lease
still have it. So a server that lost its lease cannot change its jobs any more; its changes of a workspace have a
separate lock (`workspace_locks.py`). All times are Neo4j's own: the servers' clocks do not matter.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any, Literal

from filigraph.graph.errors import InputError, LeaseLost, NotFound
from filigraph.graph.store.neo4j.database import Database, Row, Run
from filigraph.graph.store.server.batches import Batches
from filigraph.graph.store.workspace.graph_part import write_rows

JobKind = Literal["ingest", "ask", "fill", "delete", "summarize", "contradictions", "lists"]
JobState = Literal["queued", "running", "waiting", "done", "partial", "failed", "cancelled"]
ItemState = Literal["waiting", "done", "failed"]

PART_BYTES = 1 << 20  # bytes of a part: a property is read and written as a whole
BATCH_BYTES = 4 << 20  # bytes in a transaction
BATCH_ITEMS = 500  # items a statement reads or removes at once
REMOVE_BATCH_PARTS = 32  # parts per transaction: for the server each is some ten thousand records
SENDING_MINUTES = 10  # minutes after the last sign of an interrupted upload, its parts are deleted


@dataclass(frozen=True, kw_only=True)
class JobItem:
    """A file, a question, or a document of a job. Items with a negative number belong to the whole job (triples,
    aliases).
    """

    id: str
    number: int
    name: str
    media_type: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    size: int = 0  # bytes
    parts: int = 0
    state: ItemState = "waiting"
    cause: str = ""  # of a failure
    cure: str = ""
    result: Mapping[str, Any] | None = None  # of a question: its answer, JSON


@dataclass(frozen=True, kw_only=True)
class JobRow:
    id: str
    workspace: str
    kind: JobKind
    state: JobState
    priority: int  # the highest first
    options: Mapping[str, Any]  # JSON
    created: datetime
    started: datetime | None
    finished: datetime | None
    items: int
    names: tuple[str, ...] = ()  # of its first few items
    failed: int  # failed items so far
    unread: bool  # read the chunks that an earlier run could not read
    attempts: int  # number of starts since it was requested
    setbacks: int = 0  # how often Neo4j interrupted it since its last finished item
    llm: str | None = None  # the LLM that reads, answers or fills, "" for none; None: not chosen yet
    progress: Mapping[str, Any]  # JSON; {} before it began
    report: Mapping[str, Any] | None  # JSON: the results so far; None in a list
    code: str  # of the error that ended it, or of its last setback; "" if none
    cause: str
    cure: str
    cancelling: bool  # cancellation was requested
    interrupted: bool = False  # it runs, but its server has not renewed the lease for five seconds


@dataclass(frozen=True, kw_only=True)
class WaitingJob:
    """A job that has to run, in short."""

    id: str
    workspace: str
    kind: JobKind
    running: bool  # it is claimed
    waiting: bool  # it began, and waits for something else
    held: bool  # its workspace is locked
    cancel: bool


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file for a job."""

    name: str
    content: IO[bytes]
    media_type: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class JobClaim:
    """Identifies a job and the lease token its updates must carry."""

    job_id: str
    token: int


class Jobs:
    """The jobs of all workspaces of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Requests

    def create(
        self,
        job_id: str,
        *,
        workspace: str,
        kind: JobKind,
        priority: int,
        options: Mapping[str, Any],
        llm: str | None = None,
    ) -> None:
        """Begin a job. Nobody sees it until all of it has arrived (`sent`); then it runs once."""
        about = {"workspace": workspace, "kind": kind, "priority": priority, "options": to_json(options), "llm": llm}
        self._database.change("create_job", id=job_id, **about)

    def add(self, job_id: str, uploads: Sequence[tuple[int, Upload]]) -> None:
        """Store files, each under its number."""
        rows: list[Row] = []
        waiting: list[Row] = []
        size = 0
        for number, upload in uploads:
            item_id = _item_id(job_id, number)
            digest, total, count = hashlib.sha256(), 0, 0
            while content := upload.content.read(PART_BYTES):
                digest.update(content)
                waiting.append({"id": f"{item_id}/{count}", "item_id": item_id, "n": count, "bytes": content})
                total, count, size = total + len(content), count + 1, size + len(content)
                if size >= BATCH_BYTES:
                    self._write(rows, waiting, job_id)
                    rows, waiting, size = [], [], 0
                    # the item's own row is written again below, when its size is known
            properties = {
                "number": number,
                "name": upload.name,
                "media_type": upload.media_type,
                "metadata": to_json(upload.metadata),
                "sha256": digest.hexdigest(),
                "size": total,
                "parts": count,
                "state": "waiting",
            }
            rows.append({"id": item_id, "job_id": job_id, "properties": properties})
            if len(rows) >= BATCH_ITEMS:
                self._write(rows, waiting, job_id)
                rows, waiting, size = [], [], 0
        self._write(rows, waiting, job_id)

    def _write(self, rows: list[Row], parts: list[Row], job_id: str) -> None:
        known = {row["id"] for row in rows}
        bare = [{"id": id_, "job_id": job_id, "properties": {}} for id_ in {part["item_id"] for part in parts} - known]

        def write(run: Run) -> None:
            if rows or bare:
                write_rows(run, "write_job_items", [*rows, *bare])
            if parts:
                write_rows(run, "write_job_parts", parts)

        self._database.write(write)

    def sent(self, job_id: str) -> JobRow:
        """All of a job has arrived: it may run."""
        self._database.change("job_sent", id=job_id)
        return self.job(job_id)

    def bytes_kept(self) -> int:
        """The stored bytes of all jobs together."""
        return int(self._database.rows("jobs_bytes")[0]["bytes"])

    def cancel(self, job_id: str) -> JobRow:
        """Request the end of a job that waits or runs; a finished job does not change. Raises NotFound."""
        self.job(job_id)
        self._locked(job_id, lambda run: run("cancel_job", id=job_id))
        return self.job(job_id)

    def retry(self, job_id: str) -> JobRow:
        """Let the unfinished or failed items of a finished job run again. Raises NotFound, InputError."""
        unread = bool((self.job(job_id).report or {}).get("failed_chunks"))
        if not self._locked(job_id, lambda run: run("retry_job", id=job_id, unread=unread)):
            job = self.job(job_id)
            raise InputError(
                f"The job {job_id} is {job.state}: there is nothing to do again.",
                cure="Retry only jobs that failed, completely or in part, or were cancelled.",
            )
        return self.job(job_id)

    # Reads

    def job(self, job_id: str) -> JobRow:
        """One job. Raises NotFound."""
        rows = self._database.rows("job", id=job_id)
        if not rows:
            raise NotFound(
                f"There is no job {job_id}: it ended long ago and was removed, or never existed.",
                cure="`filigraph jobs list` shows all jobs.",
            )
        return _job(rows[0]["job"])

    def jobs(self, *, workspace: str | None, state: str | None, first: int, count: int) -> tuple[list[JobRow], int]:
        """Some jobs, the newest first, without their reports; and their total number."""
        filters = {"workspace": workspace, "state": state}
        rows = self._database.rows("jobs", **filters, first=first, count=count)
        return [_job(row["job"]) for row in rows], int(self._database.rows("count_jobs", **filters)[0]["total"])

    def items(self, job_id: str, *, state: ItemState | None, first: int, count: int) -> tuple[list[JobItem], int]:
        """Some items of a job, by number, and the number of items in that state."""
        total = int(self._database.rows("count_job_items", id=job_id, state=state)[0]["total"])
        rows = self._database.rows("job_items", id=job_id, state=state, first=first, count=count)
        return [_item(row["item"]) for row in rows], total

    def attached(self, job_id: str) -> dict[str, bytes]:
        """The files that belong to the whole job, by name."""
        items = [_item(row["item"]) for row in self._database.rows("attached_items", id=job_id)]
        return {item.name: self.content(item) for item in items}

    def waiting_items(self, job_id: str) -> Iterator[JobItem]:
        """The items that are not done yet, in order. They must not change meanwhile."""
        for start in range(0, self.items(job_id, state="waiting", first=0, count=0)[1], BATCH_ITEMS):
            yield from self.items(job_id, state="waiting", first=start, count=BATCH_ITEMS)[0]

    def content(self, item: JobItem) -> bytes:
        parts = (self._database.rows("job_part", id=f"{item.id}/{n}") for n in range(item.parts))
        return b"".join(part[0]["bytes"] for part in parts)

    # Runs

    def acquire_or_renew_lease(self, holder: str, *, seconds: float) -> int | None:
        """Take the lease, or extend it by so many seconds; returns its token, or None while another server has it."""
        rows = self._database.change("acquire_or_renew_lease", holder=holder, milliseconds=int(seconds * 1000))
        return int(rows[0]["token"]) if rows else None

    def release_lease(self, holder: str) -> None:
        self._database.change("release_lease", holder=holder)

    def to_run(self) -> list[WaitingJob]:
        """The jobs that wait or run, the next one first."""
        return [WaitingJob(**row) for row in self._database.rows("jobs_to_run")]

    def queue(self) -> dict[str, int]:
        """The numbers of jobs that wait for their turn (`queued`), wait for something else (`waiting`), and run
        (`running`).
        """
        return {"queued": 0, "running": 0, "waiting": 0} | {
            row["state"]: row["jobs"] for row in self._database.rows("queue")
        }

    def claim(self, job_id: str, token: int) -> JobRow | None:
        """Take a job, also one that another server began; None if it has ended, or the lease is lost."""
        is_claimed = self._locked(job_id, lambda run: run("claim_job", id=job_id, token=token))
        return self.job(job_id) if is_claimed else None

    def release(self, claim: JobClaim, state: Literal["queued", "waiting"] = "queued") -> None:
        """Let a job that began wait again: in the queue, or for something else."""
        fields = {"id": claim.job_id, "token": claim.token, "state": state}
        self._locked(claim.job_id, lambda run: run("give_back_job", **fields))

    def note_progress(self, claim: JobClaim, progress: Mapping[str, Any]) -> None:
        """Raises LeaseLost."""
        self._while_held(claim, lambda run: run("job_progress", id=claim.job_id, progress=to_json(progress)))

    def note_llm(self, claim: JobClaim, llm: str) -> None:
        """Store which LLM reads or answers, "" for none. Raises LeaseLost."""
        self._while_held(claim, lambda run: run("job_llm", id=claim.job_id, llm=llm))

    def note_items(self, claim: JobClaim, items: Sequence[JobItem], *, report: Mapping[str, Any] | None = None) -> None:
        """Store how items ended, and the results of the job so far; the bytes of finished items are deleted. Raises
        LeaseLost.
        """
        stored = None if report is None else to_json(report)

        def work(run: Run) -> list[Row]:
            run("job_items_done", rows=_ended_item_rows(items))
            return run("job_goes_on", id=claim.job_id, report=stored)

        def forget(run: Run) -> list[Row]:
            return run("forget_parts", id=claim.job_id, state="done", limit=REMOVE_BATCH_PARTS)

        self._while_held(claim, work)
        if any(item.parts for item in items if item.state == "done"):
            while self._while_held(claim, forget)[0]["removed"]:
                pass

    def set_back(self, claim: JobClaim, error: tuple[str, str, str]) -> None:
        """Let a job that Neo4j interrupted wait again; `error` is code, cause and cure. Raises LeaseLost."""
        code, cause, cure = error
        reason = {"code": code, "cause": cause, "cure": cure}
        self._while_held(claim, lambda run: run("set_back_job", id=claim.job_id, **reason))

    def finish(
        self,
        claim: JobClaim,
        state: JobState,
        *,
        items: Sequence[JobItem] = (),
        report: Mapping[str, Any] | None = None,
        error: tuple[str, str, str] = ("", "", ""),
    ) -> None:
        """Store how a job and these items ended; `error` is code, cause and cure. The bytes of finished items are
        deleted; without a `report` the former one remains. Raises LeaseLost.
        """
        code, cause, cure = error
        outcome = {"report": None if report is None else to_json(report), "code": code, "cause": cause, "cure": cure}

        def work(run: Run) -> list[Row]:
            run("job_items_done", rows=_ended_item_rows(items))
            return run("finish_job", id=claim.job_id, state=state, **outcome)

        self._while_held(claim, work)
        self._forget_parts(claim.job_id, None if state == "done" else "done")

    # Deletion

    def remove(self, job_id: str) -> None:
        """Remove a job with all its data. It can be called again after an interruption."""
        self._forget_parts(job_id, None)
        Batches(self._database).forget(job_id, all_=True)
        while self._database.change("forget_items", id=job_id, limit=BATCH_ITEMS)[0]["removed"]:
            pass
        self._database.change("forget_job", id=job_id)

    def remove_workspace(self, workspace: str) -> None:
        for row in self._database.rows("jobs_of_workspace", workspace=workspace):
            self.remove(row["id"])

    def sweep(self, *, days: int) -> None:
        """Remove jobs that ended so many days ago, jobs whose upload stopped, and leftover bytes."""
        for row in self._database.rows("jobs_to_forget", days=days, minutes=SENDING_MINUTES):
            self.remove(row["id"])
        for row in self._database.rows("jobs_with_waste"):
            self._forget_parts(row["id"], "done")

    def _forget_parts(self, job_id: str, state: ItemState | None) -> None:
        while self._database.change("forget_parts", id=job_id, state=state, limit=REMOVE_BATCH_PARTS)[0]["removed"]:
            pass

    def _locked(self, job_id: str, work: Callable[[Run], list[Row]]) -> list[Row]:
        def locked(run: Run) -> list[Row]:
            run("lock_job", id=job_id)
            return work(run)

        return self._database.write(locked)

    def _while_held(self, claim: JobClaim, work: Callable[[Run], list[Row]]) -> list[Row]:
        def run_while_held(run: Run) -> list[Row]:
            run("lock_job", id=claim.job_id)
            if not run("held_job", id=claim.job_id, token=claim.token):
                raise LeaseLost(f"The job {claim.job_id} is another server's now.")
            return work(run)

        return self._database.write(run_while_held)


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _ended_item_rows(items: Sequence[JobItem]) -> list[Row]:
    return [
        {
            "id": item.id,
            "state": item.state,
            "cause": item.cause,
            "cure": item.cure,
            "result": None if item.result is None else to_json(item.result),
        }
        for item in items
    ]


def _item_id(job_id: str, number: int) -> str:
    return f"{job_id}/{number}"


def _job(row: Mapping[str, Any]) -> JobRow:
    return JobRow(
        id=row["id"],
        workspace=row["workspace"],
        kind=row["kind"],
        state=row["state"],
        priority=row["priority"],
        options=json.loads(row["options"]),
        created=row["created"].to_native(),
        started=row["started"].to_native() if row["started"] else None,
        finished=row["finished"].to_native() if row["finished"] else None,
        items=row["items"],
        names=tuple(row["names"]),
        failed=row["failed"],
        unread=bool(row["unread"]),
        attempts=row["attempts"],
        setbacks=row["setbacks"] or 0,
        llm=row["llm"],
        progress=json.loads(row["progress"] or "{}"),
        report=json.loads(row["report"]) if row.get("report") else None,
        code=row["code"] or "",
        cause=row["cause"] or "",
        cure=row["cure"] or "",
        cancelling=bool(row["cancel"]),
        interrupted=bool(row["interrupted"]),
    )


def _item(row: Mapping[str, Any]) -> JobItem:
    return JobItem(
        id=row["id"],
        number=row["number"],
        name=row["name"],
        media_type=row["media_type"] or "",
        metadata=json.loads(row["metadata"] or "{}"),
        size=row["size"] or 0,
        parts=row["parts"] or 0,
        state=row["state"],
        cause=row["cause"] or "",
        cure=row["cure"] or "",
        result=json.loads(row["result"]) if row["result"] else None,
    )
