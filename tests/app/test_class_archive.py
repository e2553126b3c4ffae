"""Where the archive of Neo4j's Java classes is, and when a start writes or uses it."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from filigraph.app.neo4j import class_archive
from filigraph.app.neo4j.class_archive import ClassArchive, archive_flags, archive_of, keep_archive
from filigraph.app.neo4j.folders import folders_of
from filigraph.app.neo4j.lock import DEFAULT_VERSION, read_lock


@pytest.fixture
def archive(tmp_path: Path) -> ClassArchive:
    """None yet, in a home of its own."""
    archive = archive_of(folders_of(DEFAULT_VERSION, tmp_path), read_lock(DEFAULT_VERSION))
    archive.of_neo4j.parent.mkdir(parents=True)
    archive.unfinished.parent.mkdir(parents=True)
    return archive


def test_the_first_start_neither_has_nor_writes_one(archive: ClassArchive) -> None:
    assert archive_flags(archive, make=False) == []


def test_a_later_start_writes_one_on_javas_own(archive: ClassArchive) -> None:
    flags = archive_flags(archive, make=True)
    assert archive.of_java.stat().st_size > 1_000_000
    assert flags[1:] == [
        f"-XX:SharedArchiveFile={archive.of_java}",
        f"-XX:ArchiveClassesAtExit={archive.unfinished}",
    ]


def test_the_archive_of_the_last_end_replaces_the_older_one(archive: ClassArchive) -> None:
    archive.of_java.write_bytes(b"java")
    archive.unfinished.write_bytes(b"classes")
    older = archive.of_neo4j.with_name(f"neo4j-{DEFAULT_VERSION}-000000000000.jsa")
    of_another_version = archive.of_neo4j.with_name("neo4j-5.26.15-000000000000.jsa")
    older.touch()
    of_another_version.touch()
    keep_archive(archive)
    assert archive.of_neo4j.read_bytes() == b"classes"
    assert not archive.unfinished.exists() and not older.exists() and of_another_version.exists()
    assert archive_flags(archive, make=True)[1].endswith(str(archive.of_neo4j))


def test_nothing_is_kept_where_nothing_was_written(archive: ClassArchive) -> None:
    keep_archive(archive)
    assert list(archive.of_neo4j.parent.iterdir()) == []


def test_without_room_for_one_a_start_goes_on_without(archive: ClassArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(class_archive.subprocess, "run", full)  # type: ignore[attr-defined]
    assert archive_flags(archive, make=True) == []
    archive.unfinished.write_bytes(b"classes")
    monkeypatch.setattr(class_archive.shutil, "copyfile", full)  # type: ignore[attr-defined]
    keep_archive(archive)
    assert not archive.of_neo4j.exists()


def test_jars_that_were_loaded_again_have_another(tmp_path: Path, archive: ClassArchive) -> None:
    lock = read_lock(DEFAULT_VERSION)
    folders = folders_of(DEFAULT_VERSION, tmp_path)
    jar = folders.jars / lock.jars[0].path
    jar.parent.mkdir(parents=True)
    jar.touch()
    assert archive_of(folders, lock).of_neo4j != archive.of_neo4j


def test_a_java_that_is_not_there_is_for_the_start_to_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(class_archive, "version_of", missing)
    nothing = archive_of(folders_of(DEFAULT_VERSION, tmp_path), read_lock(DEFAULT_VERSION))
    assert archive_flags(nothing, make=False) == []
    keep_archive(nothing)
