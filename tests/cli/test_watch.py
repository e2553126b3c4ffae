"""`ingest -` and `ingest --watch` against a real server on a real Neo4j."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace

import pytest

from filigraph import Filigraph
from filigraph.app.cli import changes, watch
from filigraph.app.client.workspace import Workspace
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def url(neo4j_address: Neo4jAddress) -> Iterator[str]:
    with serving(Service(WordRuntime(neo4j_address))) as url:
        yield url


@pytest.fixture
def case(url: str, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("FILIGRAPH_URL", url)
    with workspace_pool.one() as name, Filigraph(url) as filigraph:
        yield filigraph.workspace(name)


class Piped(io.TextIOWrapper):
    """What another program writes into the command."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


def sources(case: Workspace) -> list[str]:
    return [Path(row.source).name for row in case.documents.list()]


def test_standard_input(run: Run, case: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("Nora left Lyon.")
    monkeypatch.setattr(sys, "stdin", Piped("Élodie quitta Lyon en été.".encode()))
    ran = run("ingest", "-", str(tmp_path / "other.txt"), "-w", case.name, "--name", "été", "--metadata", "date=1912")
    assert ran.code == 0 and sources(case) == ["other.txt", "été"]
    (row,) = case.documents.list(sources=["été"])
    assert case.documents.show(row.id).metadata == {"date": "1912"}
    assert case.documents.text(row.id).pieces[0].text == "Élodie quitta Lyon en été."


def test_an_ingest_says_what_it_changed(
    run: Run, case: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("Nora Lenoir left Lyon.")
    second.write_text("Paul Vasseur knows Nora Lenoir.")
    ran = run("ingest", str(first), "-w", case.name)
    assert ran.code == 0 and "New names" not in ran.out  # all is new
    case.ask("Who knows Nora Lenoir?")
    ran = run("ingest", str(second), "-w", case.name)
    assert ran.code == 0 and "New names" in ran.out and "Paul Vasseur" in ran.out, ran.out
    assert "Answers that change" in ran.out and "Who knows Nora Lenoir?" in ran.out
    second.write_text("Paul Vasseur fears Nora Lenoir.")
    assert "Paul Vasseur" not in run("ingest", str(second), "-w", case.name, "--quiet").out
    monkeypatch.setattr(changes, "LARGEST", 1)
    second.write_text("Paul Vasseur loves Nora Lenoir.")
    assert "filigraph news" in run("ingest", str(second), "-w", case.name).err


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"", "Standard input is empty."), (b" \n", "empty"), (b"\x89PNG\0\0\0", "binary"), (b"a\0b", "binary")],
)
def test_standard_input_that_is_no_text(
    run: Run, case: Workspace, monkeypatch: pytest.MonkeyPatch, content: bytes, cause: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Piped(content))
    ran = run("ingest", "-", "-w", case.name)
    assert ran.code == 1 and cause in ran.err and ran.err.count("\n") == 1


def test_text_in_utf_16_is_text(run: Run, case: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Piped("Nora quitta Lyon.".encode("utf-16")))
    assert run("ingest", "-", "-w", case.name).code == 0 and sources(case) == ["stdin"]


def looks(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> None:
    """Let each step be done between two looks; after the last one Ctrl-C."""
    left = iter(steps)

    def sleep(_: float) -> None:
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    # the command's alone: threads of the server sleep, too
    monkeypatch.setattr(watch, "time", SimpleNamespace(sleep=sleep))


def test_a_folder_is_watched(
    run: Run, url: str, case: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, odd = tmp_path / "in", tmp_path / "in" / "n*.txt"
    folder.mkdir()
    (folder / "note.txt").write_text("Nora met Paul.")

    def ended() -> None:
        until = time.monotonic() + PATIENCE
        with Filigraph(url) as filigraph:
            while any(job.state in ("queued", "running") for job in filigraph.jobs.list().jobs):
                assert time.monotonic() < until

    def nothing() -> None:
        """Nobody changes anything."""

    looks(
        monkeypatch,
        nothing,
        ended,
        lambda: odd.write_bytes(mail_with_a_file()),
        nothing,
        ended,
        lambda: (folder / "note.txt").write_text("Nora met Paul and left."),
        nothing,
        ended,
        odd.unlink,
        nothing,
        nothing,
        ended,
        nothing,
    )
    ran = run("ingest", "--watch", str(folder), "-w", case.name, "--extractor", "local", "--delete", "--json")
    told = [json.loads(line) for line in ran.out.splitlines()]
    kinds = [one["event"] for one in told]
    assert kinds == ["watching", "sent", "ended", "sent", "ended", "sent", "ended", "deleted", "ended", "stopped"]
    assert {one["state"] for one in told if one["event"] == "ended"} == {"done"}
    assert ran.code == 0 and sources(case) == ["note.txt"]  # n*.txt is a name, and no pattern
    (row,) = case.documents.list()
    assert case.documents.text(row.id).pieces[0].text == "Nora met Paul and left."


def mail_with_a_file() -> bytes:
    message = EmailMessage()
    message["From"], message["Message-ID"] = "Nora <n@x.y>", "<1@x.y>"
    message.set_content("Paul left.")
    message.add_attachment("Paul met Ana.", filename="more.txt")
    return message.as_bytes()


def test_what_goes_stays_unless_it_is_said(
    run: Run, case: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Nora met Paul.")
    (tmp_path / "b.txt").write_text("")

    def nothing() -> None:
        """Nobody changes anything."""

    looks(monkeypatch, nothing, (tmp_path / "a.txt").unlink, nothing, nothing)
    ran = run("ingest", "--watch", str(tmp_path), "-w", case.name, "--extractor", "local")
    assert ran.code == 0 and "Documents stay." in ran.err and "2 files to read: job" in ran.err
    assert "Still going on: " in ran.err or ran.err.endswith("Stopped watching.\n")


@pytest.mark.parametrize(
    "arguments",
    [["--delete", "."], ["--watch", "-"], ["--watch", ".", "--background"], ["--watch", ".", "--summarize"]],
)
def test_what_does_not_go_together(run: Run, arguments: list[str]) -> None:
    assert run("ingest", *arguments).code == 2


def test_a_file_is_not_watched(run: Run, case: Workspace) -> None:
    ran = run("ingest", "--watch", __file__, "-w", case.name)
    assert ran.code == 1 and "is not a folder" in ran.err
