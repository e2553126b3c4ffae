"""The time line of a workspace, a view or an entity: dated facts and documents in order, within a range of days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import Field

from filigraph.graph.model.periods import Period
from filigraph.graph.records.documents import DocumentName, DocumentRow
from filigraph.graph.records.facts import DatedFact
from filigraph.graph.text.imprint import is_imprint
from filigraph.graph.text.time.dates import days_of
from filigraph.graph.view import DATE

BOOK_MEDIA_TYPES = ("application/epub+zip", "application/xml")  # files whose own date is that of their publication


class TimelineGraph(Protocol):
    """The reads of a workspace or a view that a time line needs."""

    def dated_facts(self, entity_id: str = "") -> Sequence[DatedFact]: ...
    def documents_of_facts(self, entity_id: str = "") -> int: ...
    def document_names(self) -> Sequence[DocumentName]: ...
    def document_rows(
        self, ids: Sequence[str] | None = None, *, facts: bool | None = None
    ) -> Sequence[DocumentRow]: ...


@dataclass(frozen=True, kw_only=True)
class DatedDocument:
    """A document with its own date."""

    id: Annotated[str, Field(description="The document's id.")]
    source: Annotated[str, Field(description="The name under which it was ingested.")]
    title: Annotated[str, Field(description="Its title.")]
    date: Annotated[str, Field(description="Its date: the day, month or year, as ISO 8601.")]


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """Dated facts and documents of a range, and the number of those left out."""

    facts: Sequence[DatedFact]  # by date, then in reading order
    documents: Sequence[DatedDocument]  # by date
    years: Sequence[tuple[str, int]]  # each year with the number of its facts, whatever the range
    undated: int  # documents that say something, but without a date
    left_out: int  # dated facts about an edition: copyright, licence, publication

    def part(self, first: int, count: int) -> tuple[Sequence[DatedFact], Sequence[DatedDocument]]:
        """Some of the facts, and the documents dated from the first of them to before the fact that follows them."""
        shown, after = self.facts[first : first + count], self.facts[first + count : first + count + 1]
        begin = shown[0].date if shown and first else ""
        if not shown and first:
            return [], []
        return shown, [one for one in self.documents if begin <= one.date and not (after and one.date >= after[0].date)]


def timeline(graph: TimelineGraph, *, entity_id: str = "", period: Period | None = None) -> Timeline:
    """The time line of the whole graph, or of an entity; the latter has no documents."""
    dated = graph.dated_facts(entity_id)
    facts = [fact for fact in dated if not is_imprint(fact.sentence)]
    documents = [] if entity_id else _documents(graph)
    with_date = {fact.document_id for fact in dated} | {document.id for document in documents}

    def is_within_period(date: str) -> bool:
        days = days_of(date)
        return period is None or bool(days and period.overlaps(days))

    return Timeline(
        facts=[fact for fact in facts if is_within_period(fact.date)],
        documents=[document for document in documents if is_within_period(document.date)],
        years=sorted(Counter(fact.date[:4] for fact in facts).items()),
        undated=max(0, graph.documents_of_facts(entity_id) - len(with_date)),
        left_out=len(dated) - len(facts),
    )


def _documents(graph: TimelineGraph) -> list[DatedDocument]:
    """The documents with a date, except books whose file alone gives it: that is the date of publication."""
    ids = [row.id for row in graph.document_names() if days_of(row.metadata.get(DATE, ""))]
    documents = [
        DatedDocument(id=row.id, source=row.source, title=row.title, date=row.metadata[DATE][:10])
        for row in graph.document_rows(ids, facts=False)
        if row.media_type not in BOOK_MEDIA_TYPES or (row.given and DATE in row.given)
    ]
    return sorted(documents, key=lambda one: (one.date, one.source))
