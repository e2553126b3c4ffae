"""The batches sent to a provider: the requests of each, its state, and its replies.

A batch is stored before it is sent, so after a kill the next process knows which one to look for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from filigraph.graph.errors import LeaseLost
from filigraph.graph.ids import content_id
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.batches import BatchReply
from filigraph.graph.store.neo4j.database import Database, Row
from filigraph.graph.store.workspace.graph_part import write_rows

BATCH_REPLIES = 500  # replies written or removed at once


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """A batch with missing replies."""

    id: str  # ours; the provider stores it with the batch
    job_id: str  # its job; "" if the job was removed
    state: Literal["planned", "submitted"]  # planned: the provider may have it or not
    requests: tuple[str, ...]  # ids of the requests
    file_id: str = ""  # the provider's id of the file of requests
    provider_id: str = ""  # the provider's id of the batch
    age: int | None = None  # seconds since it was sent; None if it was not
    reserved: Mapping[str, Any] = field(default_factory=dict)  # reserved from the workspace's tokens of a day
    cancelled: bool = False  # we cancelled it


@dataclass(frozen=True, kw_only=True)
class KnownReply:
    """What is known about a request, without its text."""

    answered: bool
    failed: int  # number of batches in which it failed
    error: str  # the last one


class Batches:
    """The batches of all workspaces of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(self, job_id: str, batches: Sequence[BatchRow], *, hints: Collection[str]) -> None:
        """Store batches that are about to be submitted: all of them, or none."""
        rows = [
            {"id": batch.id, "requests": list(batch.requests), "reserved": json.dumps(dict(batch.reserved))}
            for batch in batches
        ]
        self._database.write(lambda run: write_rows(run, "plan_batches", rows, job_id=job_id, hints=sorted(hints)))

    def sending(self, batch_id: str, file_id: str) -> None:
        """The batch is about to be created from a file of the provider. Raises LeaseLost if another server dropped
        it.
        """
        if not self._database.change("batch_sending", id=batch_id, file_id=file_id):
            raise LeaseLost(f"The batch {batch_id} is another server's now.")

    def submitted(self, batch_id: str, provider_id: str) -> None:
        """The provider has the batch."""
        self._database.change("batch_submitted", id=batch_id, provider_id=provider_id)

    def cancelled(self, batch_id: str) -> None:
        """The provider was asked to cancel the batch."""
        self._database.change("batch_cancelled", id=batch_id)

    def drop(self, batch_id: str) -> None:
        """The provider did not accept the batch."""
        self._database.change("drop_batch", id=batch_id)

    def keep(self, workspace: str, batch_id: str, replies: Iterable[BatchReply]) -> tuple[Usage, set[str], set[str]]:
        """Store what came back: the usage, the replies and the provider's hints. It may be repeated."""
        usage, seen, hints = Usage(), set[str](), set[str]()
        rest = iter(replies)
        while some := list(islice(rest, BATCH_REPLIES)):
            rows = [
                {
                    "id": _reply_id(workspace, reply.id),
                    "request": reply.id,
                    "text": None if reply.error else reply.text,
                    "error": reply.error,
                }
                for reply in some
            ]
            self._database.write(lambda run, rows=rows: write_rows(run, "write_batch_replies", rows, id=batch_id))  # type: ignore[misc]
            for reply in some:
                usage += reply.usage
                seen.add(reply.id)
                hints |= reply.hints
        return usage, seen, hints

    def collected(self, batch_id: str, usage: Usage, hints: Collection[str]) -> bool:
        """All results are stored. False if this was stored before, so that it is counted once."""
        spent = {"calls": usage.calls, "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out}
        return bool(self._database.change("batch_collected", id=batch_id, hints=sorted(hints), **spent))

    def open(self, workspace: str) -> list[BatchRow]:
        """The batches of a workspace with missing replies, whichever job sent them."""
        return [_batch(row) for row in self._database.rows("open_batches", workspace=workspace)]

    def of_job(self, job_id: str) -> tuple[Usage, frozenset[str]]:
        """The usage of a job's finished batches, and how to ask so that it does not fail."""
        usage, hints = Usage(), set[str]()
        for row in self._database.rows("batches_of_job", id=job_id):
            hints |= set(row.pop("hints"))
            usage += Usage(**row)
        return usage, frozenset(hints)

    def known_replies(self, workspace: str) -> dict[str, KnownReply]:
        """The known replies, by request, without their texts."""
        rows = self._database.rows("batch_replies", workspace=workspace)
        return {row.pop("request"): KnownReply(**row) for row in rows}

    def text(self, workspace: str, request_id: str) -> str:
        """The reply to a request; "" if there is none."""
        rows = self._database.rows("batch_reply", id=_reply_id(workspace, request_id))
        return str(rows[0]["text"] or "") if rows else ""

    def forget(self, job_id: str, *, all_: bool = False) -> None:
        """Remove the finished batches of a job with their replies; with `all_` also unfinished ones."""
        while self._database.change("forget_batch_replies", id=job_id, all=all_, limit=BATCH_REPLIES)[0]["removed"]:
            pass
        self._database.change("forget_batches", id=job_id, all=all_)


def _reply_id(workspace: str, request_id: str) -> str:
    return content_id("batch reply", workspace, request_id)


def _batch(row: Row) -> BatchRow:
    batch = row["batch"]
    return BatchRow(
        id=batch["id"],
        job_id=row["job_id"] or "",
        state=batch["state"],
        requests=tuple(batch["requests"]),
        file_id=batch["file_id"] or "",
        provider_id=batch["provider_id"] or "",
        age=row["age"],
        reserved=json.loads(batch["reserved"]),
        cancelled=bool(batch["cancelled"]),
    )
