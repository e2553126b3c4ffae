"""The download of the jars, from a real HTTP server that misbehaves on request."""

import hashlib
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from filigraph.app.neo4j import download
from filigraph.app.neo4j.download import fetch_jars, missing_jars, remove_damaged
from filigraph.app.neo4j.lock import DEFAULT_VERSION, Jar, chosen_version, locked_versions, read_lock
from filigraph.graph.errors import LocalNeo4jError


class Repository(ThreadingHTTPServer):
    """A Maven repository of a few jars on loopback, with a fault per path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = {f"org/example/{name}.jar": name.encode() * 40_000 for name in ("one", "two", "three")}
        self.faults: dict[str, list[str]] = {}  # what to do wrong, in order, before doing right
        self.asked: Counter[str] = Counter()
        self.ranges: list[str] = []
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    @property
    def jars(self) -> list[Jar]:
        return [
            Jar(coordinates=path, path=path, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
            for path, content in self.files.items()
        ]


class _Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.asked[path] += 1
        faults = self.server.faults.get(path, [])
        fault = faults.pop(0) if faults else ""
        content = self.server.files.get(path)
        if content is None or fault.isdigit():
            self.send_error(int(fault or 404))
            return
        length = len(content)
        if fault == "corrupt":
            content = content[:-1] + b"!"
        wanted = self.headers.get("Range", "")
        if wanted:
            self.server.ranges.append(wanted)
        if wanted and fault != "no ranges":
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{length - 1}/{length}")
            content = content[start:]
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)
        self.close_connection = fault == "cut" or self.close_connection

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    monkeypatch.setattr(download, "RETRY_SECONDS", 0.01)
    with Repository() as server:
        yield server
        server.shutdown()


def fetch(repository: Repository, folder: Path) -> list[Path]:
    return fetch_jars(repository.jars, folder, address=repository.address, progress=False)


def contents(repository: Repository, folder: Path) -> bool:
    """Whether exactly the right bytes are there, and nothing half-done."""
    leftovers = list(folder.rglob("*.part"))
    return not leftovers and all((folder / path).read_bytes() == right for path, right in repository.files.items())


def test_all_jars_arrive_in_the_order_of_the_lock(repository: Repository, tmp_path: Path) -> None:
    assert fetch(repository, tmp_path) == [tmp_path / path for path in repository.files]
    assert contents(repository, tmp_path)


def test_the_second_time_asks_nobody(repository: Repository, tmp_path: Path) -> None:
    fetch(repository, tmp_path)
    repository.asked.clear()
    fetch(repository, tmp_path)
    assert not repository.asked


def test_a_cut_download_goes_on_where_it_was_cut(repository: Repository, tmp_path: Path) -> None:
    repository.faults = {"org/example/three.jar": ["cut", "cut"]}
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)
    assert repository.ranges == ["bytes=100000-", "bytes=150000-"]


def test_what_an_earlier_run_left_is_taken_up(repository: Repository, tmp_path: Path) -> None:
    left = tmp_path / "org/example/one.jar.part"
    left.parent.mkdir(parents=True)
    left.write_bytes(repository.files["org/example/one.jar"][:7])
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)
    assert repository.ranges == ["bytes=7-"]


@pytest.mark.parametrize("left", [b"something else", b"x" * 1_000_000])
def test_a_leftover_that_is_not_the_beginning_is_replaced(repository: Repository, tmp_path: Path, left: bytes) -> None:
    part = tmp_path / "org/example/one.jar.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(left)
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)


def test_a_repository_without_ranges_is_read_from_the_start(repository: Repository, tmp_path: Path) -> None:
    repository.faults = {"org/example/one.jar": ["cut", "no ranges"]}
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)


@pytest.mark.parametrize("fault", ["corrupt", "503", "429"])
def test_what_passes_is_tried_again(repository: Repository, tmp_path: Path, fault: str) -> None:
    repository.faults = {"org/example/two.jar": [fault]}
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)


def test_wrong_bytes_never_arrive(repository: Repository, tmp_path: Path) -> None:
    repository.faults = {"org/example/two.jar": ["corrupt"] * 10}
    with pytest.raises(LocalNeo4jError, match=r"two\.jar: the file has another sha256"):
        fetch(repository, tmp_path)
    assert not (tmp_path / "org/example/two.jar").exists()
    assert not (tmp_path / "org/example/two.jar.part").exists()
    repository.faults.clear()
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)


def test_a_file_that_is_not_there_is_not_tried_again(repository: Repository, tmp_path: Path) -> None:
    jars = repository.jars
    del repository.files["org/example/two.jar"]
    with pytest.raises(LocalNeo4jError, match=r"two\.jar: 127\.0\.0\.1 answers 404 Not Found\. .*FILIGRAPH_MAVEN_URL"):
        fetch_jars(jars, tmp_path, address=repository.address, progress=False)
    assert repository.asked["org/example/two.jar"] == 1


def test_no_network_is_one_line_with_a_cure(repository: Repository, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        with pytest.raises(LocalNeo4jError) as raised:
            fetch_jars(repository.jars, tmp_path, address=address, progress=False)
    assert re.fullmatch(r"Neo4j cannot be downloaded: \w+\.jar: 127\.0\.0\.1 cannot be reached .*", raised.value.cause)
    assert "\n" not in str(raised.value)
    assert "NEO4J_URI" in raised.value.cure


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_is_named(repository: Repository, tmp_path: Path) -> None:
    part = tmp_path / "org/example/one.jar.part"
    part.parent.mkdir(parents=True)
    part.symlink_to("/dev/full")
    with pytest.raises(LocalNeo4jError, match=r"The disk is full: .*one\.jar\.part .*FILIGRAPH_HOME"):
        fetch(repository, tmp_path)


def test_a_cache_that_cannot_be_written_is_named(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "jars").write_text("a file where the folder should be")
    with pytest.raises(LocalNeo4jError, match=r"jars cannot be written .*FILIGRAPH_HOME"):
        fetch(repository, tmp_path / "jars")


def test_a_short_jar_is_missing_and_a_changed_one_is_found_on_request(repository: Repository, tmp_path: Path) -> None:
    fetch(repository, tmp_path)
    one, two, _ = repository.jars
    (tmp_path / one.path).write_bytes(b"short")
    (tmp_path / two.path).write_bytes(b"x" * two.size)
    assert missing_jars(repository.jars, tmp_path) == [one]
    assert remove_damaged(repository.jars, tmp_path) == [one, two]
    fetch(repository, tmp_path)
    assert contents(repository, tmp_path)


def test_two_downloads_at_once_fetch_each_jar_once(repository: Repository, tmp_path: Path) -> None:
    both = [threading.Thread(target=fetch, args=(repository, tmp_path)) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert contents(repository, tmp_path)
    assert set(repository.asked.values()) == {1}


@pytest.mark.parametrize("version", locked_versions())
def test_a_lock_names_files_and_no_addresses(version: str) -> None:
    lock = read_lock(version)
    assert lock.version == version
    assert lock.has_browser
    assert any(jar.coordinates == f"org.neo4j:neo4j:{version}" for jar in lock.jars)
    assert len({jar.path for jar in lock.jars}) == len(lock.jars) > 200
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in lock.jars)
    assert all(re.fullmatch(r"[\w./-]+\.jar", jar.path) and not jar.path.startswith("/") for jar in lock.jars)


def test_the_version_comes_from_the_caller_then_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_version() == DEFAULT_VERSION == locked_versions()[0]
    monkeypatch.setenv("FILIGRAPH_NEO4J_VERSION", "5.26.15")
    assert chosen_version() == "5.26.15"
    assert chosen_version("2026.05.0") == "2026.05.0"


def test_a_version_without_a_lock_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(LocalNeo4jError, match=r"cannot bring Neo4j '4\.4'.*2026\.05\.0, 5\.26\.15"):
        read_lock("4.4")
