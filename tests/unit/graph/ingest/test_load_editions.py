"""What editions add to a text, wrong declarations of encodings, marks of notes, parts above chapters."""

from __future__ import annotations

import pytest

from filigraph.graph.ingest.load.chapters import Heading, chapters_of_headings, chapters_of_plain_text, under_parts
from filigraph.graph.ingest.load.encoding import decode
from filigraph.graph.ingest.load.markup.markup import content_of_markup, read_markup
from filigraph.graph.text.hyphens import SOFT, join_divided_word, without_divided_words, without_soft_hyphens
from filigraph.graph.text.places import DocumentPlaces
from tests.unit.graph.ingest.loading import archive, places, read

GUTENBERG = """The Project Gutenberg eBook of Das Haus

Title: Das Haus
    am Hafen

Author: Ida Boy

Language: German

*** START OF THE PROJECT GUTENBERG EBOOK DAS HAUS ***

Produced by volunteers at the archive
and others.

KAPITEL I

Er sah _sie_ an--lange.[2] [Pg 3]Dann ging er. {p. 4} Sie blieb.

[Illustration: Der Hafen [von Norden]]

[Footnote 2: Das war 1874.]

End of the Project Gutenberg EBook of Das Haus, by Ida Boy

*** END OF THE PROJECT GUTENBERG EBOOK DAS HAUS ***

Section 1. The licence.
"""


@pytest.mark.parametrize(
    "credit",
    [
        "Transcribed from the 1891 Chapman and Hall edition by David Price",
        "Transcribed from the 1891 edition\nby David Price, email ccx@archive.test",
        "This etext was transcribed by David Price",
    ],
)
def test_who_transcribed_a_gutenberg_text_is_not_of_it(credit: str) -> None:
    text = read(GUTENBERG.replace("Produced by volunteers at the archive\nand others.", credit), "haus.txt").text
    assert text.startswith("KAPITEL I")


def test_credits_are_left_out_where_the_marks_are_gone() -> None:
    book = "THE GREY FERRY\n\nby\n\nEDMUND HALE\n\nShe _waited_."
    credited = read(f"Produced by an anonymous Project Gutenberg volunteer and Jo Fell\n\n\n\n{book}", "ferry.txt")
    assert credited.title == "The Grey Ferry" and credited.text.startswith("THE GREY FERRY")
    assert read(f"Produced by Jo Fell for the stage\n\n{book}", "ferry.txt").text.startswith("Produced by Jo Fell")


def test_the_book_in_a_gutenberg_file() -> None:
    document = read(GUTENBERG, "haus.txt")
    assert (document.title, document.metadata["author"]) == ("Das Haus am Hafen", "Ida Boy")
    for gone in ("licence", "Gutenberg", "volunteers", "[Pg", "{p.", "_sie_", "[2]", "Illustration", "Norden"):
        assert gone not in document.text
    assert "Er sah sie an—lange." in document.text and "[Footnote 2: Das war 1874.]" in document.text
    places = DocumentPlaces(document)
    assert places.section(document.text.index("Dann")) == "page 3, chapter I"
    assert places.section(document.text.index("Sie blieb")) == "page 4, chapter I"
    assert any("licence" in said for said in document.warnings)


def test_a_text_that_only_speaks_of_gutenberg_stays_whole() -> None:
    text = "He read _Emma_ on Project Gutenberg [sic].\n\nThen he slept -- alone.\n"
    assert read(text, "a.txt").text == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Varenne<sup>4</sup> left", "Varenne left"),
        ('Ashby<a href="#n2" epub:type="noteref"><sup>12</sup></a>.', "Ashby."),
        ('Geneva<a class="noteref" href="#n3"><sup>[3]</sup></a>.', "Geneva."),
        ('Lyon<a href="n.xhtml#n1">1</a>, then', "Lyon, then"),
        ('Lyon<a href="#n1">*</a> then', "Lyon then"),
        ("M<sup>me</sup> H<sub>2</sub>O le 1<sup>er</sup>", "Mme H2O le 1er"),
        ("40 m<sup>2</sup>, 10<sup>6</sup>", "40 m², 10⁶"),
        ('see <a href="#c3">chapter 3</a>, page <a href="#p12">12</a>', "see chapter 3, page 12"),
        ('[9] He was. <a href="#r9">↩</a>', "[9] He was."),
        ('Lyon[<a href="#n1">1</a>], the ring (<a href="#n2">2</a>) of Ann', "Lyon, the ring of Ann"),
        ('[<a href="#b1" id="n1">1</a>] A note', "A note"),
        ('<a href="#x"><b>Otto</b> Reiss</a><sup>th</sup>', "Otto Reissth"),
    ],
)
def test_marks_of_notes_in_markup(markup: str, text: str) -> None:
    assert read_markup(f"<html><body><p>{markup}</p></body></html>").text == text


def test_pages_of_the_printed_book() -> None:
    content = content_of_markup(
        "<body><p>One.</p><span class='pagenum'>[Pg 12]</span><p>Two <span role='doc-pagebreak' title='13'/>three.</p>"
    )
    assert content.text == "One.\n\nTwo three."
    assert [(place.label, content.text[place.start :][:3]) for place in content.places] == [
        ("12", "Two"),
        ("13", "thr"),
    ]


FRENCH = "Le général a été élu à l’hôtel « Où ça ? » près de la forêt, d’après Noël."


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "utf-8", "utf-16"])
def test_encodings_that_nobody_names(encoding: str) -> None:
    assert decode(FRENCH.encode(encoding))[0] == FRENCH
    english = "Nora O’Hara sold the Corvid—the old ketch—to Piers Vane for 12,000 and left Porthmoor."
    assert decode(english.encode(encoding))[0] == english
    dos = "Grüße aus Köln, schöne Straße"
    assert decode(dos.encode("cp850"))[0] == dos


@pytest.mark.parametrize("label", ["iso-8859-1", "US-ASCII", "latin1", '"ISO-8859-1"', "x-unknown", "utf-8"])
def test_a_label_that_lies(label: str) -> None:
    assert decode(b"O\x92Hara \x97 \x80 5\x85", label)[0] == "O’Hara — € 5…"


def test_other_labels_that_mean_more() -> None:
    assert decode("鄧小平".encode("gb18030"), "gb2312")[0] == "鄧小平"
    assert decode("①".encode("cp932"), "shift_jis")[0] == "①"


def test_bytes_without_a_letter_are_said() -> None:
    text, warnings = decode(b"caf\xe9 " + b"and so on " * 20 + b"\x81 end", "iso-8859-1")
    assert text.startswith("café ") and "\ufffd" in text
    assert warnings == ("broken cp1252: what could not be read is marked \ufffd (0x81 at byte 205)",)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("the ware-\nhouse of Stan-\nkovic", "the warehouse of Stankovic"),
        ("Anne-\nMarie came", "Anne-Marie came"),
        ("mother-in-\nlaw", "mother-in-law"),
        ("« Viens », dit-\nil.", "« Viens », dit-il."),
        ("a well-known man, well-\nknown here", "a well-known man, well-known here"),
        ("- one\n- two\nthree -\nfour", "- one\n- two\nthree -\nfour"),
    ],
)
def test_words_divided_at_line_ends(text: str, whole: str) -> None:
    assert without_divided_words(text) == whole


def test_soft_hyphens_go_with_the_line_end() -> None:
    assert read("Mirko Stan\u00ad\r\nkovic, com\u00admissioner", "a.txt").text == "Mirko Stankovic, commissioner"
    assert join_divided_word("the port\u00ad", "ier slept", {}) == ("the port", "ier slept")


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DIVIDED = (
    f"<w:document xmlns:w='{WORD}'><w:body><w:p><w:r><w:t>Mirko Stan</w:t><w:softHyphen/><w:br/>"
    "<w:t>kovic hid a led\u00ad</w:t><w:br/><w:t>ger.</w:t></w:r></w:p></w:body></w:document>"
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("indented.txt", "Mirko Stan\u00ad\n   kovic hid a led\u00ad\u200b \r\nger."),
        ("pages.txt", "Mirko Stan\u00ad\n\x0ckovic hid a led\u00ad\n\nger."),
        ("page.html", "<p>Mirko Stan&shy;\nkovic hid a led&#173;<br/> ger.</p>"),
        ("within.html", "<p>Mirko Stan\u00ad\n<span>kovic</span> hid <i>a led&shy;</i>\n<b>ger</b>.</p>"),
        ("lines.html", "<p>Mirko Stan&shy;<br class='x'>kovic hid a led&shy;<br />\n<b>ger</b>.</p>"),
        ("text.rtf", r"{\rtf1\ansi Mirko Stan\-\line kovic hid a led\-\par ger.}"),
        (
            "text.xml",
            "<TEI><text><p>Mirko Stan\u00ad<lb/>kovic hid a led\u00ad\n<lb/>ger.</p></text></TEI>",
        ),
        ("text.docx", archive({"word/document.xml": DIVIDED})),
    ],
)
def test_a_soft_hyphen_at_a_line_end_divides_no_word_in_any_format(name: str, content: str | bytes) -> None:
    assert read(content, name).text == "Mirko Stankovic hid a ledger."


@pytest.mark.parametrize("text", [f"{SOFT * 1_000_000}x", f"{SOFT} " * 500_000, f"{SOFT}{' ' * 1_000_000}x"])
def test_soft_hyphens_without_end_are_gone_soon(text: str) -> None:
    assert SOFT not in without_soft_hyphens(text)


def test_lines_of_an_edition_that_divide_words_without_end_are_read_soon() -> None:
    ends = "<lb break='no'/>" * 200_000
    assert read(f"<TEI><text><p>x{ends}y</p></text></TEI>", "a.xml").text == "xy"


def test_a_soft_hyphen_in_a_quoted_mail_goes_with_the_mark_of_the_quote() -> None:
    mail = read("From: a@b.org\nSubject: x\n\n> Mirko Stan\u00ad\n> kovic hid.\n", "a.eml")
    assert mail.text.endswith("> Mirko Stankovic hid.\n")


def test_what_stands_below_a_soft_hyphen_is_not_its_rest() -> None:
    assert read("The led\u00ad\n\nCHAPTER II", "a.txt").text == "The led-\n\nCHAPTER II"


def test_words_divided_over_a_page_number_are_whole() -> None:
    pages = "\n".join(f"Page {n} told of the ware\u00ad\n\n- {n} -\n\nhouse at the port." for n in range(1, 5))
    read_pages = read(pages, "a.txt")
    assert read_pages.text.count("warehouse at the port.") == 4
    assert [place.label for place in read_pages.places][:4] == ["1", "2", "3", "4"]


def test_ligatures() -> None:
    assert read("The o\ufb03cer \ufb02ed.", "a.txt").text == "The officer fled."


def test_chapters_are_said_with_their_parts() -> None:
    found = under_parts(
        [
            (0, ("Prologue",)),
            (5, ("Second Period", "First Narrative")),
            (9, ("Second Period", "First Narrative", "III")),
            (20, ("Second Period", "Second Narrative", "Chapter III")),
            (30, ("Second Period", "Epilogue")),
        ]
    )
    assert [place.label for place in found] == [
        "Prologue",
        "Second Period, First Narrative",
        "Second Period, First Narrative, chapter III",
        "Second Period, Second Narrative, chapter III",
        "Epilogue",
    ]


@pytest.mark.parametrize(
    "levels",
    [
        {"First Period": 1, "First Narrative": 2, "Chapter I": 3, "Chapter II": 3, "Second Period": 1},
        dict.fromkeys(("First Period", "First Narrative", "Chapter I", "Chapter II", "Second Period"), 2),
    ],
)
def test_chapters_below_parts_whatever_the_levels_of_their_headings(levels: dict[str, int]) -> None:
    labels = [*levels, "First Narrative", "Chapter I", "Chapter II"]
    _, found = chapters_of_headings(
        Heading(level=levels[label], label=label, start=n) for n, label in enumerate(labels)
    )
    assert [place.label for place in found] == [
        "First Period",
        "First Period, First Narrative",
        "First Period, First Narrative, chapter I",
        "First Period, First Narrative, chapter II",
        "Second Period",
        "Second Period, First Narrative",
        "Second Period, First Narrative, chapter I",
        "Second Period, First Narrative, chapter II",
    ]


def test_notices_of_digital_libraries_are_no_part_of_the_book() -> None:
    pages = {
        "a": "<h1>La Lampe</h1><p>Exporté de Wikisource le 3 mars 2025</p>",
        "b": "<p>Jules dort.</p>",
        "c": "<h2>À propos de cette édition électronique</h2><p>Contributeurs : Hektor.</p>",
    }
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in pages)
    spine = "".join(f'<itemref idref="{name}"/>' for name in pages)
    files = {
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
        "p.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
        **{f"{name}.xhtml": f"<html><body>{body}</body></html>" for name, body in pages.items()},
    }
    document = read(archive(files), "a.epub")
    assert document.text == "Jules dort." and "a.xhtml, c.xhtml" in document.warnings[0]


@pytest.mark.parametrize("word", ["Ilustración", "Illustrazione", "Ilustração", "Portada"])
def test_pictures_in_other_languages_are_no_text(word: str) -> None:
    head, tail = (f"*** {edge} OF THE PROJECT GUTENBERG EBOOK A ***" for edge in ("START", "END"))
    book = f"{head}\n\nRosa duerme.\n\n[{word}: Rosa]\n\nLuis vino.\n\n{tail}\n"
    assert read(book, "a.txt").text.split() == ["Rosa", "duerme.", "Luis", "vino."]


def test_an_epub_without_what_is_of_the_edition() -> None:
    def page(body: str, kind: str = "") -> str:
        return f'<html xmlns:epub="http://www.idpf.org/2007/ops"><body epub:type="{kind}">{body}</body></html>'

    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part I</text></navLabel>'
        '<content src="c.xhtml"/><navPoint><navLabel><text>II</text></navLabel><content src="c.xhtml#two"/></navPoint>'
        "</navPoint></navMap></ncx>"
    )
    files = ("imprint", "c", "uncopyright")
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in files)
    items += '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    spine = "".join(f'<itemref idref="{name}"/>' for name in files)
    document = read(
        archive(
            {
                "META-INF/container.xml": '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
                "p.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
                "toc.ncx": ncx,
                "imprint.xhtml": page("<p>Standard text.</p>", "frontmatter imprint"),
                "uncopyright.xhtml": page("<h2>Uncopyright</h2><p>CC0.</p>", "backmatter copyright-page"),
                "c.xhtml": page('<h2>Part I</h2><p>Lena came.</p><h3 id="two">II</h3><p>She left.</p>', "bodymatter"),
            }
        ),
        "a.epub",
    )
    assert document.text == "Part I\n\nLena came.\n\nII\n\nShe left."
    places = DocumentPlaces(document)
    assert places.section(document.text.index("She")) == "Part I, chapter II"
    assert "imprint.xhtml" in document.warnings[0] and "uncopyright.xhtml" in document.warnings[0]


BODY = "The rain fell on the quay all night and the lamp went out. " * 8


def test_chapters_of_plain_text_are_said_with_the_parts_they_stand_in() -> None:
    parts = ["FIRST PERIOD", "THE LOSS", "CHAPTER I", BODY, "CHAPTER II", BODY, "SECOND PERIOD", "FIRST NARRATIVE"]
    parts += ["CHAPTER I", BODY, "SECOND NARRATIVE", "CHAPTER I", BODY]
    labels = [label for label, _ in places(read("\n\n".join(parts)))]
    assert [label for label in labels if "chapter" in label] == [
        "First Period, chapter I",
        "First Period, chapter II",
        "Second Period, First Narrative, chapter I",
        "Second Period, Second Narrative, chapter I",
    ]
    french = ["PREMIÈRE PARTIE", "CHAPITRE PREMIER", BODY, "DEUXIÈME PARTIE", "CHAPITRE PREMIER", BODY]
    labels = [label for label, _ in places(read("\n\n".join(french)))]
    assert labels == ["Première Partie, chapter Premier", "Deuxième Partie, chapter Premier"]
    assert [label for label, _ in places(read(f"Chapter 1\n\n{BODY}\n\nChapter 2\n\n{BODY}"))] == ["1", "2"]


def novel_of_lines(numbers: str) -> str:
    """A novel of two parts whose lines are paragraphs, without blank lines."""
    long = "Quand la caissière lui eut rendu la monnaie, il sortit du restaurant et descendit la rue. " * 4
    chapter = f"{long}\n" + "— Où vas-tu ?\n— Chez moi, dit-il.\n« Fort bien. »\n" * 3
    chapters = "".join(f"{numbers.format(number)}\n{chapter}" for number in ("I", "II"))
    return f"PREMIÈRE PARTIE \n{chapters}DEUXIÈME PARTIE \n{chapters}"


@pytest.mark.parametrize("numbers", ["{}", "-- {} --", "[{}]", "* {} *", "— {} —"])
def test_lines_that_are_paragraphs_have_numbers_and_chapters(numbers: str) -> None:
    novel = read(novel_of_lines(numbers), "novel.txt")
    assert [place.label for place in novel.places] == [
        "Première Partie, chapter I",
        "Première Partie, chapter II",
        "Deuxième Partie, chapter I",
        "Deuxième Partie, chapter II",
    ]
    marks = DocumentPlaces(novel).marks(0, len(novel.text))
    assert (novel.text.rindex("— Chez"), "Deuxième Partie, chapter II, paragraph 9") in marks


def test_wrapped_lines_and_tables_stay_as_they_are() -> None:
    wrapped = "\n".join(["He went down to the harbour, and looked at all the boats that lay", "along the quay."] * 9)
    table = "\n".join(["2 May\tHarper\trent." + " paid in full and received" * 9 + "."] * 9)
    for text in (wrapped, table):
        assert "\n\n" not in read(text, "text.txt").text


def test_page_numbers_and_transcriber_notes_are_left_out() -> None:
    wrapped = "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n\n{}\n\n*** END OF THE PROJECT GUTENBERG EBOOK A ***\n"
    found = read(
        wrapped.format(
            "Lena stood.[A]\n\n[12]\n\nShe left.\n\n[Footnote A: In 1871.]\n\n[Transcriber's Note: [Two] mended.]"
            "\n\n[Anmerkungen zur Transkription: Gesperrtes ist so.]"
        )
    )
    assert " ".join(found.text.split()) == "Lena stood. She left. [Footnote A: In 1871.]"
    assert [place.label for place in found.places] == ["12"]
    assert "notes of who transcribed it" in found.warnings[0]
    braces = read(
        wrapped.format("Lena{12} stood.\n\nTranscriber's Notes: Typos\nwere mended.\n\n{13}She left.\n\nTHE END")
    )
    assert " ".join(braces.text.split()) == "Lena stood. She left. THE END"
    assert [place.label for place in braces.places] == ["12", "13"]


@pytest.mark.parametrize(
    ("parts", "labels"),
    [
        (
            ["PART ONE", "1", "Lena came.", "2", BODY, "PART TWO", "1", "She left."],
            ["Part One, chapter 1", "Part One, chapter 2", "Part Two, chapter 1"],
        ),
        (
            ["PART ONE", "Chapter 1. The Storm", BODY, "PART TWO", "Chapter 2. The Calm", BODY],
            ["Part One, chapter 1. The Storm", "Part Two, chapter 2. The Calm"],
        ),
        (
            ["PREMIÈRE PARTIE", "I", "Léa vint.", "II", BODY, "DEUXIÈME PARTIE", "I", BODY, "ÉPILOGUE", BODY],
            ["Première Partie, chapter I", "Première Partie, chapter II", "Deuxième Partie, chapter I", "ÉPILOGUE"],
        ),
        (
            ["Erster Teil", "Erstes Kapitel", BODY, "Zweiter Teil", "Erstes Kapitel", BODY],
            ["Erster Teil, Erstes Kapitel", "Zweiter Teil, Erstes Kapitel"],
        ),
        (["LETTER I", BODY, "LETTER II", BODY, "CHAPTER I", BODY], ["LETTER I", "LETTER II", "I"]),
        (["ONE", BODY, "TWO", BODY], ["ONE", "TWO"]),
        (["1\nThe Gale", BODY, "2\nThe Calm", BODY], ["1. The Gale", "2. The Calm"]),
        (
            ["Book the First: Recalled to Life", "I. The Mail", BODY, "Book the Second: the Thread", "I. Years", BODY],
            ["Book the First: Recalled to Life, chapter I. The Mail", "Book the Second: the Thread, chapter I. Years"],
        ),
        (["Bring:", "1", "milk", "2", "bread"], []),
        (["The rooms are", "7", BODY, "9", BODY], []),
    ],
)
def test_parts_and_bare_numbers_above_chapters(parts: list[str], labels: list[str]) -> None:
    assert [place.label for place in chapters_of_plain_text("\n\n".join(parts))] == labels


@pytest.mark.parametrize(
    ("text", "title", "author"),
    [
        ("THE GREY FERRY\n\nBY EDMUND HALE\n\n", "The Grey Ferry", "Edmund Hale"),
        ("The Grey Ferry\nA novel\nby\nEdmund Hale\n\n", "The Grey Ferry A novel", "Edmund Hale"),
        ("LE BAC GRIS\n\npar Émile de la Tour\n\n", "Le Bac Gris", "Émile de la Tour"),
        ("The boat was hidden.\nBy Monday\n\n", "a", ""),
        ("Dear Ann,\nby the way\n\n", "a", ""),
    ],
)
def test_the_title_of_a_plain_text_is_that_of_its_title_page(text: str, title: str, author: str) -> None:
    found = read(text + BODY)
    assert (found.title, found.metadata.get("author", "")) == (title, author)


def test_numbers_of_lines_are_no_part_of_their_words_and_are_said_to_be_left_out() -> None:
    page = "<html><body><p>A golden Cupid peeped out<span class='lnum'>80</span><br/>Another hid</p></body></html>"
    document = read(page, "verse.html")
    assert document.text == "A golden Cupid peeped out\nAnother hid"
    assert document.warnings == ("left out, as no part of the text: numbers of lines",)


def test_a_licence_that_is_marked_as_one_is_said_to_be_left_out() -> None:
    page = "<html><body><p>She left.</p><section class='pg-boilerplate'>The licence.</section></body></html>"
    document = read(page, "book.html")
    assert document.text == "She left."
    assert document.warnings == ("left out, as no part of the text: Project Gutenberg's head and licence",)


def test_the_head_of_an_e_text_without_marks_is_left_out() -> None:
    head = (
        "* A Distributed Proofreaders Canada eBook *\n\nThis ebook is made available at no cost.\n\n"
        "Title: The Grey Ferry\n"
        "Author: Edmund Hale\nEdition used as base for this ebook:\n   London: Hodder, 1931\nFaded Page ebook #2015\n\n"
        "This ebook was produced by Al Haines\n\n\n"
    )
    book = read(f"{head}THE GREY FERRY\n\nLena Voss met Rourke.\n\n[The end of _The Grey Ferry_ by Edmund Hale]\n")
    assert book.text == "THE GREY FERRY\n\nLena Voss met Rourke."
    assert (book.title, book.metadata["author"]) == ("The Grey Ferry", "Edmund Hale")
    assert book.warnings == ("left out, as no part of the text: the head of the e-text",)


def test_running_heads_with_the_numbers_of_pages_are_no_text() -> None:
    said = [
        f"{word} Lena Voss met Otto at the quay. {'The tide was out, and nobody saw the lamp. ' * 6}Then she went with"
        for word in ("Once", "her, and twice", "him. Again", "her, and late", "Otto. Soon")
    ]
    heads = [
        "THE MAY FERRY    11",
        "12   EDMUND HALE",
        "THE MAY FERRY    13",
        "14   EDMUND HALE",
        "THE MAY FERRY    15",
    ]
    scan = read("\n\n\f".join(f"{head}\n\n{words}" for head, words in zip(heads, said, strict=True)))
    assert "FERRY" not in scan.text and "HALE" not in scan.text
    assert "Then she went with\nher, and twice Lena Voss" in scan.text
    assert [label for label, _ in places(scan)] == ["11", "12", "13", "14", "15"]
    parts = "\n\n".join(f"SONG {n}\n\nThe mill of Otto Reiss stood by the river" for n in range(1, 5))
    assert read(parts.replace("river", "river.")).text.startswith("SONG 1")


@pytest.mark.parametrize(
    "head", ["{}  January", "{}  lundi", "Canto {}", "SONG {}", "The Lamp {}", "{}  Récit"], ids=lambda head: head
)
@pytest.mark.parametrize("words", ["Met Ada at the quay", "met Ada at the quay, and went " + "on and on " * 40])
def test_heads_of_diaries_and_of_verses_are_no_heads_of_pages(head: str, words: str) -> None:
    if head == "The Lamp {}" and words[0] == "m":
        return  # it is one
    text = "\n\n".join(f"{head.format(n)}\n\n{words}" for n in range(1, 6))
    assert read(text).text.count(head.replace("{}", "").strip()) == 5


def test_a_range_of_years_and_a_former_office_keep_their_hyphen() -> None:
    assert (
        without_divided_words("the years 1914-\n1918 and an ex-\nminister") == "the years 1914-1918 and an ex-minister"
    )
    assert join_divided_word("the years 1914-", "1918 and", {}) == ("the years 1914-", "1918 and")


def test_chapters_of_which_number_and_title_are_two_headings_below_a_repeated_title() -> None:
    levels = ((1, "ARSENE LUPIN"), (2, "CONTENTS"), (1, "ARSENE LUPIN"), (3, "CHAPTER I"), (3, "THE DAUGHTER"))
    headings, start = [], 0
    for level, label in (*levels, (3, "CHAPTER II"), (3, "THE RING"), (3, "PART TWO"), (3, "THE SEA")):
        start += 500 if label.startswith(("CHAPTER", "PART")) else 0
        headings.append(Heading(level=level, label=label, start=start))
        start += len(label) + 2
    labels = [place.label for place in chapters_of_headings(headings)[1]]
    assert labels[3:] == ["I. THE DAUGHTER", "II. THE RING", "PART TWO", "THE SEA"]


def test_several_authors_of_a_gutenberg_text_are_several() -> None:
    head = "The Project Gutenberg EBook of Lupin\n\nTitle: Lupin\n\nAuthor: Ann Jepson\n        Bo Leblanc\n\n"
    book = f"{head}*** START OF THIS PROJECT GUTENBERG EBOOK LUPIN ***\n\nShe sold the ring.\n\n"
    document = read(f"{book}*** END OF THIS PROJECT GUTENBERG EBOOK LUPIN ***\n")
    assert (document.title, document.metadata["author"]) == ("Lupin", "Ann Jepson, Bo Leblanc")
