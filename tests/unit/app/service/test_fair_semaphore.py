"""A queue for work that only a few can do at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from filigraph.app.service import fair_semaphore
from filigraph.app.service.fair_semaphore import MAX_PAUSE_SECONDS, PAUSE_FACTOR, FairSemaphore, YieldToSearches


def never() -> None:
    """Goes on waiting."""


def test_first_come_first_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_semaphore, "POLL_SECONDS", 0.001)  # whoever looks up keeps the place in the line
    before, came = FairSemaphore(1), []

    def come(n: int, waits: threading.Event) -> None:
        with before.place(waits.set):
            came.append(n)

    waits = [threading.Event() for _ in range(20)]
    threads = [threading.Thread(target=come, args=each) for each in enumerate(waits)]
    with before.place(never):
        for thread, in_line in zip(threads, waits, strict=True):
            thread.start()
            in_line.wait()
    for thread in threads:
        thread.join()
    assert came == list(range(20))


def test_never_more_than_there_are_places() -> None:
    before, lock, inside, most = FairSemaphore(3), threading.Lock(), 0, 0

    def come() -> None:
        nonlocal inside, most
        with before.place(never):
            with lock:
                inside += 1
                most = max(most, inside)
            time.sleep(0.002)
            with lock:
                inside -= 1

    threads = [threading.Thread(target=come) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 3 and before.empty()


def test_who_goes_away_leaves_the_line_and_takes_no_place() -> None:
    before = FairSemaphore(1)

    def gone() -> None:
        raise KeyError

    with before.place(never), pytest.raises(KeyError), before.place(gone):
        raise AssertionError("the place was taken")
    with before.place(gone):
        pass
    assert before.empty()


def test_what_fails_gives_its_place_back() -> None:
    before = FairSemaphore(1)
    with pytest.raises(ValueError, match="inside"), before.place(never):
        raise ValueError("inside")
    assert before.empty()


class Clock:
    """Time that passes only where somebody sleeps, or `works`. `then` is called after each sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.then: Callable[[], None] = lambda: None

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.then()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    ticking = Clock()
    monkeypatch.setattr(fair_semaphore, "time", ticking)
    return ticking


def test_work_goes_on_at_once_where_nobody_is_in_the_line(clock: Clock) -> None:
    stop = YieldToSearches(FairSemaphore(2), lambda: False)
    clock.now += 5.0
    assert not stop() and clock.now == 5.0


def test_work_gives_way_to_the_line_until_it_is_over(clock: Clock) -> None:
    before = FairSemaphore(2)
    stop = YieldToSearches(before, lambda: False)
    clock.now = 0.2
    place = before.place(never)
    place.__enter__()
    clock.then = lambda: place.__exit__(None, None, None) if clock.now > 0.5 else None
    assert not stop()
    assert clock.now == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("worked", "waits"), [(0.1, 0.1 * PAUSE_FACTOR), (100.0, MAX_PAUSE_SECONDS)])
def test_a_line_that_never_ends_leaves_work_a_share(clock: Clock, worked: float, waits: float) -> None:
    before = FairSemaphore(1)
    stop = YieldToSearches(before, lambda: False)
    with before.place(never):
        for _ in range(3):
            begun = clock.now
            clock.now += worked
            assert not stop()
            assert clock.now - begun == pytest.approx(worked + waits, abs=0.05)


def test_work_that_gives_way_stops_when_it_is_told(clock: Clock) -> None:
    before = FairSemaphore(1)
    stop = YieldToSearches(before, lambda: clock.now > 1.3)
    with before.place(never):
        clock.now = 1.0
        assert stop()
    assert clock.now == pytest.approx(1.3, abs=0.05)
