"""Fixtures for every test: a real Neo4j (one for each worker), a store on it, a workspace that is deleted afterwards.

pytest-socket (set in pyproject.toml) blocks the network except loopback. The Neo4j of the tests has its data in a
temporary folder; only the verified jars are in the user's cache, and are put there if they are missing. Files run in
the order of SLOW_FIRST, so that no worker is left with only a slow file at the end.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from pathlib import Path

import httpx._config
import hypothesis
import pytest
from neo4j import Driver, GraphDatabase

from filigraph.app.neo4j import DEFAULT_VERSION, Neo4jAddress, launch, start_neo4j, stop_neo4j
from filigraph.app.neo4j.download import fetch_jars
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import read_lock
from filigraph.graph.store import Graph, Store
from tests.index_pool import IndexPool, kept_indexes
from tests.making import DIMENSIONS
from tests.patience import PATIENCE
from tests.short_lived import short_lived
from tests.slow import mark_listed, read_list
from tests.workspace_pool import WorkspacePool

# Under a name that is not removed below: the workers of a parallel run inherit the environment of the first process.
NEO4J_VERSION = os.environ.setdefault(
    "TESTED_NEO4J_VERSION", os.environ.get("FILIGRAPH_NEO4J_VERSION", DEFAULT_VERSION)
)
# Nobody's own settings, server or LLM may reach into a test.
for name in [name for name in os.environ if name.startswith(("FILIGRAPH_", "NEO4J_", "OLLAMA_"))]:
    del os.environ[name]
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="filigraph-tests-")  # nor the file of `filigraph config`
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)
os.environ["HF_HUB_OFFLINE"] = "1"
# A shell without job control has what runs in its background ignore Ctrl-C, and so would the commands that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The same examples in each run, however long one takes on a busy machine.
hypothesis.settings.register_profile("filigraph", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("filigraph")
# httpx waits for five seconds where nobody says otherwise: a machine that stands still takes longer.
vars(httpx._config.DEFAULT_TIMEOUT_CONFIG).update(vars(httpx.Timeout(PATIENCE)))
# Tests fill and empty workspaces all the time. Neo4j would plan each statement anew whenever counts changed much.
launch.SETTINGS += "dbms.cypher.min_replan_interval=1h\n"
# After ten runs of a statement it would plan it anew, to compile its expressions: no statement of a test runs so long.
launch.SETTINGS += "internal.cypher.expression_engine=INTERPRETED\n"
# One thread collects the garbage.
launch.JVM_FLAGS = (*(flag for flag in launch.JVM_FLAGS if flag != "-XX:+UseG1GC"), "-XX:+UseSerialGC")
MEMORY = Path("/dev/shm")
ENOUGH = 1 << 30  # bytes of memory that are free for the data of the tests' Neo4j

# Folders: the first start processes, load models and drive browsers, the next use Neo4j.
SLOW_FIRST = ("app", "e2e", "runs", "store", "api", "cli", "unit")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow folders first, each in its order; mark the tests of the list of slow ones."""
    here = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(here).parts[0]
        return SLOW_FIRST.index(folder) if folder in SLOW_FIRST else len(SLOW_FIRST)

    items.sort(key=rank)
    mark_listed(items, read_list())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep modules and ten thousand tests out of the garbage collector's way: while they are made it would look at them
    again and again, for a fifth of the time, and afterwards a look takes a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_sessionstart() -> None:
    """Fetch the jars of our Neo4j if they are missing: once a test runs, the network is blocked."""
    fetch_jars(read_lock(NEO4J_VERSION).jars, folders_of(NEO4J_VERSION).jars, progress=False)


@pytest.fixture(scope="session")
def test_home() -> Iterator[Path]:
    """A FILIGRAPH_HOME of the tests' own that shares the user's jars and what is made of models.

    It is in memory where there is room: Neo4j waits for the disk at the end of each transaction.
    """
    from filigraph.graph.models.adapters.hub import made_models  # it reads HF_HUB_OFFLINE when it is imported

    in_memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH
    where = MEMORY if in_memory else None
    with tempfile.TemporaryDirectory(prefix="filigraph-tests-", dir=where, ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        jars = folders_of(NEO4J_VERSION).jars
        jars.mkdir(parents=True, exist_ok=True)
        (home / "cache" / "neo4j").mkdir(parents=True)
        (home / "cache" / "neo4j" / "jars").symlink_to(jars)
        made_models().mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / "cache" / "models").symlink_to(made_models())
        yield home


@pytest.fixture
def own_home(test_home: Path, tmp_path: Path) -> Path:
    """A FILIGRAPH_HOME of one test that shares the cache: a server makes its embedder's graph of the weights once."""
    (tmp_path / "cache").symlink_to(test_home / "cache")
    return tmp_path


@pytest.fixture(scope="session")
def neo4j_address(request: pytest.FixtureRequest, test_home: Path) -> Iterator[Neo4jAddress]:
    """The real Neo4j of this worker. Keys, jobs and leases belong to a whole database, so no two workers share one.

    Java's second compiler costs more in a run without the slow tests than it saves: 147 s of processor time for the
    tests of `tests/api/graph`, 103 s without it.
    """
    quick = request.config.option.markexpr == "not slow"
    with short_lived() if quick else nullcontext():
        address = start_neo4j(version=NEO4J_VERSION, home=test_home, progress=False)
    yield address
    stop_neo4j(version=NEO4J_VERSION, home=test_home)


@pytest.fixture(scope="session")
def driver_of_tests(neo4j_address: Neo4jAddress) -> Iterator[Driver]:
    """What tests see of it without us."""
    login = (neo4j_address.username, neo4j_address.password)
    with GraphDatabase.driver(neo4j_address.uri, auth=login) as driver:
        yield driver


@pytest.fixture(scope="session")
def index_pool(driver_of_tests: Driver) -> IndexPool:
    """Indexes that stay when their workspace is deleted."""
    return IndexPool(driver_of_tests)


@pytest.fixture(scope="session")
def store(neo4j_address: Neo4jAddress, index_pool: IndexPool) -> Iterator[Store]:
    """A connection to it, with the schema in place."""
    with Store.connect(neo4j_address.uri, neo4j_address.username, neo4j_address.password) as connected:
        connected.ensure_schema()
        for dimensions in (8, DIMENSIONS):
            index_pool.prepare(connected, dimensions)
        with kept_indexes(index_pool):
            yield connected


@pytest.fixture
def real_indexes(index_pool: IndexPool) -> Iterator[None]:
    """A workspace's indexes are made with it and dropped with it, as everywhere but in tests."""
    index_pool.in_use = False
    yield
    index_pool.in_use = True


@pytest.fixture(scope="session")
def workspace_pool(store: Store, driver_of_tests: Driver, index_pool: IndexPool) -> WorkspacePool:
    """Empty workspaces."""
    return WorkspacePool(store, driver_of_tests, index_pool)


@pytest.fixture
def graph(store: Store, workspace_pool: WorkspacePool) -> Iterator[Graph]:
    """An empty workspace for vectors of 8 numbers."""
    with workspace_pool.one("test-embedder", dimensions=8) as name:
        yield store.graph(name)
