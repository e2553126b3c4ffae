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

import neo4j

from filigraph.graph.errors import LeaseLost
from filigraph.graph.store.database import Database, Run

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class WorkspaceLock:
    """In which workspace, and under which token, one writes."""

    workspace: str
    token: str


class LockedDatabase(Database):
    """The database for whoever has a turn: every transaction that writes raises LeaseLost once it is another's."""

    def __init__(self, driver: neo4j.Driver, turn: WorkspaceLock) -> None:
        super().__init__(driver)
        self._turn = turn

    def holds_lock(self, workspace: str) -> bool:
        return workspace == self._turn.workspace

    def define(self, text: str) -> None:
        self.write(lambda _: None)  # Neo4j takes no index and no lock in one transaction: this is as near as it gets
        super().define(text)

    def _begun(self, run: Run, work: Callable[[Run], T]) -> T:
        if not run("hold_turn", **vars(self._turn)):
            raise _lost(self._turn.workspace)
        return work(run)


class WorkspaceLocks:
    """The turns of all workspaces of one database, also of those that are not there yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, workspace: str, holder: str, *, seconds: float, job: str = "") -> WorkspaceLock | None:
        """The turn for so long from now, for a job where it is one; None while another one has it.

        A holder has one at a time in a workspace: what it had before is lost.
        """
        turn = WorkspaceLock(workspace=workspace, token=uuid.uuid4().hex)
        milliseconds = int(seconds * 1000)
        taken = self._database.change("take_turn", **vars(turn), holder=holder, job=job, milliseconds=milliseconds)
        return turn if taken else None

    def job(self, workspace: str) -> str:
        """The job that has the turn; "" where none has."""
        return "".join(row["job"] for row in self._database.rows("job_of_turn", workspace=workspace))

    def renew(self, turn: WorkspaceLock, *, seconds: float) -> None:
        """Have it for so long from now. Raises LeaseLost."""
        if not self._database.change("keep_turn", **vars(turn), milliseconds=int(seconds * 1000)):
            raise _lost(turn.workspace)

    def release(self, turn: WorkspaceLock) -> None:
        """Let the next one have it at once. That of a workspace that is not there goes."""
        self._database.change("give_back_turn", **vars(turn))


def _lost(workspace: str) -> LeaseLost:
    return LeaseLost(
        f"This server was cut off from Neo4j for so long that another one changes the workspace {workspace} now.",
        cure="Do it again once that has ended: what is there already is not read twice.",
    )
