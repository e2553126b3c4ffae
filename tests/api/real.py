"""The real service on the real Neo4j, with an embedder that needs no learned model; and a case to store in it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.settings import Settings
from filigraph.graph.models.embed import Embedder
from filigraph.graph.store import Store
from tests.making import word_embedder
from tests.runs.claw_case import TEXTS, TRIPLES

BYTES = {name: text.encode() for name, text in TEXTS.items()}
TRIPLES_FILE = "\n".join(json.dumps({"source": name, "triples": rows}) for name, rows in TRIPLES.items()).encode()


class WordRuntime(Runtime):
    """The real one, but for the embedder."""

    def __init__(self, address: Neo4jAddress, **settings: object) -> None:
        super().__init__(Settings(**{"OLLAMA_HOST": "127.0.0.1:1", **settings}), lambda: address)  # type: ignore[arg-type]

    def _load_embedder(self) -> Embedder:
        return word_embedder()


def priced_runtime(address: Neo4jAddress, llm_url: str) -> WordRuntime:
    """One whose LLM server has prices: 2 for a million tokens of prompts, 10 for those of replies."""
    settings = {"FILIGRAPH_LLM_URL": f"{llm_url}/v1", "FILIGRAPH_LLM": "m", "FILIGRAPH_LLM_PRICE_IN": 2.0}
    return WordRuntime(address, FILIGRAPH_LLM_PRICE_OUT=10.0, **settings)


def send(http: httpx.Client, case: str, texts: dict[str, bytes], **data: str) -> list[dict[str, Any]]:
    """Ingest texts with the triples of the case; what the server told meanwhile."""
    files = [("files", (name, content)) for name, content in texts.items()]
    response = http.post(f"{case}/ingest", files=[*files, ("triples", ("t", TRIPLES_FILE))], data=data)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


@contextmanager
def elsewhere(store: Store, case: str) -> Iterator[None]:
    """Another server changes the case meanwhile, as soon as this one has ended what it does there by itself."""
    while not (lock := store.workspace_locks.acquire(case.rpartition("/")[2], "another server", seconds=600)):
        time.sleep(0.01)
    try:
        yield
    finally:
        store.workspace_locks.release(lock)
