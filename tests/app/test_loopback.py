"""Nothing leaves the machine: tests watch the server, the command line and their Neo4j while they work.

There are two watchers. An audit hook inside every Python process sees each connection and each look-up of a name before
it is tried, however short its life. Samples of the system's list of sockets show every process, also Java, but only
sockets that live for a tenth of a second; a connection to a host that does not answer lives for minutes.
"""

from __future__ import annotations

import errno
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

import filigraph.app
from filigraph.app.home import open_home, read_record
from filigraph.app.neo4j import DEFAULT_VERSION
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.process import read_record as read_neo4j_record
from tests.app.audit_connections import Audit, strangers
from tests.patience import PATIENCE

CASE = Path(filigraph.app.__path__[0]) / "demo" / "case"
NOBODY = "198.51.100.1"  # an address for documentation: no host has it


class Sampler(threading.Thread):
    """The remote ends of the TCP connections of processes, by process id; looked at until the end."""

    def __init__(self, pids: Callable[[], Iterable[int | None]]) -> None:
        super().__init__(daemon=True)
        self.hosts: dict[int, set[str]] = {}
        self._pids = pids
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.1):
            for pid in filter(None, self._pids()):
                with suppress(psutil.Error):  # it has ended
                    connections = psutil.Process(pid).net_connections("tcp")
                    self.hosts.setdefault(pid, set()).update(at.raddr.ip for at in connections if at.raddr)

    def end(self) -> None:
        self._ended.set()
        self.join()


@pytest.fixture
def audit(tmp_path: Path) -> Audit:
    return Audit(tmp_path)


@pytest.fixture
def server(audit: Audit, test_home: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a home of its own, which starts a Neo4j of its own; both are gone afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "cache").symlink_to(test_home / "cache")
    audit.environment |= {"FILIGRAPH_HOME": str(home)}
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "filigraph.app.cli", "serve"], stderr=log, env=audit.environment
        )
    yield process
    process.terminate()
    process.wait(PATIENCE)
    filigraph_command(audit, "down")  # the Neo4j that the server started


def filigraph_command(audit: Audit, *arguments: str) -> str:
    command = [sys.executable, "-m", "filigraph.app.cli", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, env=audit.environment, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def neo4j_pid(home: Path) -> int | None:
    """The process of a home's Neo4j, as soon as it is started."""
    record = read_neo4j_record(folders_of(DEFAULT_VERSION, home))
    return record.pid if record else None


def await_ready(home: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        record = read_record(open_home(home))
        if record:
            health = httpx.get(f"{record.url}/v1/health", trust_env=False, timeout=PATIENCE).json()
            assert not health["problem"]
            if health["ready"]:
                return
        time.sleep(0.1)
    raise AssertionError("the server is not ready")


@pytest.mark.slow
def test_nothing_but_loopback_is_contacted(audit: Audit, server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    home = tmp_path / "home"
    sampler = Sampler(lambda: [server.pid, neo4j_pid(home)])
    sampler.start()
    await_ready(home)
    report = json.loads(filigraph_command(audit, "ingest", str(CASE), "--json"))
    assert len(report["added"]) == len(list(CASE.iterdir())) and report["triplets"]
    answer = json.loads(filigraph_command(audit, "ask", "Pourquoi se méfier de Jules ?", "--json"))
    assert answer["paths"]
    sampler.end()

    java = neo4j_pid(home)
    assert java and set(sampler.hosts) == {server.pid, java}
    for seen in (audit.hosts(), *sampler.hosts.values()):  # all were seen to speak, and to nobody else
        assert seen and strangers(seen) == set()


CONNECT = f"""
import socket, sys

with socket.socket() as caller:
    caller.setblocking(False)
    print(caller.connect_ex(("{NOBODY}", 9)), flush=True)
    sys.stdin.read()
"""


def test_the_watchers_see_who_goes_elsewhere(audit: Audit) -> None:
    command = [sys.executable, "-c", CONNECT]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=audit.environment) as caller:
        assert caller.stdin and caller.stdout
        sampler = Sampler(lambda: [caller.pid])
        sampler.start()
        if int(caller.stdout.readline()) == errno.EINPROGRESS:  # this machine knows a way to the address
            deadline = time.monotonic() + PATIENCE
            while not (seen := strangers(set().union(*sampler.hosts.values()))):
                assert time.monotonic() < deadline
                time.sleep(0.01)
            assert seen == {NOBODY}
        sampler.end()
        caller.stdin.close()
    assert strangers(audit.hosts()) == {NOBODY}


def test_a_name_that_is_looked_up_is_seen_too(audit: Audit) -> None:
    look_up = "import socket, contextlib\nwith contextlib.suppress(OSError):\n socket.getaddrinfo('a.invalid', 443)"
    subprocess.run([sys.executable, "-c", look_up], env=audit.environment, check=True, timeout=PATIENCE)
    assert strangers(audit.hosts()) == {"a.invalid"}
