"""Bibliographies: entries as people read them, nothing of them lost, each quote in its entry."""

from __future__ import annotations

from filigraph.graph.ingest.split import split
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import read

BIB = r"""% made by hand
@string{ox = "Oxford Press"}
@book{moss11,
  author = {Moss, Bo and Ann {Low} and Gr{\"u}n, J{\'e}r\^ome},
  title = "{F}ogs \& Ferries -- a history",
  publisher = ox # ", London", year = 1911,
  note = {He wrote: \emph{never} again {(sic)}},
}
@comment{nothing here}
@Article(low12, title={Tides}, year={1912}, journal={Annals})
"""
RIS = """TY  - BOOK
ID  - k7
AU  - Moss, Bo
AU  - Low, Ann
TI  - Fogs
PY  - 1911
XY  - odd
ER  -

TY  - JOUR
TI  - Tides
AB  - They rise
  and fall.
ER  -
"""
WEB_OF_SCIENCE = (
    "FN Clarivate\nVR 1.0\nPT J\nAU Moss, B\n   Low, A\nTI Fogs and\n   ferries\nID SHIPS; FOG\nUT WOS:1\nER\nEF\n"
)


def test_bibtex_is_read_without_its_signs() -> None:
    text = read(BIB, "a.bib").text
    assert text.startswith(
        "Fogs & Ferries – a history (1911)\ntype: book\nauthors: Bo Moss; Ann Low; Jérôme Grün\n"
        "publisher: Oxford Press, London\nnote: He wrote: never again (sic)"
    )
    assert text.endswith("Tides (1912)\ntype: article\njournal: Annals")


def test_a_quote_is_in_its_entry() -> None:
    document = read(BIB, "a.bib")
    chunk = split(document, "d")[0]
    at = chunk.text.index("Annals")
    assert place_of(chunk.places, at, at + 6) == "entry low12"


def test_ris_keeps_every_tag_and_joins_what_goes_on() -> None:
    document = read(RIS, "a.ris")
    assert document.text == (
        "Fogs (1911)\ntype: BOOK\nauthors: Bo Moss; Ann Low\nXY: odd\n\n"
        "Tides\ntype: JOUR\nabstract: They rise and fall."
    )
    assert [line.label for line in document.lines] == ["k7", "2"]


def test_what_the_web_of_science_writes() -> None:
    document = read(WEB_OF_SCIENCE, "savedrecs.ris")
    assert "Fogs and ferries" in document.text
    assert "authors: B Moss; A Low" in document.text
    assert "keywords: SHIPS; FOG" in document.text
    assert [line.label for line in document.lines] == ["WOS:1"]


def test_a_file_without_entries_is_read_as_text() -> None:
    document = read("Only a remark.", "a.bib")
    assert document.text == "Only a remark."
    assert document.warnings == ("no entry of a bibliography: read as plain text",)
