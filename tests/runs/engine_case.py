"""The case of The Claw with more texts, in a separate workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from tests.making import source, word_embedder
from tests.runs.claw_case import TEXTS, triples
from tests.workspace_pool import WorkspacePool

QUESTION = "Why be wary of Jules Delmas?"

CASE = {
    **TEXTS,
    "report.txt": "Paul Delmas is a baker in Lyon. Nobody ever saw a thief near Delmas.",
    **{f"note{n}.txt": f"Note {n}. Be wary of the weather on day {n}; why it rains nobody knows." for n in range(5)},
}


def made(store: Store, workspace_pool: WorkspacePool, texts: Mapping[str, str]) -> Iterator[Graph]:
    """A workspace with these texts."""
    with workspace_pool.one() as name:
        graph = store.graph(name)
        sources = [source(name, text) for name, text in texts.items()]
        ingest(sources, graph=graph, embedder=word_embedder(), extractor=triples(graph))
        yield graph
