"""News: the changes by documents that came since a moment, and the earlier answers that they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from filigraph.app.access.keys import LOCAL, Caller
from filigraph.app.schemas.news import AnswerChangeOut, NewDocumentOut
from filigraph.app.service.context import ServiceContext, check_wanted
from filigraph.app.service.graph.views import Views
from filigraph.app.service.questions import Questions
from filigraph.graph.errors import NotFound
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.analysis.contradictions import Contradiction
    from filigraph.graph.analysis.matters import Matter
    from filigraph.graph.model.answers import Answer
    from filigraph.graph.records.facts import Comparison
    from filigraph.graph.records.traces import StoredAnswer, TraceRow

DEFAULT_PERIOD = timedelta(days=1)  # before the last document came: the default moment


@dataclass(frozen=True, kw_only=True)
class NewsReport:
    """The changes by the documents that came since a moment."""

    since: datetime
    documents: tuple[NewDocumentOut, ...]  # the last first
    comparison: Comparison | None  # with the workspace without them; None: no documents came
    contradictions: tuple[Matter, ...]  # in which one of them says something


class News:
    """The news of a workspace, or of the part of it that a reader may see."""

    def __init__(self, context: ServiceContext, views: Views, questions: Questions) -> None:
        self._context, self._views, self._questions = context, views, questions

    def news(self, workspace: str, *, since: datetime | None, job: str, reader: Caller = LOCAL) -> NewsReport:
        """The news since a moment, or since a job was submitted; by default since a day before the last document came.
        Raises NotFound for a job of another workspace."""
        from filigraph.graph.views.compare import all_new, compare

        with self._context.connected():
            stopping = self._context.runtime.stopping.is_set
            graph = self._context.runtime.graph(workspace)
            begin = self._begin(workspace, job) if job else since
            came = graph.arrivals()
            if begin is None:
                begin = max(came.values(), default=datetime.now().astimezone()) - DEFAULT_PERIOD
            part = reader.within(ALL)
            sources = {row.id: row.source for row in self._views.graph(workspace, part).document_names()}
            new = [
                NewDocumentOut(id=id_, source=sources[id_], came=at)
                for id_, at in came.items()
                if at >= begin and id_ in sources
            ]
            if not new:
                return NewsReport(since=begin, documents=(), comparison=None, contradictions=())
            after = self._views.open(workspace, part, stopping)
            if len(new) == len(sources):
                comparison = all_new(after)
            else:
                without = replace(part, without=tuple(row.source for row in new))
                comparison = compare(self._views.open(workspace, without, stopping), after)
            contradictions = self._context.contradictions.of(after if part else graph)
        ids = {row.id for row in new}
        touched = touched_by(ids, contradictions)
        return NewsReport(since=begin, documents=tuple(new), comparison=comparison, contradictions=touched)

    def _begin(self, workspace: str, job: str) -> datetime:
        row = self._context.runtime.store().jobs.job(job)
        if row.workspace != workspace:
            raise NotFound(f"The job {job[:64]} is of another workspace.", cure=f"Look in {row.workspace}.")
        return row.created

    # ---- Earlier answers

    def outdated(self, workspace: str, *, reader: Caller = LOCAL) -> list[TraceRow]:
        """The last answer to each question, if documents came after it; the newest first."""
        return [row for row in self._questions.last_answers(workspace, reader=reader) if row.newer_documents]

    def ask_again(
        self,
        workspace: str,
        rows: Sequence[TraceRow],
        *,
        llm: bool,
        cancelled: ShouldStop,
        reader: Caller = LOCAL,
    ) -> Iterator[AnswerChangeOut]:
        """Ask these questions again, each in the view in which it was asked; the answers are stored like all others."""
        for row in rows:
            check_wanted(cancelled)
            before = self._questions.answer(workspace, row.id, reader=reader)
            _, turns = self._questions.thread(workspace, row.thread, reader=reader)
            view = next((turn.view for turn in turns if turn.row.id == row.id), {})
            settings: dict[str, Any] = {"llm": llm, "method": row.method}
            now = self._questions.ask(
                workspace,
                row.question,
                settings=settings | ({"view": View.of(view)} if view else {}),
                on_retrieved=lambda _: None,
                on_token=lambda _: None,
                cancelled=cancelled,
                reader=reader,
            )
            yield _compare(row, before, now)


def touched_by(document_ids: Set[str], matters: Sequence[Matter]) -> tuple[Matter, ...]:
    """The matters in which one of these documents says something, unless an LLM says that it contradicts nothing."""

    def is_new(pair: Contradiction) -> bool:
        return pair.verdict != "not" and _concerns(pair, document_ids)

    return tuple(focused for matter in matters if (focused := matter.focused_on(is_new)))


def _concerns(pair: Contradiction, document_ids: Set[str]) -> bool:
    """Whether one of the two is said in one of these documents."""
    return bool({pair.first.document_id, pair.other.document_id} & document_ids)


def _compare(row: TraceRow, before: StoredAnswer, now: Answer) -> AnswerChangeOut:
    """What has changed: the path, the citations, or whether there is an answer. Other words of an LLM are not a
    change."""
    old = before.body
    path_before = next((path["text"] for path in old["paths"] if not path.get("lead")), "")
    path_now = next((path.text for path in now.paths if not path.lead), "")
    cited = {piece["id"] for piece in old["citations"]} != {piece.id for piece in now.citations}
    return AnswerChangeOut(
        question=row.question,
        before_id=row.id,
        now_id=now.trace.id,
        changed=path_before != path_now or old.get("answered", True) != now.answered or cited,
        path_before=path_before,
        path_now=path_now,
        text_before=old["text"],
        text_now=now.text,
        newer_documents=row.newer_documents,
    )
