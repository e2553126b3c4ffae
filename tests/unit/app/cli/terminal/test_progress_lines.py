"""Progress in a log."""

from __future__ import annotations

import pytest

from filigraph.app.cli.show.ingest import IngestProgress
from filigraph.app.cli.terminal import progress_lines


def events(progress: IngestProgress) -> None:
    progress.sent(1)
    progress.take({"event": "waiting", "message": "Another ingest runs."})
    progress.take({"event": "progress", "stage": "extract", "done": 1200, "total": 30_000})


def test_a_log_is_told_every_now_and_then(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_lines, "EVERY", 0.0)
    with IngestProgress(quiet=False, files=3) as progress:
        events(progress)
    assert capsys.readouterr().err == "sending\nAnother ingest runs.\nreading facts: 1,200 of 30,000\n"


def test_what_is_short_or_to_be_quiet_says_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with IngestProgress(quiet=False, files=3) as progress:
        events(progress)
    monkeypatch.setattr(progress_lines, "EVERY", 0.0)
    with IngestProgress(quiet=True, files=3) as progress:
        events(progress)
    assert capsys.readouterr() == ("", "")
