"""Read lists, top to bottom: passages -> batches -> ask an LLM for the items -> store what it said -> one list -> ask
which of its items are one -> store.

A workspace, or a view of it, is read whole, of a large one the nearest passages; the batches that are nearest to the
question first. Each reply is stored under the hash of what was asked as soon as it is there, so a run that is killed
asks for the rest, and the same question about the same passages costs no call. The list is checked once all batches are
read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

from filigraph.graph.analysis.entity_lists import EntityGraph, items_of_type
from filigraph.graph.analysis.list_items import ItemList, ListGraph, ListTexts, find_items, load_texts, nearness
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import ListReading, ReadingEstimate
from filigraph.graph.model.usage import Usage
from filigraph.graph.models.llm_batches import (
    BatchReader,
    ReadingReport,
    within_budget,
)
from filigraph.graph.readings.lists.ask import ask, ask_check
from filigraph.graph.readings.lists.check import ListCheck, check_recipe, plan_list_checks, with_checks
from filigraph.graph.readings.lists.merge import with_list_readings
from filigraph.graph.readings.lists.plan import REPLY_TOKENS, TEXT_TOKENS, ListBatch, plan_list, recipe
from filigraph.graph.text.list_questions import ListQuestion

Call = TypeVar("Call", ListBatch, ListCheck)


class ListReadings(Protocol):
    """Where the replies are kept: the workspace."""

    def has_list_readings(self) -> bool: ...
    def list_readings(self, keys: Collection[str]) -> Sequence[ListReading]: ...
    def write_list_readings(self, readings: Sequence[ListReading]) -> None: ...


class ReadGraph(ListGraph, EntityGraph, Protocol):
    """The workspace or view that is listed."""


def planned_batches(question: ListQuestion, texts: ListTexts) -> list[ListBatch]:
    """The batches that an LLM would read for a question."""
    return plan_list(question, [texts.passages[chunk.id] for chunk in texts.chunks])


def list_items(question: ListQuestion, vector: Vector, graph: ReadGraph, readings: ListReadings) -> ItemList:
    """The items that the graph has by their type, else those that rules find; and in the passages that an LLM read for
    this question, those that it found."""
    listing = items_of_type(question, graph)
    if listing and not readings.has_list_readings():
        return listing
    texts = load_texts(question, vector, graph)
    listing = listing or find_items(question, vector, texts)
    if not readings.has_list_readings():
        return listing
    batches = planned_batches(question, texts)
    listing = _with_readings(listing, question, texts, batches, readings)
    checks = plan_list_checks(question, listing.items, batches)
    return with_checks(listing, question, checks, _kept(checks, readings))


def _with_readings(
    listing: ItemList, question: ListQuestion, texts: ListTexts, batches: Sequence[ListBatch], readings: ListReadings
) -> ItemList:
    """The items as the calls found them."""
    chunks = {chunk.id: chunk for chunk in texts.chunks}
    return with_list_readings(listing, question, batches, _kept(batches, readings), chunks)


def planned_checks(
    question: ListQuestion, texts: ListTexts, batches: Sequence[ListBatch], readings: ListReadings
) -> list[ListCheck]:
    """The checks of what an LLM read."""
    empty = ItemList(items=(), passages=len(texts.chunks), of_passages=texts.of_passages, sums={})
    return plan_list_checks(question, _with_readings(empty, question, texts, batches, readings).items, batches)


def estimate_list(
    question: ListQuestion, vector: Vector, graph: ListGraph, readings: ListReadings, model: str, *, budget: int = 0
) -> ReadingEstimate:
    """Estimate what `read_list` would ask of a model, without asking or writing anything. `budget`: calls; 0: no
    limit."""
    texts = load_texts(question, vector, graph)
    batches = planned_batches(question, texts)
    unread = _unread(batches, readings, recipe(model))
    calls = [batch.usage for batch in _nearest_first(unread, question, vector, graph)]
    if unread and len(batches) > 1:
        calls.append(Usage(calls=1, tokens_in=TEXT_TOKENS, tokens_out=REPLY_TOKENS))  # the check
    elif not unread:
        checks = planned_checks(question, texts, batches, readings)
        calls += [check.usage for check in _unread(checks, readings, check_recipe(model))]
    to_ask = within_budget(calls, budget)
    return ReadingEstimate(
        passages=len(texts.chunks),
        of_passages=texts.of_passages,
        kept=len(batches) - len(unread),
        left=len(calls) - len(to_ask),
        usage=sum(to_ask, Usage()),
    )


def read_list(
    *,
    question: ListQuestion,
    vector: Vector,
    graph: ListGraph,
    readings: ListReadings,
    reader: BatchReader,
) -> ReadingReport:
    """Read what this LLM did not read for this question yet, within its budget; then check the items together.

    A batch that the LLM refuses, or whose reply cannot be read, is counted; the next run asks again. Raises Cancelled,
    and LLMDown if the LLM does not answer; earlier replies are kept.
    """
    texts = load_texts(question, vector, graph)
    batches = planned_batches(question, texts)
    unread = _unread(batches, readings, recipe(reader.llm.model))
    to_read = within_budget(_nearest_first(unread, question, vector, graph), reader.llm.budget)
    report = ReadingReport(kept=len(batches) - len(unread), left=len(unread) - len(to_read))

    def keep(reading: ListReading) -> None:
        readings.write_list_readings([reading])

    reader.read(to_read, ask, keep, report)
    if not (report.left or report.failed):
        checks = planned_checks(question, texts, batches, readings)
        unread_checks = _unread(checks, readings, check_recipe(reader.llm.model))
        left_calls = max(0, reader.llm.budget - reader.llm.calls)
        affordable = unread_checks[:left_calls] if reader.llm.budget else unread_checks
        report.left = len(unread_checks) - len(affordable)
        if affordable:
            reader.read(affordable, ask_check, keep, report)
    return report


def _nearest_first(
    batches: Sequence[ListBatch], question: ListQuestion, vector: Vector, graph: ListGraph
) -> list[ListBatch]:
    near = nearness(question, vector, graph)
    return sorted(batches, key=lambda batch: -sum(near.get(id_, 0.0) for id_ in batch.chunk_ids))


def _kept(calls: Sequence[Call], readings: ListReadings) -> dict[str, ListReading]:
    return {one.key: one for one in readings.list_readings([call.key for call in calls])}


def _unread(calls: Sequence[Call], readings: ListReadings, recipe: str) -> list[Call]:
    kept = _kept(calls, readings)
    return [call for call in calls if call.key not in kept or kept[call.key].recipe != recipe]
