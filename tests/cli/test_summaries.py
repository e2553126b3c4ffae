"""The output of summarize and outline, on a real service and the real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from tests.api.real import BYTES, WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run
from tests.workspace_pool import WorkspacePool


@pytest.fixture
def workspace(
    neo4j_address: Neo4jAddress, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    with workspace_pool.one() as name, serving(Service(WordRuntime(neo4j_address))) as url:
        monkeypatch.setenv("FILIGRAPH_URL", url)
        yield name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "case"
    made.mkdir()
    for name, content in BYTES.items():
        (made / name).write_bytes(content)
    return made


def test_ingest_with_summaries_and_their_outline(run: Run, workspace: str, folder: Path) -> None:
    ran = run("ingest", str(folder), "-w", workspace, "--extractor", "local", "--summarize")
    assert ran.code == 0, ran.err
    assert "5 summaries in 2 levels, 5 written now, by sentences of the texts" in ran.out
    shown = run("outline", str(folder / "letter.txt"), "-w", workspace)
    assert "Jules wears a heavy signet ring" in " ".join(shown.out.split())
    folders = json.loads(run("outline", "-w", workspace, "--json").out)["summaries"]
    assert [row["level"] for row in folders] == [2]


def test_nothing_to_do_and_nothing_to_show(run: Run, workspace: str, folder: Path) -> None:
    run("ingest", str(folder / "letter.txt"), "-w", workspace, "--extractor", "local")
    assert "There are no summaries yet" in run("outline", "-w", workspace).out
    assert "1 summary" in run("summarize", "-w", workspace, "--estimate").out
    assert "`filigraph summarize` writes the others" in run("summarize", "-w", workspace, "--levels").out
    assert json.loads(run("summarize", "-w", workspace, "--json").out)["written"] == 1
    assert run("summarize", "-w", workspace, "--levels").out.split()[-3:] == ["1", "1", "1"]
    again = run("summarize", "-w", workspace)
    assert "0 documents summarized, 1 unchanged" in again.out and "0 written now" in again.out


def test_what_cannot_be_done_is_one_line(run: Run, workspace: str, folder: Path) -> None:
    run("ingest", str(folder / "letter.txt"), "-w", workspace, "--extractor", "local")
    ran = run("summarize", "-w", workspace, "--writer", "llm")
    assert ran.code == 1 and ran.err.strip().splitlines()[-1].startswith("filigraph: No LLM is available")
    assert run("outline", "nothing.txt", "-w", workspace).code == 1


def test_a_job_reads_and_summarizes(run: Run, workspace: str, folder: Path) -> None:
    asked = (str(folder), "-w", workspace, "--extractor", "local", "--summarize")
    assert "5 summaries afterwards, by sentences of the texts" in run("estimate", *asked).out
    (job,) = json.loads(run("ingest", *asked, "--background", "--json").out)["jobs"]
    assert run("jobs", "watch", job["id"]).code == 0
    assert len(json.loads(run("outline", "-w", workspace, "--json").out)["summaries"]) == 1


def test_what_has_no_summaries_is_told_with_the_cure(run: Run, workspace: str, folder: Path) -> None:
    run("ingest", str(folder), "-w", workspace, "--extractor", "local", "--summarize")
    letter = folder / "letter.txt"
    letter.write_text(letter.read_text() + "\n\nThe aunt burned the letter in Lyon.\n")
    changed = run("ingest", str(folder), "-w", workspace, "--extractor", "local")
    assert "1 document without summaries up to date: `filigraph summarize`" in changed.out
    told = "No summaries up to date of 1 document"
    for command in (["documents"], ["stats"], ["outline"], ["outline", str(letter)]):
        assert told in " ".join(run(*command, "-w", workspace).out.split()), command
    again = run("ingest", str(folder), "-w", workspace, "--extractor", "local", "--summarize")
    assert "up to date: `filigraph summarize`" not in again.out
    deleted = run("documents", "delete", str(letter), "-w", workspace, "--yes")
    assert "1 document deleted." in deleted.out and "No summaries" not in deleted.out
