"""Data that one derivation of a workspace caches for the next. It only saves time: a derivation without it gives the
same graph.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from cachetools import LRUCache

from filigraph.graph.model.arrays import Vector

T = TypeVar("T")

MENTION = 7_000  # bytes that are kept of a mention, about: 2.5 GB for 354,000 (docs/decisions/0033)
NAMES = 20_000  # whose vectors are kept


class NameVectors:
    """Vectors of names by embedder, of all workspaces: many have the same names. Thread-safe."""

    def __init__(self) -> None:
        self._vectors: LRUCache[tuple[str, str], Vector] = LRUCache(NAMES)
        self._lock = threading.Lock()

    def cached(self, fingerprint: str, names: Iterable[str]) -> dict[str, Vector]:
        """The names whose vectors are cached."""
        with self._lock:
            vectors = {name: self._vectors.get((fingerprint, name)) for name in names}
        return {name: vector for name, vector in vectors.items() if vector is not None}

    def keep(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for name, vector in vectors.items():
                self._vectors[fingerprint, name] = vector

    @property
    def size(self) -> int:
        """Bytes."""
        with self._lock:
            return sum(vector.nbytes for vector in self._vectors.values())


class DerivationState:
    """One value of each type, the last. Thread-safe; whoever derives a workspace has its state."""

    def __init__(self, name_vectors: NameVectors | None = None) -> None:
        self._last: dict[type[Any], Any] = {}
        self._lock = threading.Lock()
        self.name_vectors = name_vectors or NameVectors()
        self.mentions = 0  # of the workspace, when it was derived last

    def last(self, kind: type[T]) -> T | None:
        """The last cached value of this type, None if there is none."""
        with self._lock:
            state: T | None = self._last.get(kind)
        return state

    def take(self, kind: type[T]) -> T | None:
        """Like `last`, but remove it from the cache: the caller may change it."""
        with self._lock:
            state: T | None = self._last.pop(kind, None)
        return state

    def keep(self, value: object) -> None:
        """Keep a value instead of the last one of its type."""
        with self._lock:
            self._last[type(value)] = value

    def all_kept(self) -> list[object]:
        """All cached values."""
        with self._lock:
            return list(self._last.values())

    @property
    def size(self) -> int:
        """Bytes, about."""
        return MENTION * self.mentions
