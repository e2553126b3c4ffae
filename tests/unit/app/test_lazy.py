from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from filigraph.app.lazy import Lazy


def test_it_is_built_once_whoever_asks() -> None:
    built = []
    together = threading.Barrier(8)

    def build() -> object:
        built.append(1)
        return object()

    lazy = Lazy(build)

    def ask() -> object:
        together.wait()
        return lazy()

    with ThreadPoolExecutor(8) as threads:
        results = [future.result() for future in [threads.submit(ask) for _ in range(8)]]
    assert len(built) == 1
    assert len(set(map(id, results))) == 1


def test_none_may_be_what_was_built() -> None:
    built = []
    lazy: Lazy[None] = Lazy(lambda: built.append(1))
    lazy(), lazy()
    assert built == [1]


def test_a_failure_is_not_kept() -> None:
    results = iter([ValueError("not yet"), "built"])

    def build() -> str:
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    lazy = Lazy(build)
    with pytest.raises(ValueError, match="not yet"):
        lazy()
    assert lazy.peek() is None
    assert lazy() == lazy.peek() == "built"


def test_what_is_forgotten_is_built_anew() -> None:
    numbers = iter(range(9))
    lazy = Lazy(lambda: next(numbers))
    assert (lazy(), lazy.forget(), lazy.forget(), lazy()) == (0, 0, None, 1)


def test_nobody_waits_longer_than_they_may() -> None:
    go_on = threading.Event()

    def build() -> str:
        go_on.wait()
        return "built"

    lazy = Lazy(build, patience=0.01, late=lambda: ValueError("late"))
    for _ in range(2):
        with pytest.raises(ValueError, match="late"):
            lazy()
    assert lazy.peek() is None
    go_on.set()
    assert lazy.wait() == lazy() == "built"


def test_a_failure_behind_who_waits_is_told_to_who_asks() -> None:
    def build() -> str:
        raise TimeoutError("of its own")

    lazy = Lazy(build, patience=60, late=lambda: ValueError("late"))
    with pytest.raises(TimeoutError, match="of its own"):
        lazy()
