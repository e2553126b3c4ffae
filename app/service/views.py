"""Questions on a view: the graph as it would be if only a part had been read."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.service.context import ServiceContext
from filigraph.graph.model import Retrieved, ShouldStop, TraceStep
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.graph.ask.run import AskSettings
    from filigraph.graph.model import Difference
    from filigraph.graph.views.reader import ViewGraph


def view_of(given: Mapping[str, Any]) -> View:
    """The view that a question's settings name: of all where they name none."""
    fields: Mapping[str, Any] = given.get("view") or {}
    taken: dict[str, Any] = {name: tuple(of) if isinstance(of, list) else of for name, of in fields.items()}
    return View(**taken)


class ViewSearch:
    """Searches in one view of a workspace, in the server itself: what it derives is kept there."""

    def __init__(self, context: ServiceContext, workspace: str, view: View, cancelled: ShouldStop) -> None:
        """Derives the view, unless it is kept. Raises InputError, NotFound."""
        self._context, self._view = context, view
        begin = time.perf_counter()
        self.graph = self._opened(workspace, view, cancelled)
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

        whole = self._opened(workspace, self._view.before(), cancelled)
        before = self._found(found.question, whole, settings, cancelled)
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

    def _opened(self, workspace: str, view: View, cancelled: ShouldStop) -> ViewGraph:
        from filigraph.graph.views.open import open_view

        graph = self._context.runtime.graph(workspace)
        embedder = self._context.runtime.embedder_of(graph.workspace)
        return open_view(graph, view, embedder=embedder, cancelled=cancelled)
