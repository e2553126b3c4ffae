"""The audit log: who changed what, kept for some days."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from filigraph.graph.errors import FiligraphError

if TYPE_CHECKING:
    from filigraph.graph.store import AuditEntries, AuditEntry

T = TypeVar("T")
log = logging.getLogger("filigraph.server")

SWEEP_SECONDS = 3600.0  # seconds


class WithAudit(Protocol):
    """Runs some work with the stored log. Raises what the store raises."""

    def __call__(self, work: Callable[[AuditEntries], T], /) -> T: ...


class AuditLog:
    """Who changed what, kept for some days. Thread-safe."""

    def __init__(self, stored: WithAudit, *, days: int) -> None:
        self._stored = stored
        self._days = days
        self._swept: float | None = None

    def note(self, entry: AuditEntry) -> None:
        """Store an entry; if this fails, it is at least in the server's log."""
        try:
            self._stored(lambda entries: entries.write(entry))
            if self._swept is None or time.monotonic() - self._swept >= SWEEP_SECONDS:
                self._swept = time.monotonic()
                before = entry.at - timedelta(days=self._days)
                self._stored(lambda entries: entries.sweep(before=before))
        except FiligraphError as error:
            log.error("not in the audit log (%s): %s", error.cause, entry)
        except Exception:  # the action is done, and its response must not fail
            log.exception("not in the audit log: %s", entry)

    def newest(
        self, *, before: datetime, before_id: str | None, limit: int, by: str | None, workspace: str | None
    ) -> Sequence[AuditEntry]:
        """The last entries, newest first."""
        return self._stored(
            lambda entries: entries.newest(before=before, before_id=before_id, limit=limit, by=by, workspace=workspace)
        )
