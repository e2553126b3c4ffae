"""Documents that a workspace has are looked up by an ingest without reading them all for a few."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from filigraph.graph.ingest.incoming import ONE_BY_ONE, StoredDocuments


def test_a_few_are_read_one_by_one_and_many_at_once() -> None:
    there = {f"d{n}": SimpleNamespace(id=f"d{n}") for n in range(100)}
    asked: list[Sequence[str] | None] = []

    def read(ids: Sequence[str] | None) -> list[Any]:
        asked.append(ids)
        return [*there.values()] if ids is None else [there[id_] for id_ in ids if id_ in there]

    stored = StoredDocuments(read)
    for n in range(90, 110):
        for _ in range(2):
            assert stored.get(f"d{n}") is there.get(f"d{n}")
    assert asked == [[f"d{n}"] for n in range(90, 110)] and len(asked) == ONE_BY_ONE
    first = there.pop("d95")  # as it was when it was looked up
    for n in (0, 1, 95, 105, 200):
        assert stored.get(f"d{n}") is (first if n == 95 else there.get(f"d{n}"))
    assert asked[ONE_BY_ONE:] == [None]
