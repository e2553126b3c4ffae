"""The sessions of one driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from neo4j import WRITE_ACCESS, Driver, Session
from neo4j.api import BookmarkManager

from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.store.neo4j.statements import cypher

FETCH_ROWS = 5000  # rows that are fetched at once
CLOSE_SECONDS = 5.0  # seconds that `close` waits for sessions in use


class Sessions:
    """Opens sessions, and closes the driver when none is in use. Thread-safe.

    If a driver is closed while a session connects, it never closes that connection. With `bookmarks` a transaction sees
    the writes of earlier ones of this process, whichever member of a cluster runs it.
    """

    def __init__(self, driver: Driver, bookmarks: BookmarkManager | None = None) -> None:
        self.bookmarks = bookmarks
        self._driver = driver
        self._in_use = 0
        self._closed = False
        self._changed = Condition()  # guards the two fields above

    @contextmanager
    def open(self, access_mode: str = WRITE_ACCESS) -> Iterator[Session]:
        """A session. Raises StoreUnavailable after `close`."""
        with (
            self._count_use(),
            self._driver.session(
                fetch_size=FETCH_ROWS, default_access_mode=access_mode, bookmark_manager=self.bookmarks
            ) as session,
        ):
            yield session

    def verify_connectivity(self) -> None:
        """Check that Neo4j answers now, without retries. Raises the driver's errors, StoreUnavailable after `close`."""
        with self._count_use():
            self._driver.verify_connectivity()

    def verify_writable(self) -> None:
        """Check that Neo4j can write now, without retries. Raises as `verify_connectivity`.

        A database that stopped because of a full disk still accepts connections: only a statement shows its error.
        """
        with self.open() as session, session.begin_transaction() as transaction:
            transaction.run(cypher("write_nothing")).consume()

    def close(self) -> None:
        """Allow no new sessions, wait briefly for those in use, and close the driver."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._in_use, CLOSE_SECONDS)
        self._driver.close()

    @contextmanager
    def _count_use(self) -> Iterator[None]:
        with self._changed:
            if self._closed:
                raise StoreUnavailable("The connection to Neo4j is closed.", cure="Start the server again.")
            self._in_use += 1
        try:
            yield
        finally:
            with self._changed:
                self._in_use -= 1
                self._changed.notify_all()
