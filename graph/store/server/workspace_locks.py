"""Workspace locks: one writer at a time in a workspace, over all servers on one Neo4j.

An ingest, a deletion, an evaluation, an import and a person's decision each lock the workspace while they run. Taking
the lock gives a unique token, and every transaction that writes under it (`LockedDatabase`) first locks the record and
checks that it still has that token. So if a server was cut off and another took its expired lock, the first can write
nothing more, and the second waits at the record for the transactions of the first. All times are Neo4j's own: the
servers' clocks do not matter.
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
    """The database for the holder of a lock: if the lock is lost, writing transactions raise LeaseLost."""

    def __init__(self, sessions: Sessions, lock: WorkspaceLock) -> None:
        super().__init__(sessions)
        self._lock = lock

    def holds_lock(self, workspace: str) -> bool:
        return workspace == self._lock.workspace

    def define(self, text: str) -> None:
        # Neo4j cannot create an index and take a lock in one transaction: this is the nearest alternative
        self.write(lambda _: None)
        super().define(text)

    def _begun(self, run: Run, work: Callable[[Run], T]) -> T:
        if not run("hold_workspace_lock", **vars(self._lock)):
            raise _lease_lost_error(self._lock.workspace)
        return work(run)


class WorkspaceLocks:
    """The locks of all workspaces of one database, even of workspaces that do not exist."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, workspace: str, holder: str, *, seconds: float, job: str = "") -> WorkspaceLock | None:
        """Acquire the lock for some seconds; None while another holder has it. `job` is the id of its job. A holder has
        at most one lock per workspace: taking it again ends the earlier one.
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
        """Extend the lock by some seconds from now. Raises LeaseLost."""
        if not self._database.change("renew_workspace_lock", **vars(lock), milliseconds=int(seconds * 1000)):
            raise _lease_lost_error(lock.workspace)

    def release(self, lock: WorkspaceLock) -> None:
        """Release the lock at once. The lock of a deleted workspace is deleted."""
        self._database.change("release_workspace_lock", **vars(lock))


def _lease_lost_error(workspace: str) -> LeaseLost:
    return LeaseLost(
        f"This server lost Neo4j for so long that another one is changing the workspace {workspace} now.",
        cure="Repeat it later: what was read is not read again.",
    )
