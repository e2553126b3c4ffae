"""Rows that a server keeps of a workspace between two derivations, so that only what changed is read again.

Whatever changes a mention, an entity or what is drawn between mentions marks the mention or entity `touched`, and only
a sweep takes the marks away. So a sweep first gives the workspace a new *state* (a random id). Rows that were read at
the state of now, together with the touched ones read again, are the rows of now, whichever server changed them; rows of
another state are read again. That some were removed shows in their number.
"""

from __future__ import annotations

import threading
from collections.abc import Sized
from typing import Any

MAX_ROWS = 2_000_000  # rows of one kind in one workspace, some 500 bytes each: more are read each time
MAX_WORKSPACES = 3  # the last ones


class DerivationCache:
    """The rows of the workspaces that were derived last, by kind. Thread-safe; rows once given are never changed."""

    def __init__(self, most: int = MAX_ROWS) -> None:
        self._most = most
        self._state: dict[str, str] = {}  # workspace -> state, the oldest first
        self._rows: dict[tuple[str, str], Sized] = {}
        self._lock = threading.Lock()

    def at(self, workspace: str, kind: str, state: str) -> Any:
        """The rows that are kept at this state, None where there are none."""
        with self._lock:
            return self._rows.get((workspace, kind)) if self._state.get(workspace) == state else None

    def keep(self, workspace: str, kind: str, state: str, rows: Sized) -> None:
        """Keep the rows of a state. None are kept of a workspace that was never swept: it has no state."""
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

    def renew(self, workspace: str, before: str, after: str) -> None:
        """What is kept at the state before holds at the next, which this server made."""
        with self._lock:
            if self._state.get(workspace) == before:
                self._state[workspace] = after

    def forget(self, workspace: str, kind: str) -> None:
        """Keep the rows of this kind no longer."""
        with self._lock:
            self._rows.pop((workspace, kind), None)

    def _forget(self, workspace: str) -> None:
        for key in [key for key in self._rows if key[0] == workspace]:
            del self._rows[key]
