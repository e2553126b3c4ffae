"""The content of a snapshot: a pickle in many parts, which one pickler writes and one unpickler reads, so that what is
the same object in two parts is so afterwards. It is written in small parts, because the interpreter stands still
meanwhile. Reading it makes objects of our classes only.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from filigraph.graph.process.cancel import ShouldStop, stop_if

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MANY = 200  # items of a table that are written at once, in about a millisecond; others may run in between

PACKAGE = "filigraph.graph."
PLAIN = frozenset(
    (
        *("builtins.list", "builtins.set", "builtins.frozenset", "builtins.object"),
        *("collections.Counter", "collections.defaultdict"),
    )
)
# Ours, beside dataclasses and named tuples: classes, and functions of pages of a table (see `PersistentMap.each`)
OURS = frozenset(
    PACKAGE + name
    for name in (
        *("derive._moved", "derive._not_of_code", "derive._of_code", "derive._unlike"),
        *("names.clusters.Clusters", "names.context.Context", "names.context._Results"),
        *("names.context_names.ContextNames", "names.facts._lessons", "names.scan._forms_looked_for"),
        *("names.scan._names_by_word", "names.scan.keys_found_otherwise", "names.shared_names.SharedNames"),
        *("names.split_mentions._ids_of_parts", "process.snapshot_format._array"),
        *("store.workspace.read_rows._ids_without_name", "tables.mention_table.Mentions"),
        *("tables.persistent_map.MapPage", "tables.persistent_map.PersistentMap"),
        *("tables.persistent_map.by_hash", "tables.persistent_map.by_prefix"),
    )
)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """What is cached of a workspace."""

    stamp: str  # what it was made from: changes with everything that it follows from
    state: str  # of the workspace (see `DerivationCache`)
    rows: Mapping[str, Any]  # by kind
    kept: Sequence[object]  # of the `DerivationState`
    mentions: int


def write_content(snapshot: Snapshot, stream: SupportsWrite[bytes], stop: ShouldStop) -> None:
    """Write a snapshot. `stop` is asked after each part. Raises Cancelled."""
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.dispatch_table = {np.ndarray: _reduced_array}
    for part in _parts(snapshot, set()):
        stop_if(stop)
        pickler.dump(part)
    pickler.dump(snapshot)


def _parts(value: Any, seen: set[int]) -> Iterator[Any]:
    """The large tables in an object, each after its own items: then each takes little time to write."""
    if isinstance(value, dict | list | tuple | set | frozenset):
        if len(value) < MANY:
            for item in value.values() if isinstance(value, dict) else value:
                yield from _parts(item, seen)
        elif id(value) not in seen:
            seen.add(id(value))
            items = chain.from_iterable(value.items()) if isinstance(value, dict) else iter(value)
            while batch := [*islice(items, MANY)]:
                yield batch
            yield value
    elif not isinstance(value, type) and isinstance(state := value.__getstate__(), dict) and id(value) not in seen:
        seen.add(id(value))
        for item in state.values():
            yield from _parts(item, seen)


def read_content(stream: BinaryIO) -> Snapshot:
    """Read a snapshot. Raises UnpicklingError if it holds something else than our objects."""
    unpickler = _Reader(stream)
    while not isinstance(part := unpickler.load(), Snapshot):
        pass
    return part


class _Reader(pickle.Unpickler):
    """Makes objects of our classes only."""

    def find_class(self, module: str, name: str) -> Any:
        full = f"{module}.{name}"
        if full in PLAIN or full in OURS:
            return getattr(import_module(module), name)
        if module.startswith(PACKAGE):
            found = getattr(import_module(module), name)
            if isinstance(found, type) and (is_dataclass(found) or hasattr(found, "_fields")):
                return found
        raise pickle.UnpicklingError(f"{full} does not belong into a snapshot")


def _reduced_array(array: np.ndarray[Any, Any]) -> tuple[Callable[..., Any], tuple[bytes, str, tuple[int, ...]]]:
    return _array, (array.tobytes(), array.dtype.str, array.shape)


def _array(data: bytes, dtype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.frombuffer(data, dtype).reshape(shape)
