"""What runs beside a question ends with it."""

from __future__ import annotations

import threading

import pytest

from filigraph.graph.threads import TaskGroup


def test_nothing_outlives_the_block_even_if_it_fails() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(5)
        ended.set()

    with pytest.raises(ValueError, match="cancelled"), TaskGroup() as tasks:
        tasks.submit(work)
        threading.Timer(0.05, go_on.set).start()
        raise ValueError("cancelled")
    assert ended.is_set()
