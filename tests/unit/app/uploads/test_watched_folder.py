"""What one look at a folder finds, compared with the looks before."""

from __future__ import annotations

import os
from pathlib import Path

from filigraph.app.uploads.watched_folder import FolderDifference, WatchedFolder


def watched(folder: Path, limit: int = 1000) -> WatchedFolder:
    return WatchedFolder(folders=[folder], limit=limit, metadata={"date": "1912"})


def names(changes: FolderDifference) -> list[str]:
    return [Path(upload.name).name for upload in changes.ready]


def test_a_file_is_told_once_it_is_at_rest(tmp_path: Path) -> None:
    folder = watched(tmp_path)
    (tmp_path / "été.txt").write_text("half")
    assert names(folder.poll()) == []
    (tmp_path / "été.txt").write_text("half and whole")
    assert names(folder.poll()) == []  # it grew
    changes = folder.poll()
    assert names(changes) == ["été.txt"] and changes.ready[0].metadata == {"date": "1912"}
    assert names(folder.poll()) == ["été.txt"]  # nobody took it
    folder.acknowledge(changes.ready)
    assert folder.poll() == FolderDifference(ready=[], gone=[], skipped=[])


def test_a_file_of_the_same_size_that_was_changed_is_told_again(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.txt", watched(tmp_path)
    file.write_text("one")
    folder.poll()
    folder.acknowledge(folder.poll().ready)
    file.write_text("two")
    os.utime(file, ns=(1, 1))
    assert names(folder.poll()) == []
    assert names(folder.poll()) == ["a.txt"]


def test_a_change_while_it_was_sent_is_told_again(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.txt", watched(tmp_path)
    file.write_text("one")
    folder.poll()
    changes = folder.poll()
    file.write_text("one and two")
    folder.acknowledge(changes.ready)
    folder.poll()
    assert names(folder.poll()) == ["a.txt"]


def test_what_goes_is_told_when_it_was_missing_twice(tmp_path: Path) -> None:
    folder = watched(tmp_path)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    folder.poll()
    folder.acknowledge(folder.poll().ready)
    (tmp_path / "a.txt").rename(tmp_path / ".a.swp")  # as editors do
    assert folder.poll().gone == []
    (tmp_path / ".a.swp").rename(tmp_path / "a.txt")
    assert folder.poll().gone == []
    (tmp_path / "a.txt").unlink()
    folder.poll()
    changes = folder.poll()
    assert [Path(name).name for name in changes.gone] == ["a.txt"] and not changes.emptied
    folder.acknowledge_removed(changes.gone)
    assert folder.poll().gone == []


def test_a_folder_that_is_not_there_any_more_is_no_deletion(tmp_path: Path) -> None:
    inner = tmp_path / "mounted"
    inner.mkdir()
    folder = watched(inner)
    for name in ("a.txt", "b.txt"):
        (inner / name).write_text(name)
    folder.poll()
    folder.acknowledge(folder.poll().ready)
    inner.rename(tmp_path / "away")
    assert [folder.poll().gone for _ in range(3)] == [[], [], []]
    inner.mkdir()
    folder.poll()
    changes = folder.poll()
    assert len(changes.gone) == 2 and changes.emptied


def test_what_cannot_be_sent_is_told_once(tmp_path: Path) -> None:
    folder = watched(tmp_path, limit=3)
    (tmp_path / "large.txt").write_text("large")
    assert [Path(one["source"]).name for one in folder.poll().skipped] == ["large.txt"]
    assert folder.poll().skipped == [] and folder.poll().ready == []
