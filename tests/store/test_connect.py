"""Connecting to Neo4j, and the workspaces in it."""

from __future__ import annotations

import inspect
import io
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import neo4j
import pytest
from neo4j import exceptions

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.errors import Busy, EmbedderMismatch, FiligraphError, InputError, NotFound, StoreUnavailable
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.store import Graph, Store, Upload
from filigraph.graph.store.connect import check_version
from filigraph.graph.store.migrations import LATEST_VERSION
from filigraph.graph.store.neo4j.driver_errors import TABLE, translate_error
from tests.ports import held_port
from tests.store.world import LETTERS, ingest, kill_at, trace

# --------------------------------------------------------------------------------------------------------------------
# Reaching it


def test_the_version_is_known(store: Store, neo4j_address: Neo4jAddress) -> None:
    assert store.version == neo4j_address.version


def test_a_cluster_s_address_routes_and_remembers_what_was_written(neo4j_address: Neo4jAddress) -> None:
    """Here the routing table names one server, which leads and follows; a cluster needs another edition of Neo4j."""
    uri = neo4j_address.uri.replace("bolt://", "neo4j://")
    with Store.connect(uri, neo4j_address.username, neo4j_address.password) as store:
        assert store.version == neo4j_address.version
        name = f"routed-{uuid.uuid4().hex[:12]}"
        store.create_workspace(name, fingerprint="test-embedder", dimensions=8)
        lock = store.workspace_locks.acquire(name, "a server", seconds=60)
        assert lock
        written = _bookmarks(store)
        store.holding(lock).delete_workspace(name)
        assert written != _bookmarks(store), "the holder of a lock shares them"
        with pytest.raises(NotFound):
            store.workspace(name)


def test_one_server_needs_no_bookmarks(store: Store) -> None:
    assert store.sessions.bookmarks is None


def _bookmarks(store: Store) -> set[str]:
    assert store.sessions.bookmarks
    return set(store.sessions.bookmarks.get_bookmarks())


def test_a_wrong_password_is_named_as_such(neo4j_address: Neo4jAddress) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        Store.connect(neo4j_address.uri, neo4j_address.username, "wrong password")
    assert "NEO4J_PASSWORD" in raised.value.cure


def test_nobody_at_the_address(unused_port: int) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        Store.connect(f"bolt://127.0.0.1:{unused_port}", "neo4j", "secret")
    assert "NEO4J_URI" in raised.value.cure


@pytest.mark.parametrize("uri", ["", "127.0.0.1", "http://127.0.0.1:7474", "bolt://127.0.0.1:port", "nonsense://x"])
def test_an_address_that_is_none(uri: str) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        Store.connect(uri, "neo4j", "secret")
    assert "NEO4J_URI" in raised.value.cure


@pytest.fixture
def unused_port() -> Iterator[int]:
    with held_port() as port:
        yield port


@pytest.mark.parametrize("version", ["5.26.0", "5.26.15", "5.27.0-aura", "2025.01.0", "2026.05.0"])
def test_a_version_that_will_do(version: str) -> None:
    check_version(version)


@pytest.mark.parametrize("version", ["4.4.38", "5.1.0", "5.25.1"])
def test_a_version_that_is_too_old(version: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"needs 5\.26"):
        check_version(version)


@pytest.mark.parametrize("label", ["Chunk", "Document", "Fact", "Mention", "Trace", "__Entity__"])
def test_a_database_of_another_program_is_refused(label: str, store: Store, neo4j_address: Neo4jAddress) -> None:
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (s:FiligraphSchema) DELETE s")
        driver.execute_query(f"CREATE (:{label} {{id: 'of another program'}})")
        try:
            with pytest.raises(StoreUnavailable, match="another program") as raised:
                Store.connect(neo4j_address.uri, *auth)
            assert label in str(raised.value)
        finally:
            driver.execute_query(f"MATCH (n:{label} {{id: 'of another program'}}) DELETE n")
            store.ensure_schema()


def test_a_graph_of_a_newer_filigraph_is_refused(store: Store, neo4j_address: Neo4jAddress) -> None:
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (s:FiligraphSchema) SET s.version = 1000")
        try:
            with pytest.raises(StoreUnavailable, match="newer Filigraph"):
                Store.connect(neo4j_address.uri, *auth)
        finally:
            driver.execute_query(f"MATCH (s:FiligraphSchema) SET s.version = {LATEST_VERSION}")


def test_of_the_schema_only_what_is_missing_is_made(
    store: Store, neo4j_address: Neo4jAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    define = store.database.define
    monkeypatch.setattr(store.database, "define", lambda text: made.append(text) or define(text))
    store.ensure_schema()
    assert made == []
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=(neo4j_address.username, neo4j_address.password)) as driver:
        driver.execute_query("DROP INDEX filigraph_audit_at")
        store.ensure_schema()
        found = driver.execute_query("SHOW INDEXES YIELD name WHERE name = 'filigraph_audit_at' RETURN name").records
    assert len(made) == len(found) == 1


def test_the_schema_can_be_made_by_many_at_once(store: Store) -> None:
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(store.ensure_schema) for _ in range(4)]:
            done.result()


# --------------------------------------------------------------------------------------------------------------------
# What the driver raises


def drivers_own() -> list[type[Exception]]:
    roots = (exceptions.Neo4jError, exceptions.DriverError)
    classes = inspect.getmembers(exceptions, inspect.isclass)
    return [kind for _, kind in classes if issubclass(kind, roots)]


def test_the_table_of_driver_errors_is_complete() -> None:
    assert set(drivers_own()) == set(TABLE)


@pytest.mark.parametrize("kind", drivers_own(), ids=lambda kind: kind.__name__)
def test_a_driver_error_becomes_one_of_ours_with_a_cure(kind: type[Exception]) -> None:
    ours = translate_error(kind.__new__(kind, "the cause"))
    assert isinstance(ours, FiligraphError)
    assert ours.cure


def test_an_address_is_told_once() -> None:
    said = "Couldn't connect to 127.0.0.1:7687 (resolved to ('127.0.0.1:7687',)):\nFailed to establish connection"
    assert translate_error(exceptions.ServiceUnavailable(said)).cause == "Neo4j: Couldn't connect to 127.0.0.1:7687."


def test_an_error_of_memory_says_so() -> None:
    class OutOfMemory(exceptions.TransientError):
        @property
        def code(self) -> str:
            return "Neo.TransientError.General.MemoryPoolOutOfMemoryError"

    assert "memory" in translate_error(OutOfMemory("no heap left")).cure


def test_a_database_made_read_only_by_a_full_disk_is_unavailable() -> None:
    class ReadOnly(exceptions.ClientError):
        code = "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"

    ours = translate_error(ReadOnly("No write operations are allowed."))
    assert isinstance(ours, StoreUnavailable) and "disk" in ours.cure


def test_a_result_that_another_one_broke_is_told_by_its_reason() -> None:
    """A lost connection is no fault of ours, in whichever statement it shows."""
    broken = exceptions.ResultFailedError.__new__(exceptions.ResultFailedError, "The result has failed")
    assert not isinstance(translate_error(broken), StoreUnavailable)
    broken.__cause__ = exceptions.ServiceUnavailable("Couldn't read from the server")
    ours = translate_error(broken)
    assert isinstance(ours, StoreUnavailable) and "read from the server" in ours.cause


# --------------------------------------------------------------------------------------------------------------------
# Workspaces


def test_a_workspace_is_made_once(store: Store, graph: Graph) -> None:
    name = graph.workspace.name
    again = store.create_workspace(name, fingerprint="test-embedder", dimensions=8)
    assert again == graph.workspace == store.workspace(name)
    assert again in store.workspaces()
    assert again.label.startswith("W_")


def test_a_workspace_of_another_embedder_is_refused(store: Store, graph: Graph) -> None:
    for fingerprint, dimensions in (("another", 8), ("test-embedder", 384)):
        with pytest.raises(EmbedderMismatch, match="test-embedder"):
            store.create_workspace(graph.workspace.name, fingerprint=fingerprint, dimensions=dimensions)


@pytest.mark.parametrize(
    "name", ["", "a" * 65, "a b", "a/b", "`", "a'b", "x\n", "x} DETACH DELETE n //", "a\u202eb", "💥"]
)
def test_a_name_that_names_no_workspace(name: str, store: Store) -> None:
    with pytest.raises(InputError, match="cannot name a workspace"):
        store.create_workspace(name, fingerprint="f", dimensions=8)


@pytest.mark.parametrize("name", ["a", "A", "é", "дело", "案件", "x-1_y.z", "a" * 64])
def test_a_name_in_any_script(name: str, store: Store) -> None:
    row = store.create_workspace(name, fingerprint="f", dimensions=8)
    try:
        assert store.graph(name).workspace == row
    finally:
        store.delete_workspace(name)


@pytest.mark.parametrize("dimensions", [0, -1, 4097])
def test_vectors_that_cannot_be_indexed(dimensions: int, store: Store) -> None:
    with pytest.raises(InputError, match="dimensions"):
        store.create_workspace("vectors", fingerprint="f", dimensions=dimensions)


def test_two_make_the_same_workspace_at_once(store: Store) -> None:
    with ThreadPoolExecutor(6) as threads:
        made = [threads.submit(store.create_workspace, "at-once", fingerprint="f", dimensions=8) for _ in range(6)]
        rows = {done.result().label for done in made}
    try:
        assert len(rows) == 1
        assert [row.name for row in store.workspaces()].count("at-once") == 1
        ingest(store.graph("at-once"), LETTERS)  # its indexes stand
    finally:
        store.delete_workspace("at-once")


@pytest.mark.usefixtures("real_indexes")
def test_a_workspace_is_deleted_with_all_that_is_in_it(store: Store, neo4j_address: Neo4jAddress) -> None:
    store.create_workspace("gone", fingerprint="f", dimensions=8)
    ingest(store.graph("gone"), LETTERS)
    store.traces.write(trace("gone"), days=7)
    store.graph("gone").keep_evaluation({"questions": 1})
    label = store.workspace("gone").label
    store.delete_workspace("gone")
    for forgotten in (store.workspace, store.graph, store.delete_workspace):
        with pytest.raises(NotFound, match="gone"):
            forgotten("gone")
    auth = (neo4j_address.username, neo4j_address.password)
    with neo4j.GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        assert driver.execute_query("MATCH (n {workspace: 'gone'}) RETURN count(n)").records[0][0] == 0
        names = driver.execute_query("SHOW INDEXES YIELD name RETURN collect(name)").records[0][0]
    assert not [name for name in names if name.startswith(label)]


@contextmanager
def locked(store: Store, name: str) -> Iterator[Store]:
    """The store of the lock's holder."""
    lock = store.workspace_locks.acquire(name, "a", seconds=60)
    assert lock is not None
    yield store.holding(lock)
    store.workspace_locks.release(lock)


def test_a_half_deleted_workspace_is_created_again_under_its_lock(store: Store) -> None:
    store.create_workspace("cut", fingerprint="f", dimensions=8)
    ingest(store.graph("cut"), LETTERS)
    store.database.change("workspace_deleting", name="cut")
    with pytest.raises(NotFound):
        store.workspace("cut")
    with pytest.raises(Busy, match="deleted"):
        store.create_workspace("cut", fingerprint="another", dimensions=4)
    with locked(store, "other") as without, pytest.raises(Busy):
        without.finish("cut")
    with locked(store, "cut") as mine:
        mine.create_workspace("cut", fingerprint="another", dimensions=4)
    try:
        assert store.graph("cut").stats().documents == 0
        assert store.unfinished() == []
    finally:
        store.delete_workspace("cut")


def test_whoever_names_a_workspace_that_is_being_filled_changes_nothing(store: Store) -> None:
    with locked(store, "filled") as mine:
        with mine.filling("filled", fingerprint="f", dimensions=8, settings={"a": 1}) as graph:
            ingest(graph, LETTERS)
            with pytest.raises(Busy, match="imported"):
                store.create_workspace("filled", fingerprint="f", dimensions=8)
            with pytest.raises(NotFound):
                store.graph("filled")
            assert store.unfinished() == ["filled"]
        assert store.graph("filled").stats().documents == len(LETTERS)
        assert store.workspace("filled").settings == {"a": 1}
        store.delete_workspace("filled")


@pytest.mark.parametrize("killed", [False, True])
def test_an_empty_workspace_is_as_it_was_when_filling_it_fails(
    killed: bool, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.create_workspace("kept", fingerprint="f", dimensions=8)
    store.graph("kept").save_settings({"schema": "mine"})
    store.jobs.create("job-of-kept", workspace="kept", kind="ingest", priority=0, options={})
    store.jobs.add("job-of-kept", [(0, Upload(name="a.txt", content=io.BytesIO(b"text")))])
    before = store.workspace("kept")
    with locked(store, "kept") as mine:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            if killed:  # nobody is there to clear away
                kill_at(patch, "delete_.*_batch")
            with mine.filling("kept", fingerprint="f", dimensions=8, settings={}) as graph:
                ingest(graph, LETTERS)
                raise KeyboardInterrupt
        mine.finish("kept")
    assert store.workspace("kept") == before
    assert store.graph("kept").stats().documents == store.graph("kept").stats().chunks == 0
    store.jobs.sent("job-of-kept")
    (item,) = store.jobs.waiting_items("job-of-kept")
    assert store.jobs.content(item) == b"text"
    ingest(store.graph("kept"), LETTERS)  # its indexes stand
    store.delete_workspace("kept")


def test_the_lock_of_a_workspace_is_deleted_with_it(store: Store) -> None:
    store.create_workspace("locked", fingerprint="f", dimensions=8)
    lock = store.workspace_locks.acquire("locked", "a", seconds=60, job="job-1")
    assert lock and store.workspace_locks.job("locked") == "job-1"
    store.workspace_locks.release(lock)
    assert store.workspace_locks.job("locked") == ""
    nodes = "MATCH (l:WorkspaceLock {id: 'locked'}) RETURN count(l) AS locks"
    with store.sessions.open() as session:
        assert session.run(nodes).single(strict=True)["locks"] == 1
        with locked(store, "locked") as mine:
            mine.delete_workspace("locked")
        assert session.run(nodes).single(strict=True)["locks"] == 0


def test_a_store_uses_the_memory_of_its_server(neo4j_address: Neo4jAddress) -> None:
    """Even while it is empty."""
    memory, address = CacheMemory(2**20), neo4j_address
    with Store.connect(address.uri, address.username, address.password, memory=memory) as store:
        assert store.memory is memory
