"""Work beside a question ends with it, and computes in its own thread."""

from __future__ import annotations

import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from filigraph.graph.models.adapters.embedder import load_embedder
from filigraph.graph.process.threads import TaskGroup
from tests.patience import PATIENCE


def test_nothing_outlives_the_block_even_if_it_fails() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(PATIENCE)
        ended.set()

    with pytest.raises(ValueError, match="cancelled"), TaskGroup() as tasks:
        tasks.submit(work)
        threading.Timer(0.05, go_on.set).start()
        raise ValueError("cancelled")
    assert ended.is_set()


def test_who_loads_an_embedder_multiplies_matrices_on_one_thread() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        load_embedder(None)
        assert {row["num_threads"] for row in threadpool_info() if "numpy" in row["filepath"]} == {1}
