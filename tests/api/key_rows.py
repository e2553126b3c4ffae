"""Keys of each scope, as they are stored and as they are sent."""

from __future__ import annotations

from datetime import UTC, datetime

from filigraph.app.access.keys import digest_of, new_secret
from filigraph.graph.store import AccessKey, KeyScope

SECRETS: dict[str, str] = {scope: new_secret() for scope in ("read", "write", "admin", "case", "else")}


def row(name: str, scope: KeyScope, workspace: str = "") -> AccessKey:
    made = datetime(2026, 11, 21, tzinfo=UTC)
    return AccessKey(name=name, digest=digest_of(SECRETS[name]), scope=scope, workspace=workspace, made=made)


def bearer(name: str) -> dict[str, str]:
    return {"authorization": f"Bearer {SECRETS[name]}"}
