"""The summaries of a view: those of completely visible texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from filigraph.graph.records.documents import DocumentRow
from filigraph.graph.records.summaries import DocumentSummary, OutlineEntry, SummaryEntity
from filigraph.graph.store.workspace.summaries import MAX_ENTITIES_PER_SUMMARY
from filigraph.graph.views.derived import DerivedView


class SummaryReader(Protocol):
    """The reads of a workspace for this."""

    def outline(self, document_id: str = "", *, lowest: int = 1) -> list[OutlineEntry]: ...

    def document_summaries(self) -> list[DocumentSummary]: ...

    def document_rows(self, document_ids: Sequence[str] | None = None) -> list[DocumentRow]: ...


def visible_outline(
    document_id: str, derived: DerivedView, graph: SummaryReader, *, lowest: int = 1
) -> list[OutlineEntry]:
    """As `SummariesPart.outline`, with separate numbers: no shown summary covers a hidden passage. Summaries of folders
    are visible if all documents in them are.
    """
    entries = graph.outline(document_id)
    below: dict[str, Collection[str]] = {id_: (id_,) for id_ in derived.chunks}
    if not document_id:
        below = _passages_of_whole_summaries(derived, graph)
    for entry in sorted(entries, key=lambda one: one.summary.level):
        covered = [below.get(id_) for id_ in entry.summary.covers]
        if all(covered):
            below[entry.summary.id] = [chunk for chunks in covered if chunks for chunk in chunks]
    numbers = Counter[tuple[str, int]]()
    shown = []
    for entry in entries:
        summary = entry.summary
        if summary.id in below and summary.level >= lowest:
            place = summary.folder, summary.level
            named = _most_named_entities(below[summary.id], derived)
            shown.append(replace(entry, summary=replace(summary, index=numbers[place]), entities=named))
            numbers[place] += 1
    return shown


def _passages_of_whole_summaries(derived: DerivedView, graph: SummaryReader) -> dict[str, Collection[str]]:
    """The summary that covers all of a document -> its passages, if all of them are visible."""
    chunks_of: dict[str, list[str]] = defaultdict(list)
    for row in derived.visible.chunks:
        chunks_of[row.chunk.document_id].append(row.chunk.id)
    whole = {row.id for row in graph.document_rows(list(chunks_of)) if row.chunks == len(chunks_of[row.id])}
    return {
        summary.id: chunks_of[summary.document_id]
        for summary in graph.document_summaries()
        if summary.document_id in whole
    }


def _most_named_entities(chunk_ids: Collection[str], derived: DerivedView) -> tuple[SummaryEntity, ...]:
    """The entities that most of these passages name, with their names in the view."""
    chunks = Counter(id_ for chunk in chunk_ids for id_ in derived.entities_of_chunk.get(chunk, ()))
    most = sorted(chunks, key=lambda id_: (-chunks[id_], id_))[:MAX_ENTITIES_PER_SUMMARY]
    entities = derived.entities
    return tuple(
        SummaryEntity(id=id_, name=entities[id_].name, aliases=entities[id_].aliases, chunks=chunks[id_])
        for id_ in most
    )
