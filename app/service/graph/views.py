"""Views: the graph as it would be if only a part had been read."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filigraph.app.access.keys import Caller
from filigraph.app.service.context import ServiceContext, check_wanted
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.graph.errors import ForbiddenError, InputError, NotFound
from filigraph.graph.ids import content_id
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.app.schemas.answers import KeptAnswerOut
    from filigraph.graph.analysis.browse import BrowseGraph
    from filigraph.graph.ask.settings import AskSettings
    from filigraph.graph.model.answers import AnswerDependency, Difference
    from filigraph.graph.records.facts import Comparison
    from filigraph.graph.views.reader import ViewGraph

MAX_NAMED_VIEWS = 1000  # most named views of a workspace


def view_of(settings: Mapping[str, Any]) -> View:
    """The view that a question's settings name, by default everything."""
    view = settings.get("view") or {}
    return view if isinstance(view, View) else View.of(view)


class Views:
    """Opens workspaces, or views of them, for reading. Only one view of a workspace is derived at a time; other
    requests for it wait."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._deriving: defaultdict[str, FairSemaphore] = defaultdict(lambda: FairSemaphore(1))  # by workspace
        self._ahead: View | None = None  # the view that is opened before somebody asks for it
        self.makes_way = threading.Event()  # set when somebody asks for another

    # ---- By name

    def named_views(self, workspace: str) -> dict[str, View]:
        """The named views of a workspace, by name. Raises NotFound."""
        with self._context.connected():
            stored: Mapping[str, Any] = self._context.runtime.graph(workspace).workspace.settings.get("views", {})
        return {name: View.of(fields) for name, fields in sorted(stored.items())}

    def sizes(self, workspace: str, views: Mapping[str, View]) -> dict[str, int]:
        """Name -> approximate bytes of memory that the view takes now, 0 if it is not in memory. Raises NotFound."""
        from filigraph.graph.views.open import size_of_view

        with self._context.connected():
            graph = self._context.runtime.graph(workspace)
        return {name: size_of_view(graph, view) for name, view in views.items()}

    @property
    def memory_limit(self) -> int:
        """The limit in bytes of the memory of all views, with the names that they are made from."""
        return self._context.runtime.memory.most

    def keep(self, workspace: str, name: str, view: View) -> ViewGraph:
        """Store a view under a name, replacing one of the same name. Raises InputError or NotFound if it cannot be
        derived now."""
        if not view or view.named:
            raise InputError(
                "The view leaves nothing out.", cure=('Describe what is visible: {"as_of": "1911-02-01"}.')
            )
        opened = self.open(workspace, view, self._context.runtime.stopping.is_set)
        with self._editable_views(workspace) as views:
            if len(views) >= MAX_NAMED_VIEWS and name not in views:
                raise InputError(
                    f"The workspace has {len(views):,} named views.", cure="Delete one that is not needed."
                )
            views[name] = view
        return opened

    def delete(self, workspace: str, name: str) -> None:
        """Raises NotFound."""
        with self._editable_views(workspace) as views:
            self._require_view(workspace, name, views)
            del views[name]

    @contextmanager
    def _editable_views(self, workspace: str) -> Iterator[dict[str, View]]:
        """The named views, for a change; they are saved afterwards."""
        with self._context.locked_soon(workspace) as store:
            graph = store.graph(workspace)
            settings: Mapping[str, Any] = graph.workspace.settings
            views = {name: View.of(fields) for name, fields in settings.get("views", {}).items()}
            yield views
            graph.save_settings({**settings, "views": {name: view.fields() for name, view in views.items()}})

    def resolved(self, workspace: str, view: View) -> View:
        """A view with its names replaced by their definitions. Raises NotFound; ForbiddenError if the part that its
        reader may see is gone."""
        if view.limit and view.limit.named:
            return replace(view, limit=self._limit(workspace, view.limit))
        if not view.named:
            return view
        if view != View(named=view.named):
            raise InputError(
                "A named view cannot have other fields.", cure=("Leave out the name, or the other fields.")
            )
        views = self.named_views(workspace)
        self._require_view(workspace, view.named, views)
        return views[view.named]

    def _limit(self, workspace: str, limit: View) -> View:
        view = self.named_views(workspace).get(limit.named, ALL)
        if not view or view.without_facts:
            raise _nothing_to_see()
        return view

    def owner(self, workspace: str, caller: Caller) -> str:
        """The owner of the questions that a caller sees: "" for all questions; for a key that sees a part, an id of
        that key and part."""
        if not caller.view:
            return ""
        limit = self.resolved(workspace, View(limit=caller.view)).limit or ALL
        return content_id("reader", caller.name, limit.key)

    def check_limit(self, workspace: str, limit: View) -> None:
        """Raises InputError or NotFound if a key cannot be limited to this part."""
        limit = self.resolved(workspace, limit)
        if limit.without_facts:
            raise InputError("A key cannot be limited by leaving out facts.", cure="Use a view of documents.")
        self.open(workspace, limit, self._context.runtime.stopping.is_set)

    def dependency(
        self, workspace: str, answer: KeptAnswerOut, reader: Caller, cancelled: ShouldStop
    ) -> AnswerDependency:
        """The documents that a stored answer depends on, in the view in which it was given. Raises NotFound; InputError
        if a part of that view is gone."""
        from filigraph.graph.views.dependency import answer_dependency

        asked_view = next((View.of(step.inputs) for step in answer.trace.steps if step.name == "view"), ALL)
        view = self.resolved(workspace, reader.within(asked_view))

        with self._context.connected():
            path = next((path for path in answer.paths if not path.lead), None)
            passages = [piece.id for piece in (*answer.citations, *answer.uncited) if piece.kind == "chunk"]
            whole = self.open(workspace, view, cancelled)
            return answer_dependency(path, passages, whole, self._opener_without(workspace, view, cancelled))

    def fact_dependency(self, workspace: str, fact_id: str, view: View, cancelled: ShouldStop) -> AnswerDependency:
        """The documents that a fact depends on. Raises NotFound, InputError."""
        from filigraph.graph.views.dependency import fact_dependency

        with self._context.connected():
            view = self.resolved(workspace, view)
            whole = self.open(workspace, view, cancelled)
            return fact_dependency(fact_id, whole, self._opener_without(workspace, view, cancelled))

    def join_dependency(
        self, workspace: str, first: str, other: str, view: View, cancelled: ShouldStop
    ) -> AnswerDependency:
        """The documents on which the identity of two names depends. Raises NotFound, InputError."""
        from filigraph.graph.views.dependency import join_dependency

        with self._context.connected():
            view = self.resolved(workspace, view)
            whole = self.open(workspace, view, cancelled)
            return join_dependency(first, other, whole, self._opener_without(workspace, view, cancelled))

    def document_dependency(self, workspace: str, document_id: str, view: View, cancelled: ShouldStop) -> Comparison:
        """What depends on a document: the differences of the graph from one without it. Raises NotFound, InputError."""
        from filigraph.graph.views.compare import all_new, compare

        with self._context.connected():
            view = self.resolved(workspace, view)
            whole = self.open(workspace, view, cancelled)
            rows = whole.document_rows([document_id], facts=False)
            if not rows:
                raise NotFound(f"There is no document {document_id[:80]}.", cure="`filigraph documents` lists all.")
            less = self._opener_without(workspace, view, cancelled)([rows[0].source])
            return compare(less, whole) if less else all_new(whole)

    def _opener_without(
        self, workspace: str, view: View, cancelled: ShouldStop
    ) -> Callable[[Sequence[str]], ViewGraph | None]:
        """A function that derives the view without some documents; the function returns None if nothing is visible."""
        from filigraph.graph.views.open import forget_view

        def without(sources: Sequence[str]) -> ViewGraph | None:
            less = replace(view, without=(*view.without, *sources))
            try:
                return self.open(workspace, less, cancelled)
            except InputError:  # nothing is visible
                return None
            finally:
                forget_view(self._context.runtime.graph(workspace), less)

        return without

    def _require_view(self, workspace: str, name: str, views: Mapping[str, View]) -> None:
        if name not in views:
            none = "There is none: `filigraph views create` makes one."
            listed = f"Use one of: {', '.join(sorted(views))}." if views else none
            raise NotFound(f"The workspace {workspace} has no view {name[:64]!r}.", cure=listed)

    # ---- Read

    def graph(self, workspace: str, view: View) -> BrowseGraph:
        """The visible part of a workspace. Raises InputError, NotFound."""
        if not view:
            return self._context.runtime.graph(workspace)
        return self.open(workspace, view, self._context.runtime.stopping.is_set)

    def open(self, workspace: str, view: View, cancelled: ShouldStop) -> ViewGraph:
        """A view, derived unless it is cached. Deriving takes a search slot, however long it lasts. Raises InputError,
        NotFound."""
        from filigraph.graph.views.open import kept_view, open_view

        graph, view = self._context.runtime.graph(workspace), self.resolved(workspace, view)
        if cached := kept_view(graph, view):
            return cached
        if view != self._ahead:
            self.makes_way.set()
        embedder = self._context.runtime.embedder_of(graph.workspace)
        with (
            self._deriving[workspace].place(lambda: check_wanted(cancelled)),
            self._context.search_slot(cancelled),
        ):
            if view.limit:
                try:
                    open_view(graph, view.outer, embedder=embedder, cancelled=cancelled)
                except (InputError, NotFound):  # its text lists what exists
                    raise _nothing_to_see() from None
            return open_view(graph, view, embedder=embedder, cancelled=cancelled)

    def open_ahead(self, workspace: str, view: View, cancelled: ShouldStop) -> None:
        """Open a view before somebody asks for it, with what questions need. Ends as soon as somebody needs another
        view that is not cached. Raises Cancelled, InputError, NotFound."""
        from filigraph.graph.ask.explore.read_ahead import read_ahead

        def gives_way() -> bool:
            return self.makes_way.is_set() or cancelled()

        self._ahead = self.resolved(workspace, view)
        self.makes_way.clear()
        try:
            for _ in read_ahead(self.open(workspace, self._ahead, gives_way)):
                stop_if(gives_way)
        finally:
            self._ahead = None


def _nothing_to_see() -> ForbiddenError:
    return ForbiddenError(
        "What this key may see does not exist any more.",
        cure="Ask an administrator: the documents or the view that the key is limited to may be gone.",
    )


class ViewSearch:
    """Searches in one view of a workspace, in the server's own process, which caches the derived view."""

    def __init__(
        self, context: ServiceContext, views: Views, workspace: str, view: View, cancelled: ShouldStop
    ) -> None:
        """Raises InputError, NotFound."""
        self._context, self._views, self.view = context, views, views.resolved(workspace, view)
        begin = time.perf_counter()
        self.graph = views.open(workspace, self.view, cancelled)
        overview, derived = self.graph.overview(), self.graph.derived
        figures = {"documents": len(derived.visible.documents), "passages": overview.chunks}
        figures |= {"entities": len(derived.entities), "facts": len(derived.facts)}
        dated = {"dated": derived.visible.dated} if derived.visible.dated else {}
        self.step = TraceStep(
            name="view",
            milliseconds=round((time.perf_counter() - begin) * 1000, 1),
            inputs=self.view.fields(),
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
        retrieved = self._find_evidence(question, self.graph, settings, cancelled, trace_id, before)
        seen = " ".join(filter(None, (self.graph.remark(retrieved.language), self.graph.derived.visible.dated)))
        return replace(retrieved, remark=f"{seen} {retrieved.remark}".strip())

    def shows_all_of(self, other: View) -> bool:
        """Whether everything that another view shows is visible in this one, so its answers reveal nothing hidden."""
        from filigraph.graph.views.nested import shows_all_of

        return shows_all_of(self.graph, other)

    def difference(self, workspace: str, after: Retrieved, settings: AskSettings, cancelled: ShouldStop) -> Difference:
        """The differences from a search that includes what the view leaves out by name."""
        from filigraph.graph.views.difference import difference

        whole = self._views.open(workspace, self.view.before(), cancelled)
        with self._context.search_slot(cancelled) as limited:
            before = self._find_evidence(after.question, whole, settings, limited)
        return difference(before, after, self.graph)

    def _find_evidence(
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
