"""Threads: concurrent store calls of a question, on threads that all questions share. A question computes on its own
thread.

A submitted call never waits for another one, so questions cannot deadlock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 24  # a question has up to five statements under way, and few questions search at once

_POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="ask")


class TaskGroup:
    """Runs submitted calls beside the block of a `with`. When the block ends, or fails, all of them have ended: no
    statement outlives its question, or the store. Structured concurrency, like `asyncio.TaskGroup`."""

    def __init__(self) -> None:
        self._submitted: list[Future[Any]] = []

    def __enter__(self) -> TaskGroup:
        return self

    def __exit__(self, *_: object) -> None:
        wait(self._submitted)

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin `work`, which only calls the store."""
        future = _POOL.submit(work, *args, **kwargs)
        self._submitted.append(future)
        return future


def keep_blas_on_one_thread() -> None:
    """Let numpy multiply matrices on the calling thread, in the whole process.

    A question multiplies small matrices, one after the other. Two threads that wait for each other took half of its
    time on an idle machine, and on a busy one a time slice each.
    """
    threadpool_limits(limits=1, user_api="blas")


def usable_cores() -> int:
    """The number of cores, hyperthreads included, that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compute_threads() -> int:
    """The number of threads for computing: the physical cores that this process may use, at most OMP_NUM_THREADS."""
    import psutil

    allowed = usable_cores()
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(
        allowed, psutil.cpu_count(logical=False) or allowed, int(limit) if limit.isdecimal() and int(limit) else allowed
    )
