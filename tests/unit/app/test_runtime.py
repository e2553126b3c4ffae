"""What the runtime says before it connects to anything."""

from __future__ import annotations

import threading

import pytest

from filigraph.app import runtime as runtime_module
from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.settings import Settings
from filigraph.graph.errors import InputError, LocalNeo4jError, StoreUnavailable
from filigraph.graph.store import Store

OURS = Neo4jAddress(
    uri="bolt://127.0.0.1:7687",
    username="neo4j",
    password="secret",
    http_url="http://127.0.0.1:7474",
    browser_url="http://127.0.0.1:7474/browser/",
    version="2026.05.0",
)


@pytest.mark.parametrize("given", ["http://graph.example:7474/browser", "http://graph.example:7474/browser/"])
def test_neo4j_browser_opens_where_the_user_says(given: str) -> None:
    settings = Settings(NEO4J_URI="bolt://graph.example", NEO4J_BROWSER_URL=given)  # type: ignore[call-arg]
    assert Runtime(settings, lambda: OURS).neo4j_browser() == "http://graph.example:7474/browser/"


def test_neo4j_browser_of_the_one_we_bring() -> None:
    runtime = Runtime(Settings(), lambda: OURS)
    assert runtime.neo4j_browser() is None  # it was not started yet
    runtime.neo4j()
    assert str(runtime.neo4j_browser()).startswith("http://127.0.0.1:7474/browser/?connectURL=")


def test_others_could_not_open_neo4j_browser_of_the_one_we_bring() -> None:
    runtime = Runtime(Settings(FILIGRAPH_HOST="0.0.0.0"), lambda: OURS)  # type: ignore[call-arg]
    runtime.neo4j()
    assert runtime.neo4j_browser() is None


def test_nobody_knows_where_neo4j_browser_is() -> None:
    settings = Settings(NEO4J_URI="bolt://graph.example")  # type: ignore[call-arg]
    assert Runtime(settings, lambda: OURS).neo4j_browser() is None


def test_a_file_of_triples_that_holds_none_is_refused() -> None:
    with pytest.raises(InputError, match="line 1: not JSON"):
        Runtime.triple_extractor("w", b"\x00\xff\x00", ["a.txt"])
    _, problems = Runtime.triple_extractor("w", b'{"source": "a.txt", "triples": []}\nnonsense', ["a.txt"])
    assert len(problems) == 1
    assert Runtime.triple_extractor("w", b"", ["a.txt"])[1] == []


def test_nobody_connects_after_the_end() -> None:
    runtime = Runtime(Settings(), lambda: pytest.fail("Neo4j must not be started again"))
    runtime.close()
    with pytest.raises(StoreUnavailable, match="stopping"):
        runtime.store()


def test_a_connection_that_is_made_during_the_end_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Connected:
        closed = False

        def ensure_schema(self, step: object) -> None:
            runtime.close()

        def close(self) -> None:
            self.closed = True

    connected = Connected()
    monkeypatch.setattr(Store, "connect", lambda *address: connected)
    runtime = Runtime(Settings(), lambda: OURS)
    with pytest.raises(StoreUnavailable, match="stopping"):
        runtime.store()
    assert connected.closed


def test_who_asks_for_neo4j_is_answered_while_it_is_being_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_module, "CONNECT_WAIT_SECONDS", 0.01)
    go_on = threading.Event()

    def start() -> Neo4jAddress:
        go_on.wait()
        raise LocalNeo4jError("The disk is full.", cure="Free some space.")

    runtime = Runtime(Settings(), start)
    with pytest.raises(StoreUnavailable, match="Neo4j is starting"):
        runtime.store()
    assert not runtime.neo4j_fails(), "as far as is known"
    runtime.forget_store()  # as whoever meets that error does
    go_on.set()
    with pytest.raises(LocalNeo4jError):
        runtime.store.wait()
    assert runtime.trouble == "The disk is full. Free some space." and runtime.neo4j_fails()
