"""Which documents a source and a condition mean."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filigraph.graph.ask.documents import matching_documents
from filigraph.graph.errors import InputError
from filigraph.graph.rows import DocumentName

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
