"""Bibliographies: entries as people read them, complete, each quote in its entry."""

from __future__ import annotations

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import content as loaded
from filigraph.graph.ingest.load.books import bibliographies
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


def test_keys_may_have_brackets_and_blanks_or_be_missing() -> None:
    document = read(
        "@article{10.1016/S0140-6736(20)30183-5, title={Fevers}}\n@book{Moss 1911, title={Fogs}}\n"
        "@book(low(12), title={Tides})\n@misc{title={Winds}, year=1913}\n",
        "a.bib",
    )
    assert document.text.split("\n\n") == [
        "Fevers\ntype: article",
        "Fogs\ntype: book",
        "Tides\ntype: book",
        "Winds (1913)\ntype: misc",
    ]
    labels = [line.label for line in document.lines]
    assert labels == ["10.1016/S0140-6736(20)30183-5", "Moss 1911", "low(12)", "without a key"]
    assert not document.warnings


def test_an_entry_with_an_error_is_read_on_and_named() -> None:
    document = read(
        '@book{moss, note = "a "b" c", year = 1911,\n title = {Fogs}}\n@book{low, title = {Tides}}\n'
        "@book{hale, title = {Winds}, and no more\n@misc{last, title={Rain}}\n@book",
        "a.bib",
    )
    assert "Fogs (1911)" in document.text
    assert "Rain" in document.text
    assert document.warnings == ("not read to their end, an error is in them: moss, hale",)


def test_errors_without_end_cost_no_time() -> None:
    entries = '@a{b, c = "" d, e = "" f}' * 10_000
    assert read(entries, "a.bib").warnings[0].endswith("b and 9,990 more")
    assert read("@book{moss, " + 'c = "" d, ' * 30_000, "a.bib").warnings[0].endswith(": moss")


def test_commands_that_are_words_stay() -> None:
    text = read(
        r"@book{k, title = {The {\LaTeX} Companion, \LaTeX{} and \TeX\ too},"
        r"note = {$\gamma$ rays, {\em not} \textit{x}}}",
        "a.bib",
    ).text
    assert text == "The LaTeX Companion, LaTeX and TeX too\ntype: book\nnote: $gamma$ rays, not x"


def test_addresses_stay_as_they_are_written() -> None:
    text = read(r"@misc{k, url = {\url{https://a.org/~moss/x--y}}, doi = {10.1/a--b\_c}, note={a~b--c}}", "a.bib").text
    assert text.split("\n") == ["type: misc", "url: https://a.org/~moss/x--y", "doi: 10.1/a--b_c", "note: a b–c"]


@pytest.mark.parametrize(
    ("entry", "begun"),
    [
        ("@book{k, title = {Fogs and ferries}}\n", ["Fogs and ferries"]),
        ("@book{k, title = ff # ff # ff}\n", []),
        ("@book{k, title = ff, note = ff, place = ff}\n", []),
    ],
)
def test_nothing_is_held_beyond_what_a_document_may_have(
    entry: str, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaded, "MAX_CHARACTERS", 20)
    seen: list[str] = []

    def plain(value: str, *, is_address: bool) -> str:
        seen.append(value)
        return value

    monkeypatch.setattr(bibliographies, "without_tex", plain)
    with pytest.raises(UnreadableDocument, match="more than"):
        read('@string{ff = "Fogs, fogs"}\n' + entry * 5, "a.bib")
    assert seen == begun


def test_a_line_of_ris_that_goes_on_with_two_capitals_is_no_tag() -> None:
    document = read(
        "TY  - JOUR\nID  - k\nAB  - Much is known:\nER stress is a cause.\nAI is none\nTI  - Cells\nER  -\n", "a.ris"
    )
    assert document.text == "Cells\ntype: JOUR\nabstract: Much is known: ER stress is a cause. AI is none"


def test_a_field_of_many_lines_is_read_in_linear_time() -> None:
    lines = 20_000
    text = "TY  - JOUR\nAB  - It begins\n" + "and goes on and on\n" * lines + "AU  - Moss, Bo\nLow, Ann\nER  - \n"
    written = 0
    for name, values in bibliographies.tagged_fields(text):
        written += sum(map(len, values))
        assert name != "abstract" or len(values) == lines + 1
    assert written <= len(text)
    whole = read(text, "a.ris").text
    assert whole.count("and goes on and on") == lines and "authors: Bo Moss; Ann Low" in whole


def test_the_first_title_and_year_are_the_entrys_and_others_are_kept() -> None:
    document = read(
        "TY  - JOUR\nT1  - Cells\nTI  - Cells\nTI  - Zellen\nPY  - 1911\nY1  - 1911/03/04/\nER  -\n", "a.ris"
    )
    assert document.text == "Cells (1911)\ntitle: Zellen\nyear: 1911/03/04/\ntype: JOUR"
