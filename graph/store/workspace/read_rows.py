"""The current mentions and entities: the cached ones, with the changes since (see `derivation_cache.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Literal

from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.process.snapshot_format import Snapshot
from filigraph.graph.records.entities import EntityRow, MentionRow
from filigraph.graph.store.neo4j.database import BATCH_ROWS, Row, Run, in_batches
from filigraph.graph.store.workspace.graph_part import GraphPart
from filigraph.graph.tables.mention_table import Mentions
from filigraph.graph.tables.persistent_map import PersistentMap

Kind = Literal["mentions", "entities"]
Table = Mentions | PersistentMap[EntityRow]
# The columns of mentions: one row of lists is read much faster than a hundred thousand rows.
MENTION_COLUMNS = ("id", "document_id", "key", "form", "type", "language", "scanned", "looked_up", "count", "entity_id",
           "part_of")  # fmt: skip
SMALL_CHANGE_RATIO = 4  # rows are read singly if fewer than one in this many changed
MAX_ROWS_PER_READ = 200_000  # more in one row take more memory than Neo4j allows a transaction, some 600 bytes each
ALL: Mapping[Kind, str] = {"mentions": "mentions", "entities": "entities"}
SOME: Mapping[Kind, str] = {"mentions": "mention_rows", "entities": "entity_rows"}
IDS: Mapping[Kind, str] = {"mentions": "mention_ids", "entities": "entity_ids"}
TOUCHED: Mapping[Kind, str] = {"mentions": "mentions_touched", "entities": "entities_touched"}


@dataclass(frozen=True, kw_only=True)
class SweepRows:
    """The rows before a sweep, those that were touched, and those that it deletes."""

    tables: Mapping[Kind, Table]
    touched: Mapping[Kind, Sequence[str]]
    removed: set[str] = field(default_factory=set)


class CachedRowsPart(GraphPart):
    """Reads derived rows, as few as possible."""

    def mentions(self) -> Mentions:
        """All current mentions, whether or not a sweep followed. Without mentions that occur nowhere any more, and
        scanned ones whose name no extraction contains.
        """
        stored = self.stored_mentions()
        return stored.after(chain.from_iterable(stored.by_key.each(_ids_without_name)), {})

    def stored_mentions(self) -> Mentions:
        """Every mention that the next sweep will find, current or not."""
        rows: Mentions = self._current("mentions")
        return rows

    def entity_rows(self) -> PersistentMap[EntityRow]:
        """Every entity without its vector, by id."""
        rows: PersistentMap[EntityRow] = self._current("entities")
        return rows

    def _state(self) -> str:
        return str(self._rows("workspace_state")[0]["state"])

    def _renew_state(self) -> str:
        """Make other servers read again everything that is about to change."""
        before = self._state()
        after = str(self._change("new_state")[0]["state"])
        self.derivation_cache.renew(self._name, before, after)
        return after

    def _current(self, kind: Kind) -> Any:
        return self.database.read(lambda run: self._read_current(run, kind))

    def _read_current(self, run: Run, kind: Kind) -> Table:
        now = run("derived_state", workspace=self._name)[0]
        cached: Table | None = self.derivation_cache.at(self._name, kind, now["state"])
        rows = None if cached is None else self._brought_up(run, kind, cached)
        if rows is None or len(rows) != now[kind]:
            if now[kind] > MAX_ROWS_PER_READ:
                by_id = self._read_some(run, kind, [row["id"] for row in run(IDS[kind], workspace=self._name)])
            else:
                by_id = _by_id(kind, run(ALL[kind], workspace=self._name))
            rows = Mentions(by_id.values()) if kind == "mentions" else PersistentMap(by_id)
        if rows is not cached:
            self.derivation_cache.put(self._name, kind, now["state"], rows)
        return rows

    def _brought_up(self, run: Run, kind: Kind, cached: Table) -> Table | None:
        """The cached rows, with the touched ones read again; None if many were touched."""
        touched = run(TOUCHED[kind], workspace=self._name)[0]["ids"]
        return (
            cached.after((), self._read_some(run, kind, touched))
            if SMALL_CHANGE_RATIO * len(touched) < len(cached)
            else None
        )

    def _read_some(self, run: Run, kind: Kind, ids: Sequence[str]) -> dict[str, Any]:
        by_id: dict[str, Any] = {}
        for batch in in_batches(ids, 5 * BATCH_ROWS):
            by_id |= _by_id(kind, run(SOME[kind], workspace=self._name, items=batch))
        return by_id

    def keep_snapshot(self, stop: ShouldStop) -> None:
        """Write what is cached of the workspace to a file, if there is none, and if the cache is complete: nothing
        changed since the last sweep. The caller has the lock of the workspace, and has just prepared the next
        derivation, so that nothing older is cached. Raises Cancelled.
        """
        snapshots, state, stamp, now = self.memory.snapshots, self.derivation_state, self.stamp(), self._state()
        rows = self.derivation_cache.all_at(self._name, now)
        # not the plan of LLM calls, which contains passages
        kept = [value for value in state.all_kept() if type(value).__module__.startswith("filigraph.graph.names.")]
        if not snapshots or not stamp or snapshots.stamp(self.workspace.id) == stamp:
            return
        if not kept or not rows.keys() >= ALL.keys() or any(self._rows(each)[0]["ids"] for each in TOUCHED.values()):
            return
        snapshot = Snapshot(stamp=stamp, state=now, rows=rows, kept=kept, mentions=state.mentions)
        snapshots.write(self.workspace.id, snapshot, stop, lambda: self.stamp() == stamp)

    def _begin_sweep(self) -> SweepRows:
        """Empty the cache while marks are removed, so that an interrupted sweep leaves no wrong rows."""
        state = self._state()
        tables: dict[Kind, Table] = {}
        for kind in ALL:
            if (rows := self.derivation_cache.at(self._name, kind, state)) is not None:
                tables[kind] = rows
        for kind in ALL:
            self.derivation_cache.forget(self._name, kind)
        self._renew_state()
        return SweepRows(tables=tables, touched={kind: self._rows(TOUCHED[kind])[0]["ids"] for kind in tables})

    def _end_sweep(self, swept: SweepRows) -> None:
        """Cache the current rows, if only few of them changed."""
        state = self._state()
        for kind, rows in swept.tables.items():
            touched = swept.touched[kind]
            if SMALL_CHANGE_RATIO * len(touched) < len(rows):
                new = self.database.read(partial(self._read_some, kind=kind, ids=touched))
                self.derivation_cache.put(self._name, kind, state, rows.after({*touched, *swept.removed}, new))


def _by_id(kind: Kind, result: Sequence[Row]) -> dict[str, Any]:
    if kind == "mentions":
        return {row[0]: MentionRow(**dict(zip(MENTION_COLUMNS, row, strict=True))) for row in result[0]["mentions"]}
    rows = result[0]["entities"]
    return {id_: EntityRow(name=name, aliases=tuple(aliases), type=type_) for id_, name, aliases, type_ in rows}


def _ids_without_name(bearers: Mapping[str, tuple[MentionRow, ...]]) -> list[str]:
    """The ids of mentions that are not current (see `mentions`)."""
    ids: list[str] = []
    for rows in bearers.values():
        borne = any(row.count and not row.scanned for row in rows)
        ids += [row.id for row in rows if not (borne and row.count)]
    return ids
