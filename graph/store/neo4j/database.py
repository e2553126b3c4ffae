"""Run named statements: in transactions with retries, and in batches, naming the invalid row of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

from neo4j import READ_ACCESS, ManagedTransaction, Session, exceptions

from filigraph.graph.errors import InputError, StoreUnavailable
from filigraph.graph.store.neo4j.driver_errors import driver_errors, is_full_disk, translate_error
from filigraph.graph.store.neo4j.sessions import Sessions
from filigraph.graph.store.neo4j.statements import cypher

Row = dict[str, Any]
Run = Callable[..., list[Row]]  # run("statement_name", parameter=value, ...) -> its rows
Work = Callable[[Run, list[Row]], object]  # writes a batch of rows
T = TypeVar("T")

BATCH_ROWS = 1000  # rows of a statement: larger batches are not faster, and take more memory in the server
MAX_REFUSED_ROWS_SHOWN = 3  # rows in an error message

# Neo4j sometimes hangs for minutes if several clients create the same index at once, even with `IF NOT EXISTS`.
_DEFINING = Lock()


class Database:
    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions

    def holds_lock(self, workspace: str) -> bool:
        """Whether this database has the lock of that workspace (see `workspace_locks.py`)."""
        return False

    def read(self, work: Callable[[Run], T]) -> T:
        """Let `work` run statements in one reading transaction, retried if the server asks for it."""
        with driver_errors(), self.sessions.open() as session:
            return session.execute_read(lambda transaction: work(_runner(transaction)))

    def write(self, work: Callable[[Run], T]) -> T:
        """Let `work` run statements in one writing transaction, retried if the server asks for it."""
        with driver_errors():
            return self._write(work)

    def rows(self, statement: str, **parameters: Any) -> list[Row]:
        """The rows of one reading statement.

        A transaction with retries costs one more round trip, and a question runs twenty statements, so the first
        attempt has none: only a transient failure leads to one.
        """
        with driver_errors(), self.sessions.open(READ_ACCESS) as session:
            try:
                return _runner(session)(statement, **parameters)
            except (exceptions.Neo4jError, exceptions.DriverError) as error:
                if not error.is_retryable():
                    raise
        return self.read(lambda run: run(statement, **parameters))

    def change(self, statement: str, **parameters: Any) -> list[Row]:
        """Run one writing statement."""
        return self.write(lambda run: run(statement, **parameters))

    def define(self, text: str) -> None:
        """Create or drop a constraint or an index, one at a time."""
        with driver_errors(), _DEFINING, self.sessions.open() as session:
            try:
                session.execute_write(lambda transaction: transaction.run(text).consume())
            except (exceptions.Neo4jError, exceptions.ResultFailedError) as error:
                # Another program created or dropped the same at the same moment. The server's reason may be the cause
                # of the driver's error.
                code = getattr(error.__cause__ or error, "code", None) or ""
                if "AlreadyExists" not in code and "IndexNotFound" not in code:
                    raise

    def read_batches(
        self, statement: str, items: Sequence[Any], *, size: int = BATCH_ROWS, **parameters: Any
    ) -> list[Row]:
        return [row for batch in in_batches(items, size) for row in self.rows(statement, items=batch, **parameters)]

    def write_batches(self, rows: Sequence[Row], work: Work, *, size: int = BATCH_ROWS) -> None:
        """Let `work` write the rows, one batch per transaction.

        If the server refuses a batch, it is halved until the invalid row is found. Raises InputError with the ids of
        such rows, after all others are written; StoreUnavailable, with the number of written rows, if the server is at
        fault.
        """
        done = _Progress()
        try:
            for batch in in_batches(rows, size):
                self._write_or_halve(batch, work, done)
        except StoreUnavailable as error:
            if not done.rows:
                raise
            cause = f"{error.cause} {done.rows} of {len(rows)} rows are written, the others are not."
            raise StoreUnavailable(cause, cure=error.cure) from error
        if done.refused:
            shown = "; ".join(f"{name}: {why}" for name, why in done.refused[:MAX_REFUSED_ROWS_SHOWN])
            raise InputError(f"Neo4j refused {len(done.refused)} of {len(rows)} rows, the others are written. {shown}")

    def _write_or_halve(self, batch: list[Row], work: Work, done: _Progress) -> None:
        before = len(done.refused)
        try:
            with driver_errors():
                try:
                    self._write(lambda run: work(run, batch))
                    done.rows += len(batch)
                except (exceptions.ClientError, exceptions.DatabaseError) as error:
                    if isinstance(error, exceptions.AuthError | exceptions.Forbidden) or error.is_retryable():
                        raise
                    if is_full_disk(error):
                        raise
                    if len(batch) > 1:
                        raise _Halve(error) from error
                    done.refused.append((str(batch[0]["id"]), (error.message or "").splitlines()[0][:300]))
        except _Halve as halve:
            middle = len(batch) // 2
            self._write_or_halve(batch[:middle], work, done)
            self._write_or_halve(batch[middle:], work, done)
            refused = done.refused[before:]
            of_server = isinstance(halve.error, exceptions.DatabaseError)
            if of_server and len(refused) == len(batch) and len({why for _, why in refused}) == 1:
                del done.refused[before:]  # all for the same reason: no single row is at fault
                raise translate_error(halve.error) from halve.error

    def _write(self, work: Callable[[Run], T]) -> T:
        with self.sessions.open() as session:
            return session.execute_write(lambda transaction: self._begun(_runner(transaction), work))

    def _begun(self, run: Run, work: Callable[[Run], T]) -> T:
        """The transaction function of a write: it marks the beginning."""
        return work(run)


class _Halve(Exception):
    """The batch contains an invalid row."""

    def __init__(self, error: exceptions.Neo4jError) -> None:
        self.error = error
        super().__init__(str(error))


@dataclass
class _Progress:
    """The outcome of the rows so far."""

    rows: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)  # id, why


def in_batches(items: Sequence[T], size: int = BATCH_ROWS) -> Iterator[list[T]]:
    """`items` in lists of at most `size`."""
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


class _Sent(list[Any]):
    """A list on its way to the server.

    The driver formats every parameter for its log, even if the log is off; for vectors this took longer than everything
    else.
    """

    def __repr__(self) -> str:
        return f"<{len(self)} items>"


def _runner(runs: ManagedTransaction | Session) -> Run:
    def run(statement: str, **parameters: Any) -> list[Row]:
        sent = {name: _Sent(value) if isinstance(value, list) else value for name, value in parameters.items()}
        return [dict(record) for record in runs.run(cypher(statement), sent)]

    return run
