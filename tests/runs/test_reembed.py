"""Another embedder for a workspace: questions are answered meanwhile, a kill costs one batch, and the result is the
same.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from filigraph.graph.engine import retrieve
from filigraph.graph.errors import Cancelled, EmbedderMismatch
from filigraph.graph.models.embed import Embedder, embed_questions
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store, schema
from filigraph.graph.transfer import reembed as module
from filigraph.graph.transfer.reembed import reembed
from filigraph.graph.view import View
from filigraph.graph.views.open import open_view
from tests.making import DIMENSIONS, NamesExtractor, case_file, word_embedder
from tests.slow import quick
from tests.store.world import kill_at

NAME = "test-reembed"
QUESTION = "Who met Mathilde?"


def doubled() -> Embedder:
    """The same words in twice as many dimensions."""
    return word_embedder(2)


def turned() -> Embedder:
    """The same words in other dimensions, as many: its vectors need no other indexes, which take seconds."""
    return word_embedder(turned=1)


@pytest.fixture
def graph(store: Store) -> Iterator[Graph]:
    store.create_workspace(NAME, fingerprint="words-64", dimensions=DIMENSIONS)
    graph = store.graph(NAME)
    ingest(case_file()[:4], graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    yield graph
    store.delete_workspace(NAME)


def found(store: Store, embedder: Embedder) -> dict[str, float]:
    """What a question finds, with its scores."""
    evidence = retrieve(QUESTION, graph=store.graph(NAME), embedder=embedder).evidence
    assert evidence
    return {piece.id: piece.score for piece in evidence}


def alike(scores: dict[str, float]) -> object:
    """The same but for what the packing of vectors rounds."""
    return pytest.approx(scores, abs=0.01)


def content(graph: Graph) -> list[str]:
    return list(graph.dump())[1:]


def test_the_workspace_is_the_other_embedders_afterwards(graph: Graph, store: Store) -> None:
    before, lines, stats = alike(found(store, word_embedder())), content(graph), graph.stats()
    assert (
        reembed(NAME, store=store, embedder=doubled(), choice="doubled") == stats.chunks + stats.entities + stats.facts
    )
    after = store.graph(NAME)
    assert (after.workspace.fingerprint, after.workspace.dimensions) == ("words-128", 2 * DIMENSIONS)
    assert after.workspace.embedder == "doubled"
    assert content(after) == lines
    assert found(store, doubled()) == before, "the same cosines, in twice as many dimensions"
    assert reembed(NAME, store=store, embedder=doubled()) == 0
    with pytest.raises(EmbedderMismatch, match="words-128"):
        store.create_workspace(NAME, fingerprint="words-64", dimensions=DIMENSIONS)


def test_questions_are_answered_by_the_old_vectors_meanwhile(
    graph: Graph, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = alike(found(store, word_embedder()))
    monkeypatch.setitem(module.BATCH_ROWS, "entities", 5)
    asked = []
    reembed(
        NAME,
        store=store,
        embedder=turned(),
        progress=lambda now: asked.append(found(store, word_embedder())) if now.stage == "embed" else None,
    )
    assert len(asked) > 3
    assert all(answer == before for answer in asked)


def test_a_view_has_the_vectors_of_the_other_embedder(graph: Graph, store: Store) -> None:
    before = open_view(graph, View(), embedder=word_embedder())
    reembed(NAME, store=store, embedder=turned())
    after = store.graph(NAME)
    after.memory = graph.memory  # as in a server
    view = open_view(after, View(), embedder=turned())
    vector = embed_questions(turned(), [QUESTION])[0]
    assert view.search_chunks(vector, 3)[0][1] == pytest.approx(after.search_chunks(vector, 3)[0][1], abs=0.01)
    nearest = [hit.cosine for hit in after.search_entities(vector, 3)]
    assert [hit.cosine for hit in view.search_entities(vector, 3)] == pytest.approx(nearest, abs=0.01)
    assert view.revision() != before.revision()


@pytest.mark.parametrize("batches", quick([1, 0, 4], 1))
def test_a_run_cut_short_goes_on_where_it_stopped(
    batches: int, graph: Graph, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(module.BATCH_ROWS, "entities", 10)
    stats, left = graph.stats(), iter([False] * batches)
    with pytest.raises(Cancelled):
        reembed(NAME, store=store, embedder=turned(), cancelled=lambda: next(left, True))
    assert found(store, word_embedder()), "by the vectors it had"
    computed = reembed(NAME, store=store, embedder=turned())
    assert computed < stats.chunks + stats.entities + stats.facts or not batches
    assert found(store, turned())


@pytest.mark.parametrize("written", quick([1, 0, 2], 1))
def test_a_swap_cut_short_is_finished_by_the_next_run(
    written: int, graph: Graph, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = doubled() if written == 1 else turned()
    before = alike(found(store, word_embedder()))
    with monkeypatch.context() as patch:
        kill_at(patch, "swap_.*", after=written)
        with pytest.raises(KeyboardInterrupt):
            reembed(NAME, store=store, embedder=other, choice="double")
    with pytest.raises(EmbedderMismatch, match="being replaced"):
        store.graph(NAME)
    for another in (word_embedder(3), word_embedder()):
        with pytest.raises(EmbedderMismatch, match=other.fingerprint) as refused:
            reembed(NAME, store=store, embedder=another)
        assert "--embedder double" in refused.value.cure
    with pytest.raises(EmbedderMismatch, match="being replaced"):
        store.create_workspace(NAME, fingerprint="words-64", dimensions=DIMENSIONS)
    assert reembed(NAME, store=store, embedder=other) == 0, "nothing is computed twice"
    assert found(store, other) == before


def test_questions_wait_until_the_indexes_of_the_new_vectors_stand(
    graph: Graph, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(schema, "create_indexes", stop)
        reembed(NAME, store=store, embedder=doubled())
    with pytest.raises(EmbedderMismatch, match="being replaced"):
        found(store, doubled())
    assert reembed(NAME, store=store, embedder=doubled()) == 0
    assert found(store, doubled())


def test_what_is_read_anew_meanwhile_is_embedded_anew(graph: Graph, store: Store) -> None:
    left = iter([False] * 2)
    with pytest.raises(Cancelled):
        reembed(NAME, store=store, embedder=turned(), cancelled=lambda: next(left, True))
    ingest(case_file(), graph=graph, embedder=word_embedder(), extractor=NamesExtractor())
    lines = content(graph)
    reembed(NAME, store=store, embedder=turned())
    assert content(store.graph(NAME)) == lines
    assert found(store, turned())
