"""Tables, slides, OpenDocument, RTF and subtitles as text; damaged and hostile ones are refused, soon."""

from __future__ import annotations

import time

import pytest

from filigraph.graph.errors import UnreadableDocument
from tests.unit.graph.ingest.test_load import archive, places, read

RELATIONS = '<Relationships><Relationship Id="r1" Target="{}"/></Relationships>'
BOOK = '<workbook xmlns:r="r"><sheets><sheet name="Accès" r:id="r1"/></sheets></workbook>'
STYLES = (
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>'
)
SHEET = (
    '<worksheet><sheetData><row><c r="A1" t="inlineStr"><is><t>Registre</t></is></c></row>'
    '<row><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c></row>'
    '<row><c r="A3" t="inlineStr"><is><t>Élodie</t></is></c><c r="B3" s="1"><v>45123</v></c>'
    '<c r="D3"><v>7</v></c></row>'
    "</sheetData></worksheet>"
)
STRINGS = "<sst><si><t>Nom</t></si><si><r><t>Da</t></r><r><t>te</t></r></si><si><t>Porte</t></si></sst>"
SLIDE = (
    '<sld xmlns:a="a"><a:p><a:r><a:t>La Griffe</a:t></a:r></a:p><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Nom</a:t></a:r></a:p>'
    "</a:tc><a:tc><a:p><a:r><a:t>Rôle</a:t></a:r></a:p></a:tc></a:tr><a:tr><a:tc><a:p><a:r><a:t>Jules</a:t></a:r></a:p>"
    "</a:tc><a:tc><a:p><a:r><a:t>voleur</a:t></a:r></a:p></a:tc></a:tr></a:tbl></sld>"
)
ODT = (
    '<document xmlns:t="t"><body><text><t:h>Chapitre I</t:h><t:p>Jules<t:s/>porte <t:span>une</t:span> bague.'
    "<t:annotation><t:p>non lu</t:p></t:annotation></t:p><t:table><t:table-row>"
    "<t:table-cell><t:p>Nom</t:p></t:table-cell>"
    "<t:table-cell><t:p>Âge</t:p></t:table-cell></t:table-row><t:table-row><t:table-cell><t:p>Jules</t:p></t:table-cell>"
    "<t:table-cell><t:p>30</t:p></t:table-cell></t:table-row></t:table></text></body></document>"
)
OPENDOCUMENT = "application/vnd.oasis.opendocument.text"


def xlsx(sheet: str = SHEET, **more: str) -> bytes:
    members: dict[str, str | bytes] = {
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": RELATIONS.format("worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml": STRINGS,
        "xl/styles.xml": STYLES,
    }
    return archive(members | more)


def pptx(slide: str = SLIDE) -> bytes:
    return archive(
        {
            "ppt/presentation.xml": '<presentation xmlns:r="r"><sldId id="256" r:id="r1"/></presentation>',
            "ppt/_rels/presentation.xml.rels": RELATIONS.format("slides/slide1.xml"),
            "ppt/slides/slide1.xml": slide,
            "ppt/slides/_rels/slide1.xml.rels": RELATIONS.format("../notesSlides/n.xml"),
            "ppt/notesSlides/n.xml": '<n xmlns:a="a"><a:p><a:r><a:t>Paul le sait.</a:t></a:r></a:p></n>',
        }
    )


def odt(content: str = ODT) -> bytes:
    return archive({"mimetype": OPENDOCUMENT, "content.xml": content})


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_rows_stand_under_their_head(mark: str) -> None:
    rows = [["Nom", "Ville", "Rôle"], ["Élodie", "Lyon", "juge | mère"], ["", "", ""], ["Paul", "Évreux", ""]]
    content = "\r\n".join(mark.join(row) for row in rows)
    document = read(content.encode("cp1252"), "noms.tsv" if mark == "\t" else "noms.csv")
    assert document.text == "| Nom | Ville | Rôle |\n| Élodie | Lyon | juge / mère |\n| Paul | Évreux |"
    assert (document.media_type, document.title) == ("text/csv", "noms")


def test_a_long_table_says_its_head_again() -> None:
    text = read("Name,Town\n" + "".join(f"Nora {n},Lyon\n" for n in range(25)), "a.csv").text
    assert text.count("| Name | Town |") == 3
    assert "| Nora 9 | Lyon |\n\n| Name | Town |\n| Nora 10 | Lyon |" in text


def test_a_quote_that_never_ends_is_read_as_text() -> None:
    document = read('Nora,"left' + "x" * 200_000, "a.csv")
    assert document.text.startswith('Nora,"left') and "no table" in document.warnings[0]


def test_a_spreadsheet() -> None:
    document = read(xlsx(), "a.xlsx")
    assert document.text == "Accès\n\nRegistre\n\n| Nom | Date |  | Porte |\n| Élodie | 2023-07-16 |  | 7 |"
    assert places(document) == [("Accès", "Accès")]


def test_a_hidden_sheet_is_not_read() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        read(xlsx(**{"xl/workbook.xml": BOOK.replace("<sheet ", '<sheet state="hidden" ')}), "a.xlsx")


def test_slides_with_their_notes() -> None:
    document = read(pptx(), "a.pptx")
    assert document.text == "La Griffe\n| Nom | Rôle |\n| Jules | voleur |\nPaul le sait."
    assert places(document) == [("1", "La Griffe")]


def test_an_open_document() -> None:
    document = read(odt(), "a.odt")
    assert document.text == "Chapitre I\n\nJules porte une bague.\n\n| Nom | Âge |\n| Jules | 30 |"
    assert places(document) == [("Chapitre I", "Chapitre I")]


def test_rtf() -> None:
    content = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator Word;}{\pict 89504e47}"
        rb"\'c9lodie porte \u8212?une {\b bague}.\par \u1071? \{x\}\par Nom\cell Ville\cell\row}"
    )
    document = read(content, "a.rtf")
    assert document.text == "Élodie porte —une bague.\nЯ {x}\n| Nom | Ville |"
    assert document.media_type == "application/rtf"


@pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
def test_subtitles(name: str) -> None:
    content = (
        "WEBVTT\n\nNOTE Nobody says this.\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<v Élodie>Jules "
        "<i>porte</i>\n\n"
        "2\n00:00:02,500 --> 00:00:04,000\nune chevalière.\n\n3\n00:01:00.000 --> 00:01:02.000\nQui ?\nLui.\n"
    )
    document = read(content, name)
    assert document.text == "Élodie: Jules porte une chevalière.\nQui ? Lui." and document.warnings == ()
    assert "no times" in read("Jules left.", name).warnings[0]


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "{}">{}]><x>&j;</x>'.format(
    "&a;" * 50,
    "".join(f'<!ENTITY {one} "{f"&{before};" * 50}">' for before, one in zip("bcdefghi", "cdefghij", strict=True)),
)
OUTSIDE = (
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><document><body><text><p>&e;</p></text></body></document>'
)
DEEP = "<document>" + "<p>" * 100_000 + "</p>" * 100_000 + "</document>"


@pytest.mark.parametrize(
    ("content", "name", "cause"),
    [
        (xlsx("<worksheet>"), "a.xlsx", "damaged"),
        (xlsx(SHEET.replace("<v>0</v>", "<v>99</v>")), "a.xlsx", "damaged"),
        (pptx("<sld"), "a.pptx", "damaged"),
        (odt("no xml"), "a.odt", "damaged"),
        (archive({"mimetype": OPENDOCUMENT + "-web", "content.xml": ODT}), "a.odt", "no document that is read"),
        (rb"{\rtf1 Jules {\b porte", "a.rtf", "cut off"),
        (b"a,b\n" * 3_000_000, "a.csv", "more than 5,000,000 cells"),
        (xlsx("<worksheet>" + '<row><c r="XFD1"><v>1</v></c></row>' * 400 + "</worksheet>"), "a.xlsx", "cells"),
        (xlsx(LAUGHS), "a.xlsx", "damaged"),
        (odt(LAUGHS), "a.odt", "damaged"),
        (odt(OUTSIDE), "a.odt", "damaged"),
        (odt(DEEP), "a.odt", "nested without end"),
        (pptx(DEEP), "a.pptx", "nested without end"),
        (xlsx(" " * 11_000_000), "a.xlsx", "attack|limit is 10 MB"),
        (rb"{\rtf1 " + b"{" * 100_000, "a.rtf", "nested without end"),
    ],
)
def test_what_is_refused(content: bytes, name: str, cause: str) -> None:
    begin = time.monotonic()
    with pytest.raises(UnreadableDocument, match=cause) as refused:
        read(content, name)
    assert refused.value.cure and time.monotonic() - begin < 60


def test_a_rich_text_that_says_nothing_for_long_ends_soon() -> None:
    begin = time.monotonic()
    assert read(rb"{\rtf1 Jules\u-4000? " + rb"\bin9999999999 x" + b"\\'zz" * 100_000 + b"}" * 100_000, "a.rtf").text
    assert time.monotonic() - begin < 60
