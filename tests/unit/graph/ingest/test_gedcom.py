"""Family trees: events and ties as sentences, nothing of them lost, each quote in its record."""

from __future__ import annotations

import pytest

from filigraph.graph.errors import UnreadableDocument
from filigraph.graph.ingest.load import content as loaded
from filigraph.graph.ingest.load import gedcom
from filigraph.graph.ingest.split import split
from filigraph.graph.text.places import place_of
from tests.unit.graph.ingest.loading import read

TREE = """0 HEAD
1 SOUR Tree
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Ann /Low/
2 GIVN Ann
1 NAME Ann /Moss/
1 SEX F
1 BIRT
2 DATE 3 MAY 1880
2 PLAC Kiel, , Germany
2 SOUR @S1@
3 PAGE 12
1 OCCU baker
2 DATE FROM 1900 TO 1910
1 NOTE She wrote let
2 CONC ters to
2 CONT her sister.
1 FAMS @F1@
0 @I2@ INDI
1 NAME Bo /Moss/
1 SEX M
1 DEAT Y
0 @I3@ INDI
1 NAME Eva /Moss/
1 SEX F
1 BIRT
2 DATE ABT 1905
1 FAMC @F1@
0 @F1@ FAM
1 HUSB @I2@
1 WIFE @I1@
1 CHIL @I9@
1 MARR
2 DATE JUN 1901
2 PLAC Brest
1 _UID 77
0 @S1@ SOUR
1 TITL Parish register
0 TRLR
"""


def test_events_and_ties_are_sentences_and_notes_go_on() -> None:
    document = read(TREE, "a.ged")
    assert document.media_type == "text/vnd.familysearch.gedcom" and document.language == "en"
    assert document.text == (
        "Ann Low\n\nAnn Low is also called Ann Moss.\n\nAnn Low was born in Kiel (Germany) on 3 May 1880.\n\n"
        "source: Parish register (S1); page: 12\n\noccupation: baker, from 1900 to 1910\n\n"
        "note: She wrote letters to\nher sister.\n\n"
        "Bo Moss\n\nBo Moss died.\n\n"
        "Eva Moss\n\nEva Moss was born about 1905.\n\n"
        "Bo Moss – Ann Low\n\nEva Moss is the daughter of Bo Moss.\n\n"
        "Eva Moss is the daughter of Ann Low.\n\nI9 is the child of Bo Moss.\n\nI9 is the child of Ann Low.\n\n"
        "Bo Moss married Ann Low in Brest in June 1901.\n\n"
        "title: Parish register"
    )
    assert document.warnings == (
        "left out, as no part of the text: HEAD (1 times), _UID (1 times)",
        "records that are named but are not there: I9",
    )


def test_a_quote_is_in_its_record() -> None:
    chunk = split(read(TREE, "a.ged"), "d")[0]
    at = chunk.text.index("Eva Moss was born")
    assert place_of(chunk.places, at, at + 5) == "entry I3"


def test_a_french_tree_is_in_french() -> None:
    tree = TREE.replace("1 CHAR", "1 LANG French\n1 CHAR")
    document = read(tree, "a.ged")
    assert document.language == "fr"
    assert "Ann Low est née le 3 mai 1880 à Kiel, Germany." in document.text
    assert "Eva Moss est fille de Bo Moss." in document.text and "Bo Moss est mort." in document.text


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("ANSEL", b"Ren\xe2ee /Gar\xf0con/"),
        ("ANSEL", "Renée /Garçon/".encode("cp1252") + b" n\xe9 \xe0 Li\xe9"),  # which only says so
        ("ANSEL", "Renée /Garçon/".encode()),
        ("ANSI", "Renée /Garçon/".encode("cp1252")),
        ("IBMPC", "Renée /Garçon/".encode("cp437")),
        ("UTF-8", "Renée /Garçon/".encode()),
    ],
)
def test_encodings_are_what_the_head_says_or_what_the_bytes_are(charset: str, name: bytes) -> None:
    content = b"0 HEAD\n1 CHAR " + charset.encode() + b"\n0 @I1@ INDI\n1 NAME " + name + b"\n0 TRLR\n"
    assert read(content, "a.ged").text.startswith("Renée Garçon")


def test_dates_that_are_in_no_form_stay_as_they_are() -> None:
    tree = "0 @I1@ INDI\n1 NAME Bo /Moss/\n1 BIRT\n2 DATE {}\n"
    for date, said in {
        "BET 1880 AND MAR 1882": "between 1880 and March 1882",
        "BEF 1900": "before 1900",
        "(in the war)": "(in the war)",
        "@#DFRENCH R@ 12 VEND 3": "(FRENCH R: 12 VEND 3)",
        "27.11.1957": "(27.11.1957)",
    }.items():
        assert read(tree.format(date), "a.ged").text == f"Bo Moss\n\nBo Moss was born {said}."


def test_lines_without_a_level_and_namesakes_are_named() -> None:
    tree = "0 @I1@ INDI\n1 NAME Bo /Moss/\n1 NOTE It was\nlate.\n0 @I2@ INDI\n1 NAME Bo /Moss/\n"
    document = read(tree, "a.ged")
    assert "note: It was\nlate." in document.text
    assert document.warnings == (
        "lines without a level, read as a part of the line above: 1",
        "several persons have one name: Bo Moss",
    )


def test_what_is_no_tree_is_read_as_text_and_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("Dear Ann,\nI left.", "a.ged").warnings == ("no record of a family tree: read as plain text",)
    deep = "0 @I1@ INDI\n" + "".join(f"{n} NOTE deep {n}\n" for n in range(1, 100))
    assert "deep 99" in read(deep, "a.ged").text
    monkeypatch.setattr(gedcom, "MOST_LINES", 10)
    with pytest.raises(UnreadableDocument, match="more than 10 lines"):
        read(deep, "a.ged")


def test_a_family_that_says_more_than_a_document_may_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "MAX_CHARACTERS", 10_000)
    members = "".join(f"1 HUSB H{n}\n1 CHIL C{n}\n" for n in range(1_000))
    with pytest.raises(UnreadableDocument, match="more than 10,000 characters"):
        read(f"0 @F1@ FAM\n{members}", "a.ged")
