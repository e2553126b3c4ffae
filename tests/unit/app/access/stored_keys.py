"""Keys and an in-memory store of keys."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from filigraph.app.access.keys import Keys, digest_of, new_secret
from filigraph.graph.store import AccessKey, KeyScope

SECRET = new_secret()


def key(secret: str = SECRET, *, name: str = "anna", scope: KeyScope = "write", workspace: str = "") -> AccessKey:
    made = datetime(2026, 11, 21, tzinfo=UTC)
    return AccessKey(name=name, digest=digest_of(secret), scope=scope, workspace=workspace, made=made)


class Stored:
    """Keys where the store's would be, and a clock."""

    def __init__(self, *rows: AccessKey) -> None:
        self.rows = list(rows)
        self.error: Exception | None = None
        self.reads = 0
        self.now = 0.0

    def all(self) -> list[AccessKey]:
        self.reads += 1
        if self.error:
            raise self.error
        return list(self.rows)

    def add(self, *, name: str, digest: str, scope: KeyScope, workspace: str, view: str) -> AccessKey:
        made = AccessKey(name=name, digest=digest, scope=scope, workspace=workspace, made=datetime.now(UTC))
        self.rows.append(made)
        return made

    def keys(self, *, public: bool = False) -> Keys:
        def work(do: Callable[[Any], Any]) -> Any:
            return do(self)

        return Keys(work, public=public, clock=lambda: self.now)
