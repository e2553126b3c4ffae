"""Which documents a source and a condition mean."""

from __future__ import annotations

import pytest

from filigraph.graph.chosen import chosen
from filigraph.graph.store import DocumentName

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
    ],
)
def test_sources(sources: list[str], meant: str) -> None:
    assert "".join(row.id for row in chosen(DOCUMENTS, sources=sources)) == meant


def test_conditions() -> None:
    assert [row.id for row in chosen(DOCUMENTS, where={"date": "1912"})] == ["1", "2"]
    assert [row.id for row in chosen(DOCUMENTS, where={"date": "1912", "author": "Élodie"})] == ["1"]
    assert chosen(DOCUMENTS, sources=["press/"], where={"date": "1912"}) == []
