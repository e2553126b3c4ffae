"""Read contradictions, top to bottom: passages by several voices -> batches -> ask an LLM -> store its replies.

Each reply is stored as soon as it arrives, so a run after a kill asks only for the rest. The same model does not read
the same passages together again: after an ingest it reads only new passages, with related ones. A reply is deleted with
the documents that were read for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, Protocol

from filigraph.graph.analysis.contradictions import Contradiction, find_contradictions
from filigraph.graph.contradiction_reading.ask import ask
from filigraph.graph.contradiction_reading.merge import with_readings
from filigraph.graph.contradiction_reading.plan import (
    ContradictionBatch,
    expected,
    plan_contradictions,
    recipe,
)
from filigraph.graph.errors import LLMResponseError
from filigraph.graph.ingest.report import Progress
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.llm_readings import ContradictionReading, SentencePlace
from filigraph.graph.models.llm import LLM, Usage
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.records.facts import NamedSentence, SourcePassage, Statement


class StatedGraph(Protocol):
    """A workspace or a view whose contradictions are listed."""

    def statements(self) -> tuple[Sequence[Statement], Matrix, Mapping[tuple[str, str], Any]]: ...
    def contradiction_readings(self) -> Sequence[ContradictionReading]: ...
    def sentences_at(self, places: Collection[SentencePlace]) -> Mapping[SentencePlace, NamedSentence]: ...


class ContradictionGraph(StatedGraph, Protocol):
    """A workspace whose contradictions are read."""

    def source_passages(self) -> Sequence[SourcePassage]: ...
    def write_contradiction_readings(self, readings: Sequence[ContradictionReading]) -> None: ...
    def forget_contradiction_readings(self, *, recipe: str) -> None: ...


@dataclass(kw_only=True)
class ContradictionReport:
    """The result of a run, filled in as it proceeds."""

    kept: int = 0  # earlier readings
    asked: int = 0  # calls that were answered
    left: int = 0  # batches that the budget left unread
    failed: int = 0  # calls with an unreadable reply
    contradictions: int = 0  # pairs in the new replies
    left_out: int = 0  # unusable lines of replies
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, kw_only=True)
class ContradictionEstimate:
    """The estimated cost of reading."""

    passages: int
    kept: int  # earlier readings
    left: int  # batches that the budget would leave unread
    usage: Usage


def estimate_contradictions(graph: ContradictionGraph, model: str, *, budget: int = 0) -> ContradictionEstimate:
    """Estimate what `read_contradictions` would ask of a model, without asking or writing anything. `budget`: calls;
    0: no limit."""
    passages = graph.source_passages()
    batches, stored_count = _planned(graph, model, passages)
    to_read = _within(batches, budget)
    return ContradictionEstimate(
        passages=len(passages), kept=stored_count, left=len(batches) - len(to_read), usage=expected(to_read)
    )


def read_contradictions(
    *,
    graph: ContradictionGraph,
    llm: LLM,
    budget: int = 0,
    in_flight: int = 2,
    timeout: float = 300.0,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
    report: ContradictionReport | None = None,
) -> ContradictionReport:
    """Read what was not read yet, with at most `budget` calls (0: no limit), the most promising passages first.

    Replies to another prompt or of another LLM are deleted. A call with an unreadable reply is counted; the next run
    asks again. Raises Cancelled, and LLMUnavailable if the LLM does not answer; earlier replies are kept.
    """
    report = report or ContradictionReport()
    graph.forget_contradiction_readings(recipe=recipe(llm.model))
    batches, report.kept = _planned(graph, llm.model, graph.source_passages())
    to_read = _within(batches, budget)
    report.left = len(batches) - len(to_read)
    progress(Progress(stage="contradictions", done=0, total=len(to_read), usage=llm.usage))
    with ThreadPoolExecutor(in_flight, thread_name_prefix="contradictions-llm") as pool:
        calls = [pool.submit(ask, batch, llm, timeout=timeout, cancelled=cancelled) for batch in to_read]
        try:
            for done, call in enumerate(as_completed(calls), start=1):
                try:
                    reply = call.result()
                except LLMResponseError:
                    report.failed += 1
                else:
                    graph.write_contradiction_readings([reply.reading])
                    report.asked += 1
                    report.left_out += reply.left_out
                    report.contradictions += sum(pair.verdict == "contradiction" for pair in reply.reading.pairs)
                report.usage = llm.usage
                progress(Progress(stage="contradictions", done=done, total=len(to_read), usage=llm.usage))
                stop_if(cancelled)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return report


def all_contradictions(graph: StatedGraph) -> list[Contradiction]:
    """Contradictions found by rules and by an LLM, as one list."""
    statements, vectors, alike = graph.statements()
    candidates, readings = find_contradictions(statements, vectors, alike), graph.contradiction_readings()
    places = {place for one in readings for pair in one.pairs for place in (pair.first, pair.other)}
    return with_readings(candidates, readings, graph.sentences_at(places), statements) if places else candidates


def _planned(
    graph: ContradictionGraph, model: str, passages: Sequence[SourcePassage]
) -> tuple[list[ContradictionBatch], int]:
    """The batches that are not read yet, and the number of readings."""
    statements, vectors, alike = graph.statements()
    read = [one.chunk_ids for one in graph.contradiction_readings() if one.recipe == recipe(model)]
    candidates = find_contradictions(statements, vectors, alike)
    return plan_contradictions(passages, statements, candidates, read=read), len(read)


def _within(batches: Sequence[ContradictionBatch], budget: int) -> Sequence[ContradictionBatch]:
    return batches[:budget] if budget else batches
