"""Traces are written in the background, and their errors do not affect answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from filigraph.app.service import traces
from filigraph.app.service.traces import TraceRecord, TraceWriter
from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.model.traces import Trace
from tests.patience import PATIENCE


def trace(id_: str) -> Trace:
    return Trace(id=id_, workspace="case", question="Why?", steps=(), settings={})


class Written:
    """A store that can be held, and that can fail."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.answers: list[Mapping[str, Any] | None] = []
        self.sweeps = 0
        self.error: Exception | None = None
        self.busy = threading.Event()
        self.go = threading.Event()
        self.go.set()

    def write(self, waiting: TraceRecord) -> None:
        self.busy.set()
        assert self.go.wait(PATIENCE)
        if self.error:
            raise self.error
        self.ids.append(waiting.trace.id)
        self.answers.append(waiting.answer)

    def sweep(self) -> None:
        self.sweeps += 1
        if self.error:
            raise self.error


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def keeper(written: Written) -> Iterator[TraceWriter]:
    keeper = TraceWriter(written.write, written.sweep)
    yield keeper
    written.go.set()
    keeper.stop()


def test_a_trace_can_be_had_before_it_is_written(keeper: TraceWriter, written: Written) -> None:
    written.go.clear()
    keeper.keep(trace("a"), {"text": "Because."})
    assert written.busy.wait(PATIENCE)
    waiting = keeper.waiting("a")
    assert waiting and waiting.trace == trace("a") and keeper.waiting("b") is None
    written.go.set()
    keeper.flush()
    assert keeper.waiting("a") is None
    assert (written.ids, written.answers) == (["a"], [{"text": "Because."}])


@pytest.mark.parametrize("error", [StoreUnavailable("Neo4j is gone."), ZeroDivisionError("unforeseen")])
def test_a_failed_write_is_logged_and_the_next_is_tried(
    keeper: TraceWriter, written: Written, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    written.error = error
    keeper.keep(trace("a"))
    keeper.flush()
    written.error = None
    keeper.keep(trace("b"))
    keeper.flush()
    assert written.ids == ["b"] and keeper.waiting("a") is None
    assert "trace a could not be kept" in caplog.text and str(error) in caplog.text


def test_no_more_than_so_many_wait(
    keeper: TraceWriter, written: Written, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(traces, "WAITING", 2)
    written.go.clear()
    keeper.keep(trace("a"))
    assert written.busy.wait(PATIENCE)
    for id_ in "bc":
        keeper.keep(trace(id_))
    assert [id_ for id_ in "abc" if keeper.waiting(id_)] == ["a", "b"]
    assert "trace c is lost" in caplog.text
    written.go.set()
    keeper.flush()
    assert written.ids == ["a", "b"]


def test_what_waits_is_written_at_the_end_and_nothing_is_taken_after_it(keeper: TraceWriter, written: Written) -> None:
    for id_ in "abc":
        keeper.keep(trace(id_))
    keeper.stop()
    assert written.ids == ["a", "b", "c"]
    keeper.keep(trace("d"))
    assert keeper.waiting("d") is None


def test_an_end_does_not_wait_for_a_store_that_does_not_answer(
    keeper: TraceWriter, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "FLUSH_SECONDS", 0.01)
    written.go.clear()
    for id_ in "ab":
        keeper.keep(trace(id_))
    assert written.busy.wait(PATIENCE)
    keeper.stop()
    assert keeper.waiting("b") is None


def test_expired_traces_are_removed_now_and_then(
    keeper: TraceWriter, written: Written, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for id_ in "ab":
        keeper.keep(trace(id_))
    keeper.flush()
    assert written.sweeps == 0  # a server that starts sweeps by itself
    monkeypatch.setattr(traces, "SWEEP_SECONDS", 0.0)
    written.error = StoreUnavailable("Neo4j is gone.")
    keeper.keep(trace("c"))
    keeper.flush()
    assert written.sweeps == 1
    assert "expired traces could not be removed" in caplog.text
