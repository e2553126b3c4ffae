"""Tables, slides, OpenDocument, RTF and subtitles as text; damaged and hostile files are refused quickly."""

from __future__ import annotations

import re
import shutil
import struct
import tracemalloc
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.ingest.load.office.office_extras import chart_text
from filigraph.graph.ingest.load.pdf import ocr
from filigraph.graph.ingest.load.tables import tables
from filigraph.graph.model.documents import Source
from tests.unit.graph.ingest.loading import archive, compound_file, pdf, places, read

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


def pptx(slide: str = SLIDE, **more: str) -> bytes:
    return archive(
        {
            "ppt/presentation.xml": '<presentation xmlns:r="r"><sldId id="256" r:id="r1"/></presentation>',
            "ppt/_rels/presentation.xml.rels": RELATIONS.format("slides/slide1.xml"),
            "ppt/slides/slide1.xml": slide,
            "ppt/slides/_rels/slide1.xml.rels": RELATIONS.format("../notesSlides/n.xml"),
            "ppt/notesSlides/n.xml": '<n xmlns:a="a"><a:p><a:r><a:t>Paul le sait.</a:t></a:r></a:p></n>',
            **more,
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


def test_a_merged_cell_belongs_to_each_of_its_rows() -> None:
    def cells(row: int, *words: str) -> str:
        inside = (
            f'<c r="{"AB"[n]}{row}" t="inlineStr"><is><t>{word}</t></is></c>' for n, word in enumerate(words) if word
        )
        return f'<row r="{row}">{"".join(inside)}</row>'

    rows = cells(1, "Ship", "Sailor") + cells(2, "Petrel", "Otto") + cells(3, "", "Luc") + cells(4, "", "Max")
    sheet = f'<worksheet><sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>'
    text = read(xlsx(sheet), "a.xlsx").text
    assert text.endswith("| Ship | Sailor |\n| Petrel | Otto |\n| Petrel | Luc |\n|  | Max |")
    empty = sheet.replace("</mergeCells>", '<mergeCell ref="A4:A5"/></mergeCells>')
    assert read(xlsx(empty), "a.xlsx").text == text


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


def test_a_hidden_sheet_beside_others_is_said_to_be_left_out() -> None:
    sheets = '<sheet name="Accès" r:id="r1"/><sheet name="Brouillon" state="hidden" r:id="r1"/>'
    document = read(
        xlsx(**{"xl/workbook.xml": f'<workbook xmlns:r="r"><sheets>{sheets}</sheets></workbook>'}), "a.xlsx"
    )
    assert document.warnings == ("left out, as no part of the text: the hidden sheet “Brouillon”",)


def test_comments_of_cells_say_who_wrote_them() -> None:
    notes = (
        "<comments><authors><author>Ann Low</author><author>tc={7}</author></authors><commentList>"
        '<comment ref="B3" authorId="0"><text><r><t>Wrong day.</t></r></text></comment>'
        '<comment ref="D3" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>'
    )
    thread = (
        '<T><threadedComment ref="D3" dT="2024-05-06T07:08:09" personId="p"><text>Seven?</text></threadedComment></T>'
    )
    links = "".join(
        f'<Relationship Id="r{n}" Target="../{name}"/>'
        for n, name in enumerate(("comments1.xml", "threadedComments/t.xml", "comments1.xml", "threadedComments/t.xml"))
    )
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": f"<Relationships>{links}</Relationships>",
        "xl/comments1.xml": notes,
        "xl/threadedComments/t.xml": thread,
        "xl/persons/_rels/person.xml.rels": "no XML",
        "xl/persons/person.xml": '<personList><person displayName="Bo Moss" id="p"/></personList>',
    }
    text = read(xlsx(**parts), "a.xlsx").text
    assert text.count("Ann Low: Comment on B3: Wrong day.") == 1
    assert text.count("[2024-05-06] Bo Moss: Comment on D3: Seven?") == 1
    assert "Threaded" not in text


def test_a_slide_has_its_comments_and_the_numbers_of_its_charts() -> None:
    series = (
        "<ser><tx><v>Boats</v></tx><cat><pt><v>1911</v></pt><pt><v>1912</v></pt></cat>"
        "<val><pt><v>7</v></pt><pt><v>9</v></pt></val></ser>"
    )
    links = "".join(
        f'<Relationship Id="r{n}" Target="../{name}"/>' for n, name in enumerate(("charts/c.xml", "comments/k.xml") * 2)
    )
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": f"<Relationships>{links}</Relationships>",
        "ppt/charts/c.xml": f"<chart><title><t>Harbour</t></title>{series}</chart>",
        "ppt/comments/k.xml": '<cmLst><cm authorId="0" dt="2026-01-02T00:00:00"><text>Sure?</text></cm></cmLst>',
        "ppt/commentAuthors.xml": '<l><cmAuthor id="0" name="Ann Low"/></l>',
    }
    text = read(pptx(**parts), "a.pptx").text
    assert text.count("Harbour\n| # | Boats |\n| 1911 | 7 |\n| 1912 | 9 |") == 1
    assert text.count("[2026-01-02] Ann Low: Comment: Sure?") == 1


def test_a_chart_with_more_cells_than_a_table_may_have_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_CELLS", 10_000)
    series = ElementTree.fromstring(f"<c><ser><val>{'<v>1</v>' * 2_000}</val></ser>{'<ser/>' * 2_000}</c>")
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableDocument, match="cells"):
            chart_text(series)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_a_cell_of_an_open_document_has_its_lists_and_tables_once() -> None:
    inner = "<t:table><t:table-row><t:table-cell><t:p>inner</t:p></t:table-cell></t:table-row></t:table>"
    list_ = "<t:list><t:list-item><t:p>rope</t:p></t:list-item></t:list>"
    cell = f"<t:table-cell><t:p>Gear</t:p>{list_}{inner}</t:table-cell>"
    table = f"<t:table><t:table-row>{cell}<t:table-cell><t:p>B</t:p></t:table-cell></t:table-row></t:table>"
    document = read(odt(f'<document xmlns:t="t"><body><text>{table}</text></body></document>'), "a.odt")
    assert document.text == "| Gear rope inner | B |"


def test_slides_with_their_notes() -> None:
    document = read(pptx(), "a.pptx")
    assert document.text == "La Griffe\n| Nom | Rôle |\n| Jules | voleur |\nPaul le sait."
    assert places(document) == [("1", "La Griffe")]


def test_an_open_document() -> None:
    document = read(odt(), "a.odt")
    assert document.text == "Chapitre I\n\nJules porte une bague.\n\n| Nom | Âge |\n| Jules | 30 |"
    assert places(document) == [("Chapitre I", "Chapitre I")]


def test_notes_of_an_open_document_stand_after_their_paragraph() -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>Née <text:span>Blanche</text:span></text:p><text:p>Corday.</text:p></text:note-body></text:note>"
    )
    raised = '<text:span text:style-name="T1">{}</text:span>'
    style = '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>'
    lost = "<text:tracked-changes><text:deletion><text:p>Perdu.</text:p></text:deletion></text:tracked-changes>"
    written = f"10 m{raised.format(2)} le 1{raised.format('er')} mai, dit Ashby{raised.format(12)}."
    names = " ".join(f'xmlns:{name}="urn:{name}"' for name in ("office", "text", "style"))
    content = (
        f"<office:document-content {names}>{style}<office:body><office:text>{lost}"
        f"<text:p>Madame Varenne{note} dort.</text:p><text:p>{written}</text:p>"
        "</office:text></office:body></office:document-content>"
    )
    document = read(odt(content), "a.odt")
    assert document.text.split("\n\n") == [
        "Madame Varenne dort.",
        "[1] Née Blanche Corday.",
        "10 m² le 1er mai, dit Ashby.",
    ]


def test_rtf() -> None:
    content = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator Word;}{\pict 89504e47}"
        rb"\'c9lodie porte \u8212?une {\b bague}.\par \u1071? \{x\}\par Nom\cell Ville\cell\row}"
    )
    document = read(content, "a.rtf")
    assert document.text == "Élodie porte —une bague.\n\nЯ {x}\n\n| Nom | Ville |"
    assert document.media_type == "application/rtf"


CYRILLIC = (
    r"{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fswiss\fcharset204{\*\panose 020b}Arial CYR;}{\f2\fcharset128 M;}}"
)


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (r"\ansi\ansicpg1251\deff0" + CYRILLIC + r"\f1 \'dd\'eb\'ee\'e4\'e8 {\f0 \'c9lodie} \'ff", "Элоди Élodie я"),
        (r"\ansi\deff1" + CYRILLIC + r"\'ff\plain\f0\'e9\plain\'ff", "яéя"),
        (r"\ansi" + CYRILLIC + r"{\f2 \'8ew\'97\'d6}", "指輪"),
        (r"\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 Arial;}}\f0 \'ff", "я"),
        (r"\mac{\fonttbl{\f0 Geneva;}}\'83lodie", "Élodie"),
        (r"\ansi\ansicpg10000 \'83lodie", "Élodie"),
        (r"\pca \'82t\'82", "été"),
        (r"{\fonttbl\f0\fcharset77 Geneva;}\f0 \'83lodie", "Élodie"),
        (r"\ansi\ansicpg65001 \'c3\'89lodie", "Élodie"),
        (r"\ansi\ansicpg0 \'c9lodie", "Élodie"),
        (r"Anne\_Marie ware\-house\~a \deleted no\deleted0 ", "Anne-Marie warehouse a"),
        ("Jules.\\\nSophie.\\\r\nPaul.", "Jules.\nSophie.\nPaul."),
    ],
)
def test_rtf_is_in_the_encoding_of_its_fonts(rtf: str, text: str) -> None:
    document = read(b"{\\rtf1" + rtf.encode() + b"}", "a.rtf")
    assert document.text.replace("\u00a0", " ").rstrip() == text and document.warnings == ()


def test_a_table_in_a_cell_of_an_rtf_file_keeps_its_cells() -> None:
    row = r"{Nom}\nestcell{Ville}\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}"
    assert read(rf"{{\rtf1 Avant.\par {row}\cell\row}}".encode(), "a.rtf").text.split("\n")[2] == "| Nom | Ville |"


def test_the_rows_of_a_table_in_a_cell_of_an_rtf_file_are_lines() -> None:
    rows = "".join(
        rf"{{{name}}}\nestcell{{{town}}}\nestcell{{\*\nesttableprops\trowd\nestrow}}{{\nonesttables\par}}"
        for name, town in (("Ann", "Kiel"), ("Bo", "Brest"))
    )
    assert read(rf"{{\rtf1 {rows}\cell\row}}".encode(), "a.rtf").text.startswith("| Ann | Kiel |\n| Bo | Brest |")


def test_bytes_of_an_rtf_file_that_are_no_letters_are_named() -> None:
    document = read(rb"{\rtf1\ansi Jules \'81 porte \'9d une bague.}", "a.rtf")
    assert document.text == "Jules \ufffd porte \ufffd une bague."
    assert document.warnings == ("what could not be read is marked \ufffd (0x81 in cp1252)",)


def test_notes_of_an_rtf_file_stand_after_their_paragraph() -> None:
    auto = r"{\super\chftn{\footnote\pard\plain{\super\chftn} N\'e9e {\i Blanche} Corday.\par}}"
    own = r"{\super 2}{\*\footnote no}{\super *{\footnote{\super *} Sourd.}}"
    rtf = rf"Madame Varenne{auto} dort.\par Ashby{own} sort de 10 m{{\super 2}} le 1{{\super er}} mai.\par Fin."
    document = read(rf"{{\rtf1\ansi {rtf}}}".encode(), "a.rtf")
    assert document.text.split("\n\n") == [
        "Madame Varenne dort.",
        "[1] Née Blanche Corday.",
        "Ashby sort de 10 m² le 1er mai.",
        "[2] Sourd.",
        "Fin.",
    ]


@pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
def test_subtitles(name: str) -> None:
    content = (
        "WEBVTT\n\nNOTE Nobody says this.\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<v Élodie>Jules "
        "<i>porte</i>\n\n"
        "2\n00:00:02,500 --> 00:00:04,000\n<v Élodie>une chevalière.\n\n3\n00:01:00.000 --> 00:01:02.000\nQui ?\nLui.\n"
    )
    document = read(content, name)
    assert document.text == "[00:00:01] Élodie: Jules porte une chevalière.\nQui ? Lui."
    assert document.warnings == ("left out, as no part of the text: remarks of who made the subtitles: 1",)
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
        (archive({"mimetype": OPENDOCUMENT + "-web", "content.xml": ODT}), "a.odt", "not a supported document"),
        (rb"{\rtf1 Jules {\b porte", "a.rtf", "cut off"),
        ((b"," * 4999 + b"\n") * 1001, "a.csv", "more than 5,000,000 cells"),
        (xlsx("<worksheet>" + '<row><c r="XFD1"><v>1</v></c></row>' * 400 + "</worksheet>"), "a.xlsx", "cells"),
        (xlsx(LAUGHS), "a.xlsx", "damaged"),
        (odt(LAUGHS), "a.odt", "damaged"),
        (odt(OUTSIDE), "a.odt", "damaged"),
        (odt(DEEP), "a.odt", "nested without end"),
        (pptx(DEEP), "a.pptx", "nested without end"),
        (xlsx(" " * 11_000_000), "a.xlsx", "attack|limit is 10 MB"),
        (rb"{\rtf1 " + b"{" * 100_000, "a.rtf", "nested too deeply"),
    ],
)
def test_what_is_refused(content: bytes, name: str, cause: str) -> None:
    with pytest.raises(UnreadableDocument, match=cause) as refused:
        read(content, name)
    assert refused.value.cure


def test_a_rich_text_that_says_nothing_for_long_ends_soon() -> None:
    assert read(rb"{\rtf1 Jules\u-4000? " + rb"\bin9999999999 x" + b"\\'zz" * 100_000 + b"}" * 100_000, "a.rtf").text


# --------------------------------------------------------------------------------------------------------------------
# Outlook's mail


def outlook(**values: str) -> bytes:
    """A .msg: a compound file (MS-CFB) with a stream for each property, and one recipient."""
    tags = {"kind": "001A", "subject": "0037", "body": "1000", "name": "0C1A", "email": "0C1F"}
    properties = bytes(8) + struct.pack("<4I", 1, 0, 1, 0) + bytes(8)
    sent = int((datetime(1912, 3, 4, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
    properties += struct.pack("<IIQ", 0x00390040, 6, sent)
    properties += b"".join(struct.pack("<IIQ", int(f"{tags[key]}001F", 16), 6, 0) for key in values)
    streams = [("__properties_version1.0", properties)]
    streams += [(f"__substg1.0_{tags[key]}001F", value.encode("utf-16-le")) for key, value in values.items()]
    recipient = [("__properties_version1.0", bytes(8) + struct.pack("<IIQ", 0x3001001F, 6, 0))]
    recipient += [("__substg1.0_3001001F", "Élodie".encode("utf-16-le"))]
    return compound_file(streams, "__recip_version1.0_#00000000", recipient)


MAIL = {"kind": "IPM.Note", "subject": "La bague", "body": "Jules porte la bague.", "name": "Paul", "email": "p@x.fr"}


def test_a_mail_of_outlook_is_read_as_any_mail() -> None:
    document = read(outlook(**MAIL), "a.msg")
    head = 'From: "Paul" <p@x.fr>\nTo: Élodie\nDate: 1912-03-04T00:00:00+00:00\nSubject: La bague'
    assert document.text == f"{head}\n\nJules porte la bague."
    assert (document.title, document.metadata["date"]) == ("La bague", "1912-03-04")
    assert document.media_type == "application/vnd.ms-outlook"


def test_other_and_damaged_files_of_the_old_office_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="old Office"):
        read(outlook(**MAIL | {"kind": "Excel.Sheet"}), "a.xls")
    whole = outlook(**MAIL)
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(whole[:700], "a.msg")
    for cut in range(8, len(whole), 97):  # a file without its end may still hold its text; nothing else may happen
        with suppress(UnreadableDocument):
            assert "From" in read(whole[:cut], "a.msg").text


# --------------------------------------------------------------------------------------------------------------------
# Pictures of text

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(99)
PROGRAM = """#!/bin/sh
case "$1" in
--list-langs) printf 'List of available languages (2):\\nfra\\nosd\\n' ;;
*) head -c 2 | grep -q P5 && echo "Jules porte la bague ($4)." || { echo damaged >&2; exit 1; } ;;
esac
"""


@pytest.fixture
def tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of that name that takes every PNM for the same sentence, and nothing else for a picture."""
    program = tmp_path / "tesseract"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.mark.usefixtures("tesseract")
def test_pages_without_text_are_read_by_ocr_and_said_to_be() -> None:
    document = read(pdf(["Paul sait.", ""]), "a.pdf")
    assert document.text == "Paul sait.\n\nJules porte la bague (fra)."
    assert document.warnings == ("page 2 is read by OCR (fra)",)
    assert places(document) == [("1", "Paul sait."), ("2", "Jules porte la bague (fra).")]
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(PICTURE, "a.png")


def test_without_ocr_a_picture_is_refused_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "installed_languages", lambda: ())
    with pytest.raises(UnreadableDocument, match="PNG image, and no OCR") as refused:
        read(PICTURE, "a.png")
    assert "tesseract" in refused.value.cure


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_the_real_tesseract_reads_a_drawn_page() -> None:
    from filigraph.graph.ingest.load.pdf.pdf import render_page

    picture = render_page(pdf(["Paul has the ring."]), 0)
    assert ocr.text_of_picture(picture, "eng") == "Paul has the ring."


def test_two_rows_of_heads_are_one() -> None:
    heads = "<tr><th rowspan=2>Town<th colspan=2>Mayor<th rowspan=2>Seat</tr><tr><th>1912<th>1920</tr>"
    table = (
        f"<table>{heads}<tr><td>Colmar<td>Blum<td>Macker<td>Hall</tr><tr><td>Thann<td>Roe<td>Blum<td>Inn</tr></table>"
    )
    lines = read(f"<html><body>{table}</body></html>", "a.html").text.splitlines()
    assert lines[0] == "| Town | Mayor 1912 | Mayor 1920 | Seat |"
    assert lines[-1] == "| Thann | Roe | Blum | Inn |"


def test_tables_of_html_are_lines_of_cells_unless_they_lay_out_a_page() -> None:
    table = (
        "<table><tr><th>Name<th>Born</tr><tr><td rowspan=2>Delmas, Jules<td>1871</tr><tr><td><p>1872</p></tr></table>"
    )
    page = f"<table><tr><td>Menu<td>{'Long text. ' * 60}</tr><tr><td>a<td>b</tr></table>"
    text = read(f"<p>List</p>{table}<p>End</p>{page}", "a.html").text
    assert text.startswith(
        "List\n\n| Name | Born |\n| Delmas, Jules | 1871 |\n| Delmas, Jules | 1872 |\n\nEnd\n\nMenu Long"
    )


def test_captions_that_roll_say_each_line_once() -> None:
    cue = "00:00:0{}.000 --> 00:00:0{}.000 align:start\n"
    lines = ["Martha<00:00:00.500><c> Quill</c>", "unlocked the iron door.", "Doctor Sayer saw her.", "She left."]
    bare = "Martha Quill"
    text = f"WEBVTT\nKind: captions\n\n{cue.format(0, 1)} \n{lines[0]}\n\n{cue.format(1, 2)}{bare}\n{lines[1]}\n\n"
    text += f"{cue.format(2, 3)}{lines[1]}\n{lines[2]}\n\n{cue.format(3, 4)}{lines[2]}\n{lines[3]}\n"
    film = read(text, "auto.vtt")
    assert film.text == "Martha Quill unlocked the iron door.\nDoctor Sayer saw her.\nShe left."
    assert [place.label for place in film.lines] == ["00:00:00", "00:00:01", "00:00:02", "00:00:03"]
    again = "1\n00:00:01,000 --> 00:00:02,000\nNo.\n\n2\n00:00:03,000 --> 00:00:04,000\nNo.\n\n"
    again += "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},500\nYes {n}.\n\n" for n in range(4, 9))
    assert read(again, "film.srt").text.startswith("No.\nNo.\nYes 4.")


def test_subtitles_of_substation_alpha_are_their_dialogue() -> None:
    events = (
        "[Events]\nFormat: Layer, Start, End, Style, Name, Effect, Text\n"
        "Dialogue: 0,0:00:04.00,0:00:05.00,Default,Bo,,{\\i1}I paid, in gold.{\\i0}\n"
        "Dialogue: 0,0:00:01.00,0:00:03.00,Default,Ada Finch,,I sold\\Nthe boat.\nComment: 0,0:00:09.00,,,,,x\n"
    )
    film = read(f"[Script Info]\nTitle: x\n\n[V4+ Styles]\nStyle: Default,Arial\n\n{events}", "film.ass")
    assert film.text == "[0:00:01] Ada Finch: I sold the boat.\n[0:00:04] Bo: I paid, in gold."
    assert [place.label for place in film.lines] == ["0:00:01", "0:00:04"]


def test_a_page_that_a_browser_saved_with_its_pictures_is_the_page() -> None:
    head = (
        "From: <Saved by Blink>\nSubject: Mill sold\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=B\n\n"
    )
    parts = "--B\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>Lena=\n Voss came.</p>"
    page = read(f"{head}{parts}\n--B\nContent-Type: text/css\n\nbody {{}}\n--B--\n", "page.mhtml")
    assert (page.text, page.title, page.warnings) == ("Lena Voss came.", "Mill sold", ())
    framed = read(f"{head}{parts}\n--B\nContent-Type: text/html\n\n<p>Bo left.</p>\n--B--\n", "page.mhtml")
    assert framed.warnings == ("left out, as no part of the text: pages within the page: 1",)


def test_an_rtf_file_has_the_title_and_author_that_it_names() -> None:
    letter = read(rb"{\rtf1\ansi{\info{\title The M\'ecll}{\author Ed Hale}{\company X}}\pard Lena came.\par}", "a.rtf")
    assert (letter.text, letter.title, letter.metadata) == ("Lena came.", "The Mìll", {"author": "Ed Hale"})


def test_the_files_of_an_archive_are_documents() -> None:
    members: dict[str, str | bytes] = {"in/été.txt": "Lena came.", "../b.csv": "Name,Born\nMina Roe,1871\nBo,1872\n"}
    members |= {
        "__MACOSX/in/._a.txt": "x",
        "in/.DS_Store": "x",
        "mails.mbox": "From - \nFrom: Bo <b@x.test>\n\nI left.\n",
    }
    found, problems = documents_in(Source(name="case.zip", content=archive(members)))
    assert [one.name for one in found] == ["case.zip/in/été.txt", "case.zip/b.csv", "case.zip/mails.mbox/1.eml"]
    assert not problems
    (broken,), _ = documents_in(Source(name="case.zip", content=b"PK\x03\x04" + b"x" * 99))
    with pytest.raises(UnreadableDocument, match="broken archive"):
        load(broken)
    (sheet,), _ = documents_in(Source(name="sheet.zip", content=archive({"mimetype": "x", "content.xml": "<a/>"})))
    assert sheet.name == "sheet.zip"


def test_a_member_that_cannot_be_unpacked_costs_only_itself() -> None:
    whole = archive({"a.txt": "Lena came.", "b.txt": "Bo left.", "c.txt": "Mina rose."})
    second, third = (at.start() for at in list(re.finditer(b"PK\x01\x02", whole))[1:])
    damaged = bytearray(whole)
    damaged[second + 8] |= 1  # encrypted
    damaged[third + 16] ^= 1  # another checksum
    found, problems = documents_in(Source(name="case.zip", content=bytes(damaged)))
    assert [one.name for one in found] == ["case.zip/a.txt"]
    assert problems[0] == "case.zip: b.txt is not read: it is encrypted"
    assert problems[1].startswith("case.zip: c.txt cannot be unpacked (BadZipFile: Bad CRC-32")


def test_a_file_that_breaks_its_reader_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def chats_in(_: str) -> list[tuple[str, str]]:
        raise RecursionError("too deep")

    monkeypatch.setattr("filigraph.graph.ingest.load.unpack.chats_in", chats_in)
    found, problems = documents_in(Source(name="a.zip", content=archive({"a.json": "{}", "b.txt": "Bo left."})))
    assert [one.name for one in found] == ["a.zip/a.json", "a.zip/b.txt"]
    assert problems == ["a.zip/a.json: what is in it cannot be read (RecursionError: too deep)"]


def test_drawings_of_subtitles_are_no_words() -> None:
    film = read(
        "[Script Info]\n[Events]\nFormat: Start, End, Name, Text\n"
        r"Dialogue: 0:00:01.00,0:00:02.00,,{\an7\p1}m 0 0 l 100 0 100 100{\p0}Lena came."
        "\n"
        r"Dialogue: 0:00:03.00,0:00:04.00,,{\pos(1,2)}Bo left."
        "\n"
        r"Dialogue: 0:00:05.00,0:00:06.00,,{\p2}m 0 0 l 5 5"
        "\n",
        "film.ass",
    )
    assert film.text == "Lena came.\nBo left."


def test_rows_within_an_archive_are_documents() -> None:
    rows = '{"id": "1", "title": "Sale", "text": "Lena came."}\n{"id": 2, "text": ""}\n'
    content = archive({"a.jsonl": rows, "b/a.jsonl": rows, "log.jsonl": '{"level": "info"}\n'})
    found, problems = documents_in(Source(name="x.zip", content=content))
    assert [one.name for one in found] == ["x.zip/a.jsonl/1", "x.zip/b/a.jsonl/1", "x.zip/log.jsonl"]
    assert load(found[0]).title == "Sale"
    assert problems == [f"x.zip/{name}.jsonl, line 2: no text" for name in ("a", "b/a")]


def test_subtitles_for_the_deaf_name_who_speaks() -> None:
    cues = "1\n00:00:01,000 --> 00:00:03,000\n<i>ANA: I met Paul</i>\n\n2\n00:00:03,000 --> 00:00:05,000\nin Lyon.\n\n"
    document = read(cues + "3\n00:01:00,000 --> 00:01:02,000\n- KARL: I left.\n", "film.srt")
    assert document.text == "[00:00:01] ANA: I met Paul in Lyon.\n[00:01:00] KARL: I left."


@pytest.mark.parametrize("who", ["АННА", "ŁUKASZ", "ΆΝΝΑ", "Anna", "安娜"])
def test_speakers_are_named_in_the_capitals_of_any_script(who: str) -> None:
    cues = f"1\n00:00:01,000 --> 00:00:03,000\n{who}: Yes.\n\n2\n00:01:00,000 --> 00:01:02,000\n{who}: No.\n"
    begin = "" if not who.isupper() else "[00:00:01] "
    assert read(cues, "film.srt").text.startswith(f"{begin}{who}: Yes.")


def test_an_arrow_in_what_is_said_is_no_time() -> None:
    cues = "1\n00:00:01,000 --> 00:00:03,000\nThe route was Paris --> Lyon\nand 5 --> 6.\n"
    assert read(cues, "a.srt").text == "The route was Paris --> Lyon and 5 --> 6."


def test_cues_without_blank_lines_between_them_and_those_without_times() -> None:
    again = "WEBVTT\n\n00:01.000 --> 00:02.000\nAna left.\n00:03.000 --> 00:1d.000\nPaul came.\n"
    assert read(again, "a.vtt").text == "Ana left.\nPaul came."
    assert read(
        "1\n00:00:01,000 --> 00:00:02,000\nAna left.\n2\n00:00:02,000 --> 00:00:03,000\nPaul came.", "a.srt"
    ).text == ("Ana left.\nPaul came.")
    assert read("1\nAna left.", "a.srt").text == "Ana left."
    assert read("0:00:00.378,0:00:11.378\nAna left.\n", "a.sbv").text == "Ana left."


@pytest.mark.parametrize(
    ("stream", "cause"),
    [("EncryptedPackage", "password"), ("PowerPoint Document", r"\.ppt")],
)
def test_files_of_the_old_office_are_named(stream: str, cause: str) -> None:
    with pytest.raises(UnreadableDocument, match=cause):
        read(compound_file([(stream, b"x" * 600)], "folder", []), "a.xls")


@pytest.mark.parametrize("word", ["Workbook", "PowerPoint Document", "WordDocument"])
def test_a_mail_of_outlook_that_names_another_file_is_a_mail(word: str) -> None:
    assert f"the {word} is attached" in read(outlook(**MAIL | {"body": f"Paul, the {word} is attached."}), "a.msg").text


def test_a_word_in_a_file_of_the_old_office_is_not_its_kind() -> None:
    with pytest.raises(UnreadableDocument) as error:
        read(compound_file([("Contents", "the Workbook of Ann".encode("utf-16-le"))], "folder", []), "a.bin")
    assert "Excel" not in str(error.value)


@pytest.mark.parametrize("signs", [" ", "\t", "\n", "[", "(", "*", "=", "-", "_", "a", '"', "a_", "[a", "\n "])
def test_signs_repeated_without_end_are_read_at_once(signs: str) -> None:
    for name in ("a.txt", "a.md", "a.vtt", "a.adoc"):
        read(f"Jules {signs * (100_000 // len(signs))} left.", name)


def test_many_cues_are_read_at_once() -> None:
    document = read("".join(f"{n}\n00:00:01,000 --> 00:00:02,000\nword {n} and on\n\n" for n in range(20_000)), "a.srt")
    assert document.text.endswith("word 19999 and on")


def test_excels_own_line_names_the_separator() -> None:
    assert read("sep=;\r\nName;Sum\r\nAnn;1,5\r\n", "a.csv").text == "| Name | Sum |\n| Ann | 1,5 |"


def test_a_cell_over_several_rows_makes_a_table_of_data() -> None:
    cells = "<tr><td rowspan=3>12 Mill Lane</td><td>Pell, George</td></tr>"
    cells += "<tr><td>Pell, Ruth</td></tr><tr><td>Pell, Ada</td></tr>"
    page = f"<html><body><table><tr><th>House</th><th>Name</th></tr>{cells}</table></body></html>"
    assert "| 12 Mill Lane | Pell, Ada |" in read(page, "a.html").text


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"ITSF\x03\0\0\0" + bytes(600), "help file"),
        (b"\0\1\0\0Standard Jet DB\0" + bytes(600), "Access"),
        (b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" + bytes(600), "S/MIME"),
        (archive({"xl/workbook.bin": "x"}), ".xlsb"),
        (archive({"Index/Document.iwa": "x"}), "Pages, Numbers or Keynote"),
    ],
)
def test_files_of_other_programs_are_named(content: bytes, what: str) -> None:
    with pytest.raises(UnreadableDocument, match=what):
        read(content, "a.bin")


def test_text_boxes_and_diagrams_of_a_sheet_are_read() -> None:
    parts = {
        "xl/workbook.xml": '<workbook><sheets><sheet name="A" id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<R><Relationship Id="r1" Target="worksheets/s.xml"/></R>',
        "xl/worksheets/s.xml": "<worksheet><sheetData/></worksheet>",
        "xl/worksheets/_rels/s.xml.rels": '<R><Relationship Id="d" Target="../drawings/d.xml"/></R>',
        "xl/drawings/d.xml": "<wsDr><sp><txBody><p><r><t>Ann left.</t></r></p></txBody></sp></wsDr>",
        "xl/drawings/_rels/d.xml.rels": '<R><Relationship Id="g" Target="../diagrams/data1.xml"/></R>',
        "xl/diagrams/data1.xml": "<dataModel><pt><t><p><r><t>Ben came.</t></r></p></t></pt></dataModel>",
    }
    text = read(archive(parts), "a.xlsx").text
    assert "Ann left." in text and "Ben came." in text
