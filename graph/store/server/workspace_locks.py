"""Workspace locks: one writer at a time in a workspace, over all servers on one Neo4j.

An ingest, a deletion, an evaluation, an import and a person's decision each lock the workspace while they run. Taking
the lock gives a token that is never given again, and every transaction that writes under it (`LockedDatabase`) first
locks the record and checks that it still holds that token. So a server that was cut off for so long that its lock
expired and was taken by another writes nothing more, and the other one waits, at that record, for what the first had
begun. All times are Neo4j's own: the servers' clocks do not matter.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from filigraph.graph.errors import LeaseLost
from filigraph.graph.store.neo4j.database import Database, Run
from filigraph.graph.store.neo4j.sessions import Sessions

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class WorkspaceLock:
    """A held lock: its workspace and its token."""

    workspace: str
    token: str


class LockedDatabase(Database):
    """The database for the holder of a lock: once the lock is lost, transactions that write raise LeaseLost."""

    def __init__(self, sessions: Sessions, lock: WorkspaceLock) -> None:
        super().__init__(sessions)
        self._lock = lock

    def holds_lock(self, workspace: str) -> bool:
        return workspace == self._lock.workspace

    def define(self, text: str) -> None:
        self.write(lambda _: None)  # Neo4j takes no index and no lock in one transaction: this is as near as it gets
        super().define(text)

    def _begun(self, run: Run, work: Callable[[Run], T]) -> T:
        if not run("hold_workspace_lock", **vars(self._lock)):
            raise _lease_lost_error(self._lock.workspace)
        return work(run)


class WorkspaceLocks:
    """The locks of all workspaces of one database, existing or not."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, workspace: str, holder: str, *, seconds: float, job: str = "") -> WorkspaceLock | None:
        """Acquire the lock for some seconds; None while another holder has it. `job` is the id of the job it is for.

        A holder has at most one lock per workspace: an earlier one is lost.
        """
        lock = WorkspaceLock(workspace=workspace, token=uuid.uuid4().hex)
        milliseconds = int(seconds * 1000)
        is_locked = self._database.change(
            "acquire_workspace_lock", **vars(lock), holder=holder, job=job, milliseconds=milliseconds
        )
        return lock if is_locked else None

    def job(self, workspace: str) -> str:
        """The id of the job that holds the lock; "" if none does."""
        return "".join(row["job"] for row in self._database.rows("workspace_lock_job", workspace=workspace))

    def renew(self, lock: WorkspaceLock, *, seconds: float) -> None:
        """Extend the lock to some seconds from now. Raises LeaseLost."""
        if not self._database.change("renew_workspace_lock", **vars(lock), milliseconds=int(seconds * 1000)):
            raise _lease_lost_error(lock.workspace)

    def release(self, lock: WorkspaceLock) -> None:
        """Release the lock at once. The lock of a deleted workspace is deleted."""
        self._database.change("release_workspace_lock", **vars(lock))


def _lease_lost_error(workspace: str) -> LeaseLost:
    return LeaseLost(
        f"This server was cut off from Neo4j for so long that another one changes the workspace {workspace} now.",
        cure="Do it again once that has ended: what is there already is not read twice.",
    )
