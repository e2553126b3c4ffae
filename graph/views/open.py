"""Open a view: from the cache, or derived."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from filigraph.graph.derivation_state import NameVectors
from filigraph.graph.errors import InputError
from filigraph.graph.models.embed import Embedder
from filigraph.graph.process.cache_memory import CacheMemory
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.records.workspaces import WorkspaceRow
from filigraph.graph.tables.read_part import ReadPart, TextVectors
from filigraph.graph.view import View
from filigraph.graph.views.derived import derive_view
from filigraph.graph.views.nested import narrowed_derivation, narrowed_part
from filigraph.graph.views.read_names import ReadNames
from filigraph.graph.views.reader import ViewGraph
from filigraph.graph.views.visible import MAX_PASSAGES, visible_part, without_gone


class ReadGraph(Protocol):
    """A workspace that has views."""

    @property
    def memory(self) -> CacheMemory: ...
    @property
    def workspace(self) -> WorkspaceRow: ...
    def count_chunks(self) -> int: ...
    def read_version(self) -> str: ...
    def read_part(self, before: ReadPart | None = None) -> ReadPart: ...
    def read_text_vectors(self, vectors: TextVectors) -> None: ...


def kept_view(graph: ReadGraph, view: View) -> ViewGraph | None:
    """The current view, if it is in memory."""
    memory, workspace = graph.memory, graph.workspace.id
    part: ReadPart | None = memory.get(("read", workspace))
    if part is None or part.version != graph.read_version():
        return None
    view_graph: ViewGraph | None = memory.get(("view", workspace, view.key))
    return view_graph


def size_of_view(graph: ReadGraph, view: View) -> int:
    """Approximate bytes of memory that a view takes now, 0 if it is not in memory."""
    return graph.memory.size_of(("view", graph.workspace.id, view.key))


def forget_view(graph: ReadGraph, view: View) -> None:
    """Make room for views that are used again."""
    gone = ("view", graph.workspace.id, view.key)
    graph.memory.drop(lambda key: key == gone)


def open_view(graph: ReadGraph, view: View, *, embedder: Embedder, cancelled: ShouldStop = lambda: False) -> ViewGraph:
    """The current view. Raises InputError or NotFound if the view names something that the workspace does not have, if
    the workspace is too large, or if the view is empty.
    """
    memory, workspace = graph.memory, graph.workspace.id
    part_key = ("read", workspace)
    part: ReadPart | None = memory.get(part_key)
    version = graph.read_version()
    if part is None or part.version != version:
        if (count := graph.count_chunks()) > MAX_PASSAGES:
            raise InputError(
                f"The workspace has {count:,} passages: views are derived in memory, of workspaces of at most "
                f"{MAX_PASSAGES:,}.",
                cure="Ingest the visible documents into a separate workspace, and use that.",
            )
        part = graph.read_part(part)
        part.text_vectors.read_beside(partial(graph.read_text_vectors, part.text_vectors))
        memory.drop(lambda key: isinstance(key, tuple) and key[:2] == ("view", workspace))
        memory.keep(part_key, part)
    try:
        return _kept_or_derived(graph, part, part, view, embedder, cancelled)
    except BaseException:
        if part.text_vectors.failed:  # the next time they are read again
            memory.drop(lambda key: key == part_key)
        raise


def _kept_or_derived(
    graph: ReadGraph, whole: ReadPart, part: ReadPart, view: View, embedder: Embedder, cancelled: ShouldStop
) -> ViewGraph:
    """The view of a part, cached or derived; the part may itself be a view."""
    key = ("view", graph.workspace.id, view.key)
    view_graph: ViewGraph | None = graph.memory.get(key)
    if view_graph is None:
        if view.limit and view.narrowing:
            part = _kept_or_derived(graph, whole, part, view.outer, embedder, cancelled).part
        if view.limit and not view.narrowing:
            limit = _kept_or_derived(graph, whole, part, without_gone(part, view.limit), embedder, cancelled)
            part = narrowed_part(part, limit)
            derived = narrowed_derivation(part, limit, view)
        else:
            if not visible_part(part, view).chunks:
                raise InputError(
                    f"The view is empty: no passage of {len(part.documents):,} documents is visible in it.",
                    cure="Widen it with a later day or place, more documents, or undated documents.",
                )
            vectors = graph.memory.get_or_make("name vectors", NameVectors)
            read = graph.memory.get_or_make(("read names", graph.workspace.id), partial(ReadNames, vectors))
            read.follow(whole)
            derived = derive_view(part, view, embedder=embedder, read=read, cancelled=cancelled)
        view_graph = ViewGraph(graph.workspace, part, derived, embedder)
        graph.memory.keep(key, view_graph)
    return view_graph
