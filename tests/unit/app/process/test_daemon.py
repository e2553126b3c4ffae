"""What `up` says about Neo4j. These tests start nothing: `tests/app/test_neo4j_process.py` does that."""

from __future__ import annotations

from pathlib import Path

import pytest

from filigraph.app import neo4j
from filigraph.app.neo4j.server import Neo4jStatus
from filigraph.app.process.daemon import ensure_neo4j
from filigraph.app.settings import Settings

ADDRESS = neo4j.Neo4jAddress(
    uri="bolt://127.0.0.1:1", username="neo4j", password="secret", http_url="", browser_url="", version=""
)


@pytest.mark.parametrize(("pid", "told"), [(None, ["Starting Neo4j."]), (17, [])])
def test_a_start_is_told_where_none_runs(
    pid: int | None, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = Neo4jStatus(state="stopped" if pid is None else "running", version="", folder=tmp_path, pid=pid)
    monkeypatch.setattr(neo4j, "neo4j_status", lambda _: status)
    monkeypatch.setattr(neo4j, "start_neo4j", lambda **_: ADDRESS)
    said: list[str] = []
    settings = Settings(FILIGRAPH_HOME=str(tmp_path))  # type: ignore[call-arg]
    assert ensure_neo4j(settings, progress=False, say=said.append) == ADDRESS
    assert said == told
