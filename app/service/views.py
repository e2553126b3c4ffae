"""Views: the graph as it would be if only a part had been read."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.service.context import ServiceContext, check_wanted
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.graph.model import Retrieved, ShouldStop, TraceStep
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.graph.ask.run import AskSettings
    from filigraph.graph.browse import BrowseGraph
    from filigraph.graph.model import Difference
    from filigraph.graph.views.reader import ViewGraph


def view_of(given: Mapping[str, Any]) -> View:
    """The view that a question's settings name: of all where they name none."""
    fields: Mapping[str, Any] = given.get("view") or {}
    taken: dict[str, Any] = {name: tuple(of) if isinstance(of, list) else of for name, of in fields.items()}
    return View(**taken)


class Views:
    """Opens workspaces, or views of them, to be read. Of a workspace one view is derived at a time: who asks for the
    same one meanwhile waits for it."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._deriving: defaultdict[str, FairSemaphore] = defaultdict(lambda: FairSemaphore(1))  # by workspace

    def graph(self, workspace: str, view: View) -> BrowseGraph:
        """What is visible of a workspace. Raises InputError, NotFound."""
        if not view:
            return self._context.runtime.graph(workspace)
        return self.open(workspace, view, self._context.runtime.stopping.is_set)

    def open(self, workspace: str, view: View, cancelled: ShouldStop) -> ViewGraph:
        """Derived, unless it is kept: in a slot of a search, however long that takes. Raises InputError, NotFound."""
        from filigraph.graph.views.open import kept_view, open_view

        graph = self._context.runtime.graph(workspace)
        if found := kept_view(graph, view):
            return found
        embedder = self._context.runtime.embedder_of(graph.workspace)
        with (
            self._deriving[workspace].place(lambda: check_wanted(cancelled)),
            self._context.search_slot(cancelled),
        ):
            return open_view(graph, view, embedder=embedder, cancelled=cancelled)


class ViewSearch:
    """Searches in one view of a workspace, in the server itself: what it derives is kept there."""

    def __init__(
        self, context: ServiceContext, views: Views, workspace: str, view: View, cancelled: ShouldStop
    ) -> None:
        """Raises InputError, NotFound."""
        self._context, self._views, self._view = context, views, view
        begin = time.perf_counter()
        self.graph = views.open(workspace, view, cancelled)
        overview, derived = self.graph.overview(), self.graph.derived
        figures = {"documents": len(derived.visible.documents), "passages": overview.chunks}
        figures |= {"entities": len(derived.entities), "facts": len(derived.facts)}
        dated = {"dated": derived.visible.dated} if derived.visible.dated else {}
        self.step = TraceStep(
            name="view",
            milliseconds=round((time.perf_counter() - begin) * 1000, 1),
            inputs=view.fields(),
            outputs=figures | dated,
        )

    def search(
        self,
        question: str,
        *,
        settings: AskSettings,
        cancelled: ShouldStop,
        trace_id: str = "",
        before: Sequence[TraceStep] = (),
    ) -> Retrieved:
        """As `engine.find_evidence`."""
        found = self._found(question, self.graph, settings, cancelled, trace_id, before)
        seen = " ".join(filter(None, (self.graph.remark(found.language), self.graph.derived.visible.dated)))
        return replace(found, remark=f"{seen} {found.remark}".strip())

    def difference(self, workspace: str, found: Retrieved, settings: AskSettings, cancelled: ShouldStop) -> Difference:
        """What is otherwise than with what the view leaves out by name."""
        from filigraph.graph.views.difference import difference

        whole = self._views.open(workspace, self._view.before(), cancelled)
        with self._context.search_slot(cancelled) as limited:
            before = self._found(found.question, whole, settings, limited)
        return difference(before, found, self.graph)

    def _found(
        self,
        question: str,
        graph: ViewGraph,
        settings: AskSettings,
        cancelled: ShouldStop,
        trace_id: str = "",
        before: Sequence[TraceStep] = (),
    ) -> Retrieved:
        from filigraph.graph.engine import find_evidence

        return find_evidence(
            question,
            graph=graph,
            embedder=self._context.runtime.embedder_of(graph.workspace),
            reranker=self._context.runtime.reranker(),
            settings=settings,
            cancelled=cancelled,
            trace_id=trace_id,
            before=before,
        )
