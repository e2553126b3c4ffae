"""Read ahead: what the next questions will need of a workspace, read and laid out before they come.

A question that finds nothing kept reads its pool, which takes as long as all the rest of it, and of a small workspace
all there is, which takes ten times as long. Nobody waits for what is read ahead: while a workspace is only read it is
done once, after a change once more.
"""

from __future__ import annotations

from collections.abc import Iterator

from filigraph.graph.ask.explore.fact_terms import fact_terms
from filigraph.graph.ask.explore.layout import kept_layout
from filigraph.graph.ask.explore.search import is_whole
from filigraph.graph.ask.reader import AskGraph

MOST = 10_000  # chunks of a workspace, 40 kB each: of a larger one questions read what they need
PART = 200  # chunks read at once


def read_ahead(graph: AskGraph) -> Iterator[None]:
    """Yields between parts of some 50 ms, where the caller may stop, or pause for questions. Ends early where the
    workspace changes meanwhile."""
    workspace = graph.overview()
    revision = workspace.revision
    if not revision or workspace.chunks > MOST:
        return
    ids = graph.chunk_ids(revision)
    for begin in range(0, len(ids), PART):
        yield
        for chunk in graph.pool(ids[begin : begin + PART], revision):
            fact_terms(chunk)
        if graph.overview().revision != revision:
            return
    yield
    if is_whole(workspace.chunks):
        layout = kept_layout(revision, ids, lambda: graph.pool(ids, revision))
        if layout:
            layout.prepare()
    else:
        graph.keep_read_model(revision)
