from __future__ import annotations

import os
from pathlib import Path

import pytest

from filigraph.app.client.files import BATCH_BYTES, BATCH_FILES, FileToSend, batches, collect

LIMIT = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("2.txt", "1.txt", "b/3.txt", ".hidden", ".git/config"):
        (tmp_path / name).write_text(name)
    return tmp_path


def names(paths: list[Path], *leave_out: Path) -> list[str]:
    return [upload.path.name for upload in collect(paths, leave_out=leave_out, limit=LIMIT).uploads]


def test_folders_are_walked_in_order_and_hidden_files_left(folder: Path) -> None:
    assert names([folder]) == ["1.txt", "2.txt", "3.txt"]


def test_a_hidden_file_that_is_named_is_meant(folder: Path) -> None:
    assert names([folder / ".hidden"]) == [".hidden"]


def test_a_file_is_sent_once(folder: Path) -> None:
    (folder / "b" / "link.txt").symlink_to(folder / "1.txt")
    assert names([folder / "2.txt", folder, folder]) == ["2.txt", "1.txt", "3.txt"]


def test_triples_and_aliases_are_no_documents(folder: Path) -> None:
    assert names([folder], folder / "1.txt") == ["2.txt", "3.txt"]


def test_a_document_is_known_by_its_whole_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "b")
    (upload,) = collect([Path("3.txt")], leave_out=[], limit=LIMIT).uploads
    assert upload.name == str(folder / "b" / "3.txt")


def test_a_name_that_is_no_utf8_can_be_sent(folder: Path) -> None:
    try:
        (folder / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    (upload,) = [u for u in collect([folder], leave_out=[], limit=LIMIT).uploads if "caf" in u.name]
    upload.name.encode("utf-8")


def test_what_cannot_be_sent_is_reported_and_the_rest_goes_on(folder: Path) -> None:
    (folder / "big.txt").write_bytes(b"x" * (LIMIT + 1))
    (folder / "dangling.txt").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe")
    found = collect([folder, folder / "missing"], leave_out=[], limit=LIMIT)
    assert len(found.uploads) == 3
    assert {Path(skipped["source"]).name for skipped in found.skipped} == {"big.txt", "dangling.txt", "pipe", "missing"}
    assert all(skipped["cause"] and skipped["cure"] for skipped in found.skipped)


def test_batches_hold_what_fits() -> None:
    small = [FileToSend(path=Path(str(n)), name=str(n), size=1) for n in range(BATCH_FILES + 1)]
    big = [FileToSend(path=Path("big"), name="big", size=BATCH_BYTES * 2), *small[:1]]
    assert [len(batch) for batch in batches(small)] == [BATCH_FILES, 1]
    assert [len(batch) for batch in batches(big)] == [1, 1]
    assert list(batches([])) == []
