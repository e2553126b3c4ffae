from __future__ import annotations

import pytest
from rich.console import Console

from filigraph.app.cli.show import corrections as show_corrections
from filigraph.app.cli.show import jobs as show_jobs

JOB = {"id": "79d7848c92be4feaa56c62dbd399e231", "state": "running", "cancelling": False, "workspace": "correspondence"}
JOB |= {"items": 12, "progress": None, "error": None, "failed": 0, "created": "2026-11-26T20:03:00"}
JOB |= {"names": ["a.txt", "lettres/b.txt", "c\nd.txt"]}
MERGE = {"kind": "same", "id": "ab" * 24, "by": "rule", "rule": "exact", "score": 1.0, "note": "", "holds": True}
MERGE |= {"at": "2026-11-26T19:41:00", "names": [{"form": "Jules"}], "others": [{"form": "Jules Delmas"}]}


def test_the_id_of_a_job_is_whole_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show_jobs, "console", lambda: Console(width=50))
    show_jobs.show_jobs({"jobs": [JOB], "total": 1})
    assert JOB["id"] in capsys.readouterr().out.split()


def test_a_job_names_its_first_files_and_counts_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show_jobs, "console", lambda: Console(width=200))
    show_jobs.show_jobs({"jobs": [JOB], "total": 1})
    assert "a.txt, lettres/b.txt, c d.txt and 9 more · 2026-11-26 20:03" in capsys.readouterr().out
    assert show_jobs.abbreviated_names(JOB | {"items": 3}) == "a.txt, lettres/b.txt, c d.txt"
    assert show_jobs.abbreviated_names(JOB | {"names": [], "items": 1}) == ""


def test_a_merge_is_a_line_and_its_undo_another(capsys: pytest.CaptureFixture[str]) -> None:
    show_corrections.show_corrections({"total": 2, "corrections": [MERGE, MERGE | {"by": "person"}]}, 0)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  Jules = Jules Delmas  exact · 1.00 · 2026-11-26 19:41",
        "  Jules = Jules Delmas  exact · 2026-11-26 19:41",
        f"    undo: {MERGE['id']}",
    ]
