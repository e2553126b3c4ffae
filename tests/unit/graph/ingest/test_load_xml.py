"""XML as archives and journals use it: nothing is lost, chapters and authors are right."""

from __future__ import annotations

import pytest

from tests.unit.graph.ingest.loading import places, read

ARTICLE = """<!DOCTYPE article PUBLIC "-//X//DTD Y//EN" "y.dtd">
<article><front><journal-meta><journal-title>Annals</journal-title></journal-meta>
<article-meta><article-id>77</article-id><title-group><article-title>On Ferries</article-title></title-group>
<contrib-group><contrib><name><surname>Hale</surname><given-names>Ann B</given-names></name><email>a@b.c</email>
</contrib></contrib-group><abstract><p>Ferries sink.</p></abstract></article-meta></front>
<body><sec><title>Results</title><p>The Heron sank in fog.</p></sec><sec><title>Discussion</title><p>Nobody knows
why.</p></sec></body>
<back><ref-list><ref><element-citation><person-group><name><surname>Moss</surname><given-names>Bo</given-names></name>
</person-group><year>1911</year><source>Fogs</source></element-citation></ref></ref-list></back></article>"""
PLAY = """<!-- a play --><TEI xml:lang="en"><teiHeader><author><idno>Q70326</idno><persName><forename>Ann</forename>
<surname>de Vries</surname></persName></author><title>The Net</title></teiHeader><text><front><head>Persons</head>
<p>Ann, Bo.</p></front><body><div type="act"><head>ACT I</head><div><head>SCENE I</head><sp><speaker>ANN</speaker>
<p>I go.</p></sp></div><div><head>SCENE II</head><p>He <del>ran</del> went.</p><p><choice><sic>teh</sic>
<corr>the</corr></choice> <abbr>Dr.</abbr> Low</p></div></div><div type="act"><head>ACT II</head><div>
<head>SCENE I</head><p>Night.</p></div></div></body></text></TEI>"""


@pytest.mark.parametrize("name", ["a.xml", "a.nxml", "a"])
def test_an_article_is_read_by_its_parts_whatever_it_begins_with(name: str) -> None:
    document = read(ARTICLE, name)
    assert (document.title, dict(document.metadata)["author"]) == ("On Ferries", "Ann B Hale")
    assert "Ferries sink." in document.text
    assert "Moss Bo" in document.text
    assert not {"article-meta", "a@b.c"} & set(document.text.split())
    assert {"Results", "Discussion"} <= {label for label, _ in places(document)}


def test_scenes_of_a_play_are_chapters_below_their_act() -> None:
    document = read(PLAY, "play.xml")
    assert document.metadata["author"] == "Ann de Vries"
    labels = [label for label, _ in places(document)]
    assert labels == ["ACT I", "Act I, Scene I", "Act I, Scene II", "ACT II", "Act II, Scene I"]


def test_what_is_left_out_of_xml_is_said_and_the_editors_reading_is_kept() -> None:
    document = read(PLAY, "play.xml")
    assert "ran" not in document.text.split()
    assert any("<del> (1 times)" in warning for warning in document.warnings)
    assert "the Dr. Low" in " ".join(document.text.split())


def test_xml_of_an_unknown_kind_loses_no_words_for_the_names_of_its_elements() -> None:
    document = read("<patent><description><p>A lamp glows.</p></description><meta>Osram</meta></patent>", "p.xml")
    assert "A lamp glows." in document.text
    assert "Osram" in document.text


@pytest.mark.parametrize(
    ("person", "author"),
    [
        ("<author><name>Jane Austen</name></author>", "Jane Austen"),
        ("<contrib><name>Bo Moss</name><email>a@b.c</email></contrib>", "Bo Moss"),
        ("<author><name>Jane <hi>Austen</hi></name></author>", "Jane Austen"),
        ("<contrib><name><surname>Low</surname></name></contrib>", "Low"),
    ],
)
def test_a_name_without_parts_is_the_authors(person: str, author: str) -> None:
    document = read(f"<TEI><teiHeader>{person}</teiHeader><text><p>Night.</p></text></TEI>", "a.xml")
    assert document.metadata["author"] == author


def test_a_line_of_verse_is_read_whatever_its_class() -> None:
    page = '<html><body><p><span class="ln">Shall I compare thee</span><br/><span class="lineno">2</span>to a day</p>'
    text = read(page + "</body></html>", "a.html").text
    assert text == "Shall I compare thee\nto a day"


def test_heads_of_lists_of_persons_are_no_chapters_and_the_files_own_date_is_not_the_texts() -> None:
    head = (
        "<teiHeader><fileDesc><titleStmt><title>The Net</title></titleStmt><publicationStmt><date when='2015'/>"
        "</publicationStmt><sourceDesc><bibl><date when='1871'/></bibl></sourceDesc></fileDesc></teiHeader>"
    )
    cast = "<castList><castGroup><head>Fishers</head><castItem>Ann</castItem></castGroup></castList>"
    speech = "<sp><speaker><w>ANN</w>\n</speaker>\n<stage><w>, aside</w> </stage><p>I go.</p></sp>"
    scene = f"<div type='act'><head>ACT I</head><div><head>SCENE I</head>{speech}</div></div>"
    document = read(f"<TEI>{head}<text><front>{cast}</front><body>{scene}</body></text></TEI>", "a.xml")
    assert document.metadata["date"] == "1871"
    assert "Fishers" in document.text
    assert "Fishers" not in str(places(document))
    assert "ANN.\n(aside)" in document.text


def test_a_judgment_has_its_name_and_day_and_its_headings_are_chapters() -> None:
    meta = (
        "<meta><identification><FRBRWork><FRBRdate date='2022-02-01' name='decision'/><FRBRname value='Finch v Lind'/>"
        "</FRBRWork></identification><proprietary><hash>7f18683a</hash></proprietary></meta>"
    )
    levels = "".join(
        f"<level><heading>{head}</heading><paragraph><num>1.</num><content><p>{words}</p></content></paragraph></level>"
        for head, words in (("The facts", "Ada sold the boat."), ("The law", "She may."))
    )
    judgment = f"<judgment>{meta}<judgmentBody><decision>{levels}</decision></judgmentBody></judgment>"
    document = read(f"<akomaNtoso>{judgment}</akomaNtoso>", "a.xml")
    assert (document.title, document.metadata["date"]) == ("Finch v Lind", "2022-02-01")
    assert [label for label, _ in places(document)] == ["The facts", "The law"]
    assert "7f18683a" not in document.text
    assert document.warnings == ()
