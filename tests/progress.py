"""One line with the progress of the tests and the time that is left: `-p tests.progress`, as make requests it.

It replaces pytest's dots. On a terminal each line overwrites the last; elsewhere a new one comes every half minute,
without control characters. The estimate uses the seconds that each file took in the last whole run here
(`build/durations.json`), or else those in `tests/durations.json`, which are estimated for two idle cores.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SHIPPED = Path(__file__).with_name("durations.json")
SECONDS_BETWEEN_LINES = 30
SECONDS_BETWEEN_WRITES = 0.2  # of the line on a terminal
SECONDS_OF_TRUST = 120  # the estimate counts as much as this long a run
UNKNOWN = 0.05  # seconds of a test in a file that was never run


def minutes(seconds: float) -> str:
    """A length of time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


class Estimate:
    """How many seconds one test of each file takes on average, as measured before."""

    def __init__(self, marks: str, files: Iterable[Path]) -> None:
        self.source: Path | None = None
        self._of_file: dict[str, float] = {}
        for file in files:
            known = _read(file).get(marks, {})
            if known:
                self.source = file
                self._of_file = {name: row["seconds"] / row["tests"] for name, row in known.items()}
                return

    def seconds(self, test: str) -> float:
        return self._of_file.get(test.partition("::")[0], UNKNOWN)


class Progress:
    """Counts tests, and says so."""

    def __init__(self, config: pytest.Config) -> None:
        self.marks = str(config.option.markexpr)
        self.recorded = ROOT / "build" / "durations.json"
        self.estimate = Estimate(self.marks, (self.recorded, SHIPPED))
        self.workers = max(1, int(getattr(config.option, "numprocesses", None) or 1))
        self.is_whole = not config.option.keyword and not config.option.file_or_dir
        self.terminal = sys.stdout.isatty() and not os.environ.get("CI")
        self.tests: tuple[str, ...] = ()
        self.done = self.expected_done = self.expected = 0.0
        self.failed = 0
        self.taken: dict[str, float] = defaultdict(float)
        self.counted: Counter[str] = Counter()
        self.started = self.written = time.monotonic()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        self._begin(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._begin([item.nodeid for item in session.items])

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        """No dot for a test that passed. Of others, a line each."""
        if getattr(report, "passed", False):
            return ("passed" if report.when == "call" else "", "", "")
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.taken[file] += report.duration
        if report.failed:
            self.failed += 1
            self._write(f"FAILED {report.nodeid} ({report.when})", lasts=True)
        if report.when != "teardown":
            return
        self.counted[file] += 1
        self.done += 1
        self.expected_done += self.estimate.seconds(report.nodeid)
        if time.monotonic() - self.written >= (SECONDS_BETWEEN_WRITES if self.terminal else SECONDS_BETWEEN_LINES):
            self._write(self._line())

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self.tests:
            self._write(self._line(), lasts=True)
        if self.is_whole and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self._record()

    def _begin(self, tests: list[str]) -> None:
        if self.tests or not tests:
            return  # each worker collects the same
        self.tests = tuple(tests)
        self.expected = sum(map(self.estimate.seconds, tests))
        known = {SHIPPED: "estimated for two quiet cores", self.recorded: "as the last time"}
        how = known.get(self.estimate.source, "roughly") if self.estimate.source else "roughly"
        self.started = time.monotonic()
        self._write(f"{len(tests):,} tests: about {minutes(self.expected / self.workers)}, {how}.", lasts=True)

    def _line(self) -> str:
        elapsed = time.monotonic() - self.started
        trust = SECONDS_OF_TRUST * self.workers
        pace = (elapsed * self.workers + trust) / (self.expected_done + trust)
        left = max(0.0, self.expected - self.expected_done) / self.workers * pace
        failed = f", {self.failed} failed" if self.failed else ""
        to_go = f", about {minutes(left)} to go" if self.done < len(self.tests) else ""
        return f"{self.done:,.0f} of {len(self.tests):,} tests{failed}; {minutes(elapsed)}{to_go}"

    def _write(self, line: str, *, lasts: bool = False) -> None:
        """Write a line; on a terminal over the last one, unless that was to last."""
        self.written = time.monotonic()
        if self.terminal:
            sys.stdout.write(f"\r{line}\x1b[K" + ("\n" if lasts else ""))
        else:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def _record(self) -> None:
        """Keep how long each file took, for the estimate of the next run."""
        rows = {
            file: {"tests": self.counted[file], "seconds": round(seconds, 2)}
            for file, seconds in sorted(self.taken.items())
            if self.counted[file]
        }
        self.recorded.parent.mkdir(exist_ok=True)
        content = json.dumps(_read(self.recorded) | {self.marks: rows}, indent=1)
        self.recorded.write_text(content + "\n", encoding="utf-8")


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the workers report to the process that started them
        config.pluginmanager.register(Progress(config), "progress-line")
