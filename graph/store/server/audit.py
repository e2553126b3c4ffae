"""The audit log: who changed what, when. Of the whole database, so it outlives workspaces; in no dump."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from filigraph.graph.models.llm import Usage
from filigraph.graph.store.neo4j.database import Database

SWEEP_BATCH_ENTRIES = 5000  # entries per transaction


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    """One change that somebody asked for."""

    id: str  # the request's
    at: datetime
    by: str  # a key's name, or "local"
    action: str  # "DELETE /v1/workspaces/{workspace}/documents/{document_id}"
    workspace: str  # "" for what is of none
    subject: str  # what it was done to: an id, a name, the names of files
    status: int  # the HTTP status of the answer
    address: str  # where the request came from


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
        """The last entries before a moment, newest first; entries of one moment go by id, and with `before_id` those
        of that very moment that come after it are included."""
        before = before.astimezone(UTC)  # as it is stored: Neo4j distinguishes one moment in two zones
        rows = self._database.rows(
            "newest_audit", before=before, before_id=before_id, limit=limit, by=by, workspace=workspace
        )
        return [AuditEntry(**{**row, "at": row["at"].to_native()}) for row in rows]

    def sweep(self, *, before: datetime) -> None:
        """Forget what is from before a moment."""
        while (
            self._database.change("sweep_audit", before=before, limit=SWEEP_BATCH_ENTRIES)[0]["swept"]
            == SWEEP_BATCH_ENTRIES
        ):
            pass


class TokensSpent:
    """What each workspace had an LLM read and write: tokens today, and all in all."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, workspace: str, day: str, tokens: int) -> int:
        """Add to those of a day (ISO 8601); how many that makes."""
        rows = self._database.change("spend_tokens", workspace=workspace, day=day, tokens=tokens)
        return int(rows[0]["tokens"])

    def note(self, workspace: str, usage: Usage) -> None:
        """Add to all that a workspace had an LLM read and write; nothing for a workspace that has gone."""
        self._database.change("note_usage", workspace=workspace, **asdict(usage))

    def read(self, workspace: str, day: str) -> tuple[Usage, int]:
        """All that a workspace had an LLM read and write, and the tokens of a day."""
        rows = self._database.rows("usage", workspace=workspace, day=day)
        if not rows:
            return Usage(), 0
        return Usage(**{name: rows[0][name] for name in ("calls", "tokens_in", "tokens_out")}), int(rows[0]["today"])
