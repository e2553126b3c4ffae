"""The output and exit codes of estimate, retry, gaps and schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from filigraph.graph.model.documents import Cut
from tests.api.serving import GAP, HandMade
from tests.cli.conftest import Run


def test_estimate(run: Run, server: str, service: HandMade, tmp_path: Path) -> None:
    file = tmp_path / "novel.txt"
    file.write_text("Jules met Nora.")
    ran = run("estimate", str(file), "--extractor", "llm")
    assert ran.code == 3, "a file was skipped"
    for shown in (
        "by llm:mistral",
        "1 document to read; 2 unchanged",
        "400 chunks, 100 of them read before",
        "300 calls of the LLM: about 270,000 tokens in and 36,000 out, about 0.06 at the",
        "about 90 minutes, at the speed that was measured",
        "bad.bin: It is binary. Send text.",
    ):
        assert shown in " ".join(ran.out.split())
    assert {asked: service.told[asked] for asked in ("kind", "cut", "batch")} == {
        "kind": "llm",
        "cut": Cut(),
        "batch": False,
    }
    run("estimate", str(file), "--batch")
    assert service.told["batch"]
    assert [source.name for source in service.got] == [str(file)]


def test_how_texts_are_cut(run: Run, server: str, service: HandMade, tmp_path: Path) -> None:
    file = tmp_path / "novel.txt"
    file.write_text("Jules met Nora.")
    run("estimate", str(file), "--size", "1000", "--overlap", "100", "--unit", "characters")
    assert service.told["cut"] == Cut(size=1000, overlap=0.1, unit="characters")
    run("ingest", str(file), "--preset", "250-350 words", "--late")
    told = {name: service.told[name] for name in ("size", "overlap", "unit", "late")}
    assert told == {"size": 350, "overlap": 0.0, "unit": "words", "late": True}
    refused = run("ingest", str(file), "--size", "100", "--overlap", "60")
    assert refused.code == 1 and "more than half a chunk" in refused.err


def test_estimate_for_programs(run: Run, server: str, tmp_path: Path) -> None:
    file = tmp_path / "novel.txt"
    file.write_text("Jules met Nora.")
    found = json.loads(run("estimate", str(file), "--json").out)
    assert (found["extractor"], found["cost"], found["usage"]["calls"]) == ("llm:mistral", 0.0612, 300)


def test_estimate_of_nothing(run: Run, server: str, tmp_path: Path) -> None:
    ran = run("estimate", str(tmp_path))
    assert ran.code == 1 and f"There is no file to read in {tmp_path}." in ran.err
    assert run("estimate", str(tmp_path / "none")).code == 1


def test_retry(run: Run, server: str, service: HandMade) -> None:
    ran = run("retry")
    assert (ran.code, ran.err) == (0, "")
    assert "1 updated" in ran.out and "1 call of the LLM: 900 tokens in and 120 out" in ran.out
    assert service.told == {"kind": "llm"}
    assert json.loads(run("retry", "--extractor", "local", "--json").out)["chunks"] == 2
    assert service.told == {"kind": "local"}


def test_gaps(run: Run, server: str) -> None:
    ran = run("gaps")
    assert ran.code == 0
    for shown in ("lettre.txt, page 1", "chunk 3", "it was too slow", "Quelle nuit !", "filigraph retry"):
        assert shown in " ".join(ran.out.split())
    assert json.loads(run("gaps", "--first", "1", "--json").out) == {"total": 1, "gaps": []}


def test_gaps_of_documents_that_are_not_stored_to_their_end(
    run: Run, server: str, service: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = replace(GAP, chunk_id="", index=None, place="", unread=False, reason="not all is stored; ingest it again")
    monkeypatch.setattr(service.browse, "gaps", lambda workspace, **asked: ([cut], 1))
    shown = " ".join(run("gaps").out.split())
    assert "lettre.txt" in shown and "ingest it again" in shown
    assert "chunk" not in shown.replace("Chunks without facts", "") and "filigraph retry" not in shown


def test_schema(run: Run, server: str, service: HandMade, tmp_path: Path) -> None:
    assert "Schema general" in run("schema", "show").out
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\ntypes: {}\n", encoding="utf-8")
    assert run("schema", "set", str(file), "--mode", "enforce").code == 0
    assert service.told == {"schema": "name: mine\ntypes: {}\n", "mode": "enforce"}
    assert json.loads(run("schema", "set", "novel", "--json").out)["ready"] == ["case", "general", "novel"]
    assert service.told == {"schema": "novel", "mode": None}
    assert run("schema", "remove").code == 0
    assert service.told == {"schema": "", "mode": None}


@pytest.mark.parametrize("arguments", [["estimate"], ["retry", "--extractor", "x"], ["schema", "set"], ["schema"]])
def test_a_wrong_call_is_2(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2 and "Usage:" in ran.out + ran.err
