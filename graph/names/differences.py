"""The differences between two tables most of whose values are the same objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import TypeVar

Key = TypeVar("Key")


def other_objects(before: Mapping[Key, object], now: Mapping[Key, object]) -> Iterator[Key]:
    """The keys of `now` whose value is not the object of before; perhaps an equal one. Looked for without a step of
    Python for each key: there may be as many as a workspace has mentions."""
    return compress(now, map(is_not, now.values(), map(before.get, now)))
