"""A server's runtime with a case, for tests of search processes and of reading ahead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filigraph.app.neo4j import Neo4jAddress
from filigraph.app.runtime import Runtime
from filigraph.app.settings import Settings
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Store
from tests.making import source
from tests.runs.claw_case import TEXTS, triples

QUESTION = "Why be wary of Jules Delmas?"

SETTINGS = {
    "FILIGRAPH_EMBEDDER": 'llama_index.core.embeddings.mock_embed_model.MockEmbedding {"embed_dim": 64}',
    "OLLAMA_HOST": "127.0.0.1:1",
}


@contextmanager
def runtime_with(workspace: str, neo4j_address: Neo4jAddress, store: Store) -> Iterator[Runtime]:
    """A server's runtime, with a case in which two paths may be chosen."""
    runtime = Runtime(Settings(**SETTINGS), lambda: neo4j_address)  # type: ignore[arg-type]
    embedder = runtime.embedder()
    store.create_workspace(workspace, fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
    graph = store.graph(workspace)
    ingest([source(*text) for text in TEXTS.items()], graph=graph, embedder=embedder, extractor=triples(graph))
    yield runtime
    store.delete_workspace(workspace)
    runtime.close()
