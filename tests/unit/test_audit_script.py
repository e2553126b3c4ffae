"""`.ci/audit` fails on known vulnerabilities and on any error except a missing network."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "audit"


@pytest.mark.parametrize(
    ("said", "ended", "fails", "tells"),
    [
        ("No known vulnerabilities found", 0, False, "No known vulnerability"),
        ("x Dependency not found on PyPI and could not be audited: x (1.0)", 0, False, "not audited: 1 are"),
        ("Found 2 known vulnerabilities in 1 package", 1, True, "Found 2"),
        ("error: Failed to fetch: https://example.org/simple/pip-audit/", 2, False, "not audited"),
        ("requests.exceptions.ReadTimeout: Read timed out. (read timeout=10)", 1, False, "not audited"),
        ("error: unrecognized arguments: --no-deps", 2, True, "unrecognized"),
        ("ERROR:pip_audit._cli:requirements file constraints.txt contains an invalid line", 1, True, "invalid line"),
        ("", 127, True, ""),
    ],
)
def test_how_it_ends(tmp_path: Path, said: str, ended: int, fails: bool, tells: str) -> None:
    uv = tmp_path / ".venv" / "bin" / "uv"
    uv.parent.mkdir(parents=True)
    uv.write_text(f"#!/bin/sh\ncat <<'E'\n{said}\nE\nexit {ended}\n")
    uv.chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    ran = subprocess.run([tmp_path / ".ci" / "audit"], capture_output=True, text=True, check=False)
    assert (ran.returncode != 0) is fails
    assert tells in ran.stdout
