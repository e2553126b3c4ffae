"""`up`, `down`, and commands that find no server: real processes, on the real Neo4j."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from filigraph.app.home import ServerRecord, open_home, write_record
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.process import daemon
from filigraph.app.service.service import Health
from filigraph.app.settings import Settings
from tests.api.serving import HandMade
from tests.cli.conftest import Run
from tests.patience import PATIENCE

Ran = subprocess.CompletedProcess[str]
Command = Callable[..., Ran]


@pytest.fixture
def command(own_home: Path, neo4j_address: Neo4jAddress) -> Iterator[Command]:
    """Run `filigraph ARGUMENTS` in a home of its own, on the tests' Neo4j; nothing runs afterwards."""
    environment = {
        **os.environ,
        "FILIGRAPH_HOME": str(own_home),
        "NEO4J_URI": neo4j_address.uri,
        "NEO4J_USERNAME": neo4j_address.username,
        "NEO4J_PASSWORD": neo4j_address.password,
        "OLLAMA_HOST": "127.0.0.1:1",
    }

    def run(*arguments: str, **more: str) -> Ran:
        return subprocess.run(
            [sys.executable, "-m", "filigraph.app.cli", *arguments],
            capture_output=True,
            text=True,
            env={**environment, **more},
            check=False,
        )

    yield run
    run("down")


def process(ran: Ran) -> psutil.Process:
    assert ran.returncode == 0, ran.stderr
    return psutil.Process(json.loads(ran.stdout)["pid"])


@pytest.mark.slow
def test_the_life_of_a_server(command: Command, tmp_path: Path) -> None:
    # a command that finds none starts one and says so
    asked = command("doctor", "--json")
    assert asked.returncode == 0 and "No server is running; starting one." in asked.stderr
    assert {check["name"] for check in json.loads(asked.stdout)["checks"]} > {"Neo4j", "Embedder"}

    # `up` finds it; so do two at once
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(lambda _: process(command("up", "--json")), range(2))
    assert first == second
    url = json.loads(command("up", "--json").stdout)["url"]

    # a second server in the same home is refused
    refused = command("serve")
    assert refused.returncode == 1 and "filigraph down" in refused.stderr and "Traceback" not in refused.stderr

    # an ingest and an answer, without an LLM
    (tmp_path / "ring.txt").write_text("Jules wears the ring. The ring is the emblem of The Claw.")
    ingested = command("ingest", str(tmp_path / "ring.txt"), "--json")
    assert ingested.returncode == 0 and len(json.loads(ingested.stdout)["added"]) == 1
    answered = command("ask", "What does Jules wear?")
    assert answered.returncode == 0 and "Jules wears the ring." in answered.stdout

    (kept,) = httpx.get(f"{url}/v1/workspaces/default/traces").json()["traces"]
    assert kept["question"] == "What does Jules wear?"

    # killed, the next command starts another at the same address; what was acknowledged is there
    first.kill()
    first.wait(PATIENCE)
    documents = command("documents", "--json")
    assert "No server is running; starting one." in documents.stderr
    assert json.loads(documents.stdout)["documents"][0]["status"] == "complete"
    third = process(command("up", "--json"))
    assert third != first and json.loads(command("up", "--json").stdout)["url"] == url

    trace = httpx.get(f"{url}/v1/workspaces/default/traces/{kept['id']}").json()
    assert trace["question"] == kept["question"] and trace["steps"]

    # asked to end, it ends; `down` stops it, and has nothing to do the second time
    assert json.loads(command("down", "--json").stdout) == {"server": True, "neo4j": False}
    assert not third.is_running()
    assert command("down").stdout == "Nothing was running.\n"
    assert "Traceback" not in (tmp_path / "data" / "server" / "server.log").read_text()


def test_a_server_that_cannot_reach_neo4j_says_why(command: Command) -> None:
    ran = command("stats", NEO4J_URI="bolt://127.0.0.1:1")
    assert ran.returncode == 1
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("filigraph: ") and "Neo4j" in last and "Traceback" not in ran.stderr


def test_what_a_long_start_is_busy_with_is_told(
    run: Run, server: str, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FILIGRAPH_URL")
    home = open_home(Settings().home)
    port = int(server.rpartition(":")[2])
    write_record(home, ServerRecord(pid=os.getpid(), created=0.0, port=port, version="", host="127.0.0.1"))
    starts = iter(["", "document 1 of 200", "document 101 of 200"])

    def health() -> Health:
        starting = next(starts, None)
        return Health(ready=starting is None, problem="", starting=starting or "", neo4j_browser=None)

    monkeypatch.setattr(service, "health", health)
    monkeypatch.setattr(daemon, "TELL_AFTER", 0.0)  # as if it had lasted longer
    ran = run("up")
    assert ran.code == 0
    assert ran.err == "document 1 of 200\n", "not each step: they come several in a second"


def test_a_port_that_is_taken_is_named(command: Command) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ran = command("up", FILIGRAPH_PORT=str(other.getsockname()[1]))
    assert ran.returncode == 1
    assert "FILIGRAPH_PORT" in ran.stderr.splitlines()[-1]


def test_ctrl_c_ends_a_server_in_the_foreground(command: Command, tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "filigraph.app.cli", "serve"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FILIGRAPH_HOME": str(tmp_path), "NEO4J_URI": "bolt://127.0.0.1:1"},
    )
    assert server.stderr is not None
    said = next(line for line in server.stderr if "Filigraph answers at" in line)
    assert "/docs" in said
    server.send_signal(signal.SIGINT)
    rest = server.stderr.read()
    assert server.wait(PATIENCE) == 130
    assert "Traceback" not in rest
    server.stderr.close()


ENDED = """
import sys

from filigraph.app.cli import main
from filigraph.app.process import daemon


def start_neo4j(*_, **__):
    sys.stdout.buffer.write(b"x" * 1_000_000)  # more than a pipe holds: until somebody reads, it has the stream


daemon.ensure_neo4j = start_neo4j
sys.argv = ["filigraph", "serve", "--first-key", "key"]
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_server_ends_while_a_thread_of_its_start_goes_on(number: int, code: int, tmp_path: Path) -> None:
    environment = {**os.environ, "FILIGRAPH_HOME": str(tmp_path)}
    environment.pop("PYTHONUNBUFFERED", None)  # a stream without a buffer has no lock
    server = subprocess.Popen(
        [sys.executable, "-c", ENDED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=tmp_path,
    )
    with server:
        assert server.stdout is not None and server.stderr is not None
        assert server.stdout.read(1) == b"x"  # the thread writes
        server.send_signal(number)
        said = server.stderr.read().decode()
        assert server.wait(PATIENCE) == code, said
    assert "Fatal" not in said and "Traceback" not in said
