"""Values that a server caches because computing them takes long, with one limit in bytes for all."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar, cast

from filigraph.graph.process.snapshots import Snapshots


class CachedValue(Protocol):
    """A value that knows its approximate size in bytes."""

    @property
    def size(self) -> int: ...


T = TypeVar("T", bound=CachedValue)
MAX_BYTES = 4 * 2**30  # bytes


class CacheMemory:
    """An LRU cache: the least recently used values are dropped first. The last used one always stays, however large.
    `snapshots`: what is kept of workspaces on disk. Thread-safe."""

    def __init__(self, most: int = MAX_BYTES, snapshots: Snapshots | None = None) -> None:
        self.most, self.snapshots = most, snapshots
        self._values: OrderedDict[Hashable, CachedValue] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """The value of a key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def size_of(self, key: Hashable) -> int:
        """Approximate bytes of the value of a key, 0 if there is none. It does not count as a use."""
        with self._lock:
            return self._values[key].size if key in self._values else 0

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, created if there is none: `make` must be quick."""
        with self._lock:
            if key not in self._values:
                self._values[key] = make()
            self._values.move_to_end(key)
            self._make_room()
            return cast(T, self._values[key])

    def keep(self, key: Hashable, value: CachedValue) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._make_room()

    def drop(self, which: Callable[[Hashable], bool]) -> None:
        """Drop the values whose keys match."""
        with self._lock:
            for key in [key for key in self._values if which(key)]:
                del self._values[key]

    @property
    def size(self) -> int:
        """Approximate bytes of all values."""
        with self._lock:
            return sum(value.size for value in self._values.values())

    def __len__(self) -> int:
        return len(self._values)

    def _make_room(self) -> None:
        """Drop values down to the limit. Values may have grown since they were added, so all are counted."""
        sizes = {key: value.size for key, value in self._values.items()}
        total = sum(sizes.values())
        for key in list(sizes)[:-1]:
            if total <= self.most:
                break
            del self._values[key]
            total -= sizes[key]
