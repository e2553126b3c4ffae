"""Which tests `make test` leaves to `make test-all`: those marked `slow`, and those listed in slow_tests.txt.

Tests are marked if they kill or start servers, drive a cluster, fill a disk, install, or repeat a quick test with more
parameters. Tests are listed if they took more than `SECONDS`. After a run, `python -m tests.slow` writes the list again
from `build/tests.xml`; tests that the run left out stay listed. A test marked `essential` is never left out.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Any

import pytest

SECONDS = 1.5
LIST = Path(__file__).with_name("slow_tests.txt")
RUN = Path(__file__).parents[1] / "build" / "tests.xml"


def quick(values: Iterable[Any], count: int) -> list[Any]:
    """All of them as parameters; those after the first `count` are slow."""
    rest = iter(values)
    return list(chain(islice(rest, count), (pytest.param(value, marks=pytest.mark.slow) for value in rest)))


def mark_listed(items: Iterable[pytest.Item], listed: Iterable[str]) -> None:
    """Mark the tests of the list `slow`, with all their parameters."""
    names = set(listed)
    for item in items:
        if item.nodeid.partition("[")[0] in names and not item.get_closest_marker("essential"):
            item.add_marker(pytest.mark.slow)


def read_list() -> list[str]:
    """The tests of the list: their files and functions."""
    return LIST.read_text().split()


def slow_tests(run: Path, listed: Iterable[str] = ()) -> list[str]:
    """The tests that took more than `SECONDS` in a run (JUnit XML), and those listed that it left out.

    Of a test with parameters the median counts.
    """
    seconds: dict[str, list[float]] = defaultdict(list)
    for case in ET.parse(run).iter("testcase"):
        file = case.attrib["classname"].replace(".", "/") + ".py"
        seconds[f"{file}::{case.attrib['name'].partition('[')[0]}"].append(float(case.attrib["time"]))
    slow = {name for name, all_seconds in seconds.items() if median(all_seconds) > SECONDS}
    return sorted(slow | (set(listed) - set(seconds)))


if __name__ == "__main__":
    LIST.write_text("".join(f"{name}\n" for name in slow_tests(RUN, read_list())))
