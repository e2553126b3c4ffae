"""A line before what only a few can do at once."""

from __future__ import annotations

import threading
import time

import pytest

from filigraph.app import line
from filigraph.app.line import Line


def never() -> None:
    """Goes on waiting."""


def test_first_come_first_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "LOOK", 0.001)  # whoever looks up keeps the place in the line
    before, came = Line(1), []

    def come(n: int) -> None:
        with before.place(never):
            came.append(n)

    threads = [threading.Thread(target=come, args=(n,)) for n in range(20)]
    with before.place(never):
        for n, thread in enumerate(threads):
            thread.start()
            while len(before._waiting) <= n:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert came == list(range(20))


def test_never_more_than_there_are_places() -> None:
    before, lock, inside, most = Line(3), threading.Lock(), 0, 0

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
    assert most == 3 and before._free == 3


def test_who_goes_away_leaves_the_line_and_takes_no_place() -> None:
    before = Line(1)

    def gone() -> None:
        raise KeyError

    with before.place(never), pytest.raises(KeyError), before.place(gone):
        raise AssertionError("the place was taken")
    with before.place(gone):
        assert not before._waiting


def test_what_fails_gives_its_place_back() -> None:
    before = Line(1)
    with pytest.raises(ValueError, match="inside"), before.place(never):
        raise ValueError("inside")
    assert before._free == 1
