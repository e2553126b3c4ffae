"""The demo's files from another folder: ids hash the names of sources, and nothing shown depends on them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from importlib.resources import files

import pytest

from filigraph.graph.ask.explore import search as explore
from filigraph.graph.engine import retrieve
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from tests.making import NamesExtractor, case_file, word_embedder
from tests.workspace_pool import WorkspacePool

ASKED = [asked["question"] for asked in json.loads((files("filigraph.app") / "demo" / "questions.json").read_text())]


@pytest.fixture(scope="module")
def folders(store: Store, workspace_pool: WorkspacePool) -> Iterator[list[Graph]]:
    """The same twelve files, read in two workspaces from differently named folders, in another order."""
    with workspace_pool.one() as first, workspace_pool.one() as second:
        graphs = [store.graph(first), store.graph(second)]
        for graph, folder, step in zip(graphs, ("demo", "old cases/copy of 1912"), (1, -1), strict=True):
            copies = [dataclasses.replace(file, name=file.name.replace("demo", folder)) for file in case_file()]
            ingest(copies[::step], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
        yield graphs


def shown(found: Retrieved) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """All that is shown and has no id: paths and passages with their scores."""
    paths = [(path.text, round(path.score, 6)) for path in found.paths]
    return paths, [(evidence.text, round(evidence.score, 6)) for evidence in found.evidence]


@pytest.mark.parametrize("whole", [True, False], ids=["a small workspace", "a large one"])
@pytest.mark.parametrize("question", [*ASKED, "Where is Jules mentioned?", "What is the latest news of Jules?"])
def test_another_folder_shows_the_same_paths_and_scores(
    folders: list[Graph], monkeypatch: pytest.MonkeyPatch, question: str, whole: bool
) -> None:
    if not whole:
        monkeypatch.setattr(explore, "WHOLE_POOL_CHUNKS", 1)
    here, there = (shown(retrieve(question, graph=graph, embedder=word_embedder())) for graph in folders)
    assert here[0], "there is something to compare"
    assert here == there
