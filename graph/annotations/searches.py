"""People's saved searches, with the sentences that each found in its last run.

Like notes, saved searches are neither read nor derived: the hash of a workspace does not depend on them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, kw_only=True)
class SavedSearch:
    """A search that a person stored under a name."""

    name: str
    owner: str  # the name of a key; "" without keys; for a key limited to a part, a hash of both
    query: Mapping[str, Any]  # as `POST .../searches` takes it
    at: str  # ISO 8601, UTC
    looked: str = ""  # when its hits were last shown
    seen: tuple[str, ...] = ()  # the sentences of that run, sorted
    fresh: tuple[str, ...] = ()  # those of them that were new in that run
    gone: int = 0  # sentences of the run before that were missing in that run
    before: str = ""  # when its hits were shown before that

    def after_showing(self, hit_ids: Collection[str], now: str) -> SavedSearch:
        """The search after its hits were shown."""
        fresh = set(hit_ids) - set(self.seen) if self.looked else set[str]()
        return replace(
            self,
            looked=now,
            seen=tuple(sorted(hit_ids)),
            fresh=tuple(sorted(fresh)),
            gone=len(set(self.seen) - set(hit_ids)),
            before=self.looked,
        )
