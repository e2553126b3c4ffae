"""The progress of a job and its remaining time, by a clock that the test moves."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from filigraph.app.service.jobs import progress as jobs_meter
from filigraph.app.service.jobs.progress import ProgressRecorder
from filigraph.graph.ingest.incoming import Arrival
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.usage import Usage
from filigraph.graph.store import JobClaim, JobItem


class Noted:
    """What would be noted in the store; `now` is the clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.progress: dict[str, Any] = {}

    def note_progress(self, fence: JobClaim, progress: Mapping[str, Any]) -> None:
        self.progress = dict(progress)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    made = Noted()
    monkeypatch.setattr(jobs_meter, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def meter(noted: Noted, *sizes: int, used: Usage | None = None) -> ProgressRecorder:
    items = [JobItem(id=f"{n}", number=n, name=f"{n}", size=size) for n, size in enumerate(sizes)]
    made = ProgressRecorder(noted, JobClaim(job_id="j", token=1), items, used=used)  # type: ignore[arg-type]
    noted.now += 500  # until its turn came
    made.begin()
    return made


def read(done: int, total: int, extracted: int, calls: int = 0) -> Progress:
    return Progress(stage="extract", done=done, total=total, extracted=extracted, usage=Usage(calls=calls))


def test_chunks_that_were_kept_say_nothing_about_how_fast_it_goes(noted: Noted) -> None:
    job = meter(noted, 1_000_000)
    job.loaded(Arrival(source=0))
    noted.now += 2
    job.progress(read(500, 600, 0))
    assert noted.progress["seconds_left"] is None
    noted.now += 8
    job.progress(read(501, 600, 1))
    assert (noted.progress["chunks"], noted.progress["rate"], noted.progress["seconds_left"]) == (501, 0.1, 990.0)


def test_what_was_waited_for_is_over_once_it_begins(noted: Noted) -> None:
    job = meter(noted, 1_000)
    job.waiting("Another ingest runs.")
    job.begin()
    assert noted.progress["message"] == ""


def test_files_and_rows_that_are_not_loaded_are_to_come(noted: Noted) -> None:
    job = meter(noted, 3_000_000, 1_000_000)
    for row in range(1, 101):
        job.loaded(Arrival(source=0, number=row, documents=10_000))
    noted.now += 100
    job.progress(read(100, 100, 100))
    assert (noted.progress["documents"], noted.progress["documents_total"]) == (100, 10_001)
    assert noted.progress["seconds_left"] == pytest.approx(10_000 / 3 * 4 - 100, abs=0.1)


def test_what_earlier_attempts_asked_of_the_llm_is_added(noted: Noted) -> None:
    job = meter(noted, 10, used=Usage(calls=7))
    job.loaded(Arrival(source=0))
    noted.now += 10
    job.progress(read(2, 4, 2, calls=2))
    assert noted.progress["usage"]["calls"] == 9
