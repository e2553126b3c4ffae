"""The mentions of a workspace with lookup tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import overload

from filigraph.graph.model.names import CorrectedName
from filigraph.graph.records.entities import MentionRow
from filigraph.graph.tables.persistent_map import PersistentMap, by_hash


class Mentions(Sequence[MentionRow]):
    """The mentions of a workspace in the order of their ids; immutable. A table after a few changes shares the rest
    with this one."""

    def __init__(self, rows: Iterable[MentionRow]) -> None:
        self.by_id: PersistentMap[MentionRow] = PersistentMap({row.id: row for row in rows})
        self.by_key: PersistentMap[tuple[MentionRow, ...]] = PersistentMap(_by_key(self.by_id.values()), by_hash)

    @overload
    def __getitem__(self, index: int) -> MentionRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[MentionRow]: ...
    def __getitem__(self, index: int | slice) -> MentionRow | Sequence[MentionRow]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.by_id)

    def __iter__(self) -> Iterator[MentionRow]:
        return iter(self.by_id.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mentions) and self.by_id == other.by_id

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def rows(self) -> Sequence[MentionRow]:
        return list(self.by_id.values())

    @cached_property
    def of_entity(self) -> Mapping[str, list[MentionRow]]:
        by_entity: dict[str, list[MentionRow]] = defaultdict(list)
        for row in self:
            by_entity[row.entity_id].append(row)
        return by_entity

    def after(self, gone: Iterable[str], new: Mapping[str, MentionRow]) -> Mentions:
        """A table without the ids in `gone` and with the new mentions by id (see `PersistentMap.after`)."""
        by_id = self.by_id.after(gone, new)
        if by_id is self.by_id:
            return self
        changed = list(by_id.differences(self.by_id))
        ids = {id_ for id_, _, _ in changed}
        came = _by_key(row for _, row, _ in changed if row)
        keys = {row.key for _, *rows in changed for row in rows if row}
        by_key: dict[str, tuple[MentionRow, ...]] = {}
        for key in keys:
            stayed = (row for row in self.by_key.get(key, ()) if row.id not in ids)
            by_key[key] = tuple(sorted((*stayed, *came.get(key, ())), key=lambda row: row.id))
        table: Mentions = Mentions(())
        table.by_id = by_id
        table.by_key = self.by_key.after(
            (key for key, rows in by_key.items() if not rows), {key: rows for key, rows in by_key.items() if rows}
        )
        return table

    def there(self, names: Iterable[CorrectedName]) -> list[str]:
        """The ids of the existing mentions that the names refer to, in their order, without duplicates."""
        ids: dict[str, None] = {}
        for name in names:
            if name.id in self.by_id:
                ids[name.id] = None
            elif name.key:
                bearers = (row for row in self.by_key.get(name.key, ()) if row.document_id == name.document_id)
                ids.update((row.id, None) for row in bearers if not row.part_of)
        return list(ids)


def _by_key(rows: Iterable[MentionRow]) -> dict[str, tuple[MentionRow, ...]]:
    by_key: dict[str, list[MentionRow]] = defaultdict(list)
    for row in rows:
        by_key[row.key].append(row)
    return {key: tuple(bearers) for key, bearers in by_key.items()}
