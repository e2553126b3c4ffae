"""What differs between two views of a workspace, also in the paths of earlier questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filigraph.app.schemas.graph.views import ComparedAnswerOut
from filigraph.app.service.context import ServiceContext
from filigraph.app.service.graph.views import Views, ViewSearch
from filigraph.app.service.questions import Questions
from filigraph.graph.ask.settings import AskSettings
from filigraph.graph.model.retrieval import Retrieved
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import View

if TYPE_CHECKING:
    from filigraph.graph.records.facts import Comparison


class ViewComparisons:
    """Compares views. Nothing is stored, and no model reads."""

    def __init__(self, context: ServiceContext, views: Views, questions: Questions) -> None:
        self._context, self._views, self._questions = context, views, questions

    def compare(self, workspace: str, first: View, second: View, cancelled: ShouldStop) -> Comparison:
        """The differences of the second view from the first. Raises InputError, NotFound."""
        from filigraph.graph.views.compare import compare

        with self._context.connected():
            before, after = (self._views.open(workspace, view, cancelled) for view in (first, second))
            return compare(before, after)

    def answers(
        self, workspace: str, first: View, second: View, *, most: int, cancelled: ShouldStop
    ) -> list[ComparedAnswerOut]:
        """The last questions that were answered, each searched in both views. Raises InputError, NotFound."""
        rows = self._questions.last_answers(workspace)[:most]
        if not rows:
            return []
        with self._context.connected():
            searches = [ViewSearch(self._context, self._views, workspace, view, cancelled) for view in (first, second)]
            return [
                _compared(row.question, row.id, *searches, context=self._context, cancelled=cancelled) for row in rows
            ]


def _compared(
    question: str,
    trace_id: str,
    first: ViewSearch,
    second: ViewSearch,
    *,
    context: ServiceContext,
    cancelled: ShouldStop,
) -> ComparedAnswerOut:
    from filigraph.graph.views.difference import difference

    with context.search_slot(cancelled) as limited:
        before, after = (
            search.search(question, settings=AskSettings(), cancelled=limited) for search in (first, second)
        )
    found = difference(before, after, second.graph)
    paths = [path.text if path else "" for path in (found.path, found.becomes)]
    passages = [_first_passage(retrieved) for retrieved in (before, after)]
    return ComparedAnswerOut(
        question=question,
        trace_id=trace_id,
        changed=paths[0] != paths[1] or bool(found.breaks) or passages[0] != passages[1],
        path_before=paths[0],
        path_after=paths[1],
        breaks=list(found.breaks),
        source_before=passages[0][1],
        source_after=passages[1][1],
    )


def _first_passage(retrieved: Retrieved) -> tuple[str, str]:
    """The id and the source of the best passage, on which an answer without a path depends."""
    return next(((item.id, item.source) for item in retrieved.evidence if item.kind == "chunk"), ("", ""))
