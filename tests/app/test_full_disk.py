"""A full disk under the Neo4j that we start: errors name it, nothing committed is lost, and work continues once there
is room.

The test mounts a small file system, so it requires the right to mount one.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from filigraph.app.neo4j import DEFAULT_VERSION, logs, neo4j_status
from filigraph.app.neo4j.folders import Neo4jFolders, folders_of
from filigraph.app.process.daemon import down, ensure_neo4j
from filigraph.app.runtime import Runtime
from filigraph.app.service.jobs import coordinator
from filigraph.app.service.service import Service
from filigraph.app.settings import Settings
from filigraph.graph.models.embed import Embedder
from tests.api.real import BYTES, send
from tests.api.serving import client_of
from tests.making import word_embedder
from tests.short_lived import short_lived

LETTER = {"letter.txt": BYTES["letter.txt"]}
LEFT = 12_000_000  # bytes that the disk has left before Neo4j fills it


class OnSmallDisk(Runtime):
    """The real one, but for the embedder."""

    def __init__(self, home: Path) -> None:
        settings = Settings(FILIGRAPH_HOME=str(home), OLLAMA_HOST="127.0.0.1:1")  # type: ignore[call-arg]
        super().__init__(settings, lambda: ensure_neo4j(settings, progress=False))

    def _load_embedder(self) -> Embedder:
        return word_embedder()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home on a file system of 500 MB, with the user's cache of jars."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=500m", "tmpfs", tmp_path], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"no file system may be mounted here: {made.stderr.strip()}")
    (tmp_path / "cache" / "neo4j").mkdir(parents=True)
    (tmp_path / "cache" / "neo4j" / "jars").symlink_to(folders_of(DEFAULT_VERSION).jars)
    monkeypatch.setenv("FILIGRAPH_NEO4J_HEAP", "400m")
    monkeypatch.setenv("FILIGRAPH_NEO4J_PAGE_CACHE", "64m")
    monkeypatch.setattr(coordinator, "IDLE", 0.5)
    monkeypatch.setattr(coordinator, "MAX_PAUSE_SECONDS", 0.5)
    try:
        with short_lived():
            yield tmp_path
    finally:
        (tmp_path / "filler").unlink(missing_ok=True)
        down(Settings(FILIGRAPH_HOME=str(tmp_path)))  # type: ignore[call-arg]
        subprocess.run(["umount", "--lazy", tmp_path], check=True)


def becomes(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 600
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def fill(home: Path) -> int:
    """Leave little of the disk, and have Neo4j write until it is full; how many nodes were committed."""
    free = shutil.disk_usage(home).free - LEFT
    with (home / "filler").open("wb") as filler:
        while free > 0:
            free -= filler.write(bytes(1 << 20))
    address = neo4j_status(home).address
    assert address
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:
        for committed in range(0, 100_000, 100):
            try:
                with driver.session() as session:
                    text = "CREATE (:Written {text: $text + toString(i)})"
                    session.run(f"UNWIND range(1, 100) AS i {text}", text="x" * 3000).consume()
            except (DriverError, Neo4jError):
                return committed
    raise AssertionError("the disk never became full")


def written(home: Path) -> int:
    address = neo4j_status(home).address
    assert address
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:
        return int(driver.execute_query("MATCH (n:Written) RETURN count(n) AS n").records[0]["n"])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_full_disk_is_named_and_over_once_there_is_room(home: Path) -> None:
    service = Service(OnSmallDisk(home))
    with client_of(service) as http:

        def health() -> dict[str, object]:
            return dict(http.get("/v1/health").json())

        assert becomes(lambda: bool(health()["ready"]))
        send(http, "/v1/workspaces/case", LETTER)
        before = http.get("/v1/workspaces/case/export/hash").json()
        first = neo4j_status(home).pid
        committed = fill(home)
        assert committed

        assert becomes(lambda: "MB left" in str(health()["problem"])), health()
        assert not health()["ready"]
        refused = http.get("/v1/health/ready")
        assert refused.status_code == 503 and "MB left" in refused.json()["error"]["cause"]
        assert neo4j_status(home).pid == first, "it is not started where it could not write"

        (home / "filler").unlink()
        assert becomes(lambda: bool(health()["ready"])), health()  # nobody asked for it
        assert neo4j_status(home).pid != first
        assert written(home) >= committed
        assert http.get("/v1/workspaces/case/export/hash").json() == before
        assert http.get("/v1/workspaces/case/documents").json()["total"] == 1
        http.delete("/v1/workspaces/case?confirm=case").raise_for_status()
    assert down(service.runtime.settings).neo4j, "it is still known as the one that Filigraph started"


NOT_OPENED = """\
2026-11-22 23:01:00.000+0000 ERROR [o.n.d.d.DatabaseLifecycles] Failed to start DatabaseId{1a2b3c4d[system]}
java.lang.RuntimeException: of another one
2026-11-22 23:01:01.000+0000 ERROR [o.n.d.d.DatabaseLifecycles] Failed to start DatabaseId{1a2b3c4d[neo4j]}
org.neo4j.dbms.api.DatabaseManagementException: An error occurred! Unable to start `DatabaseId{1a2b3c4d[neo4j]}`.
\tat org.neo4j.X
Caused by: org.neo4j.exceptions.UnderlyingStorageException: Error reading transaction logs, recovery not possible. To
\tat org.neo4j.Y
2026-11-22 23:01:02.000+0000 INFO  [o.n.X] Caused by: something else
"""


def test_why_a_database_was_not_opened_is_read_from_the_log(tmp_path: Path) -> None:
    folders = Neo4jFolders(jars=tmp_path, server=tmp_path)
    assert logs.why_not_opened(folders) == ""
    folders.log.parent.mkdir()
    folders.debug.write_text(NOT_OPENED)
    assert logs.why_not_opened(folders) == "Error reading transaction logs, recovery not possible"
    assert "move " in logs.cure_of(logs.why_not_opened(folders), folders.log, folders)
    assert "Free some space" in logs.cure_of("java.io.IOException: No space left on device", folders.log, folders)
    assert "FILIGRAPH_NEO4J_HEAP" in logs.cure_of("OutOfMemoryError: Java heap space", folders.log, folders)
