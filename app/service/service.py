"""What the server can do, one method each: the routes call these, these call `pipeline.py` and `engine.py`."""

from __future__ import annotations

import gc
import itertools
import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from filigraph.app.http import tracing
from filigraph.app.http.audit import AuditLog
from filigraph.app.http.keys import Keys
from filigraph.app.runtime import Runtime
from filigraph.app.service.answers import answer_to_keep
from filigraph.app.service.context import ShouldStop
from filigraph.app.service.doctor import Check, examine
from filigraph.app.service.documents import DocumentsService
from filigraph.app.service.fair_semaphore import FairSemaphore
from filigraph.app.service.jobs.coordinator import StopSignal, pause
from filigraph.app.service.jobs.run_documents import run_delete, run_ingest
from filigraph.app.service.jobs.run_questions import run_ask
from filigraph.app.service.names import NamesService
from filigraph.app.service.traces import AnswerBody, TraceWriter
from filigraph.app.service.transfer import TransferService
from filigraph.app.version import installed_version
from filigraph.graph.errors import Cancelled, FiligraphError, NotSetUp, UnavailableError
from filigraph.graph.model import Answer, Method, Retrieved, Trace

if TYPE_CHECKING:
    from filigraph.graph.ingest.report import Progress
    from filigraph.graph.store import (
        AccessKeys,
        AuditEntries,
        EntityNames,
        EvaluationRow,
        FoundEntity,
        GraphStats,
        JobClaim,
        JobRow,
        NearFact,
        StoredAnswer,
        TraceRow,
    )

T = TypeVar("T")
log = logging.getLogger("filigraph.server")


@dataclass(frozen=True, kw_only=True)
class Health:
    """How the server is, told without waiting for anything."""

    ready: bool
    problem: str
    starting: str  # what it is busy with, where that may take minutes
    neo4j_browser: str | None


class Service(DocumentsService, NamesService, TransferService):
    """One for the server's life. What it reads with is in `reading.py`, what it does unwatched in `jobs.py`, what it
    holds in `library.py`, what corrects names in `names.py`, what it exports with in `transfer.py`."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self._problem = ""
        self.keys = Keys(self._with_keys, public=runtime.settings.public)
        self.audit = AuditLog(self._with_audit, days=runtime.settings.audit_days)
        self._traces = TraceWriter(self._write_trace, self._sweep_traces)
        self._scoring = FairSemaphore(1)  # of texts that a client sends: questions wait for a batch of them at most

    # ---- the server itself

    def warm(self) -> None:
        """Connect and load what every question needs, so that the first one is as quick as the second; go on with jobs
        that were begun. What cannot be had yet is tried again until it can."""
        self._coordinator.start()
        for failures in itertools.count():
            try:
                self.runtime.store.wait()  # as long as it takes
                self._sweep_traces()
                self.runtime.embedder()
                self.runtime.reranker()
            except FiligraphError as error:
                if str(error) != self._problem:
                    log.warning("not ready: %s", error)
                self._problem = str(error)
            except Exception:
                log.exception("not ready")
                self._problem = "Something unforeseen happened; the server's log says what."
            else:
                gc.collect()
                gc.freeze()  # it is there for good: each full collection took half a second to walk it; all stood still
                self._problem = ""
                return
            if self.runtime.stopping.wait(pause(failures)):
                return

    def close(self) -> None:
        """Write what is still to be written, and let go of the store."""
        self._coordinator.stop()
        self._traces.stop()
        self.runtime.close()
        gc.unfreeze()  # some libraries complain of what is never collected

    def health(self) -> Health:
        """A question builds what is missing, so a server that was not ready may become so."""
        ready = self._ready()
        problem = "" if ready else self._problem or self.runtime.trouble
        starting = "" if ready else self.runtime.starting
        return Health(ready=ready, problem=problem, starting=starting, neo4j_browser=self.runtime.neo4j_browser())

    def _with_keys(self, work: Callable[[AccessKeys], T]) -> T:
        with self._store():
            return work(self.runtime.store().keys)

    def _with_audit(self, work: Callable[[AuditEntries], T]) -> T:
        with self._store():
            return work(self.runtime.store().audit)

    def doctor(self) -> list[Check]:
        return examine(self.runtime)

    # ---- ask

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
    ) -> Answer:
        """`awaited` is the LLM that is asked even if none answers now; `on_failure` is told why one gave no answer."""
        from filigraph.graph.engine import AskSettings, ask

        found: list[Retrieved] = []

        def on_found(retrieved: Retrieved) -> None:
            turn.close()  # the next may search while the LLM writes
            found.append(retrieved)
            on_retrieved(retrieved)

        with self._store(), ExitStack() as turn:
            self.runtime.graph(workspace)  # raises NotFound without waiting
            llm = self.runtime.llm(awaited)
            if llm:
                self.budget.check(workspace)
                llm = self._metered(workspace)(llm)
            cancelled = turn.enter_context(self._turn_to_search(cancelled))
            graph = self.runtime.graph(workspace)
            embedder = self.runtime.embedder_of(graph.workspace)
            answer = ask(
                question,
                graph=graph,
                embedder=embedder,
                reranker=self.runtime.reranker(),
                llm=llm,
                settings=AskSettings(**settings),
                on_token=on_token,
                on_searched=turn.close,  # the next may search while the LLM chooses
                on_retrieved=on_found,
                on_failure=on_failure,
                cancelled=cancelled,
                trace_id=trace_id,
            )
            documents = graph.document_rows(sorted({evidence.document_id for evidence in found[0].evidence}))
        self.metrics.asked(answer.trace)
        tracing.answered(answer.trace)
        self._traces.keep(answer.trace, answer_to_keep(answer, found[0], documents, embedder=embedder.name))
        if answer.vector_only:
            self._traces.keep(answer.vector_only.trace)
        return answer

    def _run_job(self, job: JobRow, claim: JobClaim, stop: StopSignal) -> None:
        if job.kind == "ask":
            run_ask(self, job, claim, stop, self.ask)
        elif job.kind == "delete":
            run_delete(self, job, claim, stop)
        else:
            run_ingest(self, job, claim, stop)

    @contextmanager
    def _turn_to_search(self, cancelled: ShouldStop) -> Iterator[ShouldStop]:
        """One of the places in the line. What is given tells whether the question is wanted no more, and raises
        UnavailableError once it has been searched for too long."""
        with self.search_slots.place(lambda: _still_wanted(cancelled)):
            seconds = self.runtime.settings.question_seconds
            until = time.monotonic() + seconds

            def over() -> bool:
                if time.monotonic() > until:
                    raise UnavailableError(
                        f"The search took longer than {seconds} seconds.",
                        cure="Try again when less is going on, or raise FILIGRAPH_QUESTION_SECONDS on the server.",
                    )
                return cancelled()

            yield over
            until = math.inf  # what follows has its own time

    def retrieve(
        self, workspace: str, question: str, *, settings: Mapping[str, Any], cancelled: ShouldStop, trace_id: str = ""
    ) -> Retrieved:
        """The evidence without an answer. `settings` are those of the engine's `AskSettings`."""
        from filigraph.graph.engine import AskSettings, retrieve

        with self._store(), self._turn_to_search(cancelled) as cancelled:
            graph = self.runtime.graph(workspace)
            retrieved = retrieve(
                question,
                graph=graph,
                embedder=self.runtime.embedder_of(graph.workspace),
                reranker=self.runtime.reranker(),
                settings=AskSettings(**settings),
                cancelled=cancelled,
                trace_id=trace_id,
            )
        self.metrics.asked(retrieved.trace)
        tracing.answered(retrieved.trace)
        self._traces.keep(retrieved.trace)
        return retrieved

    def rerank(self, query: str, documents: Sequence[str], cancelled: ShouldStop) -> tuple[str, list[float]]:
        """The cross-encoder's name, and how well each text answers, 0..1. Raises NotSetUp where none is."""
        scorer = self.runtime.reranker()
        if scorer is None:
            raise NotSetUp(
                "No cross-encoder is loaded.",
                cure="Set FILIGRAPH_RERANKER to the folder of one, or to its name on the hub; start the server again.",
            )
        with self._scoring.place(lambda: _still_wanted(cancelled)):
            return scorer.name, scorer.score(query, documents, cancelled=cancelled)

    def trace(self, workspace: str, trace_id: str) -> Trace:
        """How an answer came about. Raises NotFound."""
        waiting = self._traces.waiting(trace_id)
        if waiting is not None and waiting.workspace == workspace:
            return waiting
        with self._store():
            return self.runtime.store().traces.read(workspace, trace_id)

    def traces(self, workspace: str, *, first: int, count: int) -> tuple[list[TraceRow], int]:
        """Some traces of a workspace, newest first, and how many there are."""
        self._traces.flush()
        with self._store():
            self.runtime.store().workspace(workspace)  # raises NotFound
            return self.runtime.store().traces.newest(workspace, first=first, count=count)

    def answer(self, workspace: str, trace_id: str) -> StoredAnswer:
        """An answer as it was given. Raises NotFound."""
        self._traces.flush()
        with self._store():
            return self.runtime.store().traces.answer(workspace, trace_id)

    def _write_trace(self, trace: Trace, answer: AnswerBody | None) -> None:
        # not within _store(): a failure here must not take the connection from an answer that is being given
        self.runtime.store().traces.write(trace, days=self.runtime.settings.trace_days, answer=answer)

    def _sweep_traces(self) -> None:
        self.runtime.store().traces.sweep()

    # ---- evaluate

    def evaluate(
        self,
        workspace: str,
        questions: bytes,
        *,
        methods: Sequence[Method],
        limit: int | None,
        indexed: dict[str, Any] | None,
        progress: Callable[[Progress], None],
        waiting: Callable[[str], None],
        cancelled: ShouldStop,
    ) -> EvaluationRow:
        """Measure a workspace with a file of questions whose answers are known, and keep the figures.

        `indexed` is what its ingest took; without it the last run's is taken over.
        """
        from filigraph.graph.measure.evaluate import evaluate, to_json
        from filigraph.graph.measure.gold import parse_questions

        file = parse_questions(questions)
        with self._store():
            self.runtime.graph(workspace)  # raises NotFound without waiting
        with self._locked(workspace, waiting, cancelled) as store:
            graph = store.graph(workspace)
            measured = evaluate(
                file,
                graph=graph,
                embedder=self.runtime.embedder_of(graph.workspace),
                reranker=self.runtime.reranker(),
                methods=methods,
                limit=limit,
                progress=progress,
                cancelled=cancelled,
            )
            index: Mapping[str, Any] = {"index_seconds": {}, "indexed_passages": 0}
            for run in graph.evaluations(count=1)[0]:
                index = {name: run.body[name] for name in index}
            body = to_json(measured) | dict(indexed or index) | {"version": installed_version()}
            return graph.keep_evaluation(body)

    def evaluations(self, workspace: str, *, first: int, count: int) -> tuple[list[EvaluationRow], int]:
        """What earlier evaluations of a workspace measured, the last one first, and how many there are."""
        with self._store():
            return self.runtime.graph(workspace).evaluations(first=first, count=count)

    # ---- what is there

    def stats(self, workspace: str) -> GraphStats:
        with self._store():
            return self.runtime.graph(workspace).stats()

    def entity(self, workspace: str, entity_id: str) -> Any:
        with self._store():
            graph = self.runtime.graph(workspace)
            return graph.entity_detail(self._today(graph, entity_id))

    def find_entities(self, workspace: str, name: str, *, first: int, count: int) -> tuple[list[FoundEntity], int]:
        """Some of the entities that bear a name, and how many there are."""
        with self._store():
            return self.runtime.graph(workspace).find_entities(name, first=first, count=count)

    def entity_names(self, workspace: str, entity_id: str) -> EntityNames:
        with self._store():
            graph = self.runtime.graph(workspace)
            return graph.entity_names(self._today(graph, entity_id))

    def neighbourhood(self, workspace: str, entity_id: str, *, hops: int, limit: int, together: bool) -> list[NearFact]:
        with self._store():
            graph = self.runtime.graph(workspace)
            return graph.neighbourhood(self._today(graph, entity_id), hops=hops, limit=limit, together=together)


def _still_wanted(cancelled: ShouldStop) -> None:
    if cancelled():
        raise Cancelled("Nobody waits for it any more.")
