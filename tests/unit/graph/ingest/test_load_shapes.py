"""Shapes of real files: XML editions, transcripts with numbered lines, registers in columns, pages of web sites."""

from __future__ import annotations

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import load
from filigraph.graph.model.documents import Source
from filigraph.graph.text.language import detect
from tests.unit.graph.ingest.loading import places, read

TEI = """<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>Le Moulin</title><author>Jeanne Valadier</author></titleStmt><sourceDesc><p>Paris.</p></sourceDesc></fileDesc>
</teiHeader><text><body><div type="chapter"><head>Chapitre I</head><pb n="3"/><p>Agnès Pelle cacha le regis<lb
break="no"/>tre dans le puits<note n="1">Celui de la ferme.</note>. <choice><sic>Victor</sic><corr>Viktor</corr>
</choice> Lambert la vit.</p><fw>LE MOULIN</fw><pb n="4"/></div><div><head>Chapitre II</head><sp>
<speaker>AGNÈS</speaker><p>Où est-il&eacute; ?</p></sp><lg><l>Un vers,</l><l>un autre.</l></lg></div>
</body></text></TEI>"""
FICTION_BOOK = """<?xml version="1.0" encoding="utf-8"?><FictionBook xmlns:l="l"><description><title-info><author>
<first-name>Jeanne</first-name><last-name>Valadier</last-name></author><book-title>La Clef</book-title>
<lang>fr</lang></title-info></description><body><section><title><p>Chapitre I</p></title><p>Marthe ouvrit le coffre
avec la clef que le docteur lui avait donnée<a l:href="#n1" type="note">[1]</a>.</p></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>Une clef de fer.</p></section>
</body><binary>/9j/4A</binary></FictionBook>"""
PAGE = """<!DOCTYPE html><html lang="fr"><head><meta name="author" content="R. Ansell"></head>
<body><nav><a>Accueil</a></nav>
<main><h1>L'affaire</h1><time datetime="1912-03-04">lundi</time><p>Jules Delmas vendit la bague.</p></main>
<aside>À lire aussi</aside><footer>Mentions légales</footer></body></html>"""
DEPOSITION = """                              12
 1        Q.  Where were you on Sunday?
 2        A.  At the mill. I sold the ledger to
 3   Piers Vane.
 4        Q.  Who saw you?
 5        A.  Nobody.
\f                             13
 1        Q.  And then?
 2        A.  I went home.
"""
REGISTER = """REGISTER OF PASSENGERS

No.  Name              Age  Occupation
---  ----------------  ---  ----------
1    Quill, Martha      32  baker
2    Vane, Piers        41

They sailed on Sunday.  It rained.  Nobody came.
"""


def test_tei_is_read_as_an_edition() -> None:
    document = read(TEI.encode(), "moulin.xml")
    assert (document.title, document.metadata["author"]) == ("Le Moulin", "Jeanne Valadier")
    assert "cacha le registre dans le puits. Viktor Lambert la vit." in document.text
    assert "[1] Celui de la ferme." in document.text
    assert "AGNÈS.\nOù est-ilé ?" in document.text
    assert "Un vers,\nun autre." in document.text
    assert "LE MOULIN" not in document.text
    assert ("page", "3") in [(place.kind, place.label) for place in document.places]
    assert ("chapter", "II") in [(place.kind, place.label) for place in document.places]


def test_fiction_book_has_its_notes_below() -> None:
    document = read(FICTION_BOOK.encode(), "clef.fb2")
    assert (document.title, document.language) == ("La Clef", "fr")
    assert document.metadata["author"] == "Jeanne Valadier"
    assert document.text.endswith("lui avait donnée.\n\n[1] Une clef de fer.")


def test_xml_of_another_kind_is_read_by_its_words_and_says_so() -> None:
    document = read(b"<?xml version='1.0'?><cards><card><name>Ann Lee</name><born>1871</born></card></cards>", "x.xml")
    assert document.text.split() == ["Ann", "Lee", "1871"]
    assert "no kind that is known" in document.warnings[0]


def test_damaged_xml_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="XML is damaged"):
        read(b"<?xml version='1.0'?><TEI><p>Ann</TEI>", "x.xml")


def test_what_a_site_has_around_its_article_is_left_out_and_said() -> None:
    document = read(PAGE.encode(), "page.html")
    assert document.text == "L'affaire\n\nlundi\n\nJules Delmas vendit la bague."
    assert document.metadata == {"author": "R. Ansell", "date": "1912-03-04"}
    assert "<nav>, <aside>, <footer>" in document.warnings[0]


def test_numbers_of_lines_are_no_part_of_sentences() -> None:
    document = read(DEPOSITION.encode(), "depo.txt")
    assert "I sold the ledger to\nPiers Vane." in document.text
    assert not any(letter.isdigit() for letter in document.text)
    assert places(document) == [("12", "Q.  Where were you on Sunday?"), ("13", "Q.  And then?")]


def test_numbered_rows_and_lists_keep_their_numbers() -> None:
    text = "".join(f"{n}  Martha Quill, baker, number {n}\n" for n in range(1, 9))
    assert read(text.encode(), "list.txt").text.startswith("1  Martha Quill")


def test_a_table_in_columns_has_rows_with_cells() -> None:
    text = read(REGISTER.encode(), "register.txt").text
    assert "| No. | Name | Age | Occupation |\n| 1 | Quill, Martha | 32 | baker |\n| 2 | Vane, Piers | 41 |  |" in text
    assert "They sailed on Sunday.  It rained.  Nobody came." in text


def test_front_matter_is_metadata() -> None:
    document = read(b"---\ntitle: L'affaire\ndate: 2019-06-03\ntags: [a, b]\n---\n\n# Suite\n\nAnn vint.\n", "note.md")
    assert (document.title, document.text) == ("L'affaire", "# Suite\n\nAnn vint.\n")
    assert document.metadata == {"date": "2019-06-03", "tags": "a, b"}
    assert read(b"---\nAnn came. It: rained: hard\n---\n\nBob left.\n", "rule.md").text.startswith("---")


def test_cells_with_commas_are_parted_by_the_sign_that_parts_all_rows() -> None:
    assert "| Delmas, Jules | 1871 |" in read(b"Nom;N\xc3\xa9\nDelmas, Jules;1871\n", "r.csv").text


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"!BDN", "Outlook"),
        (b"\xcf\xad\x12\xfe", "Outlook Express"),
        (b"AT&TFORM", "DjVu"),
        (b"La Clef".ljust(60, b"\0") + b"BOOKMOBI", "Kindle"),
    ],
)
def test_what_is_not_read_is_named_however_large_it_is(start: bytes, what: str) -> None:
    with pytest.raises(UnreadableDocument, match=what) as raised:
        load(Source(name="x.pst", content=start + b"\0" * 400, media_type="", metadata={}), limit=100)
    assert raised.value.cure


def test_a_name_is_no_word_of_another_language() -> None:
    assert detect("Jules Delmas a vendu la bague à Mina Roche.") == "fr"
    assert detect("Mina Roche died.") == ""


def test_compounds_keep_their_hyphens_at_the_end_of_a_line() -> None:
    text = read("Le vice-\nprésident perdit son porte-\nmonnaie peut-\nêtre. Le gou-\nverneur resta beau-\ncoup.").text
    assert text == "Le vice-président perdit son porte-monnaie peut-être. Le gouverneur resta beaucoup."


def test_german_and_spanish_chapters() -> None:
    text = "".join(f"{which} Kapitel\n\nDer Müller kam und sprach mit dem Wirt.\n\n" for which in ("Erstes", "Zweites"))
    assert [label for label, _ in places(read(text))] == ["Erstes Kapitel", "Zweites Kapitel"]
    spanish = "CAPÍTULO PRIMERO\n\nLlovía.\n\nCAPÍTULO SEGUNDO\n\nSalió el sol.\n"
    assert [label for label, _ in places(read(spanish))] == ["PRIMERO", "SEGUNDO"]


STORY = "It rained on the mill and on the old inn beside it. " * 5


@pytest.mark.parametrize("mark", ["- {} -", "-- {} --", "Page {}", "{}"])
def test_numbers_of_pages_alone_on_a_line_part_no_sentence(mark: str) -> None:
    pages = [
        f"{STORY}Page {n} ended with the man who\n\n" + mark.format(n) + "\n\nnever came back. " for n in (2, 3, 4)
    ]
    document = read("".join(pages) + STORY)
    assert document.text.count("the man who\nnever came back.") == 3
    assert [label for label, _ in places(document)] == ["2", "3", "4"]
    assert [document.text[place.start :][:10] for place in document.places] == ["never came"] * 3


def test_numbers_below_pages_are_of_the_page_above() -> None:
    document = read("".join(f"{STORY}Part {n} ended here.\n\n- {n} -\n\n" for n in (1, 2, 3)))
    assert [document.text[place.start :][:9] for place in document.places] == ["It rained"] * 3
    assert [label for label, _ in places(document)] == ["1", "2", "3"]


def test_numbers_of_chapters_and_sums_stay() -> None:
    chapters = "".join(f"{n}\n\n{STORY}\n\n" for n in (1, 2, 3, 4))
    assert read(chapters).text.startswith("1\n\nIt rained")
    sums = "Paid\n\n40\n\nand\n\n12\n\nand\n\n300\n\nfrancs.\n"
    assert read(sums).text == sums


def test_a_page_of_questions_and_answers_has_no_line_numbers() -> None:
    lines = ["DEPOSITION OF VERA LIND", "BY MR. HALE:", "Q.  Where did you work?", "A.  In Lyon.", "Q.  When?"]
    page = "".join(f"{n:>4}  {line}\n" for n, line in enumerate(lines, 1))
    assert read(page, "a.txt").text == "\n".join([*lines, ""])


@pytest.mark.parametrize(
    "lines",
    [
        ("A knife", "A rope", "Two coats", "A lamp", "Some bread", "A map"),
        ("MR. HALE", "MRS. LIND", "Mr. Vane", "MR. QUILL", "Ms. Orme", "MR. ROE"),
        ("A. Lind", "B. Vane", "A. Roe", "D. Orme", "C. Hale", "A. Quill"),
        ("D. Lind", "R. Vane", "R. Roe", "D. Orme", "C. Hale", "D. Quill"),
    ],
)
def test_a_list_that_begins_as_answers_do_keeps_its_numbers(lines: tuple[str, ...]) -> None:
    text = "".join(f" {n}  {line}\n" for n, line in enumerate(lines, 1))
    assert read(text, "a.txt").text.strip() == text.strip()


def test_a_page_of_a_french_examination_has_no_line_numbers() -> None:
    lines = ["AUDITION DE VERA LIND", "D. Où étiez-vous ?", "R. À Lyon.", "D. Quand ?", "R. En mai."]
    page = "".join(f"{n:>4}  {line}\n" for n, line in enumerate(lines, 1))
    assert read(page, "a.txt").text == "\n".join([*lines, ""])
