"""Every kind of file becomes text with its places; every bad file is refused with its cause and its cure."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import unicodedata
from collections.abc import Callable
from email.message import EmailMessage

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import documents_in, load
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.office import word as word_files
from filigraph.graph.ingest.load.pdf import ocr
from filigraph.graph.ingest.load.unpack import Documents
from filigraph.graph.model.documents import Source
from tests.unit.graph.ingest.loading import archive, pdf, places, read

FRENCH = "Sophie a été aimée à Noël ; « ça » l’agaçait. Œuvre – cœur… L’été, à Évreux, où Jules portait sa chevalière."


# ---------------------------------------------------------------------------------------------------------- plain text


def test_plain_text() -> None:
    document = read("Jules porte une chevalière.\r\nElle est à lui.\rFin.", "lettres/Lettre_à Sophie.txt")
    assert document.text == "Jules porte une chevalière.\nElle est à lui.\nFin."
    assert document.title == "Lettre à Sophie"
    assert (document.language, document.media_type, document.places, document.warnings) == ("fr", "text/plain", (), ())
    assert (
        document.sha256 == hashlib.sha256("Jules porte une chevalière.\r\nElle est à lui.\rFin.".encode()).hexdigest()
    )


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"], ids=str
)
def test_french_in_every_encoding(encoding: str) -> None:
    assert read(FRENCH.encode(encoding)).text == FRENCH


@pytest.mark.parametrize(
    "text", ["L'été.", "Où ?", "DÉPÔT GÉNÉRAL", "Inventaire : 1 bague, 2 clés", "é", "Noël à Évreux"]
)
def test_short_french_in_windows_1252(text: str) -> None:
    document = read(text.encode("cp1252"))
    assert document.text == text
    assert document.warnings == ("not UTF-8: read as cp1252",)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Der König trägt einen Ring. Größe, Füße, schön.", "latin-1"),
        ("Кто такой Жюль? Он носит перстень с печатью. Это эмблема общества воров.", "cp1251"),
        ("Кто такой Жюль? Он носит перстень с печатью. Это эмблема общества воров.", "koi8_r"),
        ("Он носит перстень с печатью общества воров.", "utf-16-le"),
        ("ジュールは指輪をしている。それは盗賊団の紋章だ。", "cp932"),
        ("朱尔戴着一枚戒指。这是盗贼团的徽章。", "gb18030"),
        ("쥘은 반지를 끼고 있다. 도적단의 상징이다.", "euc_kr"),
        ("Ποιος είναι ο κλέφτης; Ο Ζυλ φοράει δαχτυλίδι.", "cp1253"),
    ],
)
def test_other_encodings(text: str, encoding: str) -> None:
    assert read(text.encode(encoding)).text == text


def test_a_declared_encoding_is_believed_where_it_fits() -> None:
    polish = "Zażółć gęślą jaźń"
    assert read(polish.encode("iso-8859-2"), media_type="text/plain; charset=iso-8859-2").text == polish
    assert read(FRENCH.encode(), media_type="text/plain; charset=iso-8859-2").text == FRENCH


def test_damaged_utf8_stays_utf8() -> None:
    document = read((FRENCH * 3).encode() + b"\xe9 fin")
    assert document.text == FRENCH * 3 + "\ufffd fin"
    assert "broken utf-8" in document.warnings[0]
    document = read("Hélène connaît Zoé. ".encode() + b"\xff\xfe\x81")
    assert document.text == "Hélène connaît Zoé. \ufffd\ufffd\ufffd"
    assert "0xff at byte 24" in document.warnings[0]


def test_what_cannot_be_seen_does_not_reach_the_text() -> None:
    document = read(
        "Ju\u00adles\u202e porte\x00 une\x07 \ufeffbague\u2028e\u0301te\u0301 \u200b👨\u200d👩 می\u200cخواهم"
    )
    assert document.text == "Jules porte  une  bague\nété 👨\u200d👩 می\u200cخواهم"


@given(st.text(min_size=1))
def test_any_text_loads_or_is_refused(text: str) -> None:
    try:
        document = read(text.encode("utf-8", "replace"))
    except UnreadableDocument as error:
        assert error.cause
        assert error.cure
    else:
        assert document.text.encode()
        assert not set(document.text) & set("\x00\r\x85\u202e")


@given(st.binary(min_size=1, max_size=2000), st.sampled_from(["a.txt", "a.md", "a.html", "a.eml", "a"]))
def test_any_bytes_load_or_are_refused(content: bytes, name: str) -> None:
    try:
        document = read(content, name)
    except UnreadableDocument as error:
        assert error.cure
    else:
        assert all(0 <= place.start <= len(document.text) for place in document.places)


# ------------------------------------------------------------------------------------------------------------ chapters

BODY = "\n\nIl pleuvait sur la ville, et Jules ne disait rien de la nuit.\n\n"


def test_chapters_of_a_novel() -> None:
    document = read(f"Préface{BODY}Chapitre 1{BODY}Chapitre 2\n{BODY}CHAPITRE III{BODY}Chapitre 4. La bague{BODY}")
    assert [place.label for place in document.places] == ["1", "2", "III", "4. La bague"]
    assert document.text[document.places[1].start :].startswith("Chapitre 2")


def test_chapters_under_titles_and_numerals() -> None:
    contents = "  I. A Scandal\n II. The League\nIII. The Pips\n\n"
    document = read(
        contents + f"ADVENTURE I. A SCANDAL\n\nI.{BODY}II.{BODY}ADVENTURE II. THE LEAGUE{BODY}III. THE PIPS{BODY}"
    )
    assert [place.label for place in document.places] == [
        "ADVENTURE I. A SCANDAL",
        "ADVENTURE II. THE LEAGUE",
        "III. THE PIPS",
    ]


def test_chapters_whose_title_stands_below() -> None:
    document = read(f"CHAPTER I.\nI GO TO STYLES{BODY}CHAPTER II.\n\nTHE INQUEST{BODY}")
    assert [place.label for place in document.places] == ["I. I GO TO STYLES", "II. THE INQUEST"]


def test_a_second_part_that_counts_anew() -> None:
    document = read(f"Chapitre 1{BODY}Chapitre 2{BODY}Chapitre 1{BODY}")
    assert [place.label for place in document.places] == ["1", "2", "1 (2)"]


def test_other_languages() -> None:
    document = read(
        f"Глава первая{BODY}Глава II. Перстень{BODY}第三章 指輪{BODY}Kapitel 4{BODY}Second Part{BODY}Épilogue{BODY}"
    )
    assert [place.label for place in document.places] == [
        "первая",
        "II. Перстень",
        "第三章 指輪",
        "4",
        "Second Part",
        "Épilogue",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Part of the reason\n\nis that chapter 3 was lost.\n\nChapter 3 of it says nothing, and I. is no hint.\n\n",
        "I.\n\nII.\n\nIII.\n\n",  # a list, no chapters
        "Jules.\n\nV.\n\nIl pleut.\n\nX.\n\nFin.",
        "1. une bague\n\n2. une clé\n\n3. un sceau",
        "Livre une lettre.\n\nActe manqué.\n\nPartie hier.",
    ],
)
def test_what_is_no_chapter(text: str) -> None:
    assert read(text).places == ()


def test_bare_numerals_where_nothing_else_divides() -> None:
    body = BODY * 5
    assert [place.label for place in read(f"I{body}II{body}III{body}").places] == ["I", "II", "III"]


def test_markdown() -> None:
    code = "````\n```\n# no heading\n```\n````"
    document = read(f"# L'affaire *Delmas*{BODY}## La bague{BODY}{code}\n\n### Détail{BODY}## Le vol ##{BODY}", "a.md")
    assert document.title == "L'affaire Delmas"
    assert places(document) == [("La bague", "## La bague"), ("Détail", "### Détail"), ("Le vol", "## Le vol ##")]
    assert document.media_type == "text/markdown"


def test_markdown_is_read_as_what_its_signs_show() -> None:
    written = (
        "Ann *sold* the ___Heron___ to **Bo**. [Nora](http://x.test/a_b) `met_him` in ![Lyon](l.png).[^1]<!-- no -->\n"
        "\n\\*Not so\\* snake_case 2*3*4\n\n```\n*code*\n```\n\n[^1]: A _note_.\n\n* one\n* two\n\n[x]: http://x.test"
    )
    assert read(written, "a.md").text.rstrip() == (
        "Ann sold the Heron to Bo. Nora met_him in Lyon.\n"
        "\n*Not so* snake_case 2*3*4\n\n```\n*code*\n```\n\n[1] A note.\n\n* one\n* two"
    )


def test_comments_in_code_and_comments_without_an_end_stay() -> None:
    assert read("Ann <!-- a\nb -->left.\n\n```\n<!-- code -->\n```\n\n<!-- Bo *came*.", "a.md").text == (
        "Ann left.\n\n```\n<!-- code -->\n```\n\n<!-- Bo came."
    )
    assert len(read("<!--a" * 200_000, "a.md").text) == 1_000_000


def test_a_single_part_is_no_title() -> None:
    document = read("# Part I\n\nAnn left.\n\n## Chapter 1\n\nBo came.\n", "the_mill.md")
    assert document.title == "the mill"
    assert [place.label for place in document.places] == ["Part I", "Part I, chapter 1"]


def test_the_title_that_the_client_gives_comes_first() -> None:
    document = read("# Autre\n\nTexte.", "a.md", title="La\nlettre", date="1912-03-04")
    assert document.title == "La lettre"
    assert document.metadata == {"title": "La\nlettre", "date": "1912-03-04"}
    assert read("Texte.", "C:\\dossiers\\rapport_de_police.txt").title == "rapport de police"


# ---------------------------------------------------------------------------------------------------------------- html

HTML = """<!DOCTYPE html><html lang="fr"><head><title>L&#39;affaire &amp; la bague</title>
<link rel="stylesheet" href="http://192.0.2.1/a.css"><script>var a = "<p>non</p>";</script><style>p {}</style></head>
<body><h1>L'affaire</h1><p>Jules <b>porte</b> une <a href="x">cheva<i>lière</i></a>&nbsp;!<br>Oui.</p>
<img src="http://192.0.2.1/a.png"><h2>Le vol</h2><ul><li>une bague<li>deux clés</ul>
<table><tr><td>Nom</td><td>Delmas</td></tr></table><pre>a
  b</pre><![if !IE]><div><div>Fin</div></div></body></html>"""


def test_html() -> None:
    document = read(HTML, "a.html")
    assert document.title == "L'affaire & la bague"
    assert document.text == (
        "L'affaire\n\nJules porte une chevalière\u00a0!\nOui.\n\n"
        "Le vol\n\n- une bague\n- deux clés\n\nNom Delmas\n\na\n  b\n\nFin"
    )
    assert places(document) == [("Le vol", "Le vol")]


def test_html_in_its_declared_encoding() -> None:
    page = '<html><meta charset="windows-1251"><p>Жюль носит перстень</p>'
    assert read(page.encode("cp1251"), "a.htm").text == "Жюль носит перстень"
    assert read("<html><p>été", "без имени").media_type == "text/html"


def test_xhtml_closes_empty_elements_at_once() -> None:
    page = '<?xml version="1.0"?><html xmlns="x"><head><title/><script src="a.js"/></head><p>Jules &#7;&shy;dort</p>'
    assert read(page, "a.xhtml").text == "Jules dort"


def test_html_nested_without_end() -> None:
    assert read("<div>" * 100_000 + "Jules" + "<b>" * 100_000, "a.html").text == "Jules"


# ---------------------------------------------------------------------------------------------------------------- docx


def word(title: str = "") -> bytes:
    file = docx.Document()
    file.core_properties.title = title
    file.add_heading("Le dossier Delmas", 0)
    file.add_heading("La bague", 1)
    file.add_paragraph("Jules porte une chevalière.")
    file.add_heading("Le vol", 1)
    table = file.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Bague", "or"
    target = io.BytesIO()
    file.save(target)
    return target.getvalue()


def test_docx() -> None:
    document = read(word(), "a.docx")
    assert document.title == "Le dossier Delmas"
    assert places(document) == [("La bague", "La bague"), ("Le vol", "Le vol")]
    assert "Jules porte une chevalière." in document.text
    assert "Bague\n\nor" in document.text
    assert read(word("Propriétés"), "sans nom").title == "Propriétés"


# ---------------------------------------------------------------------------------------------------------------- epub

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>La Griffe</dc:title><dc:creator>É. Auteur</dc:creator><dc:language>fr-FR</dc:language></metadata>
<manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="1" href="ch%201.xhtml"/>
<item id="2" href="t/2.xhtml"/><item id="3" href="lost.xhtml"/><item id="4" href="4.xhtml"/></manifest>
<spine><itemref idref="1"/><itemref idref="2"/><itemref idref="3"/><itemref idref="4"/></spine></package>"""
NAV = '<html xmlns="http://www.w3.org/1999/xhtml"><nav><a href="ch%201.xhtml#x">I. La bague</a></nav></html>'


def test_epub() -> None:
    document = read(
        archive(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": CONTAINER,
                "OEBPS/a.opf": PACKAGE,
                "OEBPS/nav.xhtml": NAV,
                "OEBPS/ch 1.xhtml": '<?xml version="1.0" encoding="utf-8"?><html><p>Jules porte une bague.</p></html>',
                "OEBPS/t/2.xhtml": "<html><body><h2>Le vol</h2><p>Il fut vu à l’aube.</p></body></html>",
                "OEBPS/4.xhtml": "<html><body><p>Sans titre, la suite.</p></body></html>",
            }
        ),
        "a.epub",
    )
    assert (document.title, document.language) == ("La Griffe", "fr")
    assert document.metadata == {"author": "É. Auteur"}
    assert places(document) == [("I. La bague", "Jules porte une bague."), ("Le vol", "Le vol")]
    assert document.text.endswith("Sans titre, la suite.")
    assert document.warnings == ("lost.xhtml is missing",)


# ----------------------------------------------------------------------------------------------------------------- pdf


def test_pdf_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "installed_languages", lambda: ())
    document = read(pdf(["Jules porte une bague.", "", "Elle est à lui."], "Rapport"), "a.pdf")
    assert document.title == "Rapport"
    assert [(place.kind, place.label) for place in document.places] == [("page", "1"), ("page", "2"), ("page", "3")]
    assert document.text[document.places[2].start :] == "Elle est à lui."
    assert document.warnings == ("page 2 has no text", ocr.CURE)


def encrypted(content: bytes) -> bytes:
    writer = PdfWriter(PdfReader(io.BytesIO(content)))
    writer.encrypt("secret", algorithm="RC4-128")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


# ---------------------------------------------------------------------------------------------------------------- mail


def test_mail() -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = (
        "Hélène <h@example.org>",
        "Jules <j@example.org>",
        "La bague volée",
    )
    message["Date"] = "Mon, 04 Mar 1912 10:00:00 +0100"
    message.set_content("Cher Jules,\n\nRends la bague à Sophie.", charset="iso-8859-1")
    message.add_alternative("<p>Autre</p>", subtype="html")
    message.add_attachment(b"x", maintype="image", subtype="png", filename="bague.png")
    document = read(message.as_bytes(), "a.eml")
    assert document.title == "La bague volée"
    assert document.metadata["date"] == "1912-03-04"
    assert document.text.startswith("From: Hélène <h@example.org>\nTo: Jules <j@example.org>\nDate: Mon, 04 Mar 1912")
    assert document.text.strip().endswith("Cher Jules,\n\nRends la bague à Sophie.\n\n\nAutre")
    assert document.metadata["from"] == "Hélène <h@example.org>"
    assert document.warnings == () and document.metadata["attachments"] == "bague.png"


def test_a_mail_of_many_pictures_says_so_once() -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "Hélène <h@example.org>", "La bague"
    message.set_content("Rends la bague à Sophie.")
    for number in range(200):
        name = f"{number}.png" if number < 50 else "bague.png"
        message.add_attachment(b"x", maintype="image", subtype="png", filename=name, disposition="inline")
    (warning,) = read(message.as_bytes(), "a.eml").warnings
    assert warning.startswith("200 pictures are not read: bague.png (150 times), 0.png, ")
    assert warning.endswith("8.png and 41 more")


def test_mail_in_html_and_in_seven_bits() -> None:
    message = EmailMessage()
    message["Subject"] = "Été"
    message.set_content("<p>Rends <b>la bague</b></p>", subtype="html")
    assert read(message.as_bytes(), "a", "message/rfc822").text == "Subject: Été\n\nRends la bague"
    japanese = b"Subject: a\nContent-Type: text/plain; charset=iso-2022-jp\n\n" + "指輪".encode("iso-2022-jp")
    assert read(japanese, "a.eml").text == "Subject: a\n\n指輪"


def test_mail_that_was_saved_as_text() -> None:
    """A French program writes its headers in French: no mail to a parser, and all there to read."""
    document = read(b"De : Balise\nObjet : les offres\n\nJules porte la bague.", "a.eml")
    assert document.text == "De : Balise\nObjet : les offres\n\nJules porte la bague."
    assert document.warnings == ("no mail header: read as plain text",)


@pytest.mark.parametrize(
    "head",
    [
        "De : Balise <b@c.example>\nÀ : Thibault\nDate : lundi 14 mars 2016, 23:08\nObjet : les offres",
        "De : Balise\nEnvoyé : lundi 14 mars 2016 18:05\nÀ : Thibault\nObjet : les offres",
        "Von: Balise\nGesendet: Montag, 14. März 2016 10:22\nAn: Thibault\nBetreff: les offres",
        "De: Balise\nEnviado el: lunes, 14 de marzo de 2016 9:12\nPara: Thibault\nAsunto: les offres",
        "Da: Balise\nData: lunedì 14 marzo 2016 08:00\nMittente: Balise\nOggetto: les offres",
        "From: Balise\nSent: Monday, March 14, 2016 9:12 AM\nTo: Thibault\nSubject: les offres",
        "From: Balise\nTo: Thibault\nDate: lundi 14 mars 2016\nSubject: les offres",
        "From: Balise\nTo: Thibault\nDate: Mon, 14 Mar 2016 08:00:00 +0100\nSubject: les offres",
    ],
    ids=["French", "Outlook", "German", "Spanish", "Italian", "English Outlook", "mixed", "standard"],
)
def test_a_mail_has_its_date_in_whatever_words_its_head_says_it(head: str) -> None:
    body = "\n\nJules porte la bague. Il la portait déjà hier, et son oncle l'a vu.\n"
    document = read(head + body, "a.eml")
    assert (document.metadata["date"], document.title) == ("2016-03-14", "les offres")
    assert document.media_type == "message/rfc822" and document.warnings == ()
    assert "Balise" in document.text and document.text.endswith("son oncle l'a vu.\n")
    assert read(head + body, "lettre.txt").metadata["date"] == "2016-03-14"
    assert read(head + body, "lettre.txt").title == "lettre"


def test_what_only_looks_like_a_head_gives_no_date() -> None:
    for text in ("Date : lundi 14 mars 2016\n\nJules dort.", "De : Jules\nÀ : Sophie\n\nLe 14 mars 2016, il dort."):
        assert "date" not in read(text).metadata
    assert read("De : Jules\nDate : hier\n\nIl dort.", "a.eml").metadata["date"] == "hier"


def test_mail_with_a_head_that_is_none() -> None:
    head = b"Subject: " + b"=?utf-8?q?a?= " * 50_000 + b"\nFrom: =?x-none?b?!!?=\nTo: \xe9va\n\nJules dort."
    document = read(head, "a.eml")
    assert len(document.title) <= 1000
    assert "To: éva" in document.text
    assert document.text.endswith("Jules dort.")


# ----------------------------------------------------------------------------------------------------------- bad input


def bomb() -> bytes:
    return archive({"word/document.xml": b" " * 50_000_000})


@pytest.mark.parametrize(
    ("content", "name", "cause"),
    [
        (b"", "a.txt", "empty"),
        (b" \n\t", "a.txt", "empty"),
        ("…  👍 --".encode(), "a.txt", "no text"),
        (bytes(range(256)) * 40, "a.txt", "binary"),
        (b"\x00" * 5000, "a.txt", "binary"),
        (b"MZ\x90\x00\x03\x00\x00\x00\x04\x00" + bytes(range(200)) * 9, "a.txt", "binary"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 99, "a.txt", "PNG image|OCR failed"),
        (b"\x7fELF\x02\x01" + b"\x00" * 99, "a.txt", "a program"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, "a.doc", "old Office"),
        (b"PK\x03\x04" + b"x" * 200, "a.docx", "broken archive"),
        (archive({"a.txt": "x"}), "a.zip", "not a supported document"),
        (archive({"word/document.xml": "<no xml"}), "a.docx", "damaged"),
        (archive({"META-INF/container.xml": "<container/>"}), "a.epub", "damaged"),
        (bomb(), "a.docx", "looks like an attack"),
        (b"%PDF-1.7\nnothing", "a.pdf", "damaged"),
        (pdf(["", ""]), "a.pdf", "images"),
        (encrypted(pdf(["Jules"])), "a.pdf", "encrypted"),
        (b"<html><script>a</script></html>", "a.html", "no text"),
        (b"<html>" + b"<a " * 200_000, "a.html", "no text"),  # quadratic in Python's own parser
    ],
)
def test_what_cannot_be_read(content: bytes, name: str, cause: str) -> None:
    with pytest.raises(UnreadableDocument, match=cause) as raised:
        read(content, name)
    assert raised.value.cure.endswith(".")


def test_a_member_that_lies_about_its_size() -> None:
    """The directory says 100 bytes where ten million follow: not one byte more is unpacked."""
    honest = archive({"word/document.xml": b" " * 9_000_000})
    size = struct.pack("<I", 9_000_000)
    assert honest.count(size) == 2  # in the member's own head and in the directory
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(honest.replace(size, struct.pack("<I", 100)), "a.docx")


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TARGETS = "http://schemas.openxmlformats.org/package/2006/relationships"


def word_xml(body: str) -> bytes:
    """A Word file by hand: for what no program writes."""
    head = f'xmlns:w="{WORD}" xmlns:r="{OFFICE}"'
    notes = f'<w:footnotes {head}><w:footnote w:id="2"><w:p><w:r><w:t>{"Note. " * 100}</w:t></w:r></w:p></w:footnote>'
    target = f'<Relationship Id="r1" Type="{OFFICE}/hyperlink" Target="http://x/{"y" * 10_000}" TargetMode="External"/>'
    return archive(
        {
            "word/document.xml": f"<w:document {head}><w:body>{body}</w:body></w:document>",
            "word/footnotes.xml": f"{notes}</w:footnotes>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{TARGETS}">{target}</Relationships>',
            "mammoth/style-map": f"p => {' > '.join(['div.long'] * 500)}",
        }
    )


def test_a_word_file_says_once_what_it_holds_once(monkeypatch: pytest.MonkeyPatch) -> None:
    markup: list[str] = []
    whole = word_files.content_of_markup  # type: ignore[attr-defined]
    monkeypatch.setattr(word_files, "content_of_markup", lambda text: markup.append(text) or whole(text))
    link = '<w:hyperlink r:id="r1"><w:r><w:t>Jules.</w:t></w:r></w:hyperlink>'
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    text = read(word_xml(f"<w:p>{link}{note}</w:p>" * 200), "a.docx").text
    assert text.count("Jules.") == 200 and text.count("Note.") == 100
    assert len(markup[0]) < 20_000


def epub(spine: list[str], **chapters: str) -> bytes:
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in chapters)
    order = "".join(f'<itemref idref="{name}"/>' for name in spine)
    return archive(
        {
            "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
            "a.opf": f"<package><manifest>{items}</manifest><spine>{order}</spine></package>",
            **{f"{name}.xhtml": f"<html><body><p>{text}</p></body></html>" for name, text in chapters.items()},
        }
    )


def test_a_spine_that_names_a_file_again() -> None:
    text = read(epub(["b", *["a", "b"] * 5000], a="Jules dort.", b="Sophie part."), "a.epub").text
    assert text == "Sophie part.\n\nJules dort."


def shared(pages: int) -> bytes:
    """A PDF whose pages all show the one stream."""
    writer = PdfWriter()
    first = PdfReader(io.BytesIO(pdf(["Jules porte une bague."]))).pages[0]
    for _ in range(pages):
        writer.add_page(first)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"Jules dort. " * 20, "a.txt"),
        (b"<html>" + b"<p>Jules dort.</p>" * 20, "a.html"),
        (epub(["a", "b"], a="Jules dort. " * 10, b="Sophie part. " * 10), "a.epub"),
        (word_xml("<w:p><w:r><w:t>Jules dort.</w:t></w:r></w:p>" * 20), "a.docx"),
        (shared(20), "a.pdf"),
    ],
)
def test_more_text_than_a_document_may_have(content: bytes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(read(content, name).text) > 200
    monkeypatch.setattr("filigraph.graph.ingest.load.content.MAX_CHARACTERS", 200)
    with pytest.raises(UnreadableDocument, match="more than 200 characters") as raised:
        read(content, name)
    assert "several files" in raised.value.cure


@pytest.mark.parametrize(
    ("content", "name", "limit", "cause"),
    [
        (epub(["a"], a="Jules. " * 20), "a.epub", "archives.MAX_MEMBER", "part a.xhtml"),
        (epub(["a"], a="Jules."), "a.epub", "archives.MAX_TREE", "part META-INF/container.xml"),
        (word_xml("<w:p/>" * 20), "a.docx", "archives.MAX_MEMBER", "part word/document.xml"),
        (word_xml("<w:p/>" * 120), "a.docx", "office.word.MAX_ELEMENTS", "more than 100 elements"),
        (shared(20), "a.pdf", "pdf.pdf.MAX_DRAWN", "pages unpack"),
    ],
)
def test_a_part_that_is_too_large(
    content: bytes, name: str, limit: str, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"filigraph.graph.ingest.load.{limit}", {"archives.MAX_TREE": 10}.get(limit, 100))
    with pytest.raises(UnreadableDocument, match=cause) as raised:
        read(content, name)
    assert raised.value.cure.endswith(".")


def test_too_large() -> None:
    with pytest.raises(UnreadableDocument, match="the limit is 0 MB") as raised:
        load(Source(name="a.txt", content=b"a" * 101), limit=100)
    assert "several files" in raised.value.cure


# --------------------------------------------------------------------------------------------------------------- jsonl


def test_split_jsonl() -> None:
    rows = [
        json.dumps({"id": "a-1", "title": "La Griffe", "text": "Une société\nde voleurs.", "more": 1}),
        "",
        "{broken",
        json.dumps({"id": 2, "text": "Jules.", "date": 1912}),
        json.dumps({"title": "x", "text": "y"}),
        json.dumps({"id": "b", "text": " "}),
        json.dumps({"id": "a-1", "text": "again"}),
        json.dumps([1]),
        json.dumps({"id": "c", "title": 3, "text": "y"}),
    ]
    sources, problems = documents_in(
        Source(name="a.jsonl", content=b"\xef\xbb\xbf" + "\n".join(rows).encode(), metadata={"corpus": "x"})
    )
    assert [source.name for source in sources] == ["a-1", "2"]
    first, second = (load(source) for source in sources)
    assert (first.title, first.text, first.metadata["corpus"]) == ("La Griffe", "Une société\nde voleurs.", "x")
    assert (second.title, second.metadata) == ("2", {"corpus": "x", "date": "1912"})
    assert [problem.split(":")[0] for problem in problems] == [f"a.jsonl, line {n}" for n in (3, 5, 6, 7, 8, 9)]
    assert "no id" in problems[1]
    assert "no text" in problems[2]


@pytest.mark.parametrize("encode", [lambda line: json.dumps(line).encode(), lambda line: as_it_is(line)])
def test_half_of_a_character_costs_its_own_row(encode: Callable[[dict[str, str]], bytes]) -> None:
    rows = [
        {"id": "a", "text": "L'émeraude est rendue 😀."},
        {"id": "b\ud83d", "text": "Jules."},
        {"id": "c", "text": "Jules\udc80 part."},
        {"id": "d", "title": "La\udfff", "text": "Sophie."},
        {"id": "e", "text": "Mathilde reste à Lyon."},
    ]
    sources, problems = documents_in(Source(name="case/rows.jsonl", content=b"\n".join(encode(row) for row in rows)))
    assert [(source.name, load(source).text) for source in sources] == [(row["id"], row["text"]) for row in rows[::4]]
    assert problems == [
        "case/rows.jsonl, line 2: the id holds half of a character (\\ud83d); write the whole one, or take it out",
        "case/rows.jsonl, line 3: the text holds half of a character (\\udc80); write the whole one, or take it out",
        "case/rows.jsonl, line 4: the title holds half of a character (\\udfff); write the whole one, or take it out",
    ]


def as_it_is(line: dict[str, str]) -> bytes:
    """A line without JSON's escapes: half of a character as three bytes that are no UTF-8."""
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass")


def test_rows_in_another_encoding_are_doubted_aloud() -> None:
    row = json.dumps({"id": "a", "text": "Hélène a rendu la bague à Sophie."}, ensure_ascii=False)
    sources, problems = documents_in(Source(name="old.jsonl", content=row.encode("cp1252")))
    assert load(sources[0]).text == "Hélène a rendu la bague à Sophie."
    assert problems == ["old.jsonl: not UTF-8: read as cp1252"]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Józef Łęcki sprzedał łódź Święcickiemu. Późną nocą wrócił do Łodzi i zapłacił żołnierzowi.", "cp1250"),
        ("Jiří Dvořák prodal loď Tomáši Šťastnému. Večer se vrátil do Plzně a zaplatil řezníkovi.", "iso8859_2"),
        ("Ahmet Yılmaz evi Ayşe Şahin'e sattı. Ayşe İzmir'de oturuyor ve Işık Sokağı'nda onu gördü.", "cp1254"),
        ("Þórður Ólafsson seldi húsið. Guðrún býr í Reykjavík og sá hann á föstudaginn við höfnina.", "cp1252"),
        ("Jules a payé 300 € à l'Œuvre du Sacré-Cœur. Sa sœur Thérèse n'était pas là.", "iso8859_15"),
        ("Le père Gaudry a bu ½ livre de thé. Théo a pris ½ livre de café.", "cp1252"),
        ("יוסף כהן מכר את הספינה לדוד לוי בעיר חיפה. אחותו לא ידעה דבר על כך.", "cp1255"),
        ("นายสมชายขายเรือให้นายประเสริฐที่กรุงเทพ น้องสาวของเขาไม่รู้เรื่องนี้", "cp874"),
        ("김철수는 배를 팔았다. 그의 여동생은 아무것도 몰랐다.", "cp949"),
        ("Cominciò a piovere. Lasciò la casa. Ciò non può durare.", "cp1252"),  # no Vietnamese tones
        ("1½lb flour, ½oz yeast, ¼lb butter.", "cp1252"),
        ("Он тут жил", "cp1251"),  # no Thai marks
        ("Як справи, Олено?", "cp1251"),
        ("му. Пётр купил хлеб и молоко.", "koi8_r"),
        ("Ъгълът е тук.", "cp1251"),
        ("尊敬的先生,您的来信已经收到。我哥哥昨天去了上海,他的姐姐住在那里。他还不知道发生了什么事情。", "gb18030"),
        ("Théo Lamarre a payé l’hôtelier à Besançon. Où êtes-vous ? demanda Hélène. Ça suffit.", "cp1252"),
        ("Der Bäcker Müller verkaufte das Häuschen für fünf Gulden an Frau Größ; später reute es ihn.", "cp1252"),
        ("Søren Kjær solgte båden til Åse Ørsted. Hun boede på Ærø og så ham i går.", "cp1252"),
        ("田中太郎は佐藤花子に手紙を書いた。花子は京都に住んでいる。彼女は昨日、駅で鈴木に会った。", "euc_jp"),
        ("田中太郎は佐藤花子に手紙を書いた。花子は京都に住んでいる。彼女は昨日、駅で鈴木に会った。", "cp932"),
    ],
)
def test_old_encodings_of_many_languages_are_told_apart(text: str, encoding: str) -> None:
    assert read(text.encode(encoding)).text == text


def test_vietnamese_tones_join_their_vowels() -> None:
    text = "Nguyễn Văn An bán chiếc thuyền cho Trần Thị Hoa ở Huế. Em gái của ông không biết gì."
    decomposed = unicodedata.normalize("NFD", text)
    for letter in "âêôăơưÂÊÔĂƠƯ":
        decomposed = re.sub(  # a tone may stand before the mark of the vowel
            f"{unicodedata.normalize('NFD', letter)[0]}([\u0300\u0301\u0303\u0309\u0323]?)"
            f"{unicodedata.normalize('NFD', letter)[1]}([\u0300\u0301\u0303\u0309\u0323]?)",
            rf"{letter}\1\2",
            decomposed,
        )
    assert read(decomposed.encode("cp1258")).text == text


def test_a_label_of_western_europe_over_cyrillic_is_not_believed() -> None:
    text = "Иван Петров продал дом Анне Орловой. Борис уехал в Казань вчера вечером и больше не вернулся."
    page = f'<html><head><meta charset="iso-8859-1"></head><body><p>{text}</p></body></html>'
    assert read(page.encode("cp1251"), "a.html").text == text


def test_text_that_was_encoded_twice_is_read_as_it_was() -> None:
    text = "Théo Lamarre a payé l’hôtelier à Besançon."
    twice = read(text.encode().decode("cp1252").encode())
    assert twice.text == text and "encoded twice" in twice.warnings[0]
    for honest in (
        "Où êtes-vous, Hélène ?",
        "The sign Ã© is é.",
        "Ñandú, Ã.",
        "Иван",
        "AMANHÃ… TALVEZ",
        "AMANHÃ… IRMÃ… MANHÃ…",
        "The program showed cafÃ© for the word.",
    ):
        assert read(honest).text == honest


def test_lines_in_two_encodings_are_read_each_in_its_own_and_named() -> None:
    lines = [
        "Théo a payé.".encode(),
        "Élodie est née à Nîmes.".encode(),
        "Où ça ?".encode(),
        "Hélène a vendu.".encode("cp1252"),
    ]
    log = read(b"\n".join(lines))
    assert log.text.split("\n") == ["Théo a payé.", "Élodie est née à Nîmes.", "Où ça ?", "Hélène a vendu."]
    assert log.warnings == ("most lines are UTF-8; read as cp1252: line 4",)
    long = read(b"\n".join([*lines[:3] * 10, lines[3]]))
    assert "\ufffd" not in long.text and long.text.endswith("Hélène a vendu.")


def test_a_file_that_is_cut_within_a_letter_is_no_mix_of_encodings() -> None:
    assert read(("Théo a payé.\n" * 8 + "Hélène a payé").encode()[:-1]).text.endswith("Hélène a pay\ufffd")


def test_thousands_of_files_of_one_name_are_numbered_in_no_time() -> None:
    documents = Documents()
    assert [documents.reserve_name(name) for name in ("a/b.pdf", "a/b (2).pdf", "a/b.pdf", "a/b.pdf")] == [
        "a/b.pdf",
        "a/b (2).pdf",
        "a/b (3).pdf",
        "a/b (4).pdf",
    ]
    for _ in range(100_000):
        documents.reserve_name("a/b.pdf")


def test_hyphens_of_scans_and_those_that_part_no_word_are_hyphens() -> None:
    assert read("She met Otto Hollen¬\nbach and Jean\u2011Luc Roe.").text == "She met Otto Hollenbach and Jean-Luc Roe."


def test_the_language_of_a_short_mail_is_not_that_of_its_head() -> None:
    head = "From: Anna <a@t.test>\nTo: Bo <b@t.test>\nDate: Mon, 3 Jun 2019 10:00:00 +0300\nSubject: Письмо\n\n"
    assert read(f"{head}Иван Петров продал дом Анне. Борис Орлов уехал в Казань.", "a.eml").language not in ("en", "fr")


def test_a_rule_at_the_end_of_a_line_divides_no_word() -> None:
    text = "I paid.\n\n-----Original Message-----\nFrom: Ada Finch\nSent: 2 May 2022\n\nI sold the ware-\nhouse."
    assert "Message-----\nFrom: Ada Finch" in read(text).text and "the warehouse." in read(text).text


@pytest.mark.parametrize("encoding", ["cp1251", "koi8_r", "iso8859_5", "cp866", "mac_cyrillic"])
def test_cyrillic_encodings_are_told_apart(encoding: str) -> None:
    text = "Вера Линд купила лодку у капитана Рурка в порту Кадиса. «Он продал её за сто рублей», — сказала она."
    text = text if encoding in ("cp1251", "mac_cyrillic") else re.sub("[«»—]", "-", text)
    document = read(text.encode(encoding), "a.txt")
    assert document.text == text
    assert document.warnings == (f"not UTF-8: read as {encoding}",)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Капітан продав корабель купцеві. Його дружина залишилася вдома.", "cp1251"),
        ("Капітан продав корабель купцеві. Його дружина залишилася вдома.", "koi8_u"),
        ("Вона народилася в Києві… «Де ключ?» — запитав її батько. Є ще ґудзик.", "cp1251"),
        ("Капетан је продао брод трговцу. Његова жена је остала код куће. Љубица је у Ћуприји.", "cp1251"),
        ("Ђорђе Његош је дошао у Београд. Љубав је велика ствар, рекао је Џон.", "cp1251"),
        ("Ђорђе Његош је дошао у Београд. Љубав је велика ствар, рекао је Џон.", "mac_cyrillic"),
        ("КАПИТАН ПРОДАЛ КОРАБЛЬ КУПЦУ. ЕГО ЖЕНА ОСТАЛАСЬ ДОМА. ВЕЧЕРОМ ОНА УЕХАЛА К СЕСТРЕ В МОСКВУ.", "cp1251"),
        ("Капитан продал корабль купцу. Его жена осталась дома.", "koi8_r"),
        ("ÉÈÊÀÇÔÛ ÉTÉ", "cp1252"),
    ],
)
def test_letters_beside_russian_are_letters_and_capitals_are_no_other_language(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, (f"not UTF-8: read as {encoding}",))
