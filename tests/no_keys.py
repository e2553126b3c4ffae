"""Keys belong to a whole database: a test that creates some deletes them, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filigraph.graph.store import Store


@contextmanager
def no_keys(store: Store) -> Iterator[None]:
    """No key before, and none afterwards; else each later test of this worker is refused."""
    revoke_all(store)
    try:
        yield
    finally:
        revoke_all(store)


def revoke_all(store: Store) -> None:
    """Revoke every key; the last admin key goes last."""
    for key in sorted(store.keys.all(), key=lambda key: key.scope == "admin"):
        store.keys.revoke(key.name, keep_one=False)
