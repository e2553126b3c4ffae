"""export and import in full: the command, the server, the real Neo4j."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Store
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run
from tests.making import NamesExtractor, case_file, word_embedder
from tests.workspace_pool import WorkspacePool


@pytest.fixture(scope="module")
def case(store: Store, workspace_pool: WorkspacePool) -> Iterator[str]:
    """A workspace with a case in it."""
    with workspace_pool.one() as name:
        ingest(case_file()[:3], graph=store.graph(name), embedder=word_embedder(), extractor=NamesExtractor())
        yield name


@pytest.fixture(scope="module")
def url(neo4j_address: Neo4jAddress, case: str) -> Iterator[str]:
    with serving(Service(WordRuntime(neo4j_address))) as url:
        yield url


@pytest.fixture(autouse=True)
def copy(url: str, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a workspace that is gone afterwards."""
    monkeypatch.setenv("FILIGRAPH_URL", url)
    with workspace_pool.unused() as name:
        yield name


def test_out_and_back(run: Run, tmp_path: Path, case: str, copy: str) -> None:
    file = tmp_path / "case.jsonl"
    ran = run("export", "-w", case, "--canonical", "-o", str(file))
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    assert (ran.code, ran.out) == (0, "") and sha256 in ran.err
    assert run("export", "-w", case, "--hash").out == f"{sha256}\n"
    ran = run("import", str(file), "-w", copy)
    assert ran.code == 0, ran.err
    assert "3 documents" in ran.out and f"sha256 {sha256}, as in the file" in ran.out
    told = json.loads(run("export", "-w", copy, "-o", str(tmp_path / "again"), "--json").out)
    assert told == {"sha256": sha256, "bytes": file.stat().st_size, "file": str(tmp_path / "again")}
    assert (tmp_path / "again").read_bytes() == file.read_bytes()
    again = run("import", str(file), "-w", copy)
    assert again.code == 1 and "is not empty" in again.err


def test_two_exports_are_compared(run: Run, tmp_path: Path, case: str) -> None:
    documents = json.loads(run("documents", "-w", case, "--json").out)["documents"]
    one, two = (str(tmp_path / name) for name in ("less.jsonl", "all.jsonl"))
    assert run("export", "-w", case, "--without", documents[0]["source"], "-o", one).code == 0
    assert run("export", "-w", case, "-o", two).code == 0
    found = json.loads(run("diff", one, two, "--json").out)
    assert found["totals"]["entities_came"] or found["totals"]["facts_came"]
    assert {fact["source"] for fact in found["facts_came"]} <= {documents[0]["source"]}
    assert run("diff", two, two).out.strip() == "Nothing differs."
    assert run("diff", one, str(tmp_path / "none")).code == 1


def test_a_foreign_file_makes_no_workspace(run: Run, tmp_path: Path, copy: str) -> None:
    file = tmp_path / "passages.jsonl"
    file.write_text('{"id": "p1", "title": "A", "text": "B"}\n')
    ran = run("import", str(file), "-w", copy)
    assert ran.code == 1 and "Line 1 of the file cannot be used" in ran.err
    assert run("import", str(tmp_path / "none")).code == 1
    assert run("export", "-w", copy).code == 1


def test_tables_and_a_graph_for_other_programs(run: Run, tmp_path: Path, case: str) -> None:
    assert run("export", "-w", case, "--format", "csv", "-o", str(tmp_path / "case.zip")).code == 0
    assert zipfile.ZipFile(tmp_path / "case.zip").namelist() == ["entities.csv", "facts.csv"]
    assert run("export", "-w", case, "--format", "graphml", "-o", str(tmp_path / "case.graphml")).code == 0
    assert (tmp_path / "case.graphml").read_text().lstrip().startswith("<?xml")
    assert {file.name for file in tmp_path.iterdir()} - {"home"} == {"case.zip", "case.graphml"}, "no halves"


@pytest.mark.parametrize("wrong", [["--format", "csv", "--hash"], ["--format", "graphml", "--canonical"], ["--json"]])
def test_called_wrongly(run: Run, wrong: list[str]) -> None:
    assert run("export", *wrong).code == 2


def test_a_file_that_cannot_be_written(run: Run, tmp_path: Path, case: str) -> None:
    ran = run("export", "-w", case, "-o", str(tmp_path / "none" / "case.jsonl"))
    assert ran.code == 1 and "cannot be written" in ran.err
