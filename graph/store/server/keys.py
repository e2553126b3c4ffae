"""Keys: who may use the server, and for what. They belong to the whole database, and exports do not contain them.

If there are keys, one of them may manage keys: the first must be an admin key, and the last admin key cannot be deleted
while other keys exist. Otherwise nobody could create keys any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from filigraph.graph.errors import InputError, NotFound
from filigraph.graph.store.neo4j.database import Database, Run

KeyScope = Literal["read", "write", "admin"]


@dataclass(frozen=True, kw_only=True)
class AccessKey:
    """A key without its secret."""

    name: str
    digest: str  # SHA-256 of the secret, in hex
    scope: KeyScope  # each scope includes the ones before it
    workspace: str  # the only workspace that it may use; "" for all
    made: datetime  # when its current secret was made
    view: str = ""  # JSON of the view of that workspace to which it is limited; "" for the whole workspace


class AccessKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[AccessKey]:
        """Every key, by name."""
        return self._database.read(_all)

    def add(self, *, name: str, digest: str, scope: KeyScope, workspace: str, view: str = "") -> AccessKey:
        """Store a new key. Raises InputError if its name exists, or if it is the first and not an admin key."""
        key = AccessKey(name=name, digest=digest, scope=scope, workspace=workspace, made=datetime.now(UTC), view=view)

        def work(run: Run) -> None:
            run("lock_keys")
            existing = _all(run)
            if any(other.name == name for other in existing):
                raise InputError(
                    f"There is a key named {name} already.", cure="Take another name, or rotate or revoke that key."
                )
            if not existing and scope != "admin":
                raise InputError(
                    "The first key must be an admin key: without one nobody could make a second.",
                    cure="Make that first: `filigraph keys create NAME --scope admin`.",
                )
            run("add_access_key", name=name, digest=digest, scope=scope, workspace=workspace, view=view, at=key.made)

        self._database.write(work)
        return key

    def rotate(self, name: str, digest: str) -> AccessKey:
        """Give a key a new secret; the old one becomes invalid. Raises NotFound."""
        now = datetime.now(UTC)

        def work(run: Run) -> AccessKey:
            run("lock_keys")
            key = _key_named(run, name)
            run("rotate_access_key", name=name, digest=digest, at=now)
            return replace(key, digest=digest, made=now)

        return self._database.write(work)

    def revoke(self, name: str, *, keep_one: bool) -> AccessKey:
        """Delete a key. Raises NotFound, and InputError for the last admin key while other keys exist, or at all if
        `keep_one`."""

        def work(run: Run) -> AccessKey:
            run("lock_keys")
            key = _key_named(run, name)
            others = [other for other in _all(run) if other.name != name]
            if (others or keep_one) and not any(other.scope == "admin" for other in others):
                raise InputError(
                    f"{name} is the last admin key: without it keys could no longer be created or revoked.",
                    cure="Make another admin key first, or rotate this one.",
                )
            run("revoke_access_key", name=name)
            return key

        return self._database.write(work)


def _all(run: Run) -> list[AccessKey]:
    return [AccessKey(**{**row, "made": row["made"].to_native()}) for row in run("access_keys")]


def _key_named(run: Run, name: str) -> AccessKey:
    for key in _all(run):
        if key.name == name:
            return key
    raise NotFound(f"There is no key named {name}.", cure="`filigraph keys list` shows all.")
