"""Notes every request that changes something in the audit log, with its caller, before its answer ends.

A middleware between auth and the routes, so that no route can forget it. If a route's address does not name what it
changes, the route does (`record_subjects`); a stream that ends in an error records this (`override_status`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from filigraph.app.access.audit_log import AuditLog
from filigraph.app.http.auth import CALLER
from filigraph.app.http.envelope import request_id_of
from filigraph.app.http.permissions import changes_data
from filigraph.app.http.templates import Templates, route_path

if TYPE_CHECKING:
    from filigraph.graph.store import AuditEntry

MAX_SUBJECT_CHARS = 1000  # characters of the changed things
SUBJECT, WORKSPACE, END = "filigraph.subject", "filigraph.workspace", "filigraph.end"


def record_subjects(scope: Scope, *subjects: str, workspace: str = "") -> None:
    """Record what a request changes, and its workspace if the address does not name it."""
    scope[SUBJECT] = subjects
    if workspace:
        scope[WORKSPACE] = workspace


def override_status(scope: Scope, status: int) -> None:
    """Record the final status of a request whose response began with another status."""
    scope[END] = status


class AuditMiddleware:
    """Note the requests that change something."""

    def __init__(self, app: ASGIApp, audit: AuditLog, templates: Templates) -> None:
        self.app = app
        self.audit = audit
        self.templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope.get(CALLER) is None or not changes_data(scope["method"], route_path(scope)):
            await self.app(scope, receive, send)
            return
        status, noted = 0, False

        async def note() -> None:
            nonlocal noted
            noted = True
            if not 400 <= status < 499:  # refused: nothing changed
                await run_in_threadpool(self.audit.note, self._entry(scope, scope.get(END, status)))

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif not message.get("more_body", False) and not noted:
                await note()  # before the response, so that the client finds the entry
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except Exception:
            status = status if status >= 400 else 500
            raise
        finally:
            if not noted:  # it failed, or the client disconnected; earlier changes remain
                status = status if status >= 400 else 499
                await note()

    def _entry(self, scope: Scope, status: int) -> AuditEntry:
        from filigraph.graph.store import AuditEntry

        values = dict(scope.get("path_params", {}))
        workspace = str(values.pop("workspace", "")) or scope.get(WORKSPACE, "")
        subject = scope.get(SUBJECT) or tuple(str(value) for value in values.values())
        client = scope.get("client")
        return AuditEntry(
            id=request_id_of(scope),
            at=datetime.now(UTC),
            by=scope[CALLER].name,
            action=f"{scope['method']} {self.templates.of(scope)}",
            workspace=workspace,
            subject=shorten_subjects(subject),
            status=status,
            address=client[0] if client else "",
        )


def shorten_subjects(subjects: Sequence[str]) -> str:
    """As many names as fit on one line, and the number of the others."""
    shown, length = 0, 0
    for subject in subjects:
        length += len(subject) + 2
        if length > MAX_SUBJECT_CHARS and shown:
            break
        shown += 1
    line = ", ".join(subjects[:shown])[:MAX_SUBJECT_CHARS].encode("utf-8", "replace").decode()  # half a character: "?"
    return f"{line} and {len(subjects) - shown} more" if shown < len(subjects) else line
