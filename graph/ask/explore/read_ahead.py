"""Read ahead: load and lay out the data of a workspace that the next questions will need, before they come.

On an empty cache a question reads its pool, which takes as long as all its other steps; in a small workspace the pool
is everything, which takes ten times as long. Nobody waits for reading ahead. It runs once for a workspace, and once
more after each change.
"""

from __future__ import annotations

from collections.abc import Iterator

from filigraph.graph.ask.explore.fact_terms import fact_terms
from filigraph.graph.ask.explore.layout import cached_layout
from filigraph.graph.ask.explore.search import is_own_pool
from filigraph.graph.ask.reader import AskGraph

READ_AHEAD_CHUNKS = 200  # chunks read at once


def read_ahead(graph: AskGraph) -> Iterator[None]:
    """Yields between parts of some 50 ms, where the caller may stop, or pause for questions. Ends early if the
    workspace changes meanwhile.

    For a workspace that is too large to be read as a whole (`ReadAheadSize`), only the read model is cached.
    """
    workspace, size = graph.overview(), graph.read_ahead
    revision = workspace.revision
    if not revision or workspace.chunks > size.linked:
        return
    if not is_own_pool(workspace.chunks):  # first: it is small, and saves a question more time than any other part
        yield from _until_changed(graph.keep_read_model(revision), graph, revision)
    if workspace.chunks <= size.chunks:
        yield from _until_changed(_read_chunks(graph, revision), graph, revision)


def _until_changed(parts: Iterator[None], graph: AskGraph, revision: str) -> Iterator[None]:
    for part in parts:
        yield part
        if graph.overview().revision != revision:
            return


def _read_chunks(graph: AskGraph, revision: str) -> Iterator[None]:
    ids = graph.chunk_ids(revision)
    for begin in range(0, len(ids), READ_AHEAD_CHUNKS):
        yield
        for chunk in graph.pool(ids[begin : begin + READ_AHEAD_CHUNKS], revision):
            fact_terms(chunk)
    yield
    if is_own_pool(len(ids)):
        layout = cached_layout(revision, ids, lambda: graph.pool(ids, revision))
        if layout:
            layout.prepare()
