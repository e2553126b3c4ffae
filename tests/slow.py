"""Which parameters of a test `make test` takes; `make test-all` takes all.

A test marked `slow` kills or starts servers, drives a cluster, fills a disk, installs, or repeats a quick test with
more parameters. `make test` leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import pytest


def quick(values: Iterable[Any], count: int) -> list[Any]:
    """All of them as parameters; those after the first `count` are slow."""
    rest = iter(values)
    return list(chain(islice(rest, count), (pytest.param(value, marks=pytest.mark.slow) for value in rest)))
