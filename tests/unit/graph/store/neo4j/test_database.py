"""Batches that Neo4j refuses: the error names the row at fault, or says that the server is at fault.
(tests/app/test_full_disk.py tests the full disk itself.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from neo4j import exceptions

from filigraph.graph.errors import InputError, StoreUnavailable
from filigraph.graph.store.neo4j.database import Database, Row

FULL = "Neo.DatabaseError.Transaction.TransactionCommitFailed", "Could not append transaction: No space left on device"
OTHER = "Neo.DatabaseError.General.UnknownError", "An unexpected error"
LARGE = "Neo.ClientError.Statement.ArgumentError", "Property value is too large to index"


def refusal(code: str, message: str) -> exceptions.Neo4jError:
    return exceptions.Neo4jError._hydrate_neo4j(code=code, message=message)  # type: ignore[attr-defined,no-any-return]


class Refusing:
    """Sessions of a server that refuses transactions with some rows."""

    def __init__(self, error: tuple[str, str], at_fault: Callable[[int], bool]) -> None:
        self.written: list[int] = []
        self._error, self._at_fault = error, at_fault

    @contextmanager
    def open(self, *_: object) -> Iterator[Any]:
        yield SimpleNamespace(execute_write=lambda work: work(None))

    def write(self, batch: list[Row]) -> None:
        if any(self._at_fault(int(row["id"])) for row in batch):
            raise refusal(*self._error)
        self.written += [int(row["id"]) for row in batch]


def write(sessions: Refusing, count: int = 32, size: int = 8) -> None:
    rows: list[Row] = [{"id": str(number)} for number in range(count)]
    Database(sessions).write_batches(rows, lambda _, batch: sessions.write(batch), size=size)  # type: ignore[arg-type]


def test_a_row_at_fault_is_named_and_the_others_are_written() -> None:
    sessions = Refusing(LARGE, lambda number: number == 11)
    with pytest.raises(InputError, match=r"refused 1 of 32 rows, the others are written\. 11: Property"):
        write(sessions)
    assert sessions.written == [number for number in range(32) if number != 11]


def test_a_full_disk_is_a_fault_of_the_store_that_tells_what_is_written() -> None:
    with pytest.raises(StoreUnavailable, match="No space left") as raised:
        write(Refusing(FULL, lambda _: True))
    assert "disk" in raised.value.cure and "rows are written" not in raised.value.cause
    sessions = Refusing(FULL, lambda number: number >= 16)
    with pytest.raises(StoreUnavailable, match="16 of 32 rows are written, the others are not"):
        write(sessions)
    assert sessions.written == [*range(16)]


def test_what_a_server_says_of_every_row_is_none_of_theirs() -> None:
    with pytest.raises(StoreUnavailable, match="unexpected error"):
        write(Refusing(OTHER, lambda _: True))
    with pytest.raises(InputError, match="refused 1 of 32"):
        write(Refusing(OTHER, lambda number: number == 11))
