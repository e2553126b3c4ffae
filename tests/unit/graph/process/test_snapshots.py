"""Files of what is cached of workspaces: they come back as they were, or not at all."""

from __future__ import annotations

import ast
import errno
import logging
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from filigraph import graph
from filigraph.graph.errors import Cancelled, StoreUnavailable
from filigraph.graph.model.names import Decision
from filigraph.graph.process import snapshots as module
from filigraph.graph.process.snapshot_format import MANY, OURS, Snapshot
from filigraph.graph.process.snapshots import Snapshots, StreamWriter
from filigraph.graph.tables.persistent_map import PersistentMap, by_hash

KEEPING = ("each", "beside")  # methods of `PersistentMap`
RULED = Decision(first="a", second="b", same=True, rule="exact", score=1.0)


def never() -> bool:
    return False


@pytest.fixture
def kept(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "snapshots")


def snapshot(*values: object, **rows: Any) -> Snapshot:
    return Snapshot(stamp="s r", state="s", rows=rows, kept=list(values), mentions=3)


def file_of(kept: Snapshots) -> Path:
    (file,) = kept.folder.glob("*.snapshot")
    return file


def test_what_was_one_object_is_one_again(kept: Snapshots) -> None:
    large = {f"{number}": [RULED, number] for number in range(3 * MANY)}
    pages: PersistentMap[Decision] = PersistentMap({"Jules": RULED, "\ud800": RULED}, by_hash)
    vector = np.arange(4, dtype=np.float32)
    kept.write("w", snapshot(large, [*large.values()], {"v": vector}, [vector], rows=pages), never)
    read = kept.read("w")
    assert read and (read.state, read.mentions) == ("s", 3)
    again, values, (first, second) = read.kept[0], read.kept[1], (read.kept[2], read.kept[3])
    assert again == large and values == [*large.values()]
    assert all(one is other for one, other in zip(again.values(), values, strict=True))
    assert read.rows["rows"] == pages and read.rows["rows"]["Jules"] is again["0"][0]
    assert first["v"] is second[0] and first["v"].tolist() == vector.tolist()


def test_it_is_written_in_small_parts(kept: Snapshots) -> None:
    asked = []
    kept.write("w", snapshot({number: [number] for number in range(10 * MANY)}), lambda: bool(asked.append(1)))
    assert len(asked) > 10


def test_a_write_that_is_stopped_leaves_nothing(kept: Snapshots) -> None:
    with pytest.raises(Cancelled):
        kept.write("w", snapshot([RULED] * MANY), lambda: True)
    assert [file.name for file in kept.folder.iterdir()] == ["key"]
    (kept.folder / "w.part").write_text("of a server that was killed")
    Snapshots(kept.folder)
    assert not (kept.folder / "w.part").exists()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("damage", [cut, flipped, lambda _: b"", lambda data: b"x" + data, lambda data: data + b"x"])
def test_a_damaged_file_is_dropped(
    kept: Snapshots, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    kept.write("w", snapshot(RULED), never)
    file = file_of(kept)
    file.write_bytes(damage(file.read_bytes()))
    with caplog.at_level(logging.INFO, "filigraph.server"):
        assert kept.read("w") is None
    assert not kept.there("w") and len(caplog.records) == 1


def test_a_file_of_another_home_or_version_is_dropped(
    kept: Snapshots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Snapshots(tmp_path / "other")
    for each in (kept, other):
        each.write("w", snapshot(RULED), never)
    file_of(kept).write_bytes(file_of(other).read_bytes())
    assert kept.read("w") is None and other.read("w")
    monkeypatch.setattr(module, "code_version", lambda: b"another")
    assert other.read("w") is None and not other.there("w")


@dataclass
class _Foreign:
    """A dataclass, but not one of the library's."""


@pytest.mark.parametrize("value", [_Foreign(), Path, pickle.loads, print, Snapshots, module.code_version])
def test_a_file_makes_no_other_objects_than_ours(kept: Snapshots, value: object) -> None:
    """Even if it has the right key."""
    kept.write("w", snapshot(value), never)
    assert kept.there("w")
    assert kept.read("w") is None


def test_a_file_that_is_too_large_is_not_written(kept: Snapshots, caplog: pytest.LogCaptureFixture) -> None:
    kept.most = 1000
    with caplog.at_level(logging.INFO, "filigraph.server"):
        kept.write("w", snapshot([f"{number:09}" for number in range(1000)]), never)
    assert (kept.there("w"), kept.size, len(caplog.records)) == (False, 0, 1)


def test_snapshots_that_were_used_longest_ago_make_room(kept: Snapshots) -> None:
    for name in "abc":
        kept.write(name, snapshot(["x" * 1000]), never)
    kept.most = kept.size * 4 // 3  # half of it: two of the three
    assert kept.read("a")
    kept.write("d", snapshot(["x" * 1000]), never)
    assert [name for name in "abcd" if kept.there(name)] == ["a", "c", "d"]
    assert kept.stamps() == dict.fromkeys("acd", "s r")


def test_a_file_says_what_it_was_made_from(kept: Snapshots) -> None:
    assert kept.stamp("w") == ""
    kept.write("w", snapshot(RULED), never)
    assert (kept.stamp("w"), kept.stamps()) == ("s r", {"w": "s r"})
    file_of(kept).write_bytes(b"damaged")
    assert (kept.stamp("w"), kept.there("w")) == ("", True)
    data = file_of(kept).read_bytes().replace(b"s r\n", b"s t\n")
    file_of(kept).write_bytes(data)
    assert kept.read("w") is None, "it is signed, too"


def test_a_workspace_that_changes_has_no_file(kept: Snapshots) -> None:
    kept.write("w", snapshot(RULED), never)
    with kept.changing("w"):
        assert not kept.there("w")
        kept.write("w", snapshot(RULED), never)
        assert not kept.there("w")
        kept.write("other", snapshot(RULED), never)
        assert kept.there("other")
    kept.write("w", snapshot(RULED), never)
    assert kept.there("w")


@pytest.mark.parametrize("is_long", [True, False])
def test_a_change_during_a_write_leaves_no_file(kept: Snapshots, is_long: bool) -> None:
    """Whether it is over when the file is whole, or still waits for the database."""
    change = kept.changing("w")

    def stop() -> bool:
        if not kept.changes:
            change.__enter__()
            if not is_long:
                change.__exit__(None, None, None)
        return False

    kept.write("w", snapshot([RULED] * MANY), stop)
    assert [file.name for file in kept.folder.iterdir()] == ["key"]
    if is_long:
        change.__exit__(None, None, None)
    assert not kept.there("w")


def test_a_change_that_began_before_a_write_and_ends_after_it_leaves_no_file(kept: Snapshots) -> None:
    with kept.changing("w"):
        kept.write("w", snapshot(RULED), never)
    assert not kept.there("w")


def test_a_change_by_another_process_during_a_write_leaves_no_file(kept: Snapshots) -> None:
    kept.write("w", snapshot(RULED), never, lambda: False)
    assert not kept.there("w")

    def gone() -> bool:
        raise StoreUnavailable("Neo4j is gone.")

    with pytest.raises(StoreUnavailable):
        kept.write("w", snapshot(RULED), never, gone)
    assert not kept.there("w")


def test_only_the_owner_may_read_it(kept: Snapshots) -> None:
    kept.write("w", snapshot(RULED), never)
    assert {file.stat().st_mode & 0o777 for file in kept.folder.iterdir()} == {0o600}
    assert kept.folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_used_fails_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("not a folder")
    kept = Snapshots(tmp_path / "file" / "snapshots")
    with caplog.at_level(logging.INFO, "filigraph.server"):
        kept.write("w", snapshot(RULED), never)
        kept.remove("w")
        assert (kept.there("w"), kept.read("w"), kept.stamp("w"), kept.size) == (False, None, "", 0)
    assert {record.levelname for record in caplog.records} == {"INFO"}


def test_a_full_disk_leaves_no_file(
    kept: Snapshots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=kept.most + 100))
    with caplog.at_level(logging.INFO, "filigraph.server"):
        kept.write("w", snapshot(["x" * 1000]), never)
    assert (kept.there("w"), [file.name for file in kept.folder.iterdir()]) == (False, ["key"])
    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_a_disk_that_fills_up_leaves_no_file(
    kept: Snapshots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write = StreamWriter.write

    def full(self: StreamWriter, data: bytes) -> int:
        if len(data) > 1000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(StreamWriter, "write", full)
    with caplog.at_level(logging.INFO, "filigraph.server"):
        kept.write("w", snapshot(["x" * 100_000]), never)
    assert [file.name for file in kept.folder.iterdir()] == ["key"]
    assert [record.levelname for record in caplog.records] == ["INFO"]


def test_a_server_that_is_killed_during_a_write_leaves_nothing_to_the_next(kept: Snapshots) -> None:
    kept.folder.mkdir()
    code = (
        "import sys, time; from pathlib import Path; from filigraph.graph.process.snapshot_format import Snapshot; "
        "from filigraph.graph.process.snapshots import Snapshots; "
        "s = Snapshot(stamp='s r', state='s', rows={}, kept=[['Jules'] * 1000], mentions=1); "
        "Snapshots(Path(sys.argv[1])).write('w', s, lambda: print('writes', flush=True) or time.sleep(60))"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(kept.folder)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout and writer.stdout.readline() == b"writes\n"
        writer.kill()
    assert {file.name for file in kept.folder.iterdir()} == {"key", "w.part"}
    assert (kept.there("w"), kept.read("w")) == (False, None)
    Snapshots(kept.folder).write("w", snapshot(RULED), never)
    assert {file.name for file in kept.folder.iterdir()} == {"key", "w.snapshot"}


def test_what_cannot_be_written_is_told_and_fails_nothing(kept: Snapshots, caplog: pytest.LogCaptureFixture) -> None:
    kept.write("w", snapshot({"view": {}.keys()}), never)
    assert not kept.there("w")
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_file_that_cannot_be_removed_fails_nothing(kept: Snapshots, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a disk that is only read: whoever compares states drops what is old."""
    kept.write("w", snapshot(RULED), never)
    monkeypatch.setattr(Path, "unlink", _refused)
    monkeypatch.setattr(os, "utime", _refused)
    kept.remove("w")
    assert kept.there("w") and kept.read("w")


def _refused(*_: object, **__: object) -> None:
    raise PermissionError("a disk that is only read")


def test_each_function_whose_results_pages_keep_may_be_read_again() -> None:
    """A snapshot with another one would be written, and dropped by whoever reads it."""
    package = Path(graph.__file__).parent
    unknown = []
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING:
                work = ast.unparse(node.args[-1])
                if work not in {name.rpartition(".")[2] for name in OURS}:
                    unknown.append(f"{file}: {work}")
    assert unknown == []
