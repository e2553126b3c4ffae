"""`filigraph keys`, on the real Neo4j; and the first key of a machine on which nothing runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.service.service import Service
from filigraph.graph.store import Store
from tests.api.near_misses import FILES
from tests.api.real import WordRuntime
from tests.api.serving import serving
from tests.cli.conftest import Run
from tests.no_keys import no_keys
from tests.patience import PATIENCE
from tests.workspace_pool import WorkspacePool


@pytest.fixture(autouse=True)
def keyless(store: Store) -> Iterator[None]:
    with no_keys(store):
        yield


@pytest.fixture
def server(neo4j_address: Neo4jAddress, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with serving(Service(WordRuntime(neo4j_address))) as url:
        monkeypatch.setenv("FILIGRAPH_URL", url)
        yield url


def test_a_key_of_some_documents(
    run: Run, server: str, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace_pool.one() as name:
        assert httpx.post(f"{server}/v1/workspaces/{name}/ingest", files=FILES, timeout=PATIENCE).status_code == 200
        monkeypatch.setenv("FILIGRAPH_KEY", run("keys", "create", "root", "--scope", "admin").out.strip())
        documents = json.loads(run("documents", "list", "--json", "-w", name).out)["documents"]
        source, other = documents[0]["source"], documents[1]["source"]
        made = json.loads(run("keys", "create", "anna", "-w", name, "--only", source, "--json").out)
        assert made["view"] == {"sources": [source]} and source in run("keys", "list").out
        unknown = run("keys", "create", "ben", "-w", name, "--only", "nowhere.txt")
        assert unknown.code == 1 and source in unknown.err
        assert "one workspace" in run("keys", "create", "ben", "--only", source).err
        monkeypatch.setenv("FILIGRAPH_KEY", made["key"])
        seen = run("documents", "list", "--json", "-w", name).out
        assert source in seen and other not in seen
        assert "limited to a part" in run("notes", "list", "-w", name).err


def test_the_life_of_a_key(run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no keys" in run("keys", "list").out
    refused = run("keys", "create", "anna")
    assert refused.code == 1 and "--scope admin" in refused.err and refused.err.count("\n") == 1

    made = run("keys", "create", "root", "--scope", "admin")
    root = made.out.strip()
    assert root.startswith("fgk_") and root not in made.err and "not shown again" in made.err
    stranger = run("keys", "list")
    assert stranger.code == 1 and "FILIGRAPH_KEY" in stranger.err

    monkeypatch.setenv("FILIGRAPH_KEY", root)
    anna = json.loads(run("keys", "create", "anna", "--workspace", "case", "--json").out)
    assert (anna["name"], anna["scope"], anna["workspace"]) == ("anna", "read", "case")
    listed = run("keys", "list").out
    assert "root" in listed and "anna" in listed and "case" in listed and root not in listed

    again = run("keys", "rotate", "anna").out.strip()
    assert again.startswith("fgk_") and again != anna["key"]
    assert run("keys", "revoke", "nobody").code == 1
    assert "anna" in run("keys", "revoke", "anna").out
    monkeypatch.setenv("FILIGRAPH_KEY", again)
    assert "unknown" in run("stats").err
    monkeypatch.setenv("FILIGRAPH_KEY", "clé")
    assert "FILIGRAPH_KEY" in run("stats").err


@pytest.mark.slow
def test_the_first_key_of_a_public_server(neo4j_address: Neo4jAddress, own_home: Path) -> None:
    environment = {
        **os.environ,
        "FILIGRAPH_HOME": str(own_home),
        "FILIGRAPH_HOST": "0.0.0.0",
        "NEO4J_URI": neo4j_address.uri,
        "NEO4J_PASSWORD": neo4j_address.password,
        "OLLAMA_HOST": "127.0.0.1:1",
    }

    def filigraph(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "filigraph.app.cli", *arguments],
            capture_output=True,
            text=True,
            env={**environment, **more},
            check=False,
        )

    refused = filigraph("serve")
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1
    assert "Other machines" in refused.stderr and "filigraph keys create" in refused.stderr

    made = filigraph("keys", "create", "root", "--scope", "admin")
    assert made.returncode == 0 and "only this machine reaches" in made.stderr
    assert filigraph("down").stdout == "Nothing was running.\n"
    try:
        assert filigraph("up").returncode == 0
        assert "root" in filigraph("keys", "list", FILIGRAPH_KEY=made.stdout.strip()).stdout
        _the_owner_is_let_in(filigraph, own_home)
    finally:
        filigraph("down")


def _the_owner_is_let_in(filigraph: Callable[..., subprocess.CompletedProcess[str]], home: Path) -> None:
    """To the keys alone, by a file that nobody else can read, and at this home's own server."""
    token = home / "data" / "server" / "owner.token"
    assert token.stat().st_mode & 0o777 == 0o600
    assert "root" in filigraph("keys", "list").stdout
    anna = filigraph("keys", "create", "anna")
    assert anna.stdout.startswith("fgk_")
    assert "root" in filigraph("keys", "list", FILIGRAPH_KEY=anna.stdout.strip()).stdout  # a key that may less
    assert "FILIGRAPH_KEY" in filigraph("stats").stderr

    url = f"http://localhost:{json.loads((token.parent / 'server.json').read_text())['port']}"
    assert "root" in filigraph("keys", "list", FILIGRAPH_URL=url).stdout
    assert "FILIGRAPH_KEY" in filigraph("keys", "list", FILIGRAPH_URL=url, FILIGRAPH_HOME=str(home / "else")).stderr
    token.write_text("another")
    assert "FILIGRAPH_KEY" in filigraph("keys", "list").stderr
