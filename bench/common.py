"""Shared by the benchmarks: the data, a separate workspace, results as JSON beside the code."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from filigraph.app.neo4j import start_neo4j
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Graph, Store

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
OWN_DATA = Path(__file__).parent / "data"  # made for this project
RESULTS = Path(__file__).parent / "results"


def data(name: str) -> Path:
    """A folder or file of the development data; exits if it is missing, because every measurement needs it."""
    path = DATA / name
    if not path.exists():
        sys.exit(f"{path} is not here: this benchmark needs the development data (docs/benchmarks.md).")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@contextmanager
def workspace(name: str, embedder: Embedder, *, keep: bool = False) -> Iterator[Graph]:
    """A workspace on Filigraph's own Neo4j, empty at first and deleted afterwards unless `keep`."""
    address = start_neo4j()
    with Store.connect(address.uri, address.username, address.password) as store:
        store.ensure_schema()
        if any(row.name == name for row in store.workspaces()):
            store.delete_workspace(name)
        store.create_workspace(name, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
        yield store.graph(name)
        if not keep:
            store.delete_workspace(name)


def stub_reply(prompt: str) -> str:
    """A stub for the reply of an LLM that reads a chunk: facts between names in it."""
    names = list(dict.fromkeys(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", prompt)))[:9]
    facts = [{"n": 1, "s": s, "p": "meets", "o": o, "by": ""} for s, o in pairwise(names)]
    return json.dumps({"names": {"Person": names}, "facts": facts, "implied": []})


def memory() -> dict[str, int]:
    """Resident megabytes of this process and of the Java process that runs Neo4j."""
    java = [p for p in psutil.process_iter(["name", "memory_info"]) if "java" in (p.info["name"] or "")]
    return {
        "python_mb": psutil.Process().memory_info().rss >> 20,
        "neo4j_mb": max((p.info["memory_info"].rss for p in java), default=0) >> 20,
    }


def machine() -> dict[str, Any]:
    """The machine of a measurement."""
    return {
        "cores": psutil.cpu_count(),
        "memory_gb": psutil.virtual_memory().total >> 30,
        "python": platform.python_version(),
    }


def kept(name: str) -> dict[str, Any]:
    """A stored result, {} if there is none."""
    file = RESULTS / f"{name}.json"
    result: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return result


def save(name: str, result: dict[str, Any]) -> None:
    """Store a result beside the code, for comparison; figures that were not measured this time stay."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(kept(name) | result, indent=1, ensure_ascii=False, sort_keys=True)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
