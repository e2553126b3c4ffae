"""Which documents a source and a condition mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.ask.question.documents import filtered_reader, matching_documents
from filigraph.graph.errors import InputError
from filigraph.graph.model.periods import Period
from filigraph.graph.records.documents import DocumentName

DOCUMENTS = [
    DocumentName(id="1", source="case/lettre d'Élodie.txt", metadata={"date": "1912", "author": "Élodie"}),
    DocumentName(id="2", source="case/report.txt", metadata={"date": "1912"}),
    DocumentName(id="3", source="case/[draft] report.txt", metadata={}),
    DocumentName(id="4", source="press/a\nb.txt", metadata={"date": "1913"}),
    DocumentName(id="5", source="case", metadata={}),
]


@pytest.mark.parametrize(
    ("sources", "meant"),
    [
        ([], "12345"),
        (["case/report.txt"], "2"),
        (["case"], "5"),
        (["case/"], "123"),
        (["case/*report.txt"], "23"),
        (["*Élodie*", "press/"], "14"),
        (["case/repor?.txt"], "2"),
        (["case/[draft] report.txt"], "3"),
        (["CASE/report.txt"], ""),
        (["case/.*"], ""),
        (["*"], "12345"),
        ([""], ""),
        (["c*/*t*.txt"], "123"),
        (["*a*b*t*t"], "4"),
        (["ca*se"], "5"),
        (["case*"], "1235"),
        (["cas?/"], "123"),
        (["????"], "5"),
        (["?"], ""),
        (["**"], "12345"),
        (["*.tx", "*?.tx?"], "1234"),
    ],
)
def test_sources(sources: list[str], meant: str) -> None:
    assert "".join(row.id for row in matching_documents(DOCUMENTS, sources=sources)) == meant


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=8))
def test_a_pattern_means_what_it_says(pattern: str, name: str) -> None:
    said = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    assert bool(matching_documents([DocumentName(id="1", source=name, metadata={})], sources=[pattern])) == bool(
        re.fullmatch(said, name)
    )


def test_a_name_with_signs_of_a_pattern_is_that_name() -> None:
    names = (
        "/a/Where is Otto?.txt",
        "/a/Where is Otto!.txt",
        "/a/Where is Otto2.txt",
        "/a/*.txt",
        "/a/E\u0301mile.txt",
    )
    rows = [DocumentName(id=name, source=name, metadata={}) for name in names]

    def meant(source: str, glob: bool = True) -> list[str]:
        return [row.id for row in matching_documents(rows, sources=[source], glob=glob)]

    assert meant("/a/Where is Otto?.txt") == [names[0]] and meant("/a/*.txt") == [names[3]]
    assert len(meant("/a/Where is Ott?2.txt")) == 1 and not meant("/a/Where is Ott?2.txt", glob=False)
    assert meant("/a/", glob=False) == list(names) and meant("/a/\u00c9mile.txt") == [names[4]]


def test_a_pattern_takes_no_longer_for_many_stars() -> None:
    """As a regular expression it would not end within years."""
    name = DocumentName(id="1", source="a" * 4000, metadata={})
    assert matching_documents([name], sources=["a*" * 100 + "b"]) == []
    assert matching_documents([name], sources=["*a" * 2000]) == [name]


def test_too_many_patterns() -> None:
    assert matching_documents(DOCUMENTS, sources=[f"{n}/" for n in range(1000)]) == []
    with pytest.raises(InputError, match="101 patterns"):
        matching_documents(DOCUMENTS, sources=[f"{n}*" for n in range(101)])


def test_conditions() -> None:
    assert [row.id for row in matching_documents(DOCUMENTS, where={"date": "1912"})] == ["1", "2"]
    assert [row.id for row in matching_documents(DOCUMENTS, where={"date": "1912", "author": "Élodie"})] == ["1"]
    assert matching_documents(DOCUMENTS, sources=["press/"], where={"date": "1912"}) == []


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ({"date>=": "1912-03-01"}, ["1912", "1912-03", "1912-03-04"]),
        ({"date>": "1912-03"}, ["1912"]),
        ({"date<": "1912-03"}, ["1911-12-31", "1912"]),
        ({"date>=": "1912-03-01", "date<=": "1912-03-03"}, ["1912", "1912-03"]),
        ({"pages>=": "9"}, ["1912"]),
        ({"pages<": "1e1"}, ["1912-03"]),
    ],
)
def test_ranges_of_dates_and_numbers(where: dict[str, str], ids: list[str]) -> None:
    dates = ("1911-12-31", "1912", "1912-03", "1912-03-04", "", "soon")
    pages = {"1912": "10", "1912-03": "8", "soon": "many"}
    rows = [
        DocumentName(id=date, source=date, metadata={"date": date} | ({"pages": pages[date]} if date in pages else {}))
        for date in dates
    ]
    assert [row.id for row in matching_documents(rows, where=where)] == ids


def test_a_bound_that_is_none() -> None:
    with pytest.raises(InputError, match="neither a date nor a number"):
        matching_documents(DOCUMENTS, where={"date>=": "spring"})


class Letters:
    """A graph of DOCUMENTS, two of which tell of days."""

    def document_names(self) -> Sequence[DocumentName]:
        return DOCUMENTS

    def dates_in_documents(self, document_ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
        dates = {"2": ["1920"], "3": ["--03-12", "1913-05-02"]}
        return {id_: dates[id_] for id_ in document_ids if id_ in dates}

    def filtered(self, document_ids: Sequence[str]) -> str:
        return "".join(document_ids)


@pytest.mark.parametrize(
    ("period", "where", "asked", "remark"),
    [
        (("1913-01-01", None), {}, "234", "From 3 of 5 documents: dated since 1913-01-01, or with facts of that time."),
        ((None, "1912-12-31"), {}, "12", "From 2 of 5 documents: dated until 1912-12-31, or with facts of that time."),
        (
            ("1920-01-01", "1920-01-01"),
            {},
            "2",
            "From 1 of 5 documents: dated on 1920-01-01, or with facts of that time.",
        ),
        (("1930-01-01", "1930-01-01"), {}, None, "No document is dated on 1930-01-01: this is from all 5 documents."),
        (
            ("1913-01-01", "1913-12-31"),
            {"date": "1912"},
            "12",
            "No document is dated between 1913-01-01 and 1913-12-31",
        ),
    ],
)
def test_the_documents_of_a_period(
    period: tuple[str | None, str | None], where: dict[str, str], asked: str | None, remark: str
) -> None:
    """A document is of its own time and of what it tells: a letter of 1912 that announces a visit in 1920 is asked for
    both."""
    first, last = (date.fromisoformat(day) if day else None for day in period)
    graph: Any = Letters()
    reader, found = filtered_reader(graph, sources=(), where=where, period=Period(first=first, last=last))
    assert reader == (asked or graph)
    assert found
    assert found.remark("en").startswith(remark)
    assert found.remark("en").endswith("Without a date: 2 of 5 documents.") == (not where)
