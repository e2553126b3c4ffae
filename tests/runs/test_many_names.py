"""Many new names at once: old chunks are scanned for all of them, and the graph equals the one from look-ups."""

from __future__ import annotations

import pytest

from filigraph.graph.names import scan
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from filigraph.graph.transfer.export_workspace import export_to
from tests.making import NamesExtractor, case_file, word_embedder
from tests.workspace_pool import WorkspacePool


def _in_two_parts(graph: Graph) -> str:
    """Read the case in two parts; the hash of the graph."""
    files = case_file()
    for part in (files[:6], files[6:]):
        ingest(part, graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    return export_to(lambda _: None, graph).sha256


def test_old_chunks_are_scanned_for_many_new_names_at_once(
    store: Store, workspace_pool: WorkspacePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace_pool.one() as first, workspace_pool.one() as second:
        looked_up = _in_two_parts(store.graph(first))
        monkeypatch.setattr(scan, "MANY_NAMES", 0)
        monkeypatch.setattr(scan, "NAMES_A_CHUNK", 0)
        monkeypatch.setattr(Graph, "chunks_with_terms", lambda *_: pytest.fail("nothing is looked up"))
        assert _in_two_parts(store.graph(second)) == looked_up
