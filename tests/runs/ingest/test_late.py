"""Late chunking: the vectors of chunks know the document, through a change of it, an export and another embedder."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from filigraph.graph.errors import NotSetUp
from filigraph.graph.ingest.report import IngestReport, IngestSettings
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.models.embed import Embedder, Span
from filigraph.graph.pipeline import ingest
from filigraph.graph.store import Graph, Store
from filigraph.graph.transfer.export_workspace import export_to
from filigraph.graph.transfer.import_workspace import import_from
from filigraph.graph.transfer.reembed import reembed
from tests.making import NamesExtractor, WordEmbedding, source, word_embedder
from tests.runs.conftest import World

COPY = "test-late-copy"
LATE = IngestSettings(size=16, overlap=0.0, late=True)
TEXT = "Mathilde Delmas met Jules in Lyon. " + " ".join(
    f"She wrote {n} letters to Paul about the ring, and hid it in drawer {n} of the desk." for n in range(20)
)


class InContext(WordEmbedding):
    """The vector of a part says half as much of what stands around it."""

    reads_parts: bool = True

    def get_span_embeddings(
        self, texts: list[str], spans: list[list[Span]]
    ) -> tuple[list[list[float]], list[list[list[float]]]]:
        whole = [self._get_text_embedding(text) for text in texts]
        parts = [
            [(np.array(self._get_text_embedding(text[start:end])) + np.array(around) / 2).tolist() for start, end in of]
            for text, around, of in zip(texts, whole, spans, strict=True)
        ]
        return whole, parts


def words(texts: Sequence[str]) -> list[list[Span]]:
    return [[found.span() for found in re.finditer(r"\w+", text)] for text in texts]


def in_context(times: int = 1) -> Embedder:
    model = InContext(times=times)
    return replace(word_embedder(times), model=model, exact=model, token_spans=words, window=60)


def read(graph: Graph, text: str, settings: IngestSettings = LATE) -> IngestReport:
    return ingest(
        [source("letter.txt", text)],
        graph=graph,
        embedder=in_context(),
        extractor=NamesExtractor(),
        settings=settings,
    )


def vectors(graph: Graph) -> dict[str, Matrix]:
    """The vectors of each chunk and of its sentences, as the packing of vectors rounds them."""
    found = {chunk.id: chunk.vectors for chunk in graph.pool(graph.chunk_ids())}
    return dict(sorted(found.items()))


def same(left: dict[str, Matrix], right: dict[str, Matrix]) -> bool:
    return left.keys() == right.keys() and all(np.allclose(left[id_], right[id_], atol=0.02) for id_ in left)


def test_a_document_is_embedded_as_a_whole_and_stays_so(world: World) -> None:
    graph = world.fresh()
    read(graph, TEXT)
    late = vectors(graph)
    assert len(late) > 10
    assert read(graph, TEXT).unchanged == ["letter.txt"]
    read(graph, TEXT, replace(LATE, late=False))
    assert not same(vectors(graph), late), "embedded alone"
    report = read(graph, TEXT)
    assert report.extracted == 0 and same(vectors(graph), late)

    changed = TEXT.replace("met Jules", "met Inspector Brun")
    read(graph, changed)
    updated = vectors(graph)
    kept = late.keys() & updated.keys()
    assert kept and any(not np.allclose(late[id_], updated[id_], atol=0.02) for id_ in kept), "what stands around moved"
    graph = world.fresh()
    read(graph, changed)
    assert same(vectors(graph), updated), "as if it had been read so at first"


def test_export_import_and_another_embedder_keep_it(world: World, store: Store) -> None:
    graph = world.fresh()
    read(graph, TEXT)
    late, file = vectors(graph), io.BytesIO()
    written = export_to(file.write, graph)
    file.seek(0)
    try:
        assert import_from(file, COPY, store=store, embedder=in_context()).sha256 == written.sha256
        copy = store.graph(COPY)
        assert all(np.allclose(a, b, atol=0.02) for a, b in zip(vectors(copy).values(), late.values(), strict=True))
        assert read(copy, TEXT).unchanged == ["letter.txt"]
        with pytest.raises(NotSetUp, match="words"):
            reembed(COPY, store=store, embedder=word_embedder(2))
        assert reembed(COPY, store=store, embedder=in_context(2)) > len(late)
        for twice, once in zip(vectors(store.graph(COPY)).values(), late.values(), strict=True):
            assert np.allclose(twice[:, :64] * 2**0.5, once, atol=0.03)
    finally:
        store.delete_workspace(COPY)


def test_an_embedder_that_cannot_is_refused_before_anything_is_read(world: World) -> None:
    graph = world.fresh()
    with pytest.raises(NotSetUp, match="mean pooling"):
        ingest(
            [source("letter.txt", TEXT)],
            graph=graph,
            embedder=word_embedder(),
            extractor=NamesExtractor(),
            settings=LATE,
        )
    assert not graph.document_rows()
