"""Reembed: replace the vectors of a workspace by those of another embedder, while questions use the old ones.

New vectors are computed in batches and stored next to the old ones; an interrupted run resumes. When all are computed,
they are swapped in; questions are rejected for these seconds. Then names are resolved again, since some are joined by
their vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from filigraph.graph.derive import DeriveGraph, derive
from filigraph.graph.errors import EmbedderMismatch
from filigraph.graph.ingest.code.read import embedded_text
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.documents import Chunk
from filigraph.graph.models.embed import Embedder, embed_chunks, embed_texts
from filigraph.graph.models.late import LateDocument, check_late
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.workspaces import GraphStats, VectorKind, WorkspaceRow
from filigraph.graph.text.sentences import sentence_groups

BATCH_ROWS: dict[VectorKind, int] = {"chunks": 64, "entities": 1000, "facts": 1000, "summaries": 256}  # rows per batch


class ReembedGraph(DeriveGraph, Protocol):
    """Store of a workspace for a change of embedder."""

    @property
    def workspace(self) -> WorkspaceRow: ...
    def following(self) -> tuple[str | None, str]: ...
    def begin_reembedding(self, *, fingerprint: str, embedder: str) -> None: ...
    def unembedded_late(self) -> Sequence[str]: ...
    def any_late(self) -> bool: ...
    def document_chunks(self, document_id: str) -> Sequence[Chunk]: ...
    def unembedded(self, kind: VectorKind, *, after: str, limit: int) -> Sequence[dict[str, Any]]: ...
    def store_waiting_vectors(self, kind: VectorKind, rows: Sequence[tuple[str, Matrix]]) -> None: ...
    def swap_vectors(self, *, fingerprint: str, dimensions: int, embedder: str) -> None: ...
    def needs_deriving(self) -> bool: ...
    def stats(self) -> GraphStats: ...
    def count_summaries(self) -> int: ...


class ReembedWorkspaces(Protocol):
    """Workspaces by name; `swapping` also opens one whose swap of vectors is incomplete."""

    def graph(self, name: str, *, swapping: bool = False) -> ReembedGraph: ...


def reembed(
    workspace: str,
    *,
    store: ReembedWorkspaces,
    embedder: Embedder,
    choice: str = "",
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> int:
    """Change `workspace` to `embedder`; returns the number of vectors computed in this run.

    `choice` is the setting that loads the embedder again, "" for the server's default. Raises Cancelled if `cancelled`
    returns true; the vectors computed so far are stored for the next run. Raises EmbedderMismatch if an interrupted
    swap to another embedder must be completed first, NotSetUp if documents are embedded late and `embedder` cannot.
    """
    graph = store.graph(workspace, swapping=True)
    computed, swapping = 0, graph.workspace.swapping
    if swapping:
        _check_that_it_follows(graph, embedder)
    elif graph.workspace.fingerprint != embedder.fingerprint:
        computed, swapping = _compute_vectors(graph, embedder, choice, progress, cancelled), True
    if swapping:
        progress(Progress(stage="swap", done=0, total=0))
        graph.swap_vectors(fingerprint=embedder.fingerprint, dimensions=embedder.dimensions, embedder=choice)
        graph = store.graph(workspace)
    if graph.needs_deriving():
        derive(graph, embedder=embedder, progress=progress, cancelled=cancelled)
    return computed


def _check_that_it_follows(graph: ReembedGraph, embedder: Embedder) -> None:
    fingerprint, choice = graph.following()
    if fingerprint != embedder.fingerprint:
        raise EmbedderMismatch(
            f"The vectors of workspace {graph.workspace.name!r} are partly replaced by those of {fingerprint}: "
            f"{embedder.fingerprint} cannot complete this.",
            cure="Finish it first: `filigraph reembed"
            + (f" --embedder {choice}`." if choice else "`, with FILIGRAPH_EMBEDDER as it was then."),
        )


def _compute_vectors(
    graph: ReembedGraph,
    embedder: Embedder,
    choice: str,
    progress: Callable[[Progress], None],
    cancelled: ShouldStop,
) -> int:
    if graph.any_late():
        check_late(embedder)
    graph.begin_reembedding(fingerprint=embedder.fingerprint, embedder=choice)
    stats = graph.stats()
    total, done = stats.chunks + stats.entities + stats.facts + graph.count_summaries(), 0
    for document_id in graph.unembedded_late():
        chunks = graph.document_chunks(document_id)
        whole = LateDocument(embedder, chunks)
        for first in range(0, len(chunks), BATCH_ROWS["chunks"]):
            stop_if(cancelled)
            batch = chunks[first : first + BATCH_ROWS["chunks"]]
            spans = [(chunk.start, chunk.end) for chunk in batch]
            late_vectors = whole.embed(spans, [sentence_groups(chunk.text, chunk.language) for chunk in batch])
            graph.store_waiting_vectors(
                "chunks", list(zip([chunk.id for chunk in batch], _stack(*late_vectors), strict=True))
            )
            done += len(batch)
            progress(Progress(stage="embed", done=done, total=total))
    for kind, size in BATCH_ROWS.items():
        after = ""
        while rows := graph.unembedded(kind, after=after, limit=size):
            stop_if(cancelled)
            texts = [row["text"] for row in rows]
            vectors: list[Matrix]
            if kind == "chunks":
                texts = [embedded_text(row["text"], row["unit"]) for row in rows]
                parts = [sentence_groups(text, row["language"]) for text, row in zip(texts, rows, strict=True)]
                titles = ["" if row["unit"] else row["title"] for row in rows]
                vectors = _stack(*embed_chunks(embedder, texts, titles, parts))
            else:
                vectors = [vector[None] for vector in embed_texts(embedder, texts)]
            graph.store_waiting_vectors(kind, list(zip([row["id"] for row in rows], vectors, strict=True)))
            after, done = rows[-1]["id"], done + len(rows)
            progress(Progress(stage="embed", done=done, total=total))
    return done


def _stack(vectors: Matrix, sentences: Sequence[Matrix]) -> list[Matrix]:
    """Each vector followed by those of its sentences."""
    return [np.vstack([vector, matrix]) for vector, matrix in zip(vectors, sentences, strict=True)]
