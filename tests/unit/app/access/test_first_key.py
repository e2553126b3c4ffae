"""The first key of a server that others can reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from filigraph.app.access import first_key
from filigraph.app.access.first_key import have_first_key
from filigraph.app.access.keys import digest_of
from filigraph.graph.errors import ServerUnavailable, StoreUnavailable
from tests.unit.app.access.stored_keys import Stored, key


def test_it_is_made_once_and_written_for_its_owner_alone(tmp_path: Path) -> None:
    stored, file = Stored(), tmp_path / "admin.key"
    said: list[str] = []
    have_first_key(stored.keys(public=True), file, said.append)
    (made,) = stored.rows
    assert (made.name, made.scope, made.digest) == ("admin", "admin", digest_of(file.read_text().strip()))
    assert file.stat().st_mode & 0o777 == 0o600
    assert str(file) in said[0] and file.read_text().strip() not in said[0]
    have_first_key(stored.keys(public=True), file, said.append)
    assert stored.rows == [made] and len(said) == 1


def test_where_there_are_keys_none_is_made(tmp_path: Path) -> None:
    stored, said = Stored(key(scope="read")), list[str]()
    have_first_key(stored.keys(public=True), tmp_path / "admin.key", said.append)
    assert stored.rows == [key(scope="read")] and list(tmp_path.iterdir()) == []
    assert "has keys already" in said[0] and "filigraph keys create" in said[0]


def test_one_of_a_database_that_is_gone_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "admin.key"
    file.write_text("fgk_old\n")
    stored = Stored()
    have_first_key(stored.keys(public=True), file, lambda _: None)
    assert digest_of(file.read_text().strip()) == stored.rows[0].digest


def test_it_waits_for_neo4j(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored, said = Stored(), list[str]()
    stored.error = StoreUnavailable("Neo4j does not answer.")

    def answer(_: float) -> None:
        if stored.reads == 2:
            stored.error = None

    monkeypatch.setattr(first_key.time, "sleep", answer)  # type: ignore[attr-defined]
    have_first_key(stored.keys(public=True), tmp_path / "admin.key", said.append)
    assert said[0] == "Waiting for Neo4j: Neo4j does not answer." and len(said) == 2 and len(stored.rows) == 1


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="cannot be written"):
        have_first_key(Stored().keys(public=True), tmp_path / "none" / "admin.key", lambda _: None)
