"""The committed list of jars of one version of Neo4j: every download equals, byte for byte, the jars that were
tested."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from filigraph.graph.errors import LocalNeo4jError

DEFAULT_VERSION = "2026.05.0"
VERSION_VARIABLE = "FILIGRAPH_NEO4J_VERSION"
LOCKS = Path(__file__).parent / "locks"


@dataclass(frozen=True, kw_only=True)
class Jar:
    """One file of a Maven repository."""

    coordinates: str  # group:artifact:version, or group:artifact:version:classifier
    path: str  # below the repository's root, and below our own cache
    sha256: str
    size: int  # bytes


@dataclass(frozen=True, kw_only=True)
class Lock:
    """One version of Neo4j, in the order of its class path."""

    version: str
    jars: tuple[Jar, ...]

    @property
    def size(self) -> int:
        """Bytes of all jars together."""
        return sum(jar.size for jar in self.jars)

    @property
    def has_browser(self) -> bool:
        """Whether Neo4j Browser is part of it."""
        return any(jar.coordinates.startswith("org.neo4j.client:neo4j-browser:") for jar in self.jars)


def locked_versions() -> tuple[str, ...]:
    """The versions of Neo4j that this Filigraph can bring, the default first."""
    versions = sorted((file.stem for file in LOCKS.glob("*.json")), key=lambda name: (name != DEFAULT_VERSION, name))
    return tuple(versions)


def chosen_version(version: str | None = None) -> str:
    """The version asked for, else the one of the environment, else the default."""
    return version or os.environ.get(VERSION_VARIABLE) or DEFAULT_VERSION


def read_lock(version: str) -> Lock:
    """The lock of one version; refuses a version that has none."""
    if version not in locked_versions():
        raise LocalNeo4jError(
            f"Filigraph cannot bring Neo4j {version!r}.",
            cure=f"Set {VERSION_VARIABLE} to one of {', '.join(locked_versions())}, "
            "or run a Neo4j of your own and set NEO4J_URI.",
        )
    content = json.loads((LOCKS / f"{version}.json").read_text(encoding="utf-8"))
    return Lock(version=content["version"], jars=tuple(Jar(**jar) for jar in content["jars"]))


def write_lock(lock: Lock) -> Path:
    """Write a lock where `read_lock` finds it; one line per jar, so that a diff shows what changed."""
    lines = ",\n".join("    " + json.dumps(asdict(jar)) for jar in lock.jars)
    file = LOCKS / f"{lock.version}.json"
    file.write_text(f'{{\n  "version": {json.dumps(lock.version)},\n  "jars": [\n{lines}\n  ]\n}}\n', encoding="utf-8")
    return file
