"""The line with the progress of the tests, in a separate run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.progress import Estimate, minutes
from tests.slow import quick, read_list, slow_tests

TESTS = """\
import pytest

@pytest.mark.parametrize("number", range(3))
def test_passes(number):
    pass

def test_fails():
    assert False

@pytest.mark.slow
def test_is_slow():
    assert False
"""
CONFIGURATION = '[pytest]\nmarkers = slow\naddopts = -q -m "not slow"\n'


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_run_says_how_long_it_takes_and_what_failed(tmp_path: Path, workers: list[str]) -> None:
    (tmp_path / "pytest.ini").write_text(CONFIGURATION)
    (tmp_path / "test_it.py").write_text(TESTS)
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pytest", "-p", "tests.progress", "-o", "console_output_style=classic", *workers]
    options = ["--rootdir", str(tmp_path), "-c", str(tmp_path / "pytest.ini"), "-p", "no:cacheprovider", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    ran = subprocess.run([*command, *options], env=environment, capture_output=True, text=True, check=False, cwd=root)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "4 tests: about " in ran.stdout
    assert "FAILED test_it.py::test_fails (call)\n" in ran.stdout
    assert "4 of 4 tests, 1 failed; " in ran.stdout
    assert not set("\r\x1b") & set(ran.stdout)


def test_the_estimate_is_that_of_the_last_run_with_the_same_marks(tmp_path: Path) -> None:
    here, shipped = tmp_path / "here.json", tmp_path / "shipped.json"
    here.write_text(json.dumps({"": {"a.py": {"tests": 2, "seconds": 8.0}}}))
    shipped.write_text(json.dumps({marks: {"a.py": {"tests": 2, "seconds": 2.0}} for marks in ("", "not slow")}))
    assert Estimate("", [here, shipped]).seconds("a.py::test_one") == 4
    assert Estimate("not slow", [here, shipped]).seconds("a.py::test_one[1]") == 1
    assert 0 < Estimate("models", [here, shipped]).seconds("a.py::test_one") < 1
    here.write_text("{")
    assert Estimate("", [here, shipped]).source == shipped


def test_a_length_of_time_is_told_in_seconds_and_minutes() -> None:
    assert (minutes(5.4), minutes(89), minutes(200)) == ("5 s", "89 s", "3 min")


def test_parameters_after_the_first_few_are_slow() -> None:
    first, second, third = quick("abc", 2)
    assert (first, second, third.values) == ("a", "b", ("c",))
    assert [mark.name for mark in third.marks] == ["slow"]


RUN = """<testsuites><testsuite>
<testcase classname="tests.runs.test_a" name="test_long" time="2.5"/>
<testcase classname="tests.runs.test_a" name="test_each[1]" time="9"/>
<testcase classname="tests.runs.test_a" name="test_each[2]" time="1"/>
<testcase classname="tests.runs.test_a" name="test_each[3]" time="1"/>
</testsuite></testsuites>"""


def test_what_took_long_in_a_run_is_slow(tmp_path: Path) -> None:
    run = tmp_path / "tests.xml"
    run.write_text(RUN)
    assert slow_tests(run) == ["tests/runs/test_a.py::test_long"]
    listed = ["tests/runs/test_a.py::test_each", "tests/runs/test_b.py::test_left_out"]
    assert slow_tests(run, listed) == ["tests/runs/test_a.py::test_long", "tests/runs/test_b.py::test_left_out"]


@pytest.mark.parametrize("listed", read_list())
def test_the_list_of_slow_tests_names_what_there_is(listed: str) -> None:
    file, _, function = listed.partition("::")
    assert f"def {function}(" in (Path(__file__).parents[2] / file).read_text()
