"""The differences between two tables that share most of their values as the same objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import TypeVar

Key = TypeVar("Key")


def other_objects(before: Mapping[Key, object], now: Mapping[Key, object]) -> Iterator[Key]:
    """The keys of `now` whose value is another object than before, perhaps an equal one. It runs no Python code per
    key: a workspace may have as many keys as mentions.
    """
    return compress(now, map(is_not, now.values(), map(before.get, now)))
