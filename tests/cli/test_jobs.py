"""Jobs on the command line; if a server is killed in the middle of one, the next continues it, to the same graph."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.store import Store
from tests.cli.conftest import Run
from tests.index_pool import IndexPool
from tests.patience import PATIENCE
from tests.runs.llm_letters import reply
from tests.unit.graph.llm_stub import Hang, Say, Stub, llm_stub

MET = Say(pieces=[reply([1, "Jules", "met", "Nora"])], tokens=(900, 120))
WORKSPACE = "test-killed"
E5_DIMENSIONS = 384
# `filigraph serve` with leases that nobody waits for long
SERVE = """
from filigraph.app.cli import main
from filigraph.app.service import workspace_locks
from filigraph.app.service.jobs import coordinator
coordinator.LEASE = workspace_locks.EXPIRES = 2.0
coordinator.BUSY = coordinator.IDLE = workspace_locks.RENEW_EVERY = 0.25
main()
"""


@pytest.fixture
def stub() -> Iterator[Stub]:
    with llm_stub() as running:
        yield running


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for n in range(8):
        (folder / f"{n}.txt").write_text(f"Jules met Nora at the mill on day {n}.")
    return folder


@pytest.fixture
def environment(
    own_home: Path, neo4j_address: Neo4jAddress, stub: Stub, store: Store, index_pool: IndexPool
) -> Iterator[dict[str, str]]:
    index_pool.keep_own(WORKSPACE, E5_DIMENSIONS)
    mine = {
        "FILIGRAPH_HOME": str(own_home),
        "NEO4J_URI": neo4j_address.uri,
        "NEO4J_USERNAME": neo4j_address.username,
        "NEO4J_PASSWORD": neo4j_address.password,
        "FILIGRAPH_LLM_URL": f"{stub.url}/v1",
        "FILIGRAPH_LLM": "model",
        "FILIGRAPH_LLM_PARALLEL": "1",
    }
    yield {**os.environ, **mine}
    if any(row.name == WORKSPACE for row in store.workspaces()):
        store.delete_workspace(WORKSPACE)


class Server:
    """`filigraph serve`, in a process that can be killed."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve"], stderr=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stderr is not None
        line = next(line for line in self.process.stderr if "Filigraph answers at" in line)
        self.url = next(word for word in line.split() if word.startswith("http")).rstrip("/.,")
        self.rest = threading.Thread(target=self.process.stderr.read)
        self.rest.start()

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.rest.join(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()


def command(environment: dict[str, str], url: str, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "filigraph.app.cli", *arguments],
        capture_output=True,
        text=True,
        env={**environment, "FILIGRAPH_URL": url},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.slow
def test_a_server_killed_in_mid_job_goes_on_when_it_starts_again(
    environment: dict[str, str], texts: Path, stub: Stub, store: Store
) -> None:
    stub.replies = [MET, MET, MET, Hang()]
    first = Server(environment)
    try:
        told = command(
            environment,
            first.url,
            "ingest",
            "--background",
            str(texts),
            "-w",
            WORKSPACE,
            "--extractor",
            "llm",
            "--json",
        )
        (job,) = json.loads(told)["jobs"]
        assert (job["state"], job["items"]) == ("queued", 8)
        while len(stub.requests) < 4:  # three chunks are read, the fourth is being asked for
            assert first.process.poll() is None
            time.sleep(0.02)
    finally:
        first.end(signal.SIGKILL)
    assert store.jobs.job(job["id"]).state == "running", "nobody could note that it ended"
    asked = len(stub.requests)

    stub.replies = [MET]
    second = Server(environment)
    try:
        watched = json.loads(command(environment, second.url, "jobs", "watch", job["id"], "--json"))
        assert (watched["state"], watched["attempts"], watched["failures"]) == ("done", 2, [])
        killed = list(store.graph(WORKSPACE).dump())
        assert len(stub.requests) - asked == 8 - 3, "only the call that was in flight is repeated"

        store.delete_workspace(WORKSPACE)
        command(environment, second.url, "ingest", str(texts), "-w", WORKSPACE, "--extractor", "llm")
        assert list(store.graph(WORKSPACE).dump()) == killed
    finally:
        second.end(signal.SIGTERM)


def test_jobs_are_listed_shown_and_ended(run: Run, server: str) -> None:
    """Against the hand-made service, whose jobs are in a known state."""
    listed = run("jobs", "list")
    assert listed.code == 0 and "job-1" in listed.out and "partial" in listed.out
    shown = run("jobs", "show", "job-1")
    assert shown.code == 0 and "bad.bin: It is binary. Send text." in shown.out
    watched = run("jobs", "watch", "job-1")
    assert watched.code == 3
    assert json.loads(run("jobs", "show", "job-1", "--json").out)["failures"][0]["name"] == "bad.bin"
    for action in ("cancel", "retry", "remove"):
        ran = run("jobs", action, "job-1")
        assert ran.code == 0 and "job-1" in ran.out


def test_an_ingest_in_the_background_gives_an_id(run: Run, server: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A letter.")
    ran = run("ingest", "--background", str(tmp_path / "a.txt"))
    assert ran.code == 0 and "job-1" in ran.out
    ran = run("ingest", "--background", "--json", str(tmp_path / "a.txt"), str(tmp_path / "none.txt"))
    assert ran.code == 3
    assert json.loads(ran.out)["jobs"][0]["id"] == "job-1"


def test_a_file_of_questions_is_answered_by_a_job(run: Run, server: str, tmp_path: Path) -> None:
    (tmp_path / "questions.txt").write_text("Who?")
    ran = run("ask", "--questions", str(tmp_path / "questions.txt"))
    assert ran.code == 3 and ran.out.replace("\r\n", "\n") == "number,question\n1,Who?\n"
    assert "1 of 2 questions could not be answered" in ran.err
    ran = run("ask", "--questions", str(tmp_path / "questions.txt"), "--out", str(tmp_path / "answers.csv"), "--json")
    assert json.loads(ran.out)["id"] == "job-1"
    assert (tmp_path / "answers.csv").read_bytes().endswith(b"1,Who?\r\n")
    assert run("ask").code == 2
