"""The labels and relationship types from models in the database: all workspaces share them, up to a limit. Neo4j never
frees a type: 65,000 distinct ones exhaust a database permanently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Literal

from filigraph.graph.store.neo4j.database import Database, Run

Kind = Literal["type", "label"]
CAPS: Mapping[Kind, int] = {"type": 2000, "label": 500}


class Registry:
    """The registered tokens of one database, first come, first served."""

    def __init__(self, database: Database, caps: Mapping[Kind, int] = CAPS) -> None:
        self._database = database
        self._caps = caps
        self._known: dict[Kind, set[str]] = {"type": set(), "label": set()}
        self._full: set[Kind] = set()
        self._lock = Lock()

    def admit(self, kind: Kind, tokens: Iterable[str]) -> frozenset[str]:
        """The `tokens` (safe ones) that may be used; new ones are registered up to the limit."""
        wanted = {token for token in tokens if token}
        with self._lock:
            new = wanted - self._known[kind]
            if new and kind not in self._full:
                self._known[kind] = self._database.write(lambda run: self._register(run, kind, new))
                if len(self._known[kind]) >= self._caps[kind]:
                    self._full.add(kind)  # tokens are never removed, so it is enough to ask once
            return frozenset(wanted & self._known[kind])

    def _register(self, run: Run, kind: Kind, new: set[str]) -> set[str]:
        run("lock_registry")
        known = set(run("tokens", kind=kind)[0]["names"])
        room = max(0, self._caps[kind] - len(known))
        added = sorted(new - known)[:room]
        if added:
            run("add_tokens", kind=kind, names=added)
        return known | set(added)
