"""Answer, top to bottom: search (`engine.py`) -> the passages; or -> investigate (`investigate.py`) -> check the path
that the language model names (`ask/paths/named.py`)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

from filigraph.graph.ask.evidence.look_up import look_up
from filigraph.graph.ask.generation.basis import basis_note
from filigraph.graph.ask.generation.compose import compose, plain_answer
from filigraph.graph.ask.generation.excerpts import excerpts, path_first
from filigraph.graph.ask.generation.notebook import GraphResult
from filigraph.graph.ask.generation.overlap import without_overlap
from filigraph.graph.ask.generation.reply import Request
from filigraph.graph.ask.paths.named import hop_text, named_path
from filigraph.graph.ask.question.documents import filtered_reader, stated_reader
from filigraph.graph.ask.reader import AskGraph, StatedReader
from filigraph.graph.ask.settings import BUDGET, AskSettings
from filigraph.graph.ask.tracer import Tracer, tracer_after
from filigraph.graph.errors import LLMResponseError, LLMUnavailable
from filigraph.graph.investigate import FIRST, Investigation, Watch, investigate
from filigraph.graph.model.answers import Answer
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.retrieval import Path, Retrieved
from filigraph.graph.model.traces import TraceStep
from filigraph.graph.models.embed import Embedder, embed_questions, embed_texts
from filigraph.graph.models.llm import LLM
from filigraph.graph.process.cancel import ShouldStop
from filigraph.graph.text.list_questions import list_question

CITED = re.compile(r"\[(\d{1,4})\]")


class Search(Protocol):
    """Finds the evidence for a question: `engine.find_evidence` on a graph, in this process or in another one."""

    def __call__(
        self,
        question: str,
        *,
        settings: AskSettings,
        cancelled: ShouldStop,
        trace_id: str = "",
        before: Sequence[TraceStep] = (),
    ) -> Retrieved: ...


@dataclass(frozen=True, kw_only=True)
class CheckedPath:
    """The path that a language model named, checked against the graph; None if there is none."""

    path: Path | None

    def summary(self) -> dict[str, Any]:
        hops = self.path.hops if self.path else ()
        return {"hops": [{"kind": hop.kind, "text": hop_text(hop), "chunk_id": hop.chunk_id} for hop in hops]}


def answer(
    question: str,
    *,
    search: Search,
    graph: AskGraph,
    embedder: Embedder,
    llm: LLM | None = None,
    settings: AskSettings | None = None,
    on_retrieved: Callable[[Retrieved], None] = lambda _: None,
    watch: Watch | None = None,
    cancelled: ShouldStop = lambda: False,
    trace_id: str = "",
    before: Sequence[TraceStep] = (),
) -> Answer:
    """Answer `question` with citations and the path behind it.

    `on_retrieved` gets the evidence of the first search, `watch` all later progress. Without an LLM, or if it fails,
    the answer is the passages; `watch.on_failure` gets the reason. Raises Cancelled, between two steps at the latest;
    once an LLM reads, a cancellation ends it with what was read so far (`Answer.ended`). `trace_id` is unique; by
    default the trace gets its own id. `before` are the steps that led to `question`.
    """
    settings = settings or AskSettings()
    watch = watch or Watch()
    llm = llm if settings.llm else None
    usual = settings.keep == AskSettings.keep
    first = dataclasses.replace(settings, keep=FIRST) if llm and usual and settings.rounds > 1 else settings
    result = search(question, settings=first, cancelled=cancelled, trace_id=trace_id, before=before)
    retrieved = without_overlap(result)
    on_retrieved(retrieved)
    tracer = tracer_after(retrieved.trace, cancelled)
    if llm is None:
        answered = _passages(retrieved, settings, tracer)
    else:
        answered = _read(retrieved, search, graph, embedder, llm, settings, tracer, watch)
    if settings.compare and settings.method == "filigraph" and answered.ended != "cancelled":
        baseline = dataclasses.replace(
            settings, method="dense", compare=False, entity_types=(), path_types=(), rounds=1
        )
        by_vectors = answer(
            question, search=search, graph=graph, embedder=embedder, llm=llm, settings=baseline, cancelled=cancelled
        )
        answered = dataclasses.replace(answered, vector_only=by_vectors)
    listed = list_question(retrieved.question, retrieved.language) is not None
    return dataclasses.replace(answered, asks_for_list=listed)


def _passages(retrieved: Retrieved, settings: AskSettings, tracer: Tracer, why: str = "") -> Answer:
    """The passages in place of an answer; `why`: the reason why the LLM gave none."""
    budget = settings.budget_tokens or BUDGET
    retrieved = path_first(retrieved)
    composed = tracer.step("compose", lambda: compose(retrieved, budget_tokens=budget), budget_tokens=budget)
    passages = plain_answer(retrieved, composed, add_model=settings.llm and not why)
    return Answer(
        question=retrieved.question,
        text=passages.text,
        generated=False,
        model="",
        citations=composed.cited,
        paths=retrieved.paths,
        unsupported=(),
        missing=why,
        trace=tracer.trace(),
        nowhere=retrieved.nowhere,
        remark=retrieved.remark,
        excerpts=excerpts(composed.cited, retrieved.paths),
    )


def _read(
    retrieved: Retrieved,
    search: Search,
    graph: AskGraph,
    embedder: Embedder,
    llm: LLM,
    settings: AskSettings,
    tracer: Tracer,
    watch: Watch,
) -> Answer:
    """The LLM's answer from the retrieved evidence and from its further searches."""
    period = retrieved.period

    @cache
    def reader() -> StatedReader:
        return stated_reader(graph, sources=settings.sources, where=settings.where, period=period)

    @cache
    def vector() -> Vector:
        row: Vector = embed_questions(embedder, [retrieved.question])[0]
        return row

    def search_more(text: str, how: AskSettings) -> Retrieved:
        return search(text, settings=dataclasses.replace(how, period=period), cancelled=tracer.cancelled)

    def look_in_graph(request: Request) -> GraphResult:
        return look_up(request, vector=vector(), reader=reader())

    try:
        investigation = investigate(
            retrieved, llm=llm, search=search_more, look_up=look_in_graph, settings=settings, tracer=tracer, watch=watch
        )
    except (LLMUnavailable, LLMResponseError) as error:  # the evidence is worth having without it
        watch.on_failure(error)
        return _passages(retrieved, settings, tracer, str(error))
    if investigation.ended == "cancelled":
        stopped = _answer(retrieved, investigation, [], llm, tracer)
        return dataclasses.replace(
            stopped, paths=retrieved.paths, excerpts=excerpts(investigation.extracts, retrieved.paths)
        )

    def check() -> CheckedPath:
        if not investigation.path:
            return CheckedPath(path=None)
        # with the names of the whole workspace, as the leads have them
        passages, _ = filtered_reader(graph, sources=settings.sources, where=settings.where, period=period)
        cited = [int(number) for number in CITED.findall(investigation.generated.text)]
        path = named_path(
            investigation.path,
            investigation.extracts,
            passages,
            partial(embed_texts, embedder),
            order=cited,
            without_own=settings.without_own,
        )
        return CheckedPath(path=path)

    named = tracer.step("check the path", check, path=investigation.path).path
    return _answer(retrieved, investigation, [named] if named else [], llm, tracer)


def _answer(
    retrieved: Retrieved, investigation: Investigation, named: Sequence[Path], llm: LLM, tracer: Tracer
) -> Answer:
    generated = investigation.generated
    return Answer(
        question=retrieved.question,
        text=generated.text,
        generated=generated.generated,
        model=llm.model if generated.generated else "",
        citations=investigation.extracts,
        paths=(*named, *retrieved.paths) if generated.answered else (),
        unsupported=generated.unsupported,
        missing=generated.missing,
        trace=tracer.trace(),
        cut_short=investigation.cut_short,
        rests_on=tuple(path.id for path in named),
        answered=generated.answered,
        basis=basis_note(generated.text, investigation.extracts, retrieved.language) if generated.generated else "",
        nowhere=retrieved.nowhere,
        remark=retrieved.remark,
        rounds=investigation.rounds,
        ended=investigation.ended,
    )
