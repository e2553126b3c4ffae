"""Read contradictions, top to bottom: passages by several voices -> batches -> ask an LLM -> store its replies -> check
the matters of all replies -> store.

Each reply is stored as soon as it arrives, so a run after a kill asks only for the rest. The same model does not read
the same passages together again: after an ingest it reads only new passages, with related ones. A reply is deleted with
the documents that were read for it. Matters are checked once no passage is left to read; a check is deleted if its
matters have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from filigraph.graph.analysis.contradictions import find_contradictions
from filigraph.graph.analysis.matters import Matter, matters_of
from filigraph.graph.contradiction_reading.ask import ask
from filigraph.graph.contradiction_reading.check import CALLS_CHECKED, CheckBatch, plan_checks
from filigraph.graph.contradiction_reading.merge import with_readings
from filigraph.graph.contradiction_reading.plan import (
    REPLY,
    ROOM,
    ContradictionBatch,
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

T = TypeVar("T")


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
    def forget_checks(self, *, but: Collection[str]) -> None: ...


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
    if batches:
        checks = Usage(calls=1, tokens_in=ROOM, tokens_out=REPLY)
        calls = [*(batch.usage for batch in batches), *[checks] * -(-len(batches) // CALLS_CHECKED)]
    else:
        calls = [check.usage for check in _checks(graph, model, passages)[0]]
    asked = _within(calls, budget)
    return ContradictionEstimate(
        passages=len(passages), kept=stored_count, left=len(calls) - len(asked), usage=sum(asked, Usage())
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
    """Read what was not read yet, with at most `budget` calls (0: no limit), the most promising passages first; then
    check the matters.

    Replies to another prompt or of another LLM are deleted. A call with an unreadable reply is counted; the next run
    asks again. Raises Cancelled, and LLMUnavailable if the LLM does not answer; earlier replies are kept.
    """
    report = report or ContradictionReport()
    graph.forget_contradiction_readings(recipe=recipe(llm.model))
    passages = graph.source_passages()
    batches, report.kept = _planned(graph, llm.model, passages)
    to_read = _within(batches, budget)
    report.left = len(batches) - len(to_read)

    def read(calls: Sequence[ContradictionBatch | CheckBatch], total: int) -> None:
        """Ask, and store each reply."""
        before = report.asked + report.failed
        progress(Progress(stage="contradictions", done=before, total=total, usage=llm.usage))
        with ThreadPoolExecutor(in_flight, thread_name_prefix="contradictions-llm") as pool:
            pending = [pool.submit(ask, batch, llm, timeout=timeout, cancelled=cancelled) for batch in calls]
            try:
                for done, call in enumerate(as_completed(pending), start=before + 1):
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
                    progress(Progress(stage="contradictions", done=done, total=total, usage=llm.usage))
                    stop_if(cancelled)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    read(to_read, len(to_read))
    if not report.left and not report.failed:
        checks, current = _checks(graph, llm.model, passages)
        room = max(0, budget - len(to_read)) if budget else len(checks)
        report.left = len(checks) - len(checks[:room])
        if checks[:room]:
            read(checks[:room], len(to_read) + len(checks[:room]))
        if not report.left and not report.failed:  # until then the last ones are better than none
            graph.forget_checks(but=current)
    return report


def all_contradictions(graph: StatedGraph) -> list[Matter]:
    """Contradictions found by rules and by an LLM, as matters."""
    statements, vectors, alike = graph.statements()
    candidates, readings = find_contradictions(statements, vectors, alike), graph.contradiction_readings()
    places = {place for one in readings for pair in one.pairs for place in (pair.first, pair.other)}
    if not places:
        return matters_of(candidates)
    return with_readings(candidates, readings, graph.sentences_at(places), statements)


def _planned(
    graph: ContradictionGraph, model: str, passages: Sequence[SourcePassage]
) -> tuple[list[ContradictionBatch], int]:
    """The batches that are not read yet, and the number of readings."""
    statements, vectors, alike = graph.statements()
    read = [one.chunk_ids for one in _readings(graph, model)]
    candidates = find_contradictions(statements, vectors, alike)
    return plan_contradictions(passages, statements, candidates, read=read), len(read)


def _checks(
    graph: ContradictionGraph, model: str, passages: Sequence[SourcePassage]
) -> tuple[list[CheckBatch], list[str]]:
    """The checks to make, and the keys of all checks that the matters need."""
    batches = plan_checks(found_matters(graph, _readings(graph, model)), passages)
    made = {one.key for one in graph.contradiction_readings() if one.checks}
    return [batch for batch in batches if batch.key(model) not in made], [batch.key(model) for batch in batches]


def found_matters(graph: StatedGraph, readings: Sequence[ContradictionReading]) -> list[Matter]:
    """The matters that an LLM found, as it is to check them."""
    places = {place for one in readings for pair in one.pairs for place in (pair.first, pair.other)}
    matters = with_readings([], readings, graph.sentences_at(places), graph.statements()[0])
    return [matter for matter in matters if matter.lead.verdict == "contradiction"]


def _readings(graph: StatedGraph, model: str) -> list[ContradictionReading]:
    """The replies about passages, without those of checks."""
    return [one for one in graph.contradiction_readings() if one.recipe == recipe(model) and not one.checks]


def _within(calls: Sequence[T], budget: int) -> Sequence[T]:
    return calls[:budget] if budget else calls
