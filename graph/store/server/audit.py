"""The audit log: who changed what, when. It belongs to the whole database, so it outlives workspaces; exports do not
contain it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from filigraph.graph.model.usage import Usage
from filigraph.graph.store.neo4j.database import Database

SWEEP_BATCH_ENTRIES = 5000  # entries per transaction


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """A change that somebody requested."""

    id: str  # the request's
    at: datetime
    by: str  # a key's name, or "local"
    action: str  # "DELETE /v1/workspaces/{workspace}/documents/{document_id}"
    workspace: str  # "" if it belongs to none
    subject: str  # the object of the action: an id, a name, the names of files
    status: int  # the HTTP status of the answer
    address: str  # origin of the request


class AuditEntries:
    """The audit log of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, entry: AuditEntry) -> None:
        self._database.change("write_audit", **asdict(entry))

    def newest(
        self,
        *,
        before: datetime,
        before_id: str | None = None,
        limit: int,
        by: str | None = None,
        workspace: str | None = None,
    ) -> list[AuditEntry]:
        """The last entries before a moment, newest first; entries of one moment are sorted by id, and with `before_id`
        those of the same moment after this id are included.
        """
        before = before.astimezone(UTC)  # in the stored form: for Neo4j one moment in two time zones differs
        rows = self._database.rows(
            "newest_audit", before=before, before_id=before_id, limit=limit, by=by, workspace=workspace
        )
        return [AuditEntry(**{**row, "at": row["at"].to_native()}) for row in rows]

    def sweep(self, *, before: datetime) -> None:
        """Delete the entries before a moment."""
        while (
            self._database.change("sweep_audit", before=before, limit=SWEEP_BATCH_ENTRIES)[0]["swept"]
            == SWEEP_BATCH_ENTRIES
        ):
            pass


class TokensSpent:
    """The LLM tokens of each workspace: today, and in total."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, workspace: str, day: str, tokens: int) -> int:
        """Add to the tokens of a day (ISO 8601); returns the new sum."""
        rows = self._database.change("spend_tokens", workspace=workspace, day=day, tokens=tokens)
        return int(rows[0]["tokens"])

    def note(self, workspace: str, usage: Usage) -> None:
        """Add to a workspace's total usage; ignored if the workspace was deleted."""
        self._database.change("note_usage", workspace=workspace, **asdict(usage))

    def read(self, workspace: str, day: str) -> tuple[Usage, int]:
        """The total usage of a workspace, and its tokens of a day."""
        rows = self._database.rows("usage", workspace=workspace, day=day)
        if not rows:
            return Usage(), 0
        return Usage(**{name: rows[0][name] for name in ("calls", "tokens_in", "tokens_out")}), int(rows[0]["today"])
