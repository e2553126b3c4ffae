"""Threads: what a question asks of the store at once, on threads that all questions share.

What is handed in waits for nothing that is handed in, so no number of questions can block each other.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 24  # a question has up to five statements under way, and few questions search at once

_POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="ask")


def beside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Begin `work`, which only asks the store, beside what the caller does next."""
    return _POOL.submit(work, *args, **kwargs)
