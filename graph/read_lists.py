"""Read lists, top to bottom: passages -> batches -> ask an LLM for the items -> store what it said -> one list.

A workspace, or a view of it, that takes a few calls is read whole, in the order of its documents; of a larger one the
passages that words and vectors find, the nearest first. Each reply is stored under the hash of what was asked as soon
as it is there, so a run that is killed asks for the rest, and the same question about the same passages costs no call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Protocol

from filigraph.graph.analysis.list_items import MAX_PASSAGES, ItemList, ListGraph, find_items
from filigraph.graph.errors import LLMRefused, LLMResponseError, LLMSlow
from filigraph.graph.ingest.report import Progress
from filigraph.graph.list_reading.ask import ask
from filigraph.graph.list_reading.merge import with_list_readings
from filigraph.graph.list_reading.plan import ListBatch, calls_for, expected, plan_list, recipe
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import ListReading
from filigraph.graph.models.llm import LLM, Usage
from filigraph.graph.process.cancel import ShouldStop, stop_if
from filigraph.graph.text.list_questions import ListQuestion
from filigraph.graph.text.words import lucene_query, query_terms

WHOLE_CALLS = 8  # a workspace that takes at most so many is read whole
RANK_OFFSET = 60  # of reciprocal rank fusion


class ListReadingGraph(ListGraph, Protocol):
    """The source of a list that an LLM reads: a workspace or a view."""

    def search_chunks(self, vector: Vector, k: int) -> Sequence[tuple[str, float]]: ...


class ListReadings(Protocol):
    """Where the replies are kept: the workspace."""

    def has_list_readings(self) -> bool: ...
    def list_readings(self, keys: Collection[str]) -> Sequence[ListReading]: ...
    def write_list_readings(self, readings: Sequence[ListReading]) -> None: ...


@dataclass(kw_only=True)
class ListReport:
    """The result of a run, filled in as it proceeds."""

    kept: int = 0  # readings that were there
    asked: int = 0  # calls that were answered
    left: int = 0  # batches that the budget left unread
    failed: int = 0  # batches that the LLM refused, or without a readable reply
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, kw_only=True)
class ListEstimate:
    """The estimated cost of reading."""

    passages: int  # that would be read
    of_passages: int
    kept: int  # readings that are there
    left: int  # batches that the budget would leave unread
    usage: Usage


def planned(question: ListQuestion, vector: Vector, graph: ListReadingGraph) -> list[ListBatch]:
    """The batches that an LLM would read for a question, the nearest first."""
    ids, nearest = list(graph.chunk_ids()), list[str]()
    if len(ids) > MAX_PASSAGES:
        ids = nearest = _nearest(question, vector, graph)
    passages = graph.passages(ids)
    chunks = sorted(graph.pool(ids), key=lambda chunk: (passages[chunk.id].source, chunk.document_id, chunk.index))
    order = {chunk.id: n for n, chunk in enumerate(chunks)}
    in_order = [passages[id_] for id_ in order]
    if calls_for(in_order) > WHOLE_CALLS:
        in_order = [passages[id_] for id_ in nearest or _nearest(question, vector, graph) if id_ in order]
    return plan_list(question, in_order, order)


def list_items(question: ListQuestion, vector: Vector, graph: ListReadingGraph, readings: ListReadings) -> ItemList:
    """The items that rules find and, in the passages that an LLM read for this question, those that it found."""
    listing = find_items(question, vector, graph)
    if not readings.has_list_readings():
        return listing
    batches = planned(question, vector, graph)
    kept = {one.key: one for one in readings.list_readings([batch.key for batch in batches])}
    ids = [id_ for batch in batches if batch.key in kept for id_ in batch.chunk_ids]
    chunks = {chunk.id: chunk for chunk in graph.pool(ids)} if ids else {}
    return with_list_readings(listing, question, batches, kept, chunks)


def estimate_list(
    question: ListQuestion,
    vector: Vector,
    graph: ListReadingGraph,
    readings: ListReadings,
    model: str,
    *,
    budget: int = 0,
) -> ListEstimate:
    """Estimate what `read_list` would ask of a model, without asking or writing anything. `budget`: calls; 0: no
    limit."""
    batches = planned(question, vector, graph)
    unread = _unread(batches, readings, model)
    to_read = _within(unread, budget)
    return ListEstimate(
        passages=sum(len(batch.passages) for batch in batches),
        of_passages=len(graph.chunk_ids()),
        kept=len(batches) - len(unread),
        left=len(unread) - len(to_read),
        usage=expected(to_read),
    )


def read_list(
    *,
    question: ListQuestion,
    vector: Vector,
    graph: ListReadingGraph,
    readings: ListReadings,
    llm: LLM,
    budget: int = 0,
    in_flight: int = 2,
    timeout: float = 300.0,
    progress: Callable[[Progress], None] = lambda _: None,
    cancelled: ShouldStop = lambda: False,
) -> ListReport:
    """Read what this LLM did not read for this question yet, with at most `budget` calls (0: no limit).

    A batch that the LLM refuses, or whose reply cannot be read, is counted; the next run asks again. Raises Cancelled,
    and LLMDown if the LLM does not answer; earlier replies are kept.
    """
    batches = planned(question, vector, graph)
    unread = _unread(batches, readings, llm.model)
    to_read = _within(unread, budget)
    report = ListReport(kept=len(batches) - len(unread), left=len(unread) - len(to_read))
    progress(Progress(stage="lists", done=0, total=len(to_read), usage=llm.usage))
    with ThreadPoolExecutor(in_flight, thread_name_prefix="lists-llm") as pool:
        calls = [pool.submit(ask, batch, llm, timeout=timeout, cancelled=cancelled) for batch in to_read]
        try:
            for done, call in enumerate(as_completed(calls), start=1):
                try:
                    readings.write_list_readings([call.result()])
                except (LLMRefused, LLMResponseError, LLMSlow):
                    report.failed += 1
                else:
                    report.asked += 1
                report.usage = llm.usage
                progress(Progress(stage="lists", done=done, total=len(to_read), usage=llm.usage))
                stop_if(cancelled)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return report


def _nearest(question: ListQuestion, vector: Vector, graph: ListReadingGraph) -> list[str]:
    """The passages that words and vectors find, the nearest first."""
    words = lucene_query(query_terms(question.about or question.text, question.language))
    rankings: tuple[list[str], list[str]] = (
        [hit.id for hit in graph.search_words(words, vector, MAX_PASSAGES)],
        [id_ for id_, _ in graph.search_chunks(vector, MAX_PASSAGES)],
    )
    scores = defaultdict[str, float](float)
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] += 1 / (RANK_OFFSET + rank)
    return sorted(scores, key=lambda id_: -scores[id_])[:MAX_PASSAGES]


def _unread(batches: Sequence[ListBatch], readings: ListReadings, model: str) -> list[ListBatch]:
    kept = {one.key for one in readings.list_readings([batch.key for batch in batches]) if one.recipe == recipe(model)}
    return [batch for batch in batches if batch.key not in kept]


def _within(batches: Sequence[ListBatch], budget: int) -> Sequence[ListBatch]:
    return batches[:budget] if budget else batches
