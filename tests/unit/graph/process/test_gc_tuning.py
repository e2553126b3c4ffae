"""The garbage collector is off during a pause and on again after the last one; it skips long-lived objects."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from filigraph.graph.process import gc_tuning as collector
from filigraph.graph.process.gc_tuning import FrozenObjects, collector_paused


def test_it_goes_on_after_the_last_pause() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled(), "the outer pause goes on"
    assert gc.isenabled()


def test_it_goes_on_after_a_failure() -> None:
    with pytest.raises(ValueError, match="no"), collector_paused():
        raise ValueError("no")
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


class Cycle:
    """Refers to itself: only the collector removes it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def frozen() -> Iterator[FrozenObjects]:
    found = FrozenObjects()
    found.begin()
    yield found
    found.end()
    assert gc.get_freeze_count() == 0


def test_what_a_full_collection_leaves_is_kept_from_the_next(frozen: FrozenObjects) -> None:
    kept = [Cycle() for _ in range(1000)]
    before = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() >= before + len(kept)
    seen = weakref.ref(kept.pop())
    gc.collect()
    assert seen() is not None, "it is not looked at"
    new = weakref.ref(Cycle())
    gc.collect()
    assert new() is None


def test_what_was_made_in_a_pause_is_not_looked_through(frozen: FrozenObjects) -> None:
    with collector_paused():
        kept = [Cycle() for _ in range(1000)]
    assert gc.get_freeze_count() >= len(kept)
    seen = weakref.ref(kept.pop())
    gc.collect()
    assert seen() is not None


def test_a_pause_freezes_nothing_while_all_is_to_be_looked_through(
    frozen: FrozenObjects, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made_in_a_pause() -> weakref.ref[Cycle]:
        with collector_paused():
            return weakref.ref(Cycle())

    monkeypatch.setattr(collector, "LOOKED_THROUGH", 0.0)
    due = made_in_a_pause()
    gc.collect()
    assert due() is None
    monkeypatch.setattr(collector, "LOOKED_THROUGH", 3600.0)
    thawed = made_in_a_pause()
    gc.collect()
    assert thawed() is None
    after = made_in_a_pause()
    gc.collect()
    assert after() is not None


def test_without_a_server_a_pause_freezes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "keepers", [])  # other tests have servers
    with collector_paused():
        seen = weakref.ref(Cycle())
    gc.collect()
    assert seen() is None


def test_once_an_hour_everything_is_collected(frozen: FrozenObjects, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Cycle()
    seen = weakref.ref(one)
    gc.collect()
    del one
    monkeypatch.setattr(collector, "LOOKED_THROUGH", 0.0)
    gc.collect()
    gc.collect()
    assert seen() is None


def test_after_the_end_nothing_is_kept() -> None:
    found, callbacks = FrozenObjects(), [*gc.callbacks]
    found.begin()
    found.begin()
    one = Cycle()
    gc.collect()
    found.end()
    seen = weakref.ref(one)
    del one
    gc.collect()
    assert seen() is None and gc.callbacks == callbacks
