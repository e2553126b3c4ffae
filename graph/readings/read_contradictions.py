"""Read contradictions, top to bottom: passages by several voices -> batches -> ask an LLM -> store its replies -> check
the matters of all replies -> store.

Each reply is stored as soon as it arrives, so a run after a kill asks only for the rest. The same model does not read
the same passages together again: after an ingest it reads only new passages, with related ones. A reply is deleted with
the documents that were read for it. Matters are checked once all passages were asked about; a check is deleted if its
matters have changed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from filigraph.graph.analysis.contradictions import find_contradictions
from filigraph.graph.analysis.matters import Matter, matters_of
from filigraph.graph.model.arrays import Matrix
from filigraph.graph.model.llm_readings import ContradictionReading, ReadingEstimate, SentencePlace
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm_batches import BatchReader, ReadingReport, within_budget
from filigraph.graph.readings.contradictions.ask import ask
from filigraph.graph.readings.contradictions.check import CALLS_CHECKED, CheckBatch, plan_checks
from filigraph.graph.readings.contradictions.merge import with_readings
from filigraph.graph.readings.contradictions.plan import (
    REPLY_TOKENS,
    TEXT_TOKENS,
    ContradictionBatch,
    plan_contradictions,
    recipe,
)
from filigraph.graph.readings.contradictions.reply import ContradictionReply
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
    def forget_checks(self, *, but: Collection[str]) -> None: ...


def estimate_contradictions(graph: ContradictionGraph, model: str, *, budget: int = 0) -> ReadingEstimate:
    """Estimate what `read_contradictions` would ask of a model, without asking or writing anything. `budget`: calls;
    0: no limit."""
    passages = graph.source_passages()
    batches, stored_count = _planned(graph, model, passages)
    if batches:
        checks = Usage(calls=1, tokens_in=TEXT_TOKENS, tokens_out=REPLY_TOKENS)
        calls = [*(batch.usage for batch in batches), *[checks] * -(-len(batches) // CALLS_CHECKED)]
    else:
        calls = [check.usage for check in _checks(graph, model, passages)[0]]
    asked = within_budget(calls, budget)
    return ReadingEstimate(
        passages=len(passages),
        of_passages=len(passages),
        kept=stored_count,
        left=len(calls) - len(asked),
        usage=sum(asked, Usage()),
    )


def read_contradictions(graph: ContradictionGraph, reader: BatchReader) -> ReadingReport:
    """Read what was not read yet, within the budget of the LLM, the most promising passages first; then check the
    matters.

    Replies to another prompt or of another LLM are deleted. A call that the LLM refuses, or without a readable reply in
    time, is counted; the next run asks again. Raises Cancelled, and LLMUnavailable if the LLM does not answer; earlier
    replies are kept.
    """
    report, llm = ReadingReport(), reader.llm
    graph.forget_contradiction_readings(recipe=recipe(llm.model))
    passages = graph.source_passages()
    batches, report.kept = _planned(graph, llm.model, passages)
    to_read = within_budget(batches, llm.budget)
    report.left = len(batches) - len(to_read)

    def keep(reply: ContradictionReply) -> None:
        graph.write_contradiction_readings([reply.reading])

    reader.read(to_read, ask, keep, report)
    if not report.left:
        unread = report.failed
        checks, current = _checks(graph, llm.model, passages)
        affordable = checks[: max(0, llm.budget - llm.calls)] if llm.budget else checks
        report.left = len(checks) - len(affordable)
        if affordable:
            reader.read(affordable, ask, keep, report)
        if not report.left and report.failed == unread:  # until then the last ones are better than none
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
