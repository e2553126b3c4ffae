"""A store is closed while others use it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.graph.errors import StoreUnavailable
from filigraph.graph.store import Store
from filigraph.graph.store.neo4j import sessions
from filigraph.graph.store.neo4j.database import Row, Run
from tests.patience import PATIENCE


def test_closing_waits_for_what_runs_and_opens_nothing_more(
    neo4j_address: Neo4jAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "CLOSE_SECONDS", PATIENCE)
    store = Store.connect(neo4j_address.uri, neo4j_address.username, neo4j_address.password)
    begun, may_end = Event(), Event()

    def work(run: Run) -> list[Row]:
        begun.set()
        assert may_end.wait(PATIENCE)
        return run("components")

    with ThreadPoolExecutor(2) as pool:
        reading = pool.submit(store.database.read, work)
        assert begun.wait(PATIENCE)
        closing = pool.submit(store.close)
        while store.answers():  # until the other thread closes
            time.sleep(0.001)
        with pytest.raises(StoreUnavailable, match="is closed"):
            store.database.rows("components")
        may_end.set()
        assert reading.result(PATIENCE), "what ran is not cut off"
        closing.result(PATIENCE)
