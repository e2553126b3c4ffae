"""The time line of a workspace: dated facts and documents within a range."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from filigraph.graph.analysis.timeline import Timeline, timeline
from filigraph.graph.model.periods import Period
from filigraph.graph.records.documents import DocumentName, DocumentRow
from filigraph.graph.records.facts import DatedFact
from filigraph.graph.store.workspace.detail import StatedFact, facts_with_dates

FACTS = [
    ("1846", "John died in 1846.", "letter"),
    ("1849-06-03", "She married him on 3 June 1849.", "novel"),
    ("1849-06-21", "The stone was lost on 21 June 1849.", "novel"),
    ("1868", "First published in 1868.", "novel"),
]
DOCUMENTS = {
    "novel": ("application/epub+zip", {"date": "1868"}, {}),
    "letter": ("text/plain", {"date": "1849-06-10"}, {}),
    "book": ("application/epub+zip", {"date": "1850-01-02"}, {"date": "1850-01-02"}),
    "note": ("text/plain", {}, {}),
}


def fact(when: str, sentence: str, document: str) -> DatedFact:
    ends = {"subject_id": "a", "subject": "A", "predicate": "did", "object_id": "b", "object": "B"}
    place = {"source": f"{document}.txt", "document_id": document, "chunk_id": "c", "start": 0, "end": 9}
    return DatedFact(fact_id=sentence, date=when, sentence=sentence, **ends, **place)  # type: ignore[arg-type]


class Dated:
    def dated_facts(self, entity_id: str = "") -> list[DatedFact]:
        return [fact(*row) for row in FACTS]

    def documents_of_facts(self, entity_id: str = "") -> int:
        return len(DOCUMENTS)

    def document_names(self) -> list[DocumentName]:
        return [DocumentName(id=id_, source=id_, metadata=row[1]) for id_, row in DOCUMENTS.items()]

    def document_rows(self, ids: Sequence[str] | None = None, *, facts: bool | None = None) -> list[DocumentRow]:
        return [
            DocumentRow(
                id=id_, source=id_, title=id_, sha256="", language="en", metadata=fields, given=given, media_type=kind
            )
            for id_, (kind, fields, given) in DOCUMENTS.items()
            if ids is None or id_ in ids
        ]


def dates(found: Timeline) -> list[str]:
    return [row.date for row in found.facts]


@pytest.mark.parametrize(
    ("text", "object_", "dates"),
    [
        ("cook | Ann Lee | 1899, Lyon | one eye", "cook", []),
        ("cook | Ann Lee | 1899, Lyon | one eye", "1899, Lyon", ["1899"]),
        ("Ann Lee came to Lyon in 1899 as a cook.", "cook", ["1899"]),
    ],
)
def test_a_year_in_another_cell_of_a_row_is_no_date_of_the_fact(text: str, object_: str, dates: list[str]) -> None:
    stated = StatedFact(
        fact_id="f",
        subject_id="a",
        subject="Ann Lee",
        predicate="is",
        object_id="b",
        object=object_,
        source="crew.csv",
        document_id="d",
        chunk_id="c",
        start=0,
        end=len(text),
        text=text,
        language="en",
        place="",
        places=(),
        when_date="",
        own=True,
    )
    assert [(fact.date, fact.own) for fact in facts_with_dates([stated])] == [(date, True) for date in dates]


def test_facts_about_an_edition_and_the_dates_of_books_are_left_out() -> None:
    found = timeline(Dated())
    assert dates(found) == ["1846", "1849-06-03", "1849-06-21"]
    assert found.left_out == 1
    assert [row.id for row in found.documents] == ["letter", "book"]  # a person gave the book its date
    assert found.undated == 1  # the note
    assert found.years == [("1846", 1), ("1849", 2)]


def test_a_range_takes_what_shares_a_day_with_it_and_the_counts_stay() -> None:
    found = timeline(Dated(), period=Period(first=date(1846, 5, 1), last=date(1849, 6, 10)))
    assert dates(found) == ["1846", "1849-06-03"] and [row.id for row in found.documents] == ["letter"]
    assert found.years == [("1846", 1), ("1849", 2)] and found.undated == 1


def test_each_document_is_on_one_page_in_its_place() -> None:
    found = timeline(Dated())
    pages = [found.part(first, 1) for first in range(4)]
    assert [[row.date for row in facts] for facts, _ in pages] == [["1846"], ["1849-06-03"], ["1849-06-21"], []]
    assert [[row.id for row in documents] for _, documents in pages] == [[], ["letter"], ["book"], []]


def test_an_entity_has_no_documents() -> None:
    assert timeline(Dated(), entity_id="a").documents == []
