"""Traces: kept for their days, only for their workspace, and deleted afterwards."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from filigraph.graph.errors import NotFound
from filigraph.graph.store import Graph, Store
from filigraph.graph.store.server import traces as module
from filigraph.graph.store.server.traces import Traces
from tests.store.world import trace

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


class Clock:
    """Tells the time it is set to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def traces(store: Store, clock: Clock) -> Traces:
    return Traces(store.database, clock)


def count(store: Store) -> int:
    """The traces in the whole database, expired ones included."""
    return len(
        store.database.rows(
            "newest_traces", workspace="test-store", now=NOON - timedelta(days=1), first=0, count=10_000, owner=""
        )
    )


def test_a_trace_comes_back_as_it_was(traces: Traces, graph: Graph) -> None:
    written = trace(graph.workspace.name)
    traces.write(written, days=7)
    traces.write(written, days=7)  # as a transaction that is tried again does
    assert traces.read(graph.workspace.name, written.id) == written
    ((row,), _) = traces.newest(graph.workspace.name, count=10)
    assert (row.id, row.question, row.at, row.expires) == (
        written.id,
        written.question,
        NOON,
        NOON + timedelta(days=7),
    )
    assert (row.method, row.answered) == ("", False)


def test_an_answer_is_kept_with_its_trace(traces: Traces, graph: Graph, other: Graph, clock: Clock) -> None:
    searched, answered = trace(graph.workspace.name), trace(graph.workspace.name)
    answered = dataclasses.replace(answered, settings={"method": "dense"})
    body = {"text": "Parce que « lui ».", "citations": [{"id": "c"}]}
    traces.write(searched, days=7)
    clock.now += timedelta(minutes=1)
    traces.write(answered, days=7, answer=body)
    kept = traces.answer(graph.workspace.name, answered.id)
    assert (kept.trace, kept.at, kept.body) == (answered, NOON + timedelta(minutes=1), body)
    rows, _ = traces.newest(graph.workspace.name, count=10)
    assert [(row.id, row.method, row.answered) for row in rows] == [
        (answered.id, "dense", True),
        (searched.id, "", False),
    ]
    with pytest.raises(NotFound, match="belongs to a search"):
        traces.answer(graph.workspace.name, searched.id)
    with pytest.raises(NotFound, match="never existed"):
        traces.answer(other.workspace.name, answered.id)
    clock.now += timedelta(days=7)
    with pytest.raises(NotFound, match="expired on"):
        traces.answer(graph.workspace.name, answered.id)


def test_a_thread_is_named_expires_and_goes_as_a_whole(
    traces: Traces, graph: Graph, other: Graph, clock: Clock
) -> None:
    workspace = graph.workspace.name
    first, second, alone = (trace(workspace, question) for question in ("Who is she?", "Anna, who is she?", "Where?"))
    traces.write(first, days=1, answer={"text": "Anna."})
    traces.write(trace(workspace), days=1)  # a search is no part of a thread
    clock.now += timedelta(hours=20)
    traces.write(second, days=1, answer={"text": "A spy."}, thread=first.id, asked="And her?")
    traces.write(alone, days=1, answer={"text": "Lyon."})
    clock.now += timedelta(hours=20)  # the first alone would have expired
    row, turns = traces.thread(workspace, first.id)
    assert [(turn.row.question, turn.text) for turn in turns] == [("Who is she?", "Anna."), ("And her?", "A spy.")]
    assert (row.title, row.questions, row.expires) == ("Who is she?", 2, NOON + timedelta(hours=44))
    kept = traces.answer(workspace, second.id)
    assert (kept.asked, kept.thread, kept.trace.question) == ("And her?", first.id, "Anna, who is she?")
    traces.rename_thread(workspace, first.id, "The spy")
    rows, total = traces.threads(workspace, count=10)
    assert {(one.id, one.title, one.questions) for one in rows} == {(first.id, "The spy", 2), (alone.id, "Where?", 1)}
    assert total == 2 and traces.threads(other.workspace.name, count=10) == ([], 0)
    with pytest.raises(NotFound, match="no thread"):
        traces.rename_thread(other.workspace.name, first.id, "Mine")
    traces.delete_thread(workspace, first.id)
    assert [one.id for one in traces.threads(workspace, count=10)[0]] == [alone.id]
    with pytest.raises(NotFound, match="never existed"):
        traces.answer(workspace, second.id)


def test_it_belongs_to_its_workspace(traces: Traces, graph: Graph, other: Graph) -> None:
    written = trace(graph.workspace.name)
    traces.write(written, days=7)
    with pytest.raises(NotFound, match="never existed"):
        traces.read(other.workspace.name, written.id)
    assert traces.newest(other.workspace.name, count=10) == ([], 0)


def test_without_a_limit_one_stays_until_it_is_deleted(traces: Traces, clock: Clock, graph: Graph) -> None:
    kept = trace(graph.workspace.name)
    traces.write(kept, days=0)
    clock.now += timedelta(days=10_000)
    traces.sweep()
    assert traces.read(graph.workspace.name, kept.id) == kept
    assert traces.newest(graph.workspace.name, count=1)[0][0].expires.year == 9999


def test_an_expired_one_says_so_until_it_is_swept(traces: Traces, clock: Clock, graph: Graph, store: Store) -> None:
    old, new = trace(graph.workspace.name, "Old?"), trace(graph.workspace.name, "New?")
    traces.write(old, days=7)
    clock.now += timedelta(days=1)
    traces.write(new, days=7)
    assert [row.question for row in traces.newest(graph.workspace.name, count=10)[0]] == ["New?", "Old?"]
    for first, question in enumerate(("New?", "Old?")):
        (row,), total = traces.newest(graph.workspace.name, first=first, count=1)
        assert (row.question, total) == (question, 2)

    clock.now += timedelta(days=6)
    assert [row.question for row in traces.newest(graph.workspace.name, count=10)[0]] == ["New?"]
    with pytest.raises(NotFound, match=r"expired on 2026-03-11 at 12:00 UTC\. Ask again\. FILIGRAPH_TRACE_DAYS"):
        traces.read(graph.workspace.name, old.id)

    traces.sweep()
    assert count(store) == 1
    with pytest.raises(NotFound, match=r"expired, or never existed\. Ask again"):
        traces.read(graph.workspace.name, old.id)
    assert traces.read(graph.workspace.name, new.id) == new


def test_a_sweep_takes_more_than_one_transaction(
    traces: Traces, clock: Clock, graph: Graph, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SWEEP_BATCH_TRACES", 2)
    for _ in range(5):
        traces.write(trace(graph.workspace.name), days=1)
    clock.now += timedelta(days=2)
    traces.sweep()
    assert count(store) == 0


def test_nothing_is_kept_for_a_workspace_that_is_gone(traces: Traces, store: Store) -> None:
    written = trace("never")
    traces.write(written, days=7)
    with pytest.raises(NotFound):
        traces.read("never", written.id)


def test_a_dump_does_not_hold_it(traces: Traces, graph: Graph) -> None:
    before = list(graph.dump())
    traces.write(trace(graph.workspace.name), days=7)
    assert list(graph.dump()) == before


def test_which_workspace_was_asked_last_and_which_part(traces: Traces, graph: Graph, clock: Clock) -> None:
    """Those who see a part only do not count."""
    clock.now = datetime(9998, 1, 1, tzinfo=UTC)  # after all other tests
    name, part = graph.workspace.name, {"as_of": "1904-05-03"}
    first, second = (dataclasses.replace(trace(name), id=f"last-{number}") for number in range(2))
    traces.write(first, days=7, view=part, answer={"text": "Paul."})
    clock.now += timedelta(hours=1)
    traces.write(second, days=7, owner="anna", answer={"text": "Paul."})
    assert traces.last_asked() == (name, datetime(9998, 1, 1, tzinfo=UTC), part)
    for written in (first, second):
        traces.delete_thread(name, written.id)
