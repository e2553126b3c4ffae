"""Read lists, top to bottom: passages -> batches -> ask an LLM for the items -> store what it said -> one list.

A workspace, or a view of it, is read whole, of a large one the nearest passages; the batches that are nearest to the
question first. Each reply is stored under the hash of what was asked as soon as it is there, so a run that is killed
asks for the rest, and the same question about the same passages costs no call.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from filigraph.graph.analysis.entity_lists import EntityGraph, items_of_type
from filigraph.graph.analysis.list_items import ItemList, ListGraph, ListTexts, find_items, load_texts, nearness
from filigraph.graph.model.arrays import Vector
from filigraph.graph.model.llm_readings import ListReading
from filigraph.graph.models.llm_batches import (
    BatchReader,
    ReadingEstimate,
    ReadingReport,
    expected_usage,
    within_budget,
)
from filigraph.graph.readings.lists.ask import ask
from filigraph.graph.readings.lists.merge import with_list_readings
from filigraph.graph.readings.lists.plan import ListBatch, plan_list, recipe
from filigraph.graph.text.list_questions import ListQuestion


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
    kept = {one.key: one for one in readings.list_readings([batch.key for batch in batches])}
    return with_list_readings(listing, question, batches, kept, {chunk.id: chunk for chunk in texts.chunks})


def estimate_list(
    question: ListQuestion, vector: Vector, graph: ListGraph, readings: ListReadings, model: str, *, budget: int = 0
) -> ReadingEstimate:
    """Estimate what `read_list` would ask of a model, without asking or writing anything. `budget`: calls; 0: no
    limit."""
    texts = load_texts(question, vector, graph)
    batches = planned_batches(question, texts)
    unread = _unread(batches, readings, model)
    to_read = within_budget(_nearest_first(unread, question, vector, graph), budget)
    return ReadingEstimate(
        passages=len(texts.chunks),
        of_passages=texts.of_passages,
        kept=len(batches) - len(unread),
        left=len(unread) - len(to_read),
        usage=expected_usage(to_read),
    )


def read_list(
    *,
    question: ListQuestion,
    vector: Vector,
    graph: ListGraph,
    readings: ListReadings,
    reader: BatchReader,
) -> ReadingReport:
    """Read what this LLM did not read for this question yet, within its budget.

    A batch that the LLM refuses, or whose reply cannot be read, is counted; the next run asks again. Raises Cancelled,
    and LLMDown if the LLM does not answer; earlier replies are kept.
    """
    batches = planned_batches(question, load_texts(question, vector, graph))
    unread = _unread(batches, readings, reader.llm.model)
    to_read = within_budget(_nearest_first(unread, question, vector, graph), reader.llm.budget)
    report = ReadingReport(kept=len(batches) - len(unread), left=len(unread) - len(to_read))

    def keep(reading: ListReading) -> None:
        readings.write_list_readings([reading])

    reader.read(to_read, ask, keep, report)
    return report


def _nearest_first(
    batches: Sequence[ListBatch], question: ListQuestion, vector: Vector, graph: ListGraph
) -> list[ListBatch]:
    near = nearness(question, vector, graph)
    return sorted(batches, key=lambda batch: -sum(near.get(id_, 0.0) for id_ in batch.chunk_ids))


def _unread(batches: Sequence[ListBatch], readings: ListReadings, model: str) -> list[ListBatch]:
    kept = {one.key for one in readings.list_readings([batch.key for batch in batches]) if one.recipe == recipe(model)}
    return [batch for batch in batches if batch.key not in kept]
