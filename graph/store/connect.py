"""The store: one driver to one Neo4j, and the workspaces in it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import copy
from dataclasses import replace
from types import TracebackType
from typing import Any

import neo4j

from filigraph.graph.errors import Busy, EmbedderMismatch, InputError, NotFound, StoreUnavailable
from filigraph.graph.ids import check_workspace_name, content_id, workspace_tag
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.records.workspaces import READ_AHEAD, ReadAheadSize, WorkspaceRow
from filigraph.graph.store import schema
from filigraph.graph.store.cache.chunk_cache import ChunkCache
from filigraph.graph.store.cache.derivation_cache import DerivationCache
from filigraph.graph.store.graph import Graph
from filigraph.graph.store.neo4j.database import Database
from filigraph.graph.store.neo4j.driver_errors import ADDRESS, driver_errors
from filigraph.graph.store.neo4j.registry import Registry
from filigraph.graph.store.neo4j.sessions import Sessions
from filigraph.graph.store.server.audit import AuditEntries, TokensSpent
from filigraph.graph.store.server.batches import Batches
from filigraph.graph.store.server.jobs import Jobs
from filigraph.graph.store.server.keys import AccessKeys
from filigraph.graph.store.server.placements import Placements
from filigraph.graph.store.server.speeds import Speeds
from filigraph.graph.store.server.traces import Traces
from filigraph.graph.store.server.workspace_locks import LockedDatabase, WorkspaceLock, WorkspaceLocks
from filigraph.graph.store.workspace.extractions import workspace_settings_json

MIN_NEO4J_VERSION = (5, 26)  # the oldest Neo4j whose Cypher 5 has dynamic labels
SCHEMES = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://", re.IGNORECASE)  # the driver's HTTP support is not finished
DIMENSIONS = range(1, 4097)  # the range of a vector index
DELETE_BATCH_NODES = 2000  # nodes per transaction when a workspace is deleted
IMPORTED = (
    "notes",
    "searches",
    "contradiction_readings",
    "list_readings",
    "cast_links",
    "field_values",
    "form_fills",
    "forms",
    "summaries",
    "facts",
    "entities",
    "mentions",
    "extractions",
    "chunks",
    "documents",
    "alias_groups",
    "decisions",
)
DELETED_IN_ORDER = (*IMPORTED, "traces", "evaluations")
NEW, EMPTY = "new", "empty"  # the state of a workspace before it is filled
CONNECT_SECONDS = 10.0  # seconds
RETRY_SECONDS = 20.0  # seconds during which a transaction is retried


class Store:
    """One Neo4j. Safe to use from many threads."""

    def __init__(self, sessions: Sessions, version: str, read_ahead: ReadAheadSize, memory: CacheMemory) -> None:
        self.version = version  # for example "2026.05.0"
        self.database = Database(sessions)
        self.registry = Registry(self.database)
        self.chunk_cache = ChunkCache(read_ahead)
        self.derivation_cache = DerivationCache()
        self.memory = memory
        self.traces = Traces(self.database)
        self.speeds = Speeds(self.database)
        self.keys = AccessKeys(self.database)
        self.jobs = Jobs(self.database)
        self.batches = Batches(self.database)
        self.workspace_locks = WorkspaceLocks(self.database)
        self.placements = Placements(self.database)
        self.audit = AuditEntries(self.database)
        self.spent = TokensSpent(self.database)
        self.sessions = sessions

    @staticmethod
    def connect(
        uri: str,
        username: str,
        password: str,
        read_ahead: ReadAheadSize = READ_AHEAD,
        memory: CacheMemory | None = None,
    ) -> Store:
        """Connect to a Neo4j and check that it can be used; this writes nothing. `memory`: the server's memory for
        caches. Raises StoreUnavailable if it is not reachable, refuses the login, is older than 5.26, or contains
        another program's nodes.
        """
        if not SCHEMES.match(uri):
            raise StoreUnavailable(f"{uri!r} is not the address of a Neo4j.", cure=ADDRESS)
        logging.getLogger("neo4j").setLevel(logging.ERROR)  # failures are raised, retries need no log line
        try:
            with driver_errors():
                driver = neo4j.GraphDatabase.driver(
                    uri,
                    auth=(username, password),
                    telemetry_disabled=True,
                    notifications_min_severity="OFF",
                    connection_timeout=CONNECT_SECONDS,
                    max_transaction_retry_time=RETRY_SECONDS,
                    user_agent="filigraph",
                )
                bookmarks = neo4j.GraphDatabase.bookmark_manager() if is_cluster_address(uri) else None
                memory = CacheMemory() if memory is None else memory  # an empty one is false
                return Store._checked(Sessions(driver, bookmarks), read_ahead, memory)
        except ValueError as error:  # the driver's error for an invalid address
            raise StoreUnavailable(f"{uri!r} is not the address of a Neo4j ({error}).", cure=ADDRESS) from error

    @staticmethod
    def _checked(sessions: Sessions, read_ahead: ReadAheadSize, memory: CacheMemory) -> Store:
        try:
            sessions.verify_connectivity()
            database = Database(sessions)
            version = str(database.rows("components")[0]["version"])
            check_version(version)
            schema.check_database(database)
            return Store(sessions, version, read_ahead, memory)
        except BaseException:
            sessions.close()
            raise

    def close(self) -> None:
        """Disconnect: running transactions get a few seconds, later ones raise StoreUnavailable."""
        self.sessions.close()

    def answers(self) -> bool:
        """Whether Neo4j answers now, and can write; without retries."""
        try:
            self.sessions.verify_writable()
        except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError, StoreUnavailable):
            return False
        return True

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def ensure_schema(self, step: Callable[[str], None] = lambda _: None) -> None:
        """Create constraints and indexes, and update a database of an older Filigraph. Changes nothing if all exist;
        two servers may do it at once.

        `step` gets the progress of the migration; if it raises, the migration stops, and the next call continues from
        there.
        """
        schema.check_database(self.database)
        schema.ensure_schema(self.database, step)

    def workspaces(self) -> list[WorkspaceRow]:
        return [_to_workspace_row(row["workspace"]) for row in self.database.rows("workspaces", name=None)]

    def workspace(self, name: str, *, unfinished: bool = False) -> WorkspaceRow:
        """The workspace with that name; with `unfinished` also one that is being filled or deleted. Raises NotFound."""
        rows = self.database.rows("workspace_record" if unfinished else "workspaces", name=name)
        if not rows:
            raise NotFound(
                f"There is no workspace {name!r}.",
                cure="`filigraph workspaces list` lists all; an ingest into a new one creates it.",
            )
        return _to_workspace_row(rows[0]["workspace"])

    def create_workspace(self, name: str, *, fingerprint: str, dimensions: int, embedder: str = "") -> WorkspaceRow:
        """Create a workspace with its indexes, or return the existing one; several callers may do it at once.
        `embedder` is the name that loads its embedder, "" for the server's.

        With the workspace's lock (see `holding`) it first cleans up an interrupted deletion or import. Without the lock
        it raises Busy then, because the deletion or import may still be running; InputError for a name that is not 1 to
        64 letters, digits, `-`, `_`, `.`; EmbedderMismatch if the workspace exists with vectors of another embedder.
        """
        check_workspace_name(name)
        if dimensions not in DIMENSIONS:
            raise InputError(f"Vectors of {dimensions} dimensions cannot be indexed.", cure="Choose another embedder.")
        identity = content_id("workspace", name)
        wanted: dict[str, Any] = {"name": name, "fingerprint": fingerprint, "dimensions": dimensions}
        wanted |= {"id": identity, "label": f"W_{workspace_tag(name)}", "embedder": embedder or None}
        record = self.database.change("create_workspace", **wanted)[0]["workspace"]
        if record["deleting"] or record["filling"]:
            self._finish(record)
            record = self.database.change("create_workspace", **wanted)[0]["workspace"]
        workspace = _to_workspace_row(record)
        if workspace.swapping:
            raise _embedder_swapped_error(name)
        if (workspace.fingerprint, workspace.dimensions) != (fingerprint, dimensions):
            raise EmbedderMismatch(
                f"The workspace {name!r} was built with the embedder {workspace.fingerprint} "
                f"({workspace.dimensions} dimensions), not with {fingerprint} ({dimensions}).",
                cure="Use that embedder again (FILIGRAPH_EMBEDDER), or give it this one: `filigraph reembed`.",
            )
        if not record["ready"]:
            schema.create_indexes(self.database, workspace)
            self.database.change("workspace_ready", name=name)
        return workspace

    @contextmanager
    def filling(
        self, name: str, *, fingerprint: str, dimensions: int, settings: Mapping[str, Any], embedder: str = ""
    ) -> Iterator[Graph]:
        """The graph of a new or empty workspace, with these settings, hidden from others until the block ends.

        If the block raises, the former state is restored: no workspace, or an empty one with its settings and jobs. If
        the process is killed, `finish` or the next `create_workspace` does that. Raises InputError if the workspace is
        not empty.
        """
        rows = self.database.rows("workspace_record", name=name)
        existed = bool(rows) and not rows[0]["workspace"]["deleting"] and rows[0]["workspace"]["filling"] != NEW
        workspace = self.create_workspace(name, fingerprint=fingerprint, dimensions=dimensions, embedder=embedder)
        graph = Graph(
            self.database,
            self.registry,
            self.chunk_cache,
            self.derivation_cache,
            self.memory,
            replace(workspace, settings=settings),
        )
        if graph.document_rows() or graph.alias_groups() or graph.corrections():
            raise InputError(
                f"The workspace {name!r} is not empty.", cure="Import into another one, or delete this one first."
            )
        filling = EMPTY if existed else NEW
        self.database.change("workspace_filling", name=name, filling=filling)
        try:
            yield graph
        except BaseException:
            self._unfill(workspace, filling)
            raise
        self.database.change("workspace_filled", name=name, settings=workspace_settings_json(settings))

    def unfinished(self) -> list[str]:
        """The workspaces that are being deleted or filled, including those whose deletion or import was interrupted."""
        return [row["name"] for row in self.database.rows("unfinished_workspaces")]

    def finish(self, name: str) -> None:
        """Finish an interrupted deletion, or clean up an interrupted import. Raises Busy without the workspace's lock
        (see `holding`).
        """
        for row in self.database.rows("workspace_record", name=name):
            if row["workspace"]["deleting"] or row["workspace"]["filling"]:
                self._finish(row["workspace"])

    def delete_workspace(self, name: str) -> None:
        """Delete a workspace with all its content and jobs. Raises NotFound. It can be called again after an
        interruption.
        """
        self._delete(self.workspace(name, unfinished=True))

    def holding(self, lock: WorkspaceLock) -> Store:
        """This store for the holder of a lock: if the lock is lost, changes of the workspace raise LeaseLost."""
        store = copy(self)
        store.database = LockedDatabase(self.sessions, lock)
        return store

    def graph(self, name: str, *, swapping: bool = False) -> Graph:
        """The graph of a workspace. Raises NotFound, and, except for the caller that swaps its vectors,
        EmbedderMismatch while they are swapped.
        """
        workspace = self.workspace(name)
        if workspace.swapping and not swapping:
            raise _embedder_swapped_error(name)
        return Graph(self.database, self.registry, self.chunk_cache, self.derivation_cache, self.memory, workspace)

    def _finish(self, record: Mapping[str, Any]) -> None:
        workspace = _to_workspace_row(record)
        if not self.database.holds_lock(workspace.name):
            raise Busy(
                f"The workspace {workspace.name!r} is being {'deleted' if record['deleting'] else 'imported'}.",
                cure="Try again later. If it was interrupted, the server finishes it within minutes.",
            )
        if record["deleting"]:
            self._delete(workspace)
        else:
            self._unfill(workspace, record["filling"])

    def _delete(self, workspace: WorkspaceRow) -> None:
        self.database.change("workspace_deleting", name=workspace.name)
        schema.drop_indexes(self.database, workspace)
        self.jobs.remove_workspace(workspace.name)
        self._remove(workspace, DELETED_IN_ORDER)
        self.database.change("forget_workspace", name=workspace.name)

    def _unfill(self, workspace: WorkspaceRow, filling: str) -> None:
        if filling == NEW:
            schema.drop_indexes(self.database, workspace)
        self._remove(workspace, IMPORTED)
        if filling == NEW:
            self.database.change("forget_workspace", name=workspace.name)
        else:
            self.database.change("workspace_filled", name=workspace.name, settings=None)

    def _remove(self, workspace: WorkspaceRow, kinds: Sequence[str]) -> None:
        snapshots = self.memory.snapshots
        with snapshots.changing(workspace.id) if snapshots else nullcontext():
            for kind in kinds:
                statement = f"delete_{kind}_batch"
                while self.database.change(statement, workspace=workspace.name, limit=DELETE_BATCH_NODES)[0]["deleted"]:
                    pass


def _to_workspace_row(record: Mapping[str, Any]) -> WorkspaceRow:
    return WorkspaceRow(
        name=record["name"],
        id=record["id"],
        label=record["label"],
        fingerprint=record["fingerprint"],
        dimensions=record["dimensions"],
        settings=json.loads(record["settings"]),
        embedder=record["embedder"] or "",
        swapping=bool(record["swapping"]),
    )


def _embedder_swapped_error(name: str) -> EmbedderMismatch:
    return EmbedderMismatch(
        f"The vectors of workspace {name!r} are being replaced by those of another embedder.",
        cure=(
            "Try again in a minute; if `filigraph reembed` does not run, start it again: it continues where it stopped."
        ),
    )


def is_cluster_address(uri: str) -> bool:
    """Whether this is the address of a cluster: the driver chooses a member for each transaction."""
    return uri.lower().startswith("neo4j")


def check_version(version: str) -> None:
    """Raise StoreUnavailable if the Neo4j is too old."""
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < MIN_NEO4J_VERSION:
        raise StoreUnavailable(
            f"This Neo4j is {version}; Filigraph needs 5.26 or newer.",
            cure="Update it, or unset NEO4J_URI to use the Neo4j that Filigraph brings.",
        )
