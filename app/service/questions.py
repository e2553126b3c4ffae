"""Questions: ask, retrieve, rerank, embed, and the traces of answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from cachetools import LRUCache

from filigraph.app.access.keys import LOCAL, Caller
from filigraph.app.service.answers import answer_to_store
from filigraph.app.service.context import ServiceContext, check_wanted
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.app.service.graph.views import Views, ViewSearch, view_of
from filigraph.app.service.traces import TraceRecord, TraceWriter
from filigraph.app.telemetry import spans
from filigraph.graph.errors import FiligraphError, NotFound, NotSetUp
from filigraph.graph.model.answers import Answer, Look, Message, Round
from filigraph.graph.model.retrieval import Evidence, Path, Retrieved
from filigraph.graph.model.traces import Trace, TraceStep
from filigraph.graph.model.usage import Usage
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.view import ALL, View

if TYPE_CHECKING:
    from filigraph.graph.answer import Search
    from filigraph.graph.ask.reader import AskGraph
    from filigraph.graph.ask.settings import AskSettings
    from filigraph.graph.models.embed import Embedder
    from filigraph.graph.models.late import LatePiece, Strategy
    from filigraph.graph.records.facts import ChainEnds
    from filigraph.graph.records.traces import StoredAnswer, ThreadAnswer, ThreadRow, TraceRow
    from filigraph.graph.store.server.traces import Traces

Answered = TypeVar("Answered", "StoredAnswer", "ThreadRow", "TraceRow")

SUGGESTED = 3  # questions
TRIED = 9  # chains, to find them
LOOKED_THROUGH = 1000  # answers that are examined for the last one to each question, the newest
REMEMBERED = 3  # last questions of a thread that the next one may refer to


class Questions:
    """Answers questions, and stores the trace of each answer."""

    def __init__(self, context: ServiceContext, views: Views) -> None:
        self.context = context
        self._views = views
        self._traces = TraceWriter(self._write_trace, self.sweep_traces)
        self._suggested: LRUCache[tuple[str, str], list[str]] = LRUCache(100)  # by workspace and revision
        # By workspace and trace: an event that cancels the answer, and its owner.
        self._answering: dict[tuple[str, str], tuple[threading.Event, str]] = {}
        self._scoring = FairSemaphore(1)  # of texts that a client sends: questions wait for at most one batch of them

    def close(self) -> None:
        """Write the traces in the queue."""
        self._traces.stop()

    def ask(
        self,
        workspace: str,
        question: str,
        *,
        settings: Mapping[str, Any],
        on_retrieved: Callable[[Retrieved], None],
        on_token: Callable[[str], None],
        cancelled: ShouldStop,
        trace_id: str = "",
        awaited: str = "",
        on_failure: Callable[[FiligraphError], None] = lambda _: None,
        on_round: Callable[[Round], None] = lambda _: None,
        on_found: Callable[[Round, Look, Sequence[Evidence]], None] = lambda *_: None,
        history: Sequence[Message] = (),
        thread: str = "",
        on_usage: Callable[[Usage], None] = lambda _: None,
        reader: Caller = LOCAL,
    ) -> Answer:
        """Answer a question. `awaited` names the LLM to ask even if it does not answer now; `on_failure` gets the error
        of an LLM that failed, `on_usage` its usage, `on_round` its next searches after a reading, `on_found` their
        results. A question that follows `history`, or the questions of `thread`, is first made self-contained. If it is
        cancelled while an LLM reads, the answer is what was read so far, and is stored. Raises NotFound if there is no
        such thread."""
        from filigraph.graph.analysis.path_contradictions import path_contradictions
        from filigraph.graph.answer import answer
        from filigraph.graph.ask.question.rewrite import standalone_question
        from filigraph.graph.investigate import Watch

        retrievals: list[Retrieved] = []

        def on_first(retrieved: Retrieved) -> None:
            retrievals.append(retrieved)
            on_retrieved(retrieved)

        owner = self._views.owner(workspace, reader)
        with self._cancellable(workspace, trace_id, owner, cancelled) as cancelled, self.context.connected():
            graph = self.context.runtime.graph(workspace)  # raises NotFound without waiting
            view = self._view(workspace, settings, reader, cancelled)
            original, history = (
                question,
                self._messages_of_thread(workspace, thread, view, reader) if thread else history,
            )
            shown: AskGraph = view.graph if view else graph
            contradictions = self.context.contradictions.begin(view.graph if view else graph)
            llm = self.context.runtime.llm(awaited) if settings.get("llm", True) else None
            if llm:
                self.context.budget.check(workspace)
                llm = self.context.metered(workspace)(llm)
            question, before = standalone_question(question, history, graph=shown, llm=llm, cancelled=cancelled)
            answered = answer(
                question,
                search=self._in_turn(view, workspace),
                graph=shown,
                embedder=self.context.runtime.embedder_of(graph.workspace),
                llm=llm,
                settings=self._ask_settings(settings),
                on_retrieved=on_first,
                watch=Watch(on_token=on_token, on_failure=on_failure, on_round=on_round, on_found=on_found),
                cancelled=cancelled,
                trace_id=trace_id,
                before=(*before, view.step) if view else before,
            )
            if view and view.view.leaves_out:
                differs = view.difference(workspace, retrievals[0], self._ask_settings(settings), cancelled)
                answered = replace(answered, difference=differs)
            contradicted = path_contradictions(answered.paths, contradictions()) if answered.paths else ()
            answered = replace(answered, contradictions=contradicted)
            on_usage(llm.usage if llm else Usage())
            graph = self.context.runtime.graph(workspace)
            documents = graph.document_rows(sorted({evidence.document_id for evidence in retrievals[0].evidence}))
            embedder = self.context.runtime.embedder_of(graph.workspace)
        self.context.metrics.observe_stages(answered.trace)
        spans.record_steps(answered.trace)
        self._traces.keep(
            answered.trace,
            answer_to_store(answered, retrievals[0], documents, embedder=embedder.name),
            thread=thread,
            asked=original if original != answered.question else "",
            owner=owner,
            view=view.view.fields() if view else {},
        )
        if answered.vector_only:
            self._traces.keep(answered.vector_only.trace, owner=owner)
        return answered

    def cancel(self, workspace: str, trace_id: str, *, reader: Caller = LOCAL) -> None:
        """Cancel a question that is being answered: it returns with what was read so far. Raises NotFound."""
        owner = self._views.owner(workspace, reader)
        running = self._answering.get((workspace, trace_id))
        if running is None or owner not in ("", running[1]):
            raise NotFound(
                f"No question {trace_id[:80]!r} is being answered in the workspace {workspace!r}.",
                cure="It may have ended: look at its answer.",
            )
        running[0].set()

    @contextmanager
    def _cancellable(self, workspace: str, trace_id: str, owner: str, cancelled: ShouldStop) -> Iterator[ShouldStop]:
        """A check whether a question is cancelled, by its client or by `cancel`."""
        by_request = threading.Event()
        self._answering[workspace, trace_id] = by_request, owner
        try:
            yield lambda: by_request.is_set() or cancelled()
        finally:
            self._answering.pop((workspace, trace_id), None)

    def _view(
        self, workspace: str, settings: Mapping[str, Any], reader: Caller, cancelled: ShouldStop
    ) -> ViewSearch | None:
        """The view that a question asks, limited to what its reader may see; None for the whole workspace. Raises
        ForbiddenError."""
        view = reader.within(view_of(settings))
        return ViewSearch(self.context, self._views, workspace, view, cancelled) if view else None

    def _in_turn(self, view: ViewSearch | None, workspace: str) -> Search:
        """A search of a view or a whole workspace that waits for a slot each time: others may search while the LLM
        reads."""
        find: Search = view.search if view else partial(self.context.search_pool.search, workspace)

        def search(
            question: str,
            *,
            settings: AskSettings,
            cancelled: ShouldStop,
            trace_id: str = "",
            before: Sequence[TraceStep] = (),
        ) -> Retrieved:
            with self.context.search_slot(cancelled) as limited:
                return find(question, settings=settings, cancelled=limited, trace_id=trace_id, before=before)

        return search

    def retrieve(
        self,
        workspace: str,
        question: str,
        *,
        settings: Mapping[str, Any],
        cancelled: ShouldStop,
        trace_id: str = "",
        reader: Caller = LOCAL,
    ) -> Retrieved:
        """The evidence without an answer. `settings` are those of the engine's `AskSettings`."""
        from filigraph.graph.ask.generation.overlap import without_overlap
        from filigraph.graph.engine import cut_to_budget

        ask_settings = self._ask_settings(settings)
        with self.context.connected():
            view = self._view(workspace, settings, reader, cancelled)
            before = (view.step,) if view else ()
            search = self._in_turn(view, workspace)
            uncut = search(question, settings=ask_settings, cancelled=cancelled, trace_id=trace_id, before=before)
            retrieved = cut_to_budget(without_overlap(uncut), ask_settings, cancelled)
        self.context.metrics.observe_stages(retrieved.trace)
        spans.record_steps(retrieved.trace)
        self._traces.keep(retrieved.trace, owner=self._views.owner(workspace, reader))
        return retrieved

    def suggestions(self, workspace: str, *, view: View = ALL, cancelled: ShouldStop) -> list[str]:
        """Questions that the graph answers by a path; each was tried. Cached until the workspace changes."""
        from filigraph.graph.ask.question.suggestions import suggest
        from filigraph.graph.ask.settings import AskSettings

        with self.context.connected():
            seen = ViewSearch(self.context, self._views, workspace, view, cancelled) if view else None
            graph = seen.graph if seen else self.context.runtime.graph(workspace)
            key = (workspace, graph.revision())
            if key in self._suggested:
                return self._suggested[key]
            search = seen.search if seen else partial(self.context.search_pool.search, workspace)
            suggested, settings = list[str](), AskSettings(keep=5)
            with self.context.search_slot(cancelled) as cancelled:
                for chain, question in islice(suggest(graph.chains()), TRIED):
                    tried = search(question, settings=settings, cancelled=cancelled)
                    if any(_joins(path, chain) for path in tried.paths[:1]):
                        suggested.append(question)
                    if len(suggested) == SUGGESTED:
                        break
            self._suggested[key] = suggested
            return suggested

    def rerank(self, query: str, documents: Sequence[str], cancelled: ShouldStop) -> tuple[str, list[float]]:
        """The cross-encoder's name, and how well each text answers, 0..1. Raises NotSetUp if there is none."""
        scorer = self.context.runtime.reranker()
        if scorer is None:
            raise NotSetUp(
                "No cross-encoder is loaded.",
                cure="Set FILIGRAPH_RERANKER to the folder of one, or to its name on the hub; start the server again.",
            )
        with self._scoring.place(lambda: check_wanted(cancelled)):
            return scorer.name, scorer.score(query, documents, cancelled=cancelled)

    def embed_late(
        self,
        texts: Sequence[str],
        *,
        strategy: Strategy,
        chunk_size: int,
        overlap: int,
        as_passages: bool,
        cancelled: ShouldStop,
    ) -> tuple[Embedder, list[list[LatePiece]]]:
        """The embedder, and the pieces of each text with their vectors; a query is one piece. Raises NotSetUp if the
        embedder gives no vectors of tokens."""
        from filigraph.graph.models.embed import embed_questions
        from filigraph.graph.models.late import LatePiece, embed_late

        embedder = self.context.runtime.embedder()
        with self._scoring.place(lambda: check_wanted(cancelled)):
            if as_passages:
                return embedder, embed_late(
                    embedder, texts, strategy=strategy, chunk_size=chunk_size, overlap=overlap, cancelled=cancelled
                )
            vectors = embed_questions(embedder, texts)
            whole = [[LatePiece(start=0, end=len(t), vector=v)] for t, v in zip(texts, vectors, strict=True)]
            return embedder, whole

    def trace(self, workspace: str, trace_id: str, *, reader: Caller = LOCAL) -> Trace:
        """The trace of an answer. Raises NotFound."""
        owner = self._views.owner(workspace, reader)
        waiting = self._traces.waiting(trace_id)
        if waiting is not None and waiting.trace.workspace == workspace and owner in ("", waiting.owner):
            return waiting.trace
        with self.context.connected():
            return self._stored(workspace).read(workspace, trace_id, owner=owner)

    def traces(self, workspace: str, *, first: int, count: int, reader: Caller = LOCAL) -> tuple[list[TraceRow], int]:
        """Some traces of a workspace, newest first, and how many there are."""
        self._traces.flush()
        with self.context.connected():
            self.context.runtime.store_of(workspace).workspace(workspace)  # raises NotFound
            owner = self._views.owner(workspace, reader)
            rows, total = self._stored(workspace).newest(workspace, first=first, count=count, owner=owner)
            return self._with_newer(workspace, rows, reader), total

    def last_answers(self, workspace: str, *, reader: Caller = LOCAL) -> list[TraceRow]:
        """The last answer to each question, the newest first."""
        rows, _ = self.traces(workspace, first=0, count=LOOKED_THROUGH, reader=reader)
        last: dict[str, TraceRow] = {}
        for row in rows:
            if row.answered:
                last.setdefault(row.question, row)
        return list(last.values())

    def answer(self, workspace: str, trace_id: str, *, reader: Caller = LOCAL) -> StoredAnswer:
        """An answer as it was given. Raises NotFound."""
        self._traces.flush()
        with self.context.connected():
            owner = self._views.owner(workspace, reader)
            stored = self._stored(workspace).answer(workspace, trace_id, owner=owner)
            return self._with_newer(workspace, [stored], reader)[0]

    def threads(self, workspace: str, *, first: int, count: int, reader: Caller = LOCAL) -> tuple[list[ThreadRow], int]:
        """Some threads of a workspace, the last used first, and how many there are."""
        self._traces.flush()
        with self.context.connected():
            self.context.runtime.store_of(workspace).workspace(workspace)  # raises NotFound
            owner = self._views.owner(workspace, reader)
            rows, total = self._stored(workspace).threads(workspace, first=first, count=count, owner=owner)
            return self._with_newer(workspace, rows, reader), total

    def thread(self, workspace: str, thread: str, *, reader: Caller = LOCAL) -> tuple[ThreadRow, list[ThreadAnswer]]:
        """A thread, and its questions in their order. Raises NotFound."""
        self._traces.flush()
        with self.context.connected():
            owner = self._views.owner(workspace, reader)
            row, turns = self._stored(workspace).thread(workspace, thread, owner=owner)
            rows = self._with_newer(workspace, [turn.row for turn in turns], reader)
            shown = [replace(turn, row=counted_row) for turn, counted_row in zip(turns, rows, strict=True)]
            return self._with_newer(workspace, [row], reader)[0], shown

    def _stored(self, workspace: str) -> Traces:
        return self.context.runtime.store_of(workspace).traces

    def _with_newer(self, workspace: str, rows: Sequence[Answered], reader: Caller) -> list[Answered]:
        """The rows, each with the number of documents that came after it and that the reader may see."""
        if not rows:
            return []
        came = self.context.runtime.graph(workspace).arrivals(min(row.at for row in rows))
        if reader.view:
            shown = {row.id for row in self._views.graph(workspace, reader.within(ALL)).document_names()}
            came = {id_: added for id_, added in came.items() if id_ in shown}
        return [replace(row, newer_documents=sum(added > row.at for added in came.values())) for row in rows]

    def rename_thread(self, workspace: str, thread: str, title: str) -> None:
        """Raises NotFound."""
        self._traces.flush()
        with self.context.connected():
            self.context.runtime.store_of(workspace).traces.rename_thread(workspace, thread, title)

    def delete_thread(self, workspace: str, thread: str) -> None:
        """Remove a thread with its answers. Raises NotFound."""
        self._traces.flush()
        with self.context.connected():
            self.context.runtime.store_of(workspace).traces.delete_thread(workspace, thread)

    def _ask_settings(self, settings: Mapping[str, Any]) -> AskSettings:
        """Settings as received by REST, or as stored as JSON with a job; missing ones are the server's."""
        from filigraph.graph.ask.ranking.cosine_blend import Blend
        from filigraph.graph.ask.settings import AskSettings

        blend, server = settings.get("blend"), self.context.runtime.settings
        usual = {"rounds": server.rounds, "total_tokens": server.answer_tokens, "seconds": server.answer_seconds}
        chosen = {name: value for name, value in settings.items() if value is not None or name not in usual}
        chosen.pop("view", None)
        return AskSettings(**{**usual, **chosen, "blend": Blend(**blend) if blend is not None else None})

    def _messages_of_thread(
        self, workspace: str, thread: str, view: ViewSearch | None, reader: Caller
    ) -> list[Message]:
        """The last questions and answers of a thread; in a view, only those based on what it shows. Raises NotFound."""
        _, turns = self.thread(workspace, thread, reader=reader)
        turns = [turn for turn in turns if view is None or view.shows_all_of(View.of(turn.view))]
        return [
            message
            for turn in turns[-REMEMBERED:]
            for message in (Message(role="user", text=turn.row.question), Message(role="assistant", text=turn.text))
        ]

    def _write_trace(self, waiting: TraceRecord) -> None:
        # not within connected(): a failure here must not close the connection of an answer in progress
        self.context.runtime.store_of(waiting.trace.workspace).traces.write(
            waiting.trace,
            days=self.context.runtime.settings.trace_days,
            answer=waiting.answer,
            thread=waiting.thread,
            asked=waiting.asked,
            owner=waiting.owner,
            view=waiting.view,
        )

    def sweep_traces(self) -> None:
        """Remove the traces that have expired."""
        for store in self.context.runtime.reachable().values():
            store.traces.sweep()


def _joins(path: Path, chain: ChainEnds) -> bool:
    """Whether a path goes from one end of a chain to the other."""
    path_ends = {end for hop in path.hops for end in (hop.subject_id, hop.object_id)}
    return {chain.first_id, chain.last_id} <= path_ends
