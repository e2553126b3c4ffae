"""A server's cache of the rows of a workspace between two derivations, so that it reads only what changed.

Every change of a mention, an entity or the relationships between mentions marks the mention or entity as `touched`, and
only a sweep removes the marks. A sweep first gives the workspace a new *state* (a random id). The cached rows of the
current state, with the touched ones read again, are the current rows, whichever server changed them; rows of another
state are read again. The number of rows shows whether some were removed.
"""

from __future__ import annotations

import threading
from collections.abc import Sized
from typing import Any

MAX_ROWS = 2_000_000  # rows of one kind in one workspace, some 500 bytes each: more are not cached
MAX_WORKSPACES = 3  # the latest ones


class DerivationCache:
    """The rows of the workspaces derived last, by kind. Thread-safe; the rows are immutable."""

    def __init__(self, most: int = MAX_ROWS) -> None:
        self._most = most
        self._state: dict[str, str] = {}  # workspace -> state, the oldest first
        self._rows: dict[tuple[str, str], Sized] = {}
        self._lock = threading.Lock()

    def at(self, workspace: str, kind: str, state: str) -> Any:
        """The rows cached at this state; None if there are none."""
        with self._lock:
            return self._rows.get((workspace, kind)) if self._state.get(workspace) == state else None

    def put(self, workspace: str, kind: str, state: str, rows: Sized) -> None:
        """Cache the rows of a state. A workspace that was never swept has no state, so its rows are not cached."""
        with self._lock:
            if not state:
                return
            if self._state.pop(workspace, state) != state:
                self._forget(workspace)
            self._state[workspace] = state
            for oldest in list(self._state)[:-MAX_WORKSPACES]:
                del self._state[oldest]
                self._forget(oldest)
            if len(rows) <= self._most:
                self._rows[workspace, kind] = rows

    def all_at(self, workspace: str, state: str) -> dict[str, Sized]:
        """All rows cached at this state, by kind."""
        with self._lock:
            there = self._rows.items() if self._state.get(workspace) == state else ()
            return {kind: rows for (name, kind), rows in there if name == workspace}

    def states(self) -> dict[str, str]:
        """The states of the workspaces with cached rows."""
        with self._lock:
            return dict(self._state)

    def renew(self, workspace: str, before: str, after: str) -> None:
        """Move the rows of the state before to the next state, which this server made."""
        with self._lock:
            if self._state.get(workspace) == before:
                self._state[workspace] = after

    def forget(self, workspace: str, kind: str) -> None:
        """Drop the rows of this kind."""
        with self._lock:
            self._rows.pop((workspace, kind), None)

    def _forget(self, workspace: str) -> None:
        for key in [key for key in self._rows if key[0] == workspace]:
            del self._rows[key]
