"""What the runtime says without connecting to anything."""

from __future__ import annotations

import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.settings import Settings
from filigraph.graph.errors import StoreUnavailable

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
    settings = Settings(NEO4J_URI="bolt://graph.example", NEO4J_BROWSER_URL=given)
    assert Runtime(settings, lambda: OURS).neo4j_browser() == "http://graph.example:7474/browser/"


def test_neo4j_browser_of_the_one_we_bring() -> None:
    runtime = Runtime(Settings(), lambda: OURS)
    assert runtime.neo4j_browser() is None  # it was not started yet
    runtime.neo4j()
    assert str(runtime.neo4j_browser()).startswith("http://127.0.0.1:7474/browser/?connectURL=")


def test_nobody_knows_where_neo4j_browser_is() -> None:
    assert Runtime(Settings(NEO4J_URI="bolt://graph.example"), lambda: OURS).neo4j_browser() is None


def test_nobody_connects_after_the_end() -> None:
    runtime = Runtime(Settings(), lambda: pytest.fail("Neo4j must not be started again"))
    runtime.close()
    with pytest.raises(StoreUnavailable, match="ending"):
        runtime.store()
