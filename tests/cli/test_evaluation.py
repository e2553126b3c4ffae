"""`filigraph eval`: its requests, output and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from filigraph.app.cli.evaluation import workspace_of
from tests.api.serving import EVALUATION, HandMade
from tests.cli.conftest import Run
from tests.patience import PATIENCE


@dataclass
class Counted:
    """As much of a workspace's counts as the command looks at."""

    documents: int


@pytest.fixture
def folder(tmp_path: Path, service: HandMade, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to evaluate, and a server that ingested it before."""
    for name in ("passages", "triples", "questions"):
        (tmp_path / "my set").mkdir(exist_ok=True)
        (tmp_path / "my set" / f"{name}.jsonl").write_text(name)

    monkeypatch.setattr(service.browse, "stats", lambda workspace, view: Counted(1))
    return tmp_path / "my set"


@pytest.mark.parametrize(
    ("path", "name"),
    [("/data/2wiki", "eval-2wiki"), ("/data/my set (2)/", "eval-my-set-2-"), ("/data/été", "eval-été")],
)
def test_the_workspace_is_named_by_the_folder(path: str, name: str) -> None:
    assert workspace_of(Path(path)) == name
    assert len(workspace_of(Path("/data/" + "x" * 100))) == 64


def test_a_workspace_is_measured(run: Run, server: str, service: HandMade, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_bytes(b"questions")
    ran = run(
        "eval", "-w", "case", "--questions", str(file), "--limit", "9", "--method", "bm25", "--method", "filigraph"
    )
    assert ran.code == 3  # one question was skipped
    assert ran.err == ""
    for shown in (
        "Evaluation of case  2 questions",
        "4 passages, 5 chunks, 6 facts",
        "4 passages indexed in 1.5 s: embed 1.5",
        "filigraph  50.0  75.0  100.0  45.0  35.0  20.0    40.0  60.0   25.0",
        "filigraph    21   12   46  ✗ missed  ✗ missed  ✗ missed  ✓ reached",
        "The highest possible P@5 on these questions: 40.0",
        "bridge          1  75.0       75.0",
        "the first path     50.0           –",
        "line 3: no question",
    ):
        assert shown in ran.out, shown
    assert max(map(len, ran.out.splitlines())) <= 80
    assert service.told == {
        "workspace": "case",
        "questions": b"questions",
        "methods": ["bm25", "filigraph"],
        "weights": [],
        "limit": 9,
        "indexed": None,
    }


def test_weights_of_vectors_are_swept(run: Run, server: str, service: HandMade, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(b"questions")
    ran = run("eval", "-w", "case", "--questions", str(tmp_path / "q.jsonl"), "--weights", "--json")
    assert ran.code == 3 and service.told["weights"] == [1.0, 0.8, 0.7, 0.5]


def test_a_folder_is_ingested_and_measured(run: Run, server: str, service: HandMade, folder: Path) -> None:
    ran = run("eval", str(folder), "--json")
    assert ran.code == 3 and ran.err == ""
    measured = json.loads(ran.out)
    assert measured.pop("ingest")["skipped"][0]["source"] == "bad.bin"
    assert measured == {"id": "run-1", "at": "2026-11-21T15:05:00Z", **EVALUATION.body}
    assert [source.content for source in service.got] == [b"passages"]
    assert service.told["workspace"] == "eval-my-set" and service.told["questions"] == b"questions"
    assert service.told["indexed"] == {"index_seconds": {"load": 0.1}, "indexed_passages": 1}


def test_other_documents_in_the_workspace_are_refused(
    run: Run, server: str, service: HandMade, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.browse, "stats", lambda workspace, view: Counted(7))
    ran = run("eval", str(folder))
    assert ran.code == 1 and "holds 7 documents" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("name", ["passages", "questions"])
def test_a_folder_without_what_it_needs(run: Run, server: str, service: HandMade, folder: Path, name: str) -> None:
    (folder / f"{name}.jsonl").unlink()
    ran = run("eval", str(folder))
    assert ran.code == 1 and f"{name}.jsonl" in ran.err and ran.err.count("\n") == 1
    assert service.got == []


def test_earlier_runs_beside_each_other(run: Run, server: str) -> None:
    ran = run("eval", "-w", "case", "--runs")
    assert (ran.code, ran.err) == (0, "")
    assert "11-21 15:05  0123  2  50.0  75.0  100.0    40.0  60.0   25.0      12      46" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert json.loads(run("eval", "-w", "case", "--runs", "--json").out)["evaluations"][0]["id"] == "run-1"


@pytest.mark.parametrize(
    "arguments",
    [[], [".", "-w", "case"], ["-w", "case"], [".", "--questions", "q"], [".", "--limit", "0"]],
)
def test_a_wrong_call(run: Run, arguments: list[str]) -> None:
    ran = run("eval", *arguments)
    assert ran.code == 2 and "Usage:" in ran.err


def test_a_method_that_is_none(run: Run, server: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_bytes(b"questions")
    ran = run("eval", "-w", "case", "--questions", str(tmp_path / "q.jsonl"), "--method", "splade")
    assert ran.code == 1 and "methods" in ran.err and ran.err.count("\n") == 1


def test_ctrl_c_stops_the_server_too(server: str, service: HandMade, tmp_path: Path) -> None:
    service.hold.clear()
    (tmp_path / "q.jsonl").write_bytes(b"questions")
    process = subprocess.Popen(
        [sys.executable, "-m", "filigraph.app.cli", "eval", "-w", "case", "--questions", str(tmp_path / "q.jsonl")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FILIGRAPH_HOME": str(tmp_path / "home")},
    )
    while not service.told and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.startswith("Stopped.") and "Traceback" not in out + err
    assert service.cancelled.wait(PATIENCE)
