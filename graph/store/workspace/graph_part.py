"""The base of every part of a workspace's graph, and the checks of input."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from filigraph.graph.derivation_state import DerivationState, NameVectors
from filigraph.graph.errors import InputError
from filigraph.graph.ids import content_id
from filigraph.graph.model.arrays import Span, Vector
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.store.cache.chunk_cache import ChunkCache
from filigraph.graph.store.cache.derivation_cache import DerivationCache
from filigraph.graph.store.neo4j.database import BATCH_ROWS, Database, Row, Run, Work
from filigraph.graph.store.neo4j.registry import Registry
from filigraph.graph.text.identifiers import identifier_lookup, is_identifier

T = TypeVar("T")


class GraphPart:
    """One workspace of one database."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        chunk_cache: ChunkCache,
        derivation_cache: DerivationCache,
        memory: CacheMemory,
        workspace: WorkspaceRow,
    ) -> None:
        self.workspace = workspace
        self.database = database
        self.registry = registry
        self.chunk_cache = chunk_cache
        self.derivation_cache = derivation_cache
        self.memory = memory
        self._name = workspace.name

    @property
    def derivation_state(self) -> DerivationState:
        """The state that the last derivation of the workspace kept."""
        vectors = self.memory.get_or_make("name vectors", NameVectors)
        return self.memory.get_or_make(("names", self.workspace.id), lambda: DerivationState(vectors))

    def _rows(self, statement: str, **parameters: Any) -> list[Row]:
        return self.database.rows(statement, workspace=self._name, **parameters)

    def _change(self, statement: str, **parameters: Any) -> list[Row]:
        return self.database.change(statement, workspace=self._name, **parameters)

    def _read_batches(self, statement: str, items: Iterable[Any], **parameters: Any) -> list[Row]:
        return self.database.read_batches(statement, list(items), workspace=self._name, **parameters)

    def _alter(self, work: Callable[[Run], T]) -> T:
        """Let `work` change data that questions read, in one writing transaction."""
        with self.without_snapshot():
            return self.database.write(lambda run: work(self._altering(run)))

    def _alter_batches(self, rows: Sequence[Row], work: Work, *, size: int = BATCH_ROWS) -> None:
        """Let `work` change data that questions read, one batch of rows per transaction (see
        `Database.write_batches`).
        """
        if rows:
            with self.without_snapshot():
                self.database.write_batches(rows, lambda run, batch: work(self._altering(run), batch), size=size)

    @contextmanager
    def without_snapshot(self) -> Iterator[None]:
        """For each change of what a snapshot holds: it is read if the caches are empty, and there is none meanwhile."""
        if snapshots := self.memory.snapshots:
            self.read_snapshot()
            with snapshots.changing(self.workspace.id):
                yield
        else:
            yield

    def read_snapshot(self) -> None:
        """Fill the caches from the snapshot of the workspace, if there is one and they are empty. It is removed if the
        workspace was changed since by another process.
        """
        snapshots, id_, state = self.memory.snapshots, self.workspace.id, self.derivation_state
        if not snapshots or not snapshots.there(id_):
            return
        with snapshots.reading(id_):
            if state.all_kept():
                return
            if snapshots.stamp(id_) != self.stamp():
                snapshots.remove(id_)
            elif snapshot := snapshots.read(id_):
                if self._name not in self.derivation_cache.states():
                    for kind, rows in snapshot.rows.items():
                        self.derivation_cache.put(self._name, kind, snapshot.state, rows)
                state.mentions = snapshot.mentions
                for value in snapshot.kept:
                    state.keep(value)

    def drop_old_snapshot(self, stamp: str) -> None:
        """Remove the snapshot with this stamp if the workspace changed since."""
        if self.memory.snapshots and stamp != self.stamp():
            self.memory.snapshots.remove(self.workspace.id)

    def stamp(self) -> str:
        """Changes with what a snapshot holds, whichever process changes it; "" while a derivation is due."""
        row = self._rows("workspace_stamp")[0]
        return "" if row["undecided"] else f"{row['state']} {row['revision']}"

    def _altering(self, run: Run) -> Run:
        """The first statement of every such transaction: it makes a new revision, which invalidates caches of older
        ones. It locks the workspace's node, so two changes of one workspace wait for each other here, before they hold
        other locks.
        """
        run("new_revision", workspace=self._name)
        return run

    def _checked_vector(self, vector: Vector, owner: str) -> list[float]:
        """The vector in Neo4j's form. Raises InputError with the name of its owner if it has a wrong length, NaN,
        infinity or only zeros.
        """
        array = np.asarray(vector, dtype=np.float32)
        if array.shape != (self.workspace.dimensions,):
            raise InputError(f"The vector of {owner} has shape {array.shape}, not ({self.workspace.dimensions},).")
        norm = float(np.linalg.norm(array.astype(np.float64)))
        if not np.isfinite(norm) or norm == 0.0:
            raise InputError(
                f"The vector of {owner} has length {norm}: it has no direction.", cure="Embed the text again."
            )
        values: list[float] = array.tolist()
        return values

    def _question(self, vector: Vector) -> list[float]:
        return self._checked_vector(vector, "the question")


def name_lookup(workspace: str, key: str) -> str:
    """The value of a name in the index: its hash, because a key can be longer than the 8 kB limit of an index.
    Definitions in source code are looked up by their last name.
    """
    if is_identifier(key):
        key = identifier_lookup(key)
    return content_id("name", workspace, key)


def escape_lucene(word: str) -> str:
    """A word for a Lucene query, with operators escaped."""
    return "".join(letter if letter.isalnum() else f"\\{letter}" for letter in word)


def document_date(metadata: str) -> str:
    """The date in a document's stored metadata (JSON); "" if there is none."""
    return str(json.loads(metadata).get("date", ""))


def pairs_to_spans(flat: Sequence[int]) -> tuple[Span, ...]:
    """Pairs from their stored form: Neo4j has no lists of lists."""
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def write_rows(run: Run, statement: str, rows: list[Row], **parameters: Any) -> None:
    """Run a statement that writes `rows` and counts them. Raises InputError if it did not write all of them."""
    count = run(statement, rows=rows, **parameters)[0]["written"]
    if count != len(rows):
        raise InputError(
            f"{len(rows) - count} of {len(rows)} rows ({rows[0]['id']}, ...) belong to another workspace, or to a "
            "document, chunk, mention or entity that is not stored."
        )
